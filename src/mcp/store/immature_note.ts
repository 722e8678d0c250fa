import { addDays } from "../../internal/calendar.ts";
import { RESTATE_DAYS } from "../../store/history/restate_days.ts";
import type { Warehouse } from "../../store/warehouse.ts";
import type { Row } from "../results/text_table.ts";

/** Days after a click for which orders count. */
const ATTRIBUTION_DAYS = 14;

/** Days that are named with a share of their own. */
const NAMED = 7;

/** Share of a day's sales to come from which on the day is named. */
const NOTABLE = 0.01;

/**
 * Says how much of the days of a result is still to come, judged from the history of the store; where it cannot be judged
 * yet, that figures of young days change.
 *
 * @param now Milliseconds since the epoch.
 */
export async function immatureNote(
  rows: readonly Row[],
  store: Pick<Warehouse, "query">,
  { now, asOf }: { now: number; asOf: string | undefined },
): Promise<string[]> {
  const today = new Date(now).toISOString().slice(0, 10);
  const first = addDays(today, -RESTATE_DAYS);
  const days = new Set(rows.flatMap(({ date }) => typeof date === "string" && date > first ? [date] : []));
  if (days.size === 0) return [];
  const found = await store.query(
    `SELECT date, max(sales_to_come) AS share FROM immature WHERE date > '${first}' GROUP BY date ORDER BY date DESC`,
    [],
    { asOf },
  );
  const judged = found.rows.flatMap(({ date, share }) =>
    days.has(String(date)) && typeof share === "number" ? [{ date: String(date), share }] : []
  );
  if (judged.length > 0) {
    const young = judged.filter(({ share }) => share >= NOTABLE);
    if (young.length === 0) return [];
    const named = young.slice(0, NAMED).map(({ date, share }) => `${date} ${Math.round(share * 100)} %`);
    const more = young.length - named.length;
    return [
      `Immature: of the sales of these days so much is still to come, judged from the final days of this store: ${
        named.join(", ")
      }${more > 0 ? `, less of ${more} older days` : ""}`,
    ];
  }
  const young = addDays(today, -ATTRIBUTION_DAYS);
  if (![...days].some((date) => date > young)) return [];
  return [
    `Days after ${young} are immature: orders are attributed for ${ATTRIBUTION_DAYS} days after a click, and figures ` +
    `are restated for ${RESTATE_DAYS}`,
  ];
}
