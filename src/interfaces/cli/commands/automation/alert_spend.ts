import { addDays } from "../../../../base/time/calendar.ts";
import type { Alert } from "../../../../automation/watch/alert.ts";
import { GROUPS } from "../../../../automation/watch/figure_facts.ts";
import { costByDay } from "../../../../store/figures/cost_by_day.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { sparkline } from "../../shell/terminal/sparkline.ts";

const DAYS = 14;

export async function alertSpend(
  { over, day, profileId, facts }: Alert,
  store: Pick<Warehouse, "query" | "coverage">,
): Promise<string | undefined> {
  const found = Object.entries(GROUPS).find(([name]) => name === over);
  if (found === undefined) return undefined;
  const [, { by, key }] = found;
  const from = addDays(day, 1 - DAYS);
  const rows = await costByDay(store, { by, from, to: day, profileIds: [profileId], today: day });
  const own = rows.find(({ row }) => key.every((column) => String(row[column] ?? "") === facts[column]));
  return own && `Cost by day, ${from} to ${day}: ${sparkline(own.costs)}`;
}
