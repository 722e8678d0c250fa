import { decimalsOf, timeZoneOf } from "../../base/markets/markets.ts";
import { moneyText, percentText } from "../../base/text/money_text.ts";
import { addDays, dayIn } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import { placeOf, type Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Alert } from "./alert.ts";
import { FigureFacts, type WatchSubject } from "./figure_facts.ts";
import {
  experimentSubjects,
  hourSubjects,
  operationSubjects,
  scheduleSubjects,
  streamSubjects,
  type TimerRun,
  timerSubjects,
  todaySubjects,
} from "./live_facts.ts";
import {
  driftSubjects,
  type OwnSubject,
  type OwnSubjects,
  planSubjects,
  reportSubjects,
} from "./own_facts.ts";
import type { WatchRule } from "./watch_file.ts";
import { figureNamed, isFigureOver, spokenFact } from "./watch_names.ts";

interface Words {
  readonly rule: WatchRule;
  readonly subject: WatchSubject;
  readonly day: string;
  readonly countryCode: string;
}

function alertTitle(words: Words): string {
  const { rule: { name, say, when }, subject: { facts, label }, day, countryCode } = words;
  if (say === undefined) {
    return [countryCode, label, `${name}: ${when}`].filter((part) => part !== "").join(", ");
  }
  const text = say.replace(/\{([^}]*)\}/g, (_, word: string) => {
    if (word === "day") return day;
    if (word === "market") return countryCode;
    const value = facts[word];
    return value === undefined ? "unknown" : factText(word, value, words);
  });
  return `${countryCode}: ${text}`;
}

function alertText(
  words: Words & { readonly own: readonly string[]; readonly link: string | undefined },
): string {
  const { rule, subject: { facts }, day, own, link } = words;
  const { condition, figures, days, look, advice } = rule;
  const lines: string[] = [];
  if (isFigureOver(rule.over)) {
    const first = addDays(day, 1 - FigureFacts.reach(figures));
    const which = look === "mature"
      ? " (days whose orders are complete)"
      : condition.readsSales
      ? " (orders of these days may still arrive)"
      : "";
    lines.push(`Seen: ${first === day ? day : `${first} to ${day}`}${which}`);
    if (days > 1) lines.push(`Since ${addDays(day, 1 - days)}, ${days} days in a row`);
    lines.push(`It costs ${money(costADay(rule, facts), words)} a day`);
  }
  const read = [...figures.map(({ name }) => name), ...condition.names].filter((name) =>
    typeof facts[name] === "number"
  );
  if (read.length > 0) {
    lines.push(read.map((name) => `${spokenFact(name)}: ${factText(name, facts[name]!, words)}`).join("; "));
  }
  lines.push(...own);
  if (advice !== undefined) lines.push(`To do: ${advice}`);
  if (link !== undefined) lines.push(`In the console: ${link}`);
  return lines.join("\n");
}

/** Returns the average daily cost in the profile's currency, over the longest period of figures that the rule reads. */
export function costADay({ figures }: Pick<WatchRule, "figures">, facts: WatchSubject["facts"]): number {
  const windows = figures.filter(({ of }) => of !== "median" && of !== "mad").map(({ days }) => days);
  return Number(facts["cost_longest"]) / Math.max(1, ...windows);
}

function factText(name: string, value: number | string, words: Words): string {
  if (typeof value === "string") return value;
  const metric = figureNamed(name)?.metric ?? name;
  if (name === "hour") return `${Math.floor(value)}:${String(Math.floor(value * 60 % 60)).padStart(2, "0")}`;
  if (/^(cost|sales|cpc|budget|bid|cost1h|cost_today|cost_today_median)$/.test(metric)) {
    return money(value, words);
  }
  if (/^(acos|ctr|cvr|budget_used7d|budget_used)$/.test(metric)) return percentText(value);
  return String(Number(value.toFixed(2)));
}

function money(value: number, { subject, countryCode }: Words): string {
  const decimals = decimalsOf(countryCode);
  const currency = subject.facts["currency"];
  return `${moneyText(Number(value.toFixed(decimals)), decimals)}${
    currency === undefined ? "" : ` ${currency}`
  }`;
}

/** Sources of facts for rules. */
export interface FindOptions {
  /** The profile that is watched. */
  readonly profile: ProfileClient;
  /** Stored figures. */
  readonly store: Warehouse;
  /** Stores of plans, for rules about plans and experiments. @default none */
  readonly plans?: readonly PlanStore[] | undefined;
  /** Path or address of the store, for rules about schedules. @default that of `store` */
  readonly place?: string | undefined;
  /** Reads the last run of each service timer for the profile. @default none, and rules over timers are not judged */
  readonly timers?: (() => Promise<readonly TimerRun[]>) | undefined;
  /** Address of the console, for links in alerts. @default no links */
  readonly console?: string | undefined;
  /** Rewrites advice, for example to name commands instead of library functions. @default none are changed */
  readonly words?: ((advice: string) => string) | undefined;
  /** Current time in milliseconds since the epoch. @default now */
  readonly now?: number | undefined;
  /** Aborts reading the account; then no alerts are returned. */
  readonly signal?: AbortSignal | undefined;
}

export interface FoundAlerts {
  /** Alerts in rule order; within a rule, highest cost first. */
  readonly alerts: readonly Alert[];
  readonly unjudged: readonly { readonly rule: string; readonly why: string }[];
}

const MOST = 25;

export async function findAlerts(
  rules: readonly WatchRule[],
  options: FindOptions,
  known?: FigureFacts,
): Promise<FoundAlerts> {
  const { profile, now = profile.transport.now(), words = (advice) => advice } = options;
  const today = dayIn(timeZoneOf(profile.profile), now);
  const figures = known ?? new FigureFacts(options.store, { profileId: profile.profileId, today });
  const alerts: Alert[] = [];
  const unjudged: { rule: string; why: string }[] = [];
  for (const rule of rules) {
    const day = lastDay(rule, today);
    const found = isFigureOver(rule.over)
      ? await figureMatches(rule, { facts: figures, day })
      : await ownMatches(rule, { ...options, now, today });
    if (found.why !== undefined) unjudged.push({ rule: rule.name, why: words(found.why) });
    const sorted = found.matches.toSorted((a, b) => costOf(b) - costOf(a));
    for (const subject of sorted.slice(0, MOST)) {
      const { lines = [], next }: Partial<OwnSubject> = subject;
      const own = next === undefined ? lines : [...lines, words(next)];
      const said = { rule, subject, day, countryCode: profile.countryCode };
      const id = await alertId([profile.profileId, rule.name, subject.key, day]);
      alerts.push({
        id,
        at: new Date(now).toISOString(),
        profileId: profile.profileId,
        countryCode: profile.countryCode,
        rule: rule.name,
        over: rule.over,
        severity: rule.severity,
        key: subject.key,
        subject: subject.label,
        day,
        since: addDays(day, 1 - rule.days),
        title: alertTitle(said),
        text: alertText({ ...said, own, link: options.console && `${options.console}/inbox/${id}` }),
        facts: isFigureOver(rule.over)
          ? { ...subject.facts, cost_a_day: costADay(rule, subject.facts) }
          : subject.facts,
        planId: null,
      });
    }
    if (sorted.length > MOST) {
      unjudged.push({
        rule: rule.name,
        why: `${sorted.length - MOST} more rows match it and cost less; narrow the rule`,
      });
    }
  }
  return { alerts, unjudged };
}

export function lastDay({ look, over }: Pick<WatchRule, "look" | "over">, today: string): string {
  if (!isFigureOver(over)) return today;
  return addDays(today, look === "mature" ? -ATTRIBUTION_DAYS - 1 : -1);
}

interface Found {
  readonly matches: readonly (WatchSubject | OwnSubject)[];
  readonly why?: string | undefined;
}

async function figureMatches(
  { over, condition, figures, days, minClicks }: WatchRule,
  { facts, day }: { readonly facts: FigureFacts; readonly day: string },
): Promise<Found> {
  if (!isFigureOver(over)) return { matches: [] };
  let matches: readonly WatchSubject[] | undefined;
  let why: string | undefined;
  for (let back = 0; back < days; back++) {
    const end = addDays(day, -back);
    const reads = { figures, names: condition.names };
    const missing = await facts.missing(over, figures, end);
    why ??= missing;
    // A missing day can only add: sums that are past a limit without it are past it.
    if (missing !== undefined && !condition.onlyRises(await facts.open(over, reads, end))) {
      return { matches: [], why };
    }
    const hold = (await facts.subjects(over, reads, end)).filter((subject) =>
      Number(subject.facts["clicks_longest"] ?? 0) >= minClicks && condition.judge(subject.facts) === true
    );
    const keys = new Set(hold.map(({ key }) => key));
    matches = matches === undefined ? hold : matches.filter(({ key }) => keys.has(key));
    if (matches.length === 0) break;
  }
  return { matches: matches ?? [], why };
}

async function ownMatches(
  { over, condition }: WatchRule,
  options: FindOptions & { readonly now: number; readonly today: string },
): Promise<Found> {
  let found: OwnSubjects;
  try {
    found = await ownSubjects(over, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    // What cannot be read keeps one rule from being judged, and not the others.
    return { matches: [], why: (error as Error).message.split("\n")[0]! };
  }
  const matching = (rows: readonly OwnSubject[]): OwnSubject[] =>
    rows.filter(({ facts }) => condition.judge(facts) === true);
  if (!("why" in found)) return { matches: matching(found) };
  const { subjects = [], why, open } = found;
  return { matches: open !== undefined && condition.onlyRises(open) ? matching(subjects) : [], why };
}

async function ownSubjects(
  over: WatchRule["over"],
  { profile, store, plans = [], place = placeOf(store), timers, now, today, signal }: FindOptions & {
    readonly now: number;
    readonly today: string;
  },
): Promise<OwnSubjects> {
  const { profileId } = profile;
  switch (over) {
    case "today":
      return await todaySubjects(profile, { now, signal });
    case "hours":
      return await hourSubjects(store, { profile, now });
    case "stream":
      return await streamSubjects(store, { profileId, now });
    case "reports":
      return await reportSubjects(store, { profileId, today });
    case "timers":
      return timers === undefined
        ? { why: "Rules over timers need the runs of a service, and none are given" }
        : timerSubjects(await timers(), now);
    case "drift":
      return await driftSubjects(profile, { plans, now, signal });
    case "schedules":
      return await scheduleSubjects(place, { profileId, now });
    case "experiments":
      return await experimentSubjects(plans, { profileId, now });
    case "operations":
      return await operationSubjects({ today });
    default:
      return await planSubjects(plans, { profileId, now });
  }
}

function costOf({ facts }: WatchSubject): number {
  return Number(facts["cost_longest"] ?? 0);
}

/** Computes the id of an alert. Deterministic, so that the same finding gets the same id on any machine. */
export async function alertId(parts: readonly string[]): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)));
  return [...new Uint8Array(bytes).subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
