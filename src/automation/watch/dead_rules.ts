import { spellReport } from "../../client/reports/requests/presets.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import type { Coverage } from "../../store/model/coverage.ts";
import { streamStatus } from "../../store/stream/stream_status.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { FigureFacts, reportsOf } from "./figure_facts.ts";
import { lastDay } from "./find_alerts.ts";
import type { WatchChannel, WatchFile, WatchRule } from "./watch_file.ts";
import { isFigureOver } from "./watch_names.ts";

/** A rule that cannot raise alerts at present, or has no working channel. */
export interface DeadRule {
  /** Name of the rule. */
  readonly rule: string;
  /** Reason why the rule cannot work, and the next step. */
  readonly why: string;
}

/**
 * Lists rules that cannot work: they need data that is not stored or never known, they duplicate another rule, or
 * their channels are not set up. Each rule is listed once, with the first reason.
 *
 * @example
 * ```ts
 * import { Warehouse } from "@platform/ads/store";
 * import { deadRules, loadWatch } from "@platform/ads/watch";
 *
 * async function dead(): Promise<string[]> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const found = await deadRules(await loadWatch("watch.yaml"), { store, env: process.env, now: Date.now() });
 *   return found.map(({ rule, why }) => `${rule}: ${why}`);
 * }
 * ```
 */
export async function deadRules(
  { rules, channels }: WatchFile,
  { store, env, now }: {
    /** Store that the rules read. @default none, and only the file itself is looked at */
    readonly store?: Warehouse | undefined;
    /** Environment variables, for the channels. */
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Current time in milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<DeadRule[]> {
  const coverage = await store?.coverage() ?? [];
  const facts = new Map<string, FigureFacts>();
  const dead: DeadRule[] = [];
  for (const [at, rule] of rules.entries()) {
    const why = sameAs(rule, rules.slice(0, at)) ?? unreachable(rule, { channels, env }) ??
      (store === undefined ? undefined : await blind(rule, { store, coverage, facts, now }));
    if (why !== undefined) dead.push({ rule: rule.name, why });
  }
  return dead;
}

function sameAs(
  { over, when, days, minClicks, look }: WatchRule,
  before: readonly WatchRule[],
): string | undefined {
  const same = before.find((other) =>
    other.over === over && other.when.replaceAll(/\s/g, "") === when.replaceAll(/\s/g, "") &&
    other.days === days && other.minClicks === minClicks && other.look === look
  );
  return same && `it duplicates ${same.name}`;
}

function unreachable(
  rule: WatchRule,
  { channels, env }: {
    readonly channels: readonly WatchChannel[];
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): string | undefined {
  const unset = channels.filter(({ name }) => rule.channels.includes(name)).map((channel) =>
    unsetVariables(channel, env)
  );
  const names = [...new Set(unset.flat())];
  return unset.length === 0 || unset.some((one) => one.length === 0)
    ? undefined
    : `its alerts reach no channel: ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not set`;
}

export function unsetVariables(
  channel: WatchChannel,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const needed = channel.kind === "email"
    ? [channel.server_env]
    : channel.kind === "webhook"
    ? [channel.url_env, channel.secret_env]
    : channel.kind === "slack"
    ? [channel.url_env]
    : [];
  return needed.flatMap((name) => name === undefined || (env[name] ?? "") !== "" ? [] : [name]);
}

async function blind(
  rule: WatchRule,
  { store, coverage, facts, now }: {
    readonly store: Warehouse;
    readonly coverage: readonly Coverage[];
    readonly facts: Map<string, FigureFacts>;
    readonly now: number;
  },
): Promise<string | undefined> {
  const { over } = rule;
  if (over === "hours" || over === "stream") {
    const { datasets } = await streamStatus(store, { now: () => now });
    return datasets.length > 0 ? undefined : "no hour is stored: consumeStream() stores them";
  }
  if (over === "reports") return coverage.length > 0 ? undefined : "no report is stored: run sync()";
  if (!isFigureOver(over)) return undefined;
  const reports = reportsOf(over);
  const stored = coverage.filter(({ report }) => reports.includes(report));
  if (stored.length === 0) {
    return `it is over ${over}, and none of its reports is stored: sync() with the report ${
      spellReport(reports[0] ?? "")
    }`;
  }
  let why: string | undefined;
  const profiles = new Map(stored.map(({ profileId, countryCode }) => [profileId, countryCode]));
  for (const [profileId, countryCode] of profiles) {
    const today = dayIn(timeZoneOf({ countryCode }), now);
    const own = facts.get(profileId) ?? new FigureFacts(store, { profileId, today });
    facts.set(profileId, own);
    const day = lastDay(rule, today);
    const reason = await blindOn(rule, { facts: own, day });
    if (reason === undefined) return undefined;
    why ??= reason;
  }
  return why;
}

async function blindOn(
  { over, figures, condition, minClicks }: WatchRule,
  { facts, day }: { readonly facts: FigureFacts; readonly day: string },
): Promise<string | undefined> {
  if (!isFigureOver(over)) return undefined;
  const missing = await facts.missing(over, figures, day);
  if (missing !== undefined) return missing;
  const subjects = await facts.subjects(over, { figures, names: condition.names }, day);
  if (subjects.length === 0) return `no ${over.replace("_", " ")} has a figure`;
  for (const name of [...condition.names, ...condition.figures.map(({ name }) => name)]) {
    if (subjects.every((one) => one.facts[name] === undefined)) {
      return `no ${over.replace("_", " ")} has a value for ${name}${
        name === "bid" ? ": sync() with entities reads bids" : ""
      }`;
    }
  }
  const most = Math.max(...subjects.map((one) => Number(one.facts["clicks_longest"] ?? 0)));
  return most < minClicks ? `min_clicks is ${minClicks}, and the most that a row has is ${most}` : undefined;
}
