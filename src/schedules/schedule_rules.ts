import type { ProfileClient } from "../client/profile_client.ts";
import { fieldsOf } from "../internal/fields_of.ts";
import { type CompiledRule, compileSchedule, MAX_RULES } from "./compile_schedule.ts";
import { weekOf } from "./schedule_week.ts";
import type { Schedule } from "./schedule.ts";

/** A schedule that rules of the platform carry out: bids at the lowest factor, and rules that raise them above. */
export interface PlatformSchedule {
  /** The schedule, as in the file. */
  readonly schedule: Schedule;
  /** Factor of the bids. */
  readonly lowest: number;
  /** The rules of each of its campaigns. */
  readonly rules: readonly CompiledRule[];
}

const PREFIX = "adsctl";
export const API = "sponsored-products";
const MAX_FILTER = 100;
/** A bid large enough that factors are compiled to five digits. */
const PRECISE_BASE = 1000;
const DAY_NAMES = {
  mon: "MONDAY",
  tue: "TUESDAY",
  wed: "WEDNESDAY",
  thu: "THURSDAY",
  fri: "FRIDAY",
  sat: "SATURDAY",
  sun: "SUNDAY",
} as const;

/**
 * Compiles a schedule for rules of the platform.
 *
 * @param zone Time zone of the profile; rules run in it.
 * @throws {RangeError} that says why rules cannot carry it out. Write `on: worker` then.
 *
 * @example
 * ```ts
 * import { platformSchedule } from "@platform/ads/schedules";
 *
 * const nights = { name: "nights", move: "bid", grid: [{ hours: "00-06", factor: 0.5 }] } as const;
 * const { lowest, rules } = platformSchedule(nights, "America/Los_Angeles");
 * console.log(lowest, rules.length); // 0.5 1
 * ```
 */
export function platformSchedule(schedule: Schedule, zone: string | undefined): PlatformSchedule {
  const { name } = schedule;
  const refused = (why: string): RangeError =>
    new RangeError(`Cannot compile schedule "${name}" into rules of the platform: ${why}. Write on: worker`);
  if (schedule.zone !== undefined && zone !== undefined && schedule.zone !== zone) {
    throw refused(
      `their hours are those of the profile, in ${zone}, and the schedule is in ${schedule.zone}`,
    );
  }
  if (schedule.min !== undefined || schedule.max !== undefined) {
    throw refused("one rule raises all bids of a campaign by one percentage, so that bounds cannot hold");
  }
  if (schedule.combine === "multiply") throw refused("rules add up, and cannot multiply");
  const compiled = compileSchedule(schedule, PRECISE_BASE);
  if (compiled.tooMany) {
    throw refused(`it takes ${compiled.needed} rules, and a campaign may have ${MAX_RULES}`);
  }
  return { schedule, lowest: compiled.base / PRECISE_BASE, rules: compiled.rules };
}

export type Rule = Readonly<Record<string, unknown>>;

interface LiveRule {
  readonly name: string;
  readonly id: string;
  readonly schedule: string;
  readonly campaignId: string;
  readonly rule: Rule;
}

/** Rules of one schedule that should be there, by name; none for a schedule that ends. */
export interface WantedRules {
  readonly schedule: string;
  readonly insists: boolean;
  /** Highest factor of the schedule; 0 for one that ends. */
  readonly highest: number;
  readonly rules: ReadonlyMap<string, Rule>;
  /** Ids of campaigns that the rules are tied to. */
  readonly campaigns: readonly string[];
}

/** The rules of a schedule for its campaigns. */
export function wantedRules(
  { schedule, rules }: PlatformSchedule,
  campaigns: readonly string[],
  now: number,
): WantedRules {
  const named = campaigns.flatMap((campaignId) =>
    rules.map((rule, at) => {
      const name = `${PREFIX} ${schedule.name} ${campaignId} ${at + 1}`;
      return [name, ruleBody(name, rule, now)] as const;
    })
  );
  return {
    schedule: schedule.name,
    insists: schedule.foreignEdits === "insist",
    highest: Math.max(...weekOf(schedule).flat()),
    rules: new Map(named),
    campaigns,
  };
}

function ruleBody(ruleName: string, { days, from, to, increment }: CompiledRule, now: number): Rule {
  const isDaily = days.length === 7;
  const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
  return {
    ruleName,
    ruleCategory: "BID",
    ruleSubCategory: "SCHEDULE",
    status: "ENABLED",
    action: {
      actionType: "ADOPT",
      actionDetails: { actionOperator: "INCREMENT", actionUnit: "PERCENT", value: increment },
    },
    recurrence: {
      type: isDaily ? "DAILY" : "WEEKLY",
      ...(isDaily ? {} : { daysOfWeek: days.map((day) => DAY_NAMES[day]) }),
      ...(from === 0 && to === 24 ? {} : { timesOfDay: [{ startTime: clock(from), endTime: clock(to) }] }),
      duration: { startTime: new Date(now).toISOString() },
    },
  };
}

/** The effect of a rule as one text, without its duration. */
export function contentOf(rule: Rule): string {
  const recurrence = fieldsOf(rule["recurrence"]);
  const details = fieldsOf(fieldsOf(rule["action"])["actionDetails"]);
  const [window] = Array.isArray(recurrence["timesOfDay"]) ? recurrence["timesOfDay"] : [];
  const { startTime = "00:00", endTime = "24:00" } = fieldsOf(window);
  const days = Array.isArray(recurrence["daysOfWeek"]) ? recurrence["daysOfWeek"].map(String).toSorted() : [];
  return JSON.stringify([rule["status"], details["value"], days.join(" "), startTime, endTime]);
}

export function isOn(rule: Rule): boolean {
  return rule["status"] === "ENABLED" || rule["status"] === "SCHEDULED";
}

/** Rules of schedules in the account, and the number of other rules on each campaign. */
export interface RulesNow {
  readonly ours: ReadonlyMap<string, LiveRule>;
  /** Names of our rules that are tied to their campaign. */
  readonly tied: ReadonlySet<string>;
  /** Schedule rules of others, by campaign. */
  readonly others: ReadonlyMap<string, number>;
}

/** Reads the rules of schedules: by their names, and by their campaigns. */
export async function readRules(
  profile: ProfileClient,
  campaigns: readonly string[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RulesNow> {
  const search = async (filter: Rule): Promise<Rule[]> => {
    const found: Rule[] = [];
    const body = { ...filter, maxResults: 300 };
    const options = signal === undefined ? {} : { signal };
    for await (const page of profile.pages(`${API}:SearchOptimizationRules`, body as never, options)) {
      const list = fieldsOf(page)["optimizationRules"];
      if (Array.isArray(list)) found.push(...list.map(fieldsOf));
    }
    return found;
  };
  const ours = new Map<string, LiveRule>();
  const named = await search({
    optimizationRuleFilter: { ruleName: { filterType: "BROAD_MATCH", values: [`${PREFIX} `] } },
  });
  for (const rule of named) {
    const live = liveRule(rule);
    if (live !== undefined) ours.set(live.name, live);
  }
  const tied = new Set<string>();
  const others = new Map<string, number>();
  const byCampaigns = (ids: readonly string[]): Promise<Rule[]> =>
    search({ campaignFilter: { campaignId: { filterType: "EXACT_MATCH", values: ids } } });
  for (let at = 0; at < campaigns.length; at += MAX_FILTER) {
    const part = campaigns.slice(at, at + MAX_FILTER);
    const found = await byCampaigns(part);
    for (const rule of found) {
      const live = liveRule(rule);
      if (live !== undefined) tied.add(live.name);
    }
    const isOther = (rule: Rule): boolean =>
      liveRule(rule) === undefined && rule["ruleSubCategory"] === "SCHEDULE" && isOn(rule);
    if (!found.some(isOther)) continue;
    // A rule does not name its campaigns: where others have rules, each campaign is read by itself.
    for (const id of part) others.set(id, (await byCampaigns([id])).filter(isOther).length);
  }
  return { ours, tied, others };
}

function liveRule(rule: Rule): LiveRule | undefined {
  const name = String(rule["ruleName"] ?? "");
  const [, schedule, campaignId] = new RegExp(`^${PREFIX} (\\S+) (\\d+) \\d+$`).exec(name) ?? [];
  if (schedule === undefined || campaignId === undefined) return undefined;
  return { name, id: String(rule["optimizationRuleId"]), schedule, campaignId, rule };
}

/** Campaigns that have no room for the rules of a schedule beside those of others. */
export function withoutRoom(
  { schedule, rules }: PlatformSchedule,
  { others }: Pick<RulesNow, "others">,
): Map<string, string> {
  return new Map(
    [...others].filter(([, count]) => count + rules.length > MAX_RULES).map(([id, count]) => [
      id,
      `it has ${count} rules of others, and ${schedule.name} takes ${rules.length}; a campaign may have ${MAX_RULES}`,
    ]),
  );
}
