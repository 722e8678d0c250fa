import { bidLimitsOf, type BidOwner, budgetLimitsOf } from "../../base/markets/market_limits.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { drawSwitchBack } from "../../base/statistics/switch_back.ts";
import { countDays } from "../../base/time/calendar.ts";
import { zonedDateTime } from "../../base/time/zone.ts";
import {
  type Schedule,
  type ScheduleCell,
  type ScheduleExperiment,
  type Weekday,
  WEEKDAYS,
} from "./schedule.ts";

/** A moment: a date, milliseconds since the epoch, or ISO 8601. */
export type Moment = Date | number | string;

/** Minutes of a day, the end exclusive. */
interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** The day and time of day of a moment in a zone. */
interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: Weekday;
  /** Minutes since midnight by the clock on the wall, which says some hours twice and some never. */
  readonly minute: number;
}

const DAY_MINUTES = 1440;

/** Highest percentage that the platform takes for placements. */
export const MAX_PLACEMENT = 900;

/**
 * The factor of a schedule at a moment: that of the cell that holds the local hour, times those of events; 1 outside of
 * all cells and days. An hour that the clock shows twice has its cell twice, an hour that it skips is never due.
 *
 * @example
 * ```ts
 * import { factorAt } from "@platform/ads/schedules";
 *
 * const nights = { name: "nights", move: "bid", zone: "UTC", grid: [{ hours: "00-06", factor: 0.5 }] } as const;
 * console.log(factorAt(nights, "2026-11-24T03:00:00Z")); // 0.5
 * ```
 * @throws {RangeError} for a schedule without a zone, or a zone that does not exist.
 */
export function factorAt(schedule: Schedule, moment: Moment): number {
  const { zone, grid, events = [], experiment } = schedule;
  if (zone === undefined) {
    throw new RangeError(`Cannot tell the hour of schedule "${schedule.name}": it names no zone`);
  }
  const { date, weekday, minute } = localTime(moment, zone);
  if (!holdsDay(schedule, date)) return 1;
  if (experiment !== undefined && isOffAt(experiment, date)) return 1;
  const cell = grid.find((one) => holds(one, weekday, minute));
  let factor = cell?.factor ?? 1;
  for (const event of events) if (date >= event.from && date <= event.to) factor *= event.factor;
  return factor;
}

/** True between the first and last day of a schedule. */
export function isInForce(schedule: Schedule, moment: Moment): boolean {
  return holdsDay(schedule, localTime(moment, schedule.zone ?? "UTC").date);
}

function holdsDay({ from, to }: Schedule, date: string): boolean {
  return (from === undefined || date >= from) && (to === undefined || date <= to);
}

/** True on the days of an experiment on which a schedule is off. */
function isOffAt(experiment: ScheduleExperiment, date: string): boolean {
  const day = countDays({ start: experiment.from, end: date });
  return day > 0 && drawSwitchBack(experiment)[Math.floor((day - 1) / 7)]?.isOn === false;
}

/**
 * The amount that a schedule wants at a moment: base times factor, rounded as the market's currency is, and kept within
 * the bounds of the schedule and of the market. Where the factor is 1 it is the base itself. A percentage for placements;
 * for `state` 1 or 0, enabled or paused.
 *
 * @param base The amount without the schedule, in the account's currency.
 * @param options.countryCode Market of the profile. @default amounts have two decimals and no limits of a market
 * @param options.kind Kind of the entity, whose limits hold. @default Sponsored Products, or the one product that is selected
 * @param options.accountType Kind of account, for limits of budgets. @default the narrower limits hold
 * @throws {RangeError} for a schedule without a zone, or a base that is not an amount.
 *
 * @example
 * ```ts
 * import { wantedAt } from "@platform/ads/schedules";
 *
 * const nights = {
 *   name: "nights",
 *   move: "bid",
 *   zone: "America/New_York",
 *   grid: [{ hours: "00-06", factor: 0.5 }],
 * } as const;
 * console.log(wantedAt(nights, 1.2, "2026-11-24T08:00:00Z")); // 0.6: it is 3 o'clock in New York
 * ```
 */
export function wantedAt(
  schedule: Schedule,
  base: number,
  moment: Moment,
  options: AmountMarket = {},
): number {
  const [product = "sp", ...others] = schedule.select?.products ?? [];
  const kind = others.length > 0 ? "" : `${product}.`;
  return amountFor(factorAt(schedule, moment), base, { ...schedule, kind, ...options });
}

/** Limits that amounts are kept within: those of the market, by the kind of the entity. */
export interface AmountMarket extends Partial<BidOwner> {
  /** Market of the profile. @default amounts have two decimals and no limits of a market */
  readonly countryCode?: string | undefined;
  /** Kind of account, for limits of budgets. @default the narrower limits hold */
  readonly accountType?: string | undefined;
}

/** Applies a factor to a base; see {@linkcode wantedAt}. */
export function amountFor(
  factor: number,
  base: number,
  { move, min, max, roundDown = false, ...market }: Pick<Schedule, "move" | "min" | "max"> & AmountMarket & {
    /** True for bids that rules raise: what is rounded up would be raised with the bid. */
    readonly roundDown?: boolean | undefined;
  },
): number {
  if (!Number.isFinite(base) || base < 0) {
    throw new RangeError(`Cannot use ${base} as a base: expected an amount`);
  }
  if (move === "state") return base > 0 && factor > 0 ? 1 : 0;
  if (factor === 1) return base;
  const limits = limitsOf(move, market);
  const lowest = Math.max(limits.min, min ?? limits.min);
  const highest = Math.min(limits.max, max ?? limits.max);
  // The bounds of the file are rounded inwards, so that rounding leads out of none of them.
  const scale = 10 ** decimalsFor(move, market.countryCode);
  const whole = roundDown ? Math.floor : Math.round;
  const rounded = whole(base * factor * scale + 1e-7) / scale;
  return Math.max(
    Math.ceil(lowest * scale - 1e-7) / scale,
    Math.min(Math.floor(highest * scale + 1e-7) / scale, rounded),
  );
}

/** Decimals of the amounts that a move may write. */
export function decimalsFor(move: Schedule["move"], countryCode: string | undefined): number {
  return move.startsWith("placement") ? 0 : countryCode === undefined ? 2 : decimalsOf(countryCode);
}

function limitsOf(
  move: Schedule["move"],
  { countryCode, kind = "", accountType, ...owner }: AmountMarket,
): { readonly min: number; readonly max: number } {
  if (move.startsWith("placement")) return { min: 0, max: MAX_PLACEMENT };
  if (countryCode === undefined) return { min: 0, max: Infinity };
  const limits = move === "bid"
    ? bidLimitsOf(countryCode, { kind, ...owner })
    : budgetLimitsOf(countryCode, { kind, accountType });
  return limits === undefined || limits.doubtful ? { min: 0, max: Infinity } : limits;
}

/**
 * The next moment after one at which the factor differs; `undefined` where it does not within eight days.
 *
 * @example
 * ```ts
 * import { nextChange } from "@platform/ads/schedules";
 *
 * const nights = { name: "nights", move: "bid", zone: "UTC", grid: [{ hours: "00-06", factor: 0.5 }] } as const;
 * console.log(new Date(nextChange(nights, "2026-11-24T03:00:00Z") ?? 0));
 * ```
 */
export function nextChange(schedule: Schedule, moment: Moment): number | undefined {
  const quarter = 900_000;
  const now = timeOf(moment);
  const factor = factorAt(schedule, now);
  const first = Math.floor(now / quarter) * quarter + quarter;
  for (let at = first; at <= now + 8 * 86_400_000; at += quarter) {
    if (factorAt(schedule, at) !== factor) return at;
  }
  return undefined;
}

/** The minutes that `00-06,22:30-24` names. @throws {RangeError} that says what is wrong */
export function minutesOf(hours: string | undefined): readonly MinuteRange[] {
  if (hours === undefined) return WHOLE_DAY;
  let ranges = RANGES.get(hours);
  if (ranges === undefined) {
    ranges = readRanges(hours);
    if (RANGES.size >= MAX_RANGES) RANGES.clear();
    RANGES.set(hours, ranges);
  }
  return ranges;
}

const WHOLE_DAY: readonly MinuteRange[] = [{ from: 0, to: DAY_MINUTES }];
/** Texts of hours that were read before: a tick asks for the same few thousands of times. */
const RANGES = new Map<string, readonly MinuteRange[]>();
const MAX_RANGES = 1000;

function readRanges(hours: string): readonly MinuteRange[] {
  return hours.split(",").map((text) => {
    const found = /^\s*(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?\s*$/.exec(text);
    if (found === null) {
      throw new RangeError(`Cannot read "${text.trim()}" as hours: expected 00-06 or 06:15-07:45`);
    }
    const [from, to] = [
      Number(found[1]) * 60 + Number(found[2] ?? 0),
      Number(found[3]) * 60 + Number(found[4] ?? 0),
    ];
    if (from % 15 !== 0 || to % 15 !== 0) {
      throw new RangeError(`Cannot use the hours ${text.trim()}: the finest step is 15 minutes`);
    }
    if (to > DAY_MINUTES || from >= DAY_MINUTES || Number(found[2] ?? 0) > 59 || Number(found[4] ?? 0) > 59) {
      throw new RangeError(`Cannot use the hours ${text.trim()}: a day ends at 24`);
    }
    if (to <= from) {
      throw new RangeError(
        `Cannot use the hours ${text.trim()}: they end before they begin. Write 22-24 and, for the next day, 00-06`,
      );
    }
    return { from, to };
  });
}

/** The day, weekday and time of day of a moment. @throws {RangeError} for a zone or moment that does not exist */
export function localTime(moment: Moment, zone: string): LocalTime {
  const { plainDate, hour, minute, dayOfWeek } = zonedDateTime(timeOf(moment), zone);
  return { date: plainDate, weekday: WEEKDAYS[dayOfWeek - 1] ?? "mon", minute: hour * 60 + minute };
}

/** A moment as milliseconds since the epoch. @throws {RangeError} for one that cannot be read */
export function timeOf(moment: Moment): number {
  const time = typeof moment === "number" ? moment : new Date(moment).getTime();
  if (!Number.isFinite(time)) throw new RangeError(`Cannot read "${moment}" as a moment: expected ISO 8601`);
  return time;
}

function holds({ days, hours }: ScheduleCell, weekday: Weekday, minute: number): boolean {
  if (days !== undefined && !days.includes(weekday)) return false;
  return minutesOf(hours).some(({ from, to }) => minute >= from && minute < to);
}
