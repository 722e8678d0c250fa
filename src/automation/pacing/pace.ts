import {
  addDays,
  type Day,
  dayOfWeek,
  type DayRange,
  eachDay,
  endOfMonth,
  startOfMonth,
} from "../../base/time/calendar.ts";
import { type Weekday, WEEKDAYS } from "../schedules/schedule.ts";
import type { PacedBudget } from "./pacing_file.ts";

/** Spend of a day, in the account's currency. */
export interface SpendDay {
  /** Day in the profile's time zone. */
  readonly day: string;
  /** Cost of the day. */
  readonly cost: number;
  /** True if the actual spend may be higher: the cost counts as spent, but the day counts as missing. @default false */
  readonly isPartial?: boolean | undefined;
}

/** Weight of each weekday: 1 for a usual day. */
export type WeekdayWeights = Readonly<Record<Weekday, number>>;

/** Expected spend at the end of a period, with a 95 % range. */
export interface Forecast {
  /** Expected spend. */
  readonly expected: number;
  /** Lower end of the range. */
  readonly low: number;
  /** Upper end of the range. */
  readonly high: number;
}

/** One day of a period, with the ideal and the actual spend up to its end. */
export interface PaceDay {
  /** Day of the period. */
  readonly day: string;
  /** Ideal total spend by the end of the day. */
  readonly ideal: number;
  /** Actual total spend by the end of the day; `null` for days that are not over or not stored. */
  readonly actual: number | null;
}

/** Spend in a period compared with its amount. */
export interface Pace {
  /** First and last day. */
  readonly period: DayRange;
  /** Amount for the period. */
  readonly amount: number;
  /** Known spend in the period, including today; actual spend may be higher. */
  readonly spent: number;
  /** Part of `spent` that was spent today. */
  readonly spentToday: number;
  /** Ideal spend by the end of yesterday. */
  readonly ideal: number;
  /** Spend by the end of yesterday, as a multiple of the ideal: 1.1 is 10 % over pace; `null` on the first day. */
  readonly pace: number | null;
  /** Remaining days of the period, including today. */
  readonly daysLeft: number;
  /** Spend needed today to meet the amount, given the weight of the weekday. */
  readonly neededToday: number;
  /**
   * Expected spend at the end of the period if spending continues as before; `undefined` with fewer than three stored
   * days.
   */
  readonly forecast: Forecast | undefined;
  /** Days up to yesterday that are not stored; actual spend may therefore be higher. */
  readonly missing: readonly string[];
  /** Recent stored days whose clicks may still be invalidated. */
  readonly immature: readonly string[];
  /** Ideal and actual spend by day of the period. */
  readonly line: readonly PaceDay[];
}

export const EVEN_WEEK: WeekdayWeights = { mon: 1, tue: 1, wed: 1, thu: 1, fri: 1, sat: 1, sun: 1 };

/** Days in which the platform may still refund invalid clicks. */
export const IMMATURE_DAYS = 3;
const FORECAST_DAYS = 28;
/** Prior weight of the average weekday, in weeks. */
const PRIOR_WEEKS = 2;

export function periodOf({ dates }: Pick<PacedBudget, "dates">, today: Day): DayRange | undefined {
  if (dates !== undefined) {
    return today < dates.from || today > dates.to ? undefined : { start: dates.from, end: dates.to };
  }
  return { start: startOfMonth(today), end: endOfMonth(today) };
}

export function weekdayOf(day: Day): Weekday {
  return WEEKDAYS[dayOfWeek(day) - 1]!;
}

/**
 * Spend of each weekday relative to the average day, shrunk towards 1 with the weight of two average weeks.
 *
 * @returns `undefined` with fewer than two weeks.
 *
 * @example
 * ```ts
 * import { learnWeekdays } from "@platform/ads/pacing";
 *
 * console.log(learnWeekdays([])); // undefined: nothing to learn from
 * ```
 */
export function learnWeekdays(days: readonly SpendDay[]): WeekdayWeights | undefined {
  if (days.length < 14) return undefined;
  const mean = days.reduce((sum, { cost }) => sum + cost, 0) / days.length;
  if (!(mean > 0)) return undefined;
  const groups = Map.groupBy(days, ({ day }) => weekdayOf(day));
  const weights = WEEKDAYS.map((weekday) => {
    const own = groups.get(weekday) ?? [];
    const sum = own.reduce((all, { cost }) => all + cost, 0) / mean;
    return (sum + PRIOR_WEEKS) / (own.length + PRIOR_WEEKS);
  });
  const scale = 7 / weights.reduce((all, weight) => all + weight, 0);
  return Object.fromEntries(
    WEEKDAYS.map((day, at) => [day, Number((weights[at]! * scale).toFixed(4))]),
  ) as unknown as WeekdayWeights;
}

/** Figures that a pace is computed from. */
export interface PaceFacts {
  /** Amount for the whole period, in the account's currency. */
  readonly amount: number;
  /** First and last day of the period. */
  readonly period: DayRange;
  /** Current day in the profile's time zone. */
  readonly today: string;
  /** Stored days up to yesterday: the days of the period, and earlier days for the forecast. */
  readonly days: readonly SpendDay[];
  /** Today's spend as reported by the platform. @default 0 */
  readonly spentToday?: number | undefined;
  /** Weights of weekdays. @default all equal */
  readonly weights?: WeekdayWeights | undefined;
  /**
   * Sum of the daily budgets; over a month, the platform spends at most this amount per day on average.
   *
   * @default no limit
   */
  readonly dailyBudgets?: number | undefined;
}

/**
 * Compares the spend of a period with its amount. Campaigns may spend up to twice their daily budgets on one day. To
 * keep this out of the forecast, the remaining days are capped at the sum of the daily budgets, and the upper end of
 * the forecast at that sum over the whole period.
 *
 * @example
 * ```ts
 * import { paceOf } from "@platform/ads/pacing";
 *
 * const days = ["01", "02", "03"].map((day) => ({ day: `2026-11-${day}`, cost: 110 }));
 * const period = { start: "2026-11-01", end: "2026-11-30" };
 * const { spent, ideal, neededToday } = paceOf({ amount: 3000, period, today: "2026-11-04", days });
 * console.log(spent, ideal, neededToday); // 330 300 98.89
 * ```
 */
export function paceOf(facts: PaceFacts): Pace {
  const { amount, period, today, spentToday = 0, weights = EVEN_WEEK } = facts;
  const weightOf = (day: Day): number => weights[weekdayOf(day)];
  const all = [...eachDay(period)];
  const whole = all.reduce((sum, day) => sum + weightOf(day), 0) || 1;
  const known = new Map(facts.days.map(({ day, cost }) => [day, cost]));
  const stored = new Set(facts.days.filter(({ isPartial }) => isPartial !== true).map(({ day }) => day));
  const over = all.filter((day) => day < today);
  const left = all.filter((day) => day >= today);
  const spentBefore = over.reduce((sum, day) => sum + (known.get(day) ?? 0), 0);
  const weightLeft = left.reduce((sum, day) => sum + weightOf(day), 0);
  const ideal = amount * over.reduce((sum, day) => sum + weightOf(day), 0) / whole;
  let [idealSum, actualSum] = [0, 0];
  const line = all.map((day): PaceDay => {
    idealSum += amount * weightOf(day) / whole;
    actualSum += known.get(day) ?? 0;
    return {
      day,
      ideal: cents(idealSum),
      actual: day < today && stored.has(day) ? cents(actualSum) : null,
    };
  });
  const spent = spentBefore + spentToday;
  return {
    period,
    amount,
    spent: cents(spent),
    spentToday: cents(spentToday),
    ideal: cents(ideal),
    pace: ideal > 0 ? Number((spentBefore / ideal).toFixed(4)) : null,
    daysLeft: left.length,
    neededToday: left[0] === undefined || weightLeft === 0
      ? 0
      : cents(Math.max(0, amount - spentBefore) * weightOf(left[0]) / weightLeft),
    forecast: forecastOf(facts, { left, weightOf, spentBefore, all }),
    missing: over.filter((day) => !stored.has(day)),
    immature: over.filter((day) => stored.has(day) && day >= addDays(today, -IMMATURE_DAYS)),
    line,
  };
}

/** Forecasts spend from the recent mean per unit of weekday weight; the range reflects its variance. */
function forecastOf(
  { days, today, spentToday = 0, dailyBudgets }: PaceFacts,
  { left, weightOf, spentBefore, all }: {
    readonly left: readonly Day[];
    readonly weightOf: (day: Day) => number;
    readonly spentBefore: number;
    readonly all: readonly Day[];
  },
): Forecast | undefined {
  const since = days.find(({ cost }) => cost > 0)?.day ?? today;
  const recent = days.filter(({ day, isPartial }) =>
    isPartial !== true && day < today && day >= since && day >= addDays(today, -FORECAST_DAYS)
  );
  const weight = recent.reduce((sum, { day }) => sum + weightOf(day), 0);
  if (recent.length < 3 || weight === 0) return undefined;
  const rate = recent.reduce((sum, { cost }) => sum + cost, 0) / weight;
  const scatter = recent.reduce((sum, { day, cost }) => sum + (cost - rate * weightOf(day)) ** 2, 0) /
    (recent.length - 1);
  const weightLeft = left.reduce((sum, day) => sum + weightOf(day), 0);
  // Days scatter by themselves, and the rate of all of them is known no better than they let it.
  const variance = scatter * (left.length + recent.length * (weightLeft / weight) ** 2);
  const spread = quantile(recent.length - 1) * Math.sqrt(variance);
  const byBudgets = (dailyBudgets ?? Infinity) * left.length;
  // Budget that earlier days left unspent may be spent later in the month.
  const byPeriod = Math.max(byBudgets, (dailyBudgets ?? Infinity) * all.length - spentBefore);
  const rest = Math.max(spentToday, Math.min(rate * weightLeft, byBudgets));
  return {
    expected: cents(spentBefore + rest),
    low: cents(spentBefore + Math.max(spentToday, Math.min(rest, rate * weightLeft - spread))),
    high: cents(spentBefore + Math.max(rest, Math.min(rate * weightLeft + spread, byPeriod))),
  };
}

export function missingText({ missing }: Pick<Pace, "missing">): string {
  const [first] = missing;
  return `${
    missing.length === 1 ? `${first} is not stored` : `${missing.length} days are not stored, first ${first}`
  }, so budgets are not raised yet. Run sync() from ${first}`;
}

/** Two-sided 95 % quantile of Student's t-distribution, accurate to 2 %. */
function quantile(freedom: number): number {
  return 1.96 + 2.37 / freedom + 2.82 / freedom ** 2 + 5.56 / freedom ** 4;
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
