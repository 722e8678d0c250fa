import { addDays, dayIn, dayOfWeek } from "../../base/time/calendar.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

const WEEKS = 8;

export interface HourFigures {
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
}

interface HourlyFigures {
  readonly from: string;
  readonly to: string;
  /** True if every day is old enough that its orders are complete. */
  readonly mature: boolean;
  /** Seven days of 24 hours in the market's zone, Monday first. */
  readonly cells: readonly (readonly HourFigures[])[];
}

/** Uses complete days if there are any; `null` without hours. */
export async function hourlyFigures(
  store: Pick<Warehouse, "query">,
  { profileId, now, zone }: { readonly profileId: string; readonly now: number; readonly zone: string },
): Promise<HourlyFigures | null> {
  const today = dayIn(zone, now);
  const { rows } = await store.query(
    `SELECT date, hour, sum(clicks) AS clicks, sum(cost) AS cost, sum(orders) AS orders, sum(sales) AS sales
    FROM performance_hourly WHERE profile_id = ? AND date BETWEEN ? AND ? AND hour IS NOT NULL GROUP BY date, hour`,
    [profileId, addDays(today, -7 * WEEKS - ATTRIBUTION_DAYS), addDays(today, -1)],
  );
  const days = rows.map((row) => ({ ...row, day: String(row["date"]).slice(0, 10) }));
  const final = addDays(today, -ATTRIBUTION_DAYS - 1);
  const old = days.filter(({ day }) => day <= final);
  const used = old.length > 0 ? old : days;
  if (used.length === 0) return null;
  const cells = Array.from(
    { length: 7 },
    () => Array.from({ length: 24 }, () => ({ clicks: 0, cost: 0, orders: 0, sales: 0 })),
  );
  for (const row of used) {
    const cell = cells[dayOfWeek(row.day) - 1]?.[Number(row["hour" as keyof typeof row])];
    if (cell === undefined) continue;
    for (const name of ["clicks", "cost", "orders", "sales"] as const) {
      cell[name] += Number(row[name as keyof typeof row] ?? 0);
    }
  }
  const sorted = used.map(({ day }) => day).sort();
  return { from: sorted[0] ?? "", to: sorted.at(-1) ?? "", mature: old.length > 0, cells };
}
