import { bidLimitsOf, type BidOwner, budgetLimitsOf } from "../../base/markets/market_limits.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { drawSwitchBack } from "../../base/statistics/switch_back.ts";
import { countDays, zonedDateTime } from "../../base/time/calendar.ts";
import type { Moment } from "../../base/time/moment.ts";
import {
  type Schedule,
  type ScheduleCell,
  type ScheduleExperiment,
  type Weekday,
  WEEKDAYS,
} from "./schedule.ts";

interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: Weekday;
  /** Minutes since midnight in local time. An hour repeats or is skipped when clocks change. */
  readonly minute: number;
}

const DAY_MINUTES = 1440;
const MAX_NEXT = 6;

export const MAX_PLACEMENT = 900;

/**
 * Returns the factor of a schedule at a moment: that of the cell containing the local hour (1 outside all cells),
 * multiplied by the factors of the events on that day. It is 1 outside the schedule's dates. When clocks go back, the
 * cell of the repeated hour applies to both; when they go forward, the skipped hour does not occur.
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

export function isInForce(schedule: Schedule, moment: Moment): boolean {
  return holdsDay(schedule, localTime(moment, schedule.zone ?? "UTC").date);
}

function holdsDay({ from, to }: Schedule, date: string): boolean {
  return (from === undefined || date >= from) && (to === undefined || date <= to);
}

function isOffAt(experiment: ScheduleExperiment, date: string): boolean {
  const day = countDays({ start: experiment.from, end: date });
  return day > 0 && drawSwitchBack(experiment)[Math.floor((day - 1) / 7)]?.isOn === false;
}

/**
 * Returns the amount that a schedule wants at a moment: base times factor, rounded to the market's currency and kept
 * within the limits of the schedule and the market. With a factor of 1, it is the base itself. Placements are
 * percentages; for `state`, 1 means enabled and 0 paused.
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

/** Market limits for amounts, by kind of entity. */
export interface AmountMarket extends Partial<BidOwner> {
  /** Market of the profile. @default amounts have two decimals and no limits of a market */
  readonly countryCode?: string | undefined;
  /** Kind of account, which determines the limits of budgets. @default the narrower limits hold */
  readonly accountType?: string | undefined;
}

export function amountFor(
  factor: number,
  base: number,
  { move, min, max, roundDown = false, ...market }: Pick<Schedule, "move" | "min" | "max"> & AmountMarket & {
    /** True to round down. Needed for bids that rules raise further, because rounding up would be multiplied. */
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
 * Returns the next moment at which the factor changes; `undefined` if it does not change within eight days.
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

/** Lists the next changes of a schedule's factor, at most six. */
export function nextChanges(
  schedule: Schedule,
  now: number,
): { readonly at: string; readonly from: number; readonly to: number }[] {
  const changes = [];
  for (let at = now; changes.length < MAX_NEXT;) {
    const next = nextChange(schedule, at);
    if (next === undefined) break;
    changes.push({
      at: new Date(next).toISOString(),
      from: factorAt(schedule, at),
      to: factorAt(schedule, next),
    });
    at = next;
  }
  return changes;
}

/**
 * Parses ranges of hours, for example `00-06,22:30-24`, into minutes.
 *
 * @throws {RangeError} with the reason when the text is invalid.
 */
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
/** Cache of parsed ranges, because a tick parses the same texts thousands of times. */
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

export function localTime(moment: Moment, zone: string): LocalTime {
  const { plainDate, hour, minute, dayOfWeek } = zonedDateTime(timeOf(moment), zone);
  return { date: plainDate, weekday: WEEKDAYS[dayOfWeek - 1] ?? "mon", minute: hour * 60 + minute };
}

export function timeOf(moment: Moment): number {
  const time = typeof moment === "number" ? moment : new Date(moment).getTime();
  if (!Number.isFinite(time)) throw new RangeError(`Cannot read "${moment}" as a moment: expected ISO 8601`);
  return time;
}

function holds({ days, hours }: ScheduleCell, weekday: Weekday, minute: number): boolean {
  if (days !== undefined && !days.includes(weekday)) return false;
  return minutesOf(hours).some(({ from, to }) => minute >= from && minute < to);
}
