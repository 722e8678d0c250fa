import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { offsetsOf } from "./day_span.ts";
import { type Market, share } from "./market.ts";

/** Percent by which rules raise the bids of a campaign at a moment. */
export type Raise = (moment: number) => number;

/** Raise and hours of a rule from a moment on. */
interface Version {
  readonly feltFrom: number;
  readonly percent: number;
  readonly recurrence: JsonObject;
}

const DAY = 86_400_000;
/** Zones differ from each other by quarters of an hour. */
const QUARTER = 900_000;
const DAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/**
 * Raises of the schedule rules of a profile, by campaign; `undefined` for a campaign without such rules. Rules that hold
 * at once add up. A rule that is made, changed or tied to a campaign is felt some time within the next 24 hours. Hours
 * and days are those of the profile's zone, which is not published. Rules with conditions are never felt.
 */
export function bidRaises(profile: ProfileState, market: Market): (campaignId: string) => Raise | undefined {
  const rules = profile.collection("sp.optimization_rules").all().filter(({ ruleSubCategory, conditions }) =>
    ruleSubCategory === "SCHEDULE" && !(Array.isArray(conditions) && conditions.length > 0)
  );
  const offsetAt = offsetsOf(market.timeZone);
  return (campaignId) => {
    const courses = rules.flatMap((rule) => {
      const tiedAt = isObject(rule.tiedAt) ? rule.tiedAt[campaignId] : undefined;
      return typeof tiedAt === "number" ? [versionsOf(rule, tiedAt, market)] : [];
    });
    if (courses.length === 0) return undefined;
    const known = new Map<number, number>();
    return (moment) => {
      const quarter = Math.floor(moment / QUARTER);
      let percent = known.get(quarter);
      if (percent === undefined) {
        const start = quarter * QUARTER;
        const local = new Date(start + offsetAt(start));
        percent = courses.reduce((sum, course) => sum + percentAt(course, start, local), 0);
        known.set(quarter, percent);
      }
      return percent;
    };
  };
}

function versionsOf({ ruleId, versions }: JsonObject, tiedAt: number, { seed }: Market): Version[] {
  return (Array.isArray(versions) ? versions : []).filter(isObject).map((version) => {
    const at = Math.max(tiedAt, Number(version.at));
    const lag = DAY * share(`${seed} felt ${ruleId} ${at}`);
    const details = isObject(version.action) ? version.action.actionDetails : undefined;
    return {
      feltFrom: Math.ceil((at + lag) / QUARTER) * QUARTER,
      percent: version.status === "ENABLED" && isObject(details) ? Number(details.value) : 0,
      recurrence: isObject(version.recurrence) ? version.recurrence : {},
    };
  });
}

function percentAt(course: readonly Version[], moment: number, local: Date): number {
  const version = course.findLast(({ feltFrom }) => feltFrom <= moment);
  return version !== undefined && holds(version.recurrence, moment, local) ? version.percent : 0;
}

function holds({ type, daysOfWeek, timesOfDay, duration }: JsonObject, moment: number, local: Date): boolean {
  if (isObject(duration)) {
    if (moment < timeOf(duration.startTime, -Infinity) || moment >= timeOf(duration.endTime, Infinity)) {
      return false;
    }
  }
  if (type === "WEEKLY" && Array.isArray(daysOfWeek) && !daysOfWeek.includes(DAYS[local.getUTCDay()]!)) {
    return false;
  }
  const [window] = Array.isArray(timesOfDay) ? timesOfDay : [];
  if (!isObject(window)) return true;
  const hour = local.getUTCHours();
  return hour >= Number.parseInt(String(window.startTime)) && hour < Number.parseInt(String(window.endTime));
}

function timeOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "string" ? Date.parse(value) : otherwise;
}
