import type { MonthsPull, StoredMonth } from "../model/store_driver.ts";
import { asyncChunks } from "../../base/json/chunks.ts";
import { putProfile } from "./account_tables.ts";
import { insertRows, type StoreSql } from "./store_sql.ts";

const AT_ONCE = 1000;

const OWN = "profile_id = ? AND date BETWEEN ? AND ?";

export async function replaceMonths(
  sql: StoreSql,
  pull: MonthsPull,
  rows: AsyncIterable<StoredMonth>,
): Promise<number> {
  const { profileId, months, pulledAt } = pull;
  const range = [profileId, months[0] ?? "", months.at(-1) ?? ""];
  await putProfile(sql, pull);
  for (const table of ["months", "month_pulls"]) await sql.run(`DELETE FROM ${table} WHERE ${OWN}`, range);
  const counts = new Map(months.map((month) => [month, 0]));
  for await (const part of asyncChunks(rows, AT_ONCE)) {
    const placed = part.filter(({ month }) => counts.has(month));
    for (const { month } of placed) counts.set(month, counts.get(month)! + 1);
    await insertRows(
      sql,
      {
        into:
          "months (profile_id, date, ad_product, campaign_id, currency, impressions, clicks, cost, orders, sales)",
      },
      placed.map((row) => [
        profileId,
        row.month,
        row.adProduct,
        row.campaignId,
        row.currency,
        row.impressions,
        row.clicks,
        row.cost,
        row.orders,
        row.sales,
      ]),
    );
  }
  await insertRows(
    sql,
    { into: "month_pulls (profile_id, date, rows, pulled_at)" },
    Array.from(counts, ([month, count]) => [profileId, month, count, pulledAt]),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

export async function storedMonths(
  { run }: StoreSql,
  profileId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await run("SELECT date, pulled_at FROM month_pulls WHERE profile_id = ? ORDER BY date", [
    profileId,
  ]);
  return new Map(
    rows.map((row) => [String(row["date"]), new Date(Number(row["pulled_at"])).toISOString()]),
  );
}
