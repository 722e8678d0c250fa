import { type Schedule, type ScheduleCell, WEEKDAYS } from "./schedule.ts";
import type { KeptBase } from "./schedule_state.ts";
import { amountFor, type AmountMarket, factorAt } from "./wanted_at.ts";

const MONDAY = Date.UTC(2024, 0, 1);
const QUARTERS = 96;

/**
 * Returns the factors of a week: one list per day, Monday first, with 24 hours or 96 quarter hours. An hour with
 * several cells has the factor of its first quarter. Dates and events are ignored.
 *
 * @param options.step Minutes of a cell. @default 60
 * @example
 * ```ts
 * import { weekOf } from "@platform/ads/schedules";
 *
 * const week = weekOf({ name: "nights", move: "bid", grid: [{ hours: "00-06", factor: 0.5 }] });
 * console.log(week[0]?.[3], week[0]?.[12]); // 0.5 1
 * ```
 */
export function weekOf(
  schedule: Pick<Schedule, "name" | "move" | "grid">,
  { step = 60 }: { readonly step?: 15 | 60 | undefined } = {},
): number[][] {
  const { name, move, grid } = schedule;
  return WEEKDAYS.map((_, day) =>
    Array.from(
      { length: 1440 / step },
      (_, at) => factorAt({ name, move, grid, zone: "UTC" }, MONDAY + day * 86_400_000 + at * step * 60_000),
    )
  );
}

interface EffectiveAmount {
  readonly low: number | undefined;
  readonly middle: number | undefined;
  readonly high: number | undefined;
}

/**
 * Lowest, median and highest amount per hour of a day, Monday being 0; `null` if nothing is scheduled yet, or states
 * are.
 */
export function effectiveAmounts(
  schedule: Schedule,
  bases: readonly Pick<KeptBase, "base" | "kind">[],
  { day, ...market }: Pick<AmountMarket, "countryCode" | "accountType"> & { readonly day: number },
): EffectiveAmount[] | null | undefined {
  if (bases.length === 0 || schedule.move === "state") return null;
  return weekOf(schedule)[day]?.map((factor) => {
    const amounts = bases.map(({ base, kind }) => amountFor(factor, base, { ...schedule, ...market, kind }))
      .sort((a, b) => a - b);
    return { low: amounts[0], middle: amounts[Math.floor(amounts.length / 2)], high: amounts.at(-1) };
  });
}

/**
 * Converts the factors of a week to a grid with few cells: days with the same hours share cells, and hours with factor
 * 1 are left out.
 *
 * @param week Seven days, Monday first, each of 24 hours or 96 quarters.
 * @throws {RangeError} for another shape.
 *
 * @example
 * ```ts
 * import { gridOf } from "@platform/ads/schedules";
 *
 * const day = Array.from({ length: 24 }, (_, hour) => hour < 6 ? 0.5 : 1);
 * console.log(gridOf(Array.from({ length: 7 }, () => day)).length); // 1
 * ```
 */
export function gridOf(week: readonly (readonly number[])[]): ScheduleCell[] {
  const steps = week[0]?.length ?? 0;
  if (week.length !== 7 || ![24, QUARTERS].includes(steps) || week.some((day) => day.length !== steps)) {
    throw new RangeError("Cannot make a grid: expected seven days of 24 hours or 96 quarters each");
  }
  const minutes = 1440 / steps;
  const cells = new Map<string, { days: (typeof WEEKDAYS[number])[]; hours: string; factor: number }>();
  for (const [at, day] of week.entries()) {
    const ranges = new Map<number, string[]>();
    for (let from = 0; from < steps;) {
      let to = from + 1;
      while (to < steps && day[to] === day[from]) to += 1;
      const factor = day[from]!;
      if (factor !== 1) {
        const text = `${clock(from * minutes)}-${clock(to * minutes)}`;
        ranges.set(factor, [...ranges.get(factor) ?? [], text]);
      }
      from = to;
    }
    for (const [factor, texts] of ranges) {
      const hours = texts.join(",");
      const key = `${factor} ${hours}`;
      const known = cells.get(key) ?? { days: [], hours, factor };
      known.days.push(WEEKDAYS[at]!);
      cells.set(key, known);
    }
  }
  // A grid has at least one cell.
  if (cells.size === 0) return [{ factor: 1 }];
  return [...cells.values()].map(({ days, hours, factor }) => ({
    ...(days.length === 7 ? {} : { days }),
    ...(hours === "00-24" ? {} : { hours }),
    factor,
  }));
}

function clock(minute: number): string {
  const hour = String(Math.floor(minute / 60)).padStart(2, "0");
  return minute % 60 === 0 ? hour : `${hour}:${String(minute % 60).padStart(2, "0")}`;
}
