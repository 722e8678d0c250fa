import { addDays, countDays, type DayRange } from "../../internal/calendar.ts";

/**
 * As many days as a period has, right before it.
 *
 * @example
 * ```ts
 * import { periodBefore } from "@platform/ads/account";
 *
 * console.log(periodBefore({ start: "2026-11-08", end: "2026-11-14" }).start); // 2026-11-01
 * ```
 */
export function periodBefore(period: DayRange): DayRange {
  return { start: addDays(period.start, -countDays(period)), end: addDays(period.start, -1) };
}
