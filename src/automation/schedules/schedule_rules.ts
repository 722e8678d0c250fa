import { type Rule, RULE_PREFIX, type RulesNow } from "../../account/diff/live_rules.ts";
import { type CompiledRule, compileSchedule, MAX_RULES } from "./compile_schedule.ts";
import { weekOf } from "./schedule_week.ts";
import type { Schedule } from "./schedule.ts";

/** A schedule carried out by platform rules: bids are set for the lowest factor, and rules raise them from there. */
export interface PlatformSchedule {
  /** The schedule, as in the file. */
  readonly schedule: Schedule;
  /** Lowest factor of the schedule, at which the bids are set. */
  readonly lowest: number;
  /** Rules for each campaign of the schedule. */
  readonly rules: readonly CompiledRule[];
}

const PRECISE_BASE = 1000;
const RULE_MARKETS: readonly string[] = ["US", "MX", "CA", "UK", "DE", "ES", "FR", "IT", "IN"];
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
 * Compiles a schedule into platform rules.
 *
 * @param zone Time zone of the profile; rules run in it.
 * @param options `countryCode`: market of the profile. @default any that has rules
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
export function platformSchedule(
  schedule: Schedule,
  zone: string | undefined,
  { countryCode }: { readonly countryCode?: string | undefined } = {},
): PlatformSchedule {
  const { name } = schedule;
  const refused = (why: string): RangeError =>
    new RangeError(`Cannot compile schedule "${name}" into platform rules: ${why}. Write on: worker`);
  if (countryCode !== undefined && !RULE_MARKETS.includes(countryCode)) {
    throw refused(`no rules for bids are known in ${countryCode}, only in ${RULE_MARKETS.join(", ")}`);
  }
  if (schedule.zone !== undefined && zone !== undefined && schedule.zone !== zone) {
    throw refused(
      `platform rules use the profile's time zone, ${zone}, and the schedule uses ${schedule.zone}`,
    );
  }
  if (schedule.min !== undefined || schedule.max !== undefined) {
    throw refused(
      "a platform rule raises all bids of a campaign by one percentage, so min and max cannot apply",
    );
  }
  if (schedule.combine === "multiply") throw refused("platform rules add up and cannot multiply");
  const compiled = compileSchedule(schedule, PRECISE_BASE);
  if (compiled.tooMany) {
    throw refused(`it takes ${compiled.needed} rules, and a campaign may have ${MAX_RULES}`);
  }
  return { schedule, lowest: compiled.base / PRECISE_BASE, rules: compiled.rules };
}

export interface WantedRules {
  readonly schedule: string;
  readonly insists: boolean;
  readonly highest: number;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly campaigns: readonly string[];
}

export function wantedRules(
  { schedule, rules }: PlatformSchedule,
  campaigns: readonly string[],
  now: number,
): WantedRules {
  const named = campaigns.flatMap((campaignId) =>
    rules.map((rule, at) => {
      const name = `${RULE_PREFIX} ${schedule.name} ${campaignId} ${at + 1}`;
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

export function withoutRoom(
  { schedule, rules }: PlatformSchedule,
  { others }: Pick<RulesNow, "others">,
): Map<string, string> {
  return new Map(
    [...others].filter(([, count]) => count + rules.length > MAX_RULES).map(([id, count]) => [
      id,
      `it has ${count} other rules and ${schedule.name} needs ${rules.length}; a campaign may have ${MAX_RULES}`,
    ]),
  );
}
