import { shrinkRates } from "../../base/statistics/mod.ts";
import { percentText } from "../../base/text/money_text.ts";
import { type Weekday, WEEKDAYS } from "./schedule.ts";
import { gridOf } from "./schedule_week.ts";
import type { ScheduleCell } from "./schedule.ts";

/** Clicks and orders of one hour, on one day or several, in the profile's time zone. */
export interface HourFigures {
  /** Day of the week. */
  readonly weekday: Weekday;
  /** Hour of the day, 0 to 23. */
  readonly hour: number;
  /** Clicks on ads. */
  readonly clicks: number;
  /** Resulting orders. */
  readonly orders: number;
}

/** Options for learning a grid. */
export interface LearnOptions {
  /** Largest distance of a factor from 1. @default 0.3 */
  readonly cap?: number | undefined;
  /** Step between factors; all factors are multiples of it. @default 0.05 */
  readonly step?: number | undefined;
  /**
   * Minimum clicks for an hour of the week. Hours with fewer clicks take the rate of their block of four hours, or of
   * their day.
   *
   * @default 75
   */
  readonly minClicks?: number | undefined;
}

/** One hour of the week, with the figures behind its factor. */
export interface LearnedCell {
  /** Day of the week. */
  readonly weekday: Weekday;
  /** Hour of the day. */
  readonly hour: number;
  /** Clicks in this hour alone. */
  readonly clicks: number;
  /** Orders in this hour alone. */
  readonly orders: number;
  /** Estimated orders per click, between the hour's own rate and the rate of its block or day. */
  readonly rate: number;
  /** Source of the rate: the hour, its block of four hours, or its day. */
  readonly from: "hour" | "block" | "day";
  /** Factor of the grid. */
  readonly factor: number;
}

/** A learned grid and the figures behind it. */
export interface LearnedGrid {
  /** Cells for a schedules file. */
  readonly grid: readonly ScheduleCell[];
  /** Figures behind each cell of the grid, one line per cell. */
  readonly notes: readonly string[];
  /** All hours of the week, Monday first. */
  readonly cells: readonly LearnedCell[];
  /** Clicks of all hours. */
  readonly clicks: number;
  /** Orders of all hours. */
  readonly orders: number;
  /** Number of hours that took the rate of their block or day. */
  readonly pooled: number;
}

const BLOCK_HOURS = 4;
const FEWEST = 500;

/**
 * Learns bid factors by hour of the week: the orders per click of each hour relative to all hours. Hours with few
 * clicks are shrunk towards their block of four hours, their day and the account.
 *
 * @throws {RangeError} with fewer than 500 clicks or without orders.
 *
 * @example
 * ```ts
 * import { learnGrid } from "@platform/ads/schedules";
 *
 * const hours = [9, 21].map((hour) => ({ weekday: "mon" as const, hour, clicks: 4000, orders: hour === 21 ? 600 : 200 }));
 * const { grid, pooled } = learnGrid(hours);
 * console.log(grid.length > 0, pooled); // true 166
 * ```
 */
export function learnGrid(hours: readonly HourFigures[], options: LearnOptions = {}): LearnedGrid {
  const { cap = 0.3, step = 0.05, minClicks = 75 } = options;
  const sums = new Map<string, { clicks: number; orders: number }>();
  for (const { weekday, hour, clicks, orders } of hours) {
    const key = `${weekday} ${hour}`;
    const known = sums.get(key) ?? { clicks: 0, orders: 0 };
    // Corrections of the stream may be negative; a sum below nothing is nothing.
    sums.set(key, { clicks: known.clicks + clicks, orders: known.orders + orders });
  }
  const all = WEEKDAYS.flatMap((weekday) =>
    Array.from({ length: 24 }, (_, hour) => {
      const { clicks, orders } = sums.get(`${weekday} ${hour}`) ?? { clicks: 0, orders: 0 };
      return { weekday, hour, clicks: Math.max(0, clicks), orders: Math.max(0, Math.min(orders, clicks)) };
    })
  );
  const total = (of: readonly { clicks: number; orders: number }[]) => ({
    clicks: of.reduce((sum, one) => sum + one.clicks, 0),
    orders: of.reduce((sum, one) => sum + one.orders, 0),
  });
  const { clicks, orders } = total(all);
  if (clicks < FEWEST || orders <= 0) {
    throw new RangeError(
      `Cannot learn a grid from ${clicks} clicks and ${orders} orders: at least ${FEWEST} clicks with orders are needed, ` +
        "and 5,000 are better",
    );
  }
  const blockOf = (hour: number): number => Math.floor(hour / BLOCK_HOURS);
  const ratesOf = (
    groups: ReadonlyMap<string, { clicks: number; orders: number; parents: readonly string[] }>,
  ) =>
    new Map(
      shrinkRates([...groups].map(([id, { clicks, orders, parents }]) => ({
        id,
        parents,
        successes: orders,
        trials: clicks,
      }))).map(({ id, rate }) => [id, rate]),
    );
  const grouped = (
    keyOf: (one: typeof all[number]) => string,
    parentsOf: (one: typeof all[number]) => string[],
  ) =>
    new Map(
      [...Map.groupBy(all, keyOf)].map(([key, own]) => [key, { ...total(own), parents: parentsOf(own[0]!) }]),
    );
  const dayGroups = grouped(({ weekday }) => weekday, () => []);
  const blockGroups = grouped(
    ({ weekday, hour }) => `${weekday} ${blockOf(hour)}`,
    ({ weekday }) => [weekday],
  );
  const hourGroups = grouped(
    ({ weekday, hour }) => `${weekday} ${hour}`,
    ({ weekday, hour }) => [weekday, `${weekday} ${blockOf(hour)}`],
  );
  const [days, blocks, own] = [ratesOf(dayGroups), ratesOf(blockGroups), ratesOf(hourGroups)];
  const mean = orders / clicks;
  const cells = all.map((one): LearnedCell => {
    const { weekday, hour } = one;
    const block = `${weekday} ${blockOf(hour)}`;
    const from = one.clicks >= minClicks
      ? "hour"
      : blockGroups.get(block)!.clicks >= minClicks
      ? "block"
      : "day";
    const rate = (from === "hour"
      ? own.get(`${weekday} ${hour}`)
      : from === "block"
      ? blocks.get(block)
      : days.get(weekday)) ?? mean;
    const factor = Math.min(1 + cap, Math.max(1 - cap, rate / mean));
    return { ...one, rate, from, factor: Number((Math.round(factor / step) * step).toFixed(4)) };
  });
  const grid = gridOf(
    WEEKDAYS.map((_, day) => cells.slice(24 * day, 24 * day + 24).map(({ factor }) => factor)),
  );
  return {
    grid,
    notes: grid.map((cell) => noteOf(cell, cells, mean)),
    cells,
    clicks,
    orders,
    pooled: cells.filter(({ from }) => from !== "hour").length,
  };
}

function noteOf(
  { days = WEEKDAYS, factor }: ScheduleCell,
  cells: readonly LearnedCell[],
  mean: number,
): string {
  const own = cells.filter((one) => days.includes(one.weekday) && one.factor === factor);
  const clicks = own.reduce((sum, one) => sum + one.clicks, 0);
  const rate = own.reduce((sum, one) => sum + one.rate, 0) / Math.max(1, own.length);
  const pooled = own.filter(({ from }) => from !== "hour").length;
  return `${clicks} clicks, conversion rate ${percentText(rate)}, overall ${percentText(mean)}${
    pooled === 0 ? "" : `; ${pooled} hours pooled`
  }`;
}
