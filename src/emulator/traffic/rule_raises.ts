import { addDays, offsetsOf } from "../core/day_span.ts";
import { isObject, type Json, type JsonObject, objectsIn } from "../core/json.ts";
import { seasonNamed } from "../core/seasons.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { type Market, share } from "./market.ts";

/** Campaign sums over some days, as known on the following day. Amounts are in the currency. */
export interface PastFigures {
  readonly impressions: number;
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
  readonly newToBrand: number;
  readonly topShare: number;
}

export interface Condition {
  /** ACOS, CLICKS, CPC, CTR, CVR, IMPRESSIONS, IS, NTB, ORDERS, ROAS, SALES or SPEND. */
  readonly metric: string;
  readonly comparison: string;
  readonly value: Json;
  readonly least: Json;
  readonly most: Json;
}

const METRICS: Readonly<Record<string, (figures: PastFigures) => number>> = {
  ACOS: ({ cost, sales }) => 100 * cost / sales,
  CLICKS: ({ clicks }) => clicks,
  CPC: ({ cost, clicks }) => cost / clicks,
  CTR: ({ clicks, impressions }) => 100 * clicks / impressions,
  CVR: ({ orders, clicks }) => 100 * orders / clicks,
  IMPRESSIONS: ({ impressions }) => impressions,
  IS: ({ topShare }) => topShare,
  NTB: ({ newToBrand, orders }) => 100 * newToBrand / orders,
  ORDERS: ({ orders }) => orders,
  ROAS: ({ sales, cost }) => sales / cost,
  SALES: ({ sales }) => sales,
  SPEND: ({ cost }) => cost,
};

/** Undefined rates never match. Rates other than ROAS and CPC are percentages. */
function holdsFor(
  { metric, comparison, value, least, most }: Condition,
  figures: PastFigures,
): boolean {
  const is = METRICS[metric]?.(figures);
  if (is === undefined || !Number.isFinite(is)) return false;
  if (typeof least === "number" && is < least) return false;
  if (typeof most === "number" && is > most) return false;
  if (typeof value !== "number") return typeof least === "number" || typeof most === "number";
  switch (comparison) {
    case "EQUAL_TO":
      return is === value;
    case "GREATER_THAN":
      return is > value;
    case "GREATER_THAN_OR_EQUAL_TO":
      return is >= value;
    case "LESS_THAN":
      return is < value;
    case "LESS_THAN_OR_EQUAL_TO":
      return is <= value;
    default:
      return false;
  }
}

/** In percent. */
export type Raise = (moment: number) => number;

export type FiguresOf = (first: string, last: string) => PastFigures;

interface LocalMoment {
  readonly moment: number;
  readonly day: string;
  readonly weekday: string;
  readonly minute: number;
}

interface Version {
  readonly from: number;
  readonly until: number;
  readonly percent: number;
  readonly conditions: readonly Condition[];
  readonly isDue: (at: LocalMoment) => boolean;
}

const DAY = 86_400_000;
/** Length of a quarter of an hour in milliseconds. All time zone offsets are multiples of it. */
const QUARTER = 900_000;
const DAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

export const MARKETS_WITH_BUDGET_HOURS: readonly string[] = ["US", "CA", "UK", "IN", "JP"];

export type RaiseOf = (campaignId: string, figures: FiguresOf) => Raise | undefined;

/**
 * Active rules add up. A new, changed or newly tied rule takes effect within 24 hours. Hours and days use the
 * profile's time zone, and conditions are checked at the start of a day; neither is documented.
 */
export function optimizationRaises(
  profile: ProfileState,
  { market, category }: { readonly market: Market; readonly category: "BID" | "BUDGET" },
): RaiseOf {
  const rules = profile.collection("sp.optimization_rules").all().filter((rule) =>
    rule.ruleCategory === category
  );
  return raisesOf(rules, profile, {
    market,
    versionsOf: (rule, tie) =>
      versionsIn(rule).flatMap(({ at, ...version }) => {
        const since = Math.max(tie.from, at);
        const lag = DAY * share(`${market.seed} felt ${rule.ruleId} ${since}`);
        const details = isObject(version.action) ? version.action.actionDetails : undefined;
        const recurrence = isObject(version.recurrence) ? version.recurrence : {};
        return {
          from: Math.ceil((since + lag) / QUARTER) * QUARTER,
          until: tie.until,
          percent: version.status === "ENABLED" && isObject(details) ? Number(details.value) : 0,
          conditions: listOf(version.conditions).flatMap(({ attributeName, criteria }) =>
            isObject(criteria)
              ? {
                metric: String(attributeName),
                comparison: String(criteria.comparisonOperator),
                value: criteria.value ?? null,
                least: criteria.minValue ?? null,
                most: criteria.maxValue ?? null,
              }
              : []
          ),
          isDue: (moment: LocalMoment) => isBidDue(recurrence, moment),
        };
      }),
  });
}

/**
 * Active rules add up. They are checked at the start of a day, and immediately when a rule changes or is tied to a
 * campaign.
 */
export function budgetRaises(
  profile: ProfileState,
  { family, market }: { readonly family: "sp" | "sb" | "sd"; readonly market: Market },
): RaiseOf {
  const hasHours = MARKETS_WITH_BUDGET_HOURS.includes(profile.record.countryCode);
  return raisesOf(profile.collection(`${family}.budget_rules`).all(), profile, {
    market,
    versionsOf: (rule, tie) =>
      versionsIn(rule).map(({ at, ruleState, ruleDetails }) => {
        const details = isObject(ruleDetails) ? ruleDetails : {};
        const { budgetIncreaseBy, performanceMeasureCondition: condition, ruleType } = details;
        return {
          from: Math.max(tie.from, at),
          until: tie.until,
          percent: ruleState !== "PAUSED" && isObject(budgetIncreaseBy) ? Number(budgetIncreaseBy.value) : 0,
          conditions: ruleType === "PERFORMANCE" && isObject(condition)
            ? [{
              metric: String(condition.metricName),
              comparison: String(condition.comparisonOperator),
              value: condition.threshold ?? null,
              least: null,
              most: null,
            }]
            : [],
          isDue: (moment: LocalMoment) => isBudgetDue(details, moment, hasHours),
        };
      }),
  });
}

interface Tie {
  readonly from: number;
  readonly until: number;
}

function raisesOf(
  rules: readonly JsonObject[],
  profile: ProfileState,
  { market, versionsOf }: {
    readonly market: Market;
    readonly versionsOf: (rule: JsonObject, tie: Tie) => readonly Version[];
  },
): RaiseOf {
  const offsetAt = offsetsOf(market.timeZone);
  const quarters = new Map<number, LocalMoment>();
  const localAt = (moment: number): LocalMoment => {
    const quarter = Math.floor(moment / QUARTER);
    let local = quarters.get(quarter);
    if (local === undefined) quarters.set(quarter, local = localMoment(quarter * QUARTER, offsetAt));
    return local;
  };
  // Sellers are judged by a week, vendors by two.
  const days = profile.record.accountInfo.type === "vendor" ? 14 : 7;
  return (campaignId, figures) => {
    const courses = rules.flatMap((rule) => tiesOf(rule, campaignId).map((tie) => versionsOf(rule, tie)));
    if (courses.length === 0) return undefined;
    return (moment) =>
      courses.reduce((sum, course) => {
        const version = course.findLast(({ from }) => from <= moment);
        if (version === undefined || version.percent === 0 || moment >= version.until) return sum;
        const local = localAt(moment);
        if (!version.isDue(local)) return sum;
        const { conditions, percent } = version;
        if (conditions.length === 0) return sum + percent;
        const known = figures(addDays(local.day, -days), addDays(local.day, -1));
        return conditions.every((condition) => holdsFor(condition, known)) ? sum + percent : sum;
      }, 0);
  };
}

function localMoment(moment: number, offsetAt: (moment: number) => number): LocalMoment {
  const local = new Date(moment + offsetAt(moment));
  return {
    moment,
    day: local.toISOString().slice(0, 10),
    weekday: DAYS[local.getUTCDay()]!,
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
  };
}

/**
 * Returns the versions of a rule, oldest first. Rules from a copy or the demo have had a single version since their
 * creation.
 */
function versionsIn(rule: JsonObject): (JsonObject & { readonly at: number })[] {
  const versions = listOf(rule.versions);
  if (versions.length > 0) return versions.map((version) => ({ ...version, at: Number(version.at) }));
  return [{ ...rule, at: createdAt(rule) }];
}

function tiesOf(rule: JsonObject, campaignId: string): Tie[] {
  const spans = listOf(rule.spans).filter((span) => span.campaignId === campaignId);
  const isTied = Array.isArray(rule.campaignIds) && rule.campaignIds.map(String).includes(campaignId);
  if (spans.length === 0 && isTied) return [{ from: createdAt(rule), until: Infinity }];
  return spans.map(({ from, until }) => ({
    from: Number(from),
    until: typeof until === "number" ? until : Infinity,
  }));
}

function createdAt({ createdDate }: JsonObject): number {
  return typeof createdDate === "number" ? createdDate : 0;
}

function isBidDue({ type, daysOfWeek, timesOfDay, duration }: JsonObject, at: LocalMoment): boolean {
  if (isObject(duration)) {
    if (
      at.moment < timeOf(duration.startTime, -Infinity) || at.moment >= timeOf(duration.endTime, Infinity)
    ) {
      return false;
    }
    if (typeof duration.eventId === "string" && !isInSeason(duration.eventId, at.day)) return false;
  }
  if (type === "WEEKLY" && Array.isArray(daysOfWeek) && !daysOfWeek.includes(at.weekday)) return false;
  return isInWindow(timesOfDay, at.minute);
}

function isBudgetDue({ duration, recurrence }: JsonObject, at: LocalMoment, hasHours: boolean): boolean {
  const { dateRangeTypeRuleDuration: range, eventTypeRuleDuration: event } = isObject(duration)
    ? duration
    : {};
  if (isObject(range)) {
    const [first, last] = [dayOf(range.startDate), dayOf(range.endDate)];
    if (at.day < first || (last !== "" && at.day > last)) return false;
  } else if (isObject(event)) {
    const [first, last] = [dayOf(event.startDate), dayOf(event.endDate)];
    const isIn = first === "" || last === ""
      ? isInSeason(String(event.eventId), at.day)
      : at.day >= first && at.day <= last;
    if (!isIn) return false;
  }
  if (!isObject(recurrence)) return true;
  const { daysOfWeek, intraDaySchedule } = recurrence;
  if (Array.isArray(daysOfWeek) && daysOfWeek.length > 0 && !daysOfWeek.includes(at.weekday)) return false;
  return !hasHours || isInWindow(intraDaySchedule, at.minute);
}

function isInWindow(windows: Json | undefined, minute: number): boolean {
  const [window] = listOf(windows);
  if (window === undefined) return true;
  return minute >= minuteOf(window.startTime, 0) && minute < minuteOf(window.endTime, 1440);
}

function minuteOf(text: Json | undefined, otherwise: number): number {
  const [, hour, minute = "0"] = /^(\d{1,2}):(\d{2})/.exec(String(text)) ?? [];
  return hour === undefined ? otherwise : Number(hour) * 60 + Number(minute);
}

function isInSeason(id: string, day: string): boolean {
  const season = seasonNamed(id);
  return season !== undefined && day >= season.startDate && day <= season.endDate;
}

function dayOf(value: Json | undefined): string {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(String(value ?? "")) ?? [];
  return year === undefined ? "" : `${year}-${month}-${day}`;
}

function listOf(value: Json | undefined): JsonObject[] {
  return objectsIn(value) ?? [];
}

function timeOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "string" ? Date.parse(value) : otherwise;
}
