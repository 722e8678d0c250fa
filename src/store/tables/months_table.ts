import type { MonthsPull, StoredMonth } from "../store_driver.ts";
import { putProfile } from "./account_tables.ts";
import { insertRows, type SqlValue, type StoreSql } from "./store_sql.ts";

/** Rows that are written with one statement. */
const AT_ONCE = 1000;

const OWN = "profile_id = ? AND date BETWEEN ? AND ?";

/** Replaces months that follow each other, and gives how many rows they have. */
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
  let batch: SqlValue[][] = [];
  const write = async (): Promise<void> => {
    await insertRows(sql, {
      into:
        "months (profile_id, date, ad_product, campaign_id, currency, impressions, clicks, cost, orders, sales)",
    }, batch);
    batch = [];
  };
  for await (const { month, ...row } of rows) {
    const count = counts.get(month);
    if (count === undefined) continue;
    counts.set(month, count + 1);
    const { adProduct, campaignId, currency, impressions, clicks, cost, orders, sales } = row;
    batch.push([profileId, month, adProduct, campaignId, currency, impressions, clicks, cost, orders, sales]);
    if (batch.length === AT_ONCE) await write();
  }
  await write();
  await insertRows(
    sql,
    { into: "month_pulls (profile_id, date, rows, pulled_at)" },
    Array.from(counts, ([month, count]) => [profileId, month, count, pulledAt]),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The stored months of a profile, and when each was pulled, ISO 8601. */
export async function storedMonths(
  { run }: StoreSql,
  profileId: string,
): Promise<{ readonly month: string; readonly pulledAt: string }[]> {
  const rows = await run("SELECT date, pulled_at FROM month_pulls WHERE profile_id = ? ORDER BY date", [
    profileId,
  ]);
  return rows.map((row) => ({
    month: String(row["date"]),
    pulledAt: new Date(Number(row["pulled_at"])).toISOString(),
  }));
}
