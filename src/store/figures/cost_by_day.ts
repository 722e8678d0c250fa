import { eachDay } from "../../base/time/calendar.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type FigureRow, figures, type FiguresOptions, reportsOfGroups } from "./figures.ts";
import { missingDays } from "./missing_days.ts";

export interface DailyCost {
  readonly row: FigureRow;
  /** Cost per day; `undefined` for a day that is not stored, which is not 0. */
  readonly costs: readonly (number | undefined)[];
}

export async function costByDay(
  store: Pick<Warehouse, "query" | "coverage">,
  options: FiguresOptions,
): Promise<DailyCost[]> {
  const { by = [], markets, profileIds } = options;
  const { rows, columns, period } = await figures(store, {
    ...options,
    by: [...by, "day"],
    compare: false,
    notes: false,
  });
  const reports = reportsOfGroups(by);
  const coverage = await store.coverage({ profileId: profileIds, report: reports });
  const missing = missingDays(coverage, { period, reports, markets, profileIds });
  const isMissing = (day: string): boolean => missing.some(({ start, end }) => start <= day && day <= end);
  const days = [...eachDay(period)].map((day) => ({ day, nothing: isMissing(day) ? undefined : 0 }));
  const keys = columns.slice(0, columns.indexOf("currency") + 1).filter((column) => column !== "day");
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key])));
  return [...groups.values()].flatMap((own) => {
    const [row] = own;
    if (row === undefined) return [];
    const costs = new Map(own.map((each) => [String(each["day"]).slice(0, 10), each.cost]));
    return [{ row, costs: days.map(({ day, nothing }) => costs.get(day) ?? nothing) }];
  });
}
