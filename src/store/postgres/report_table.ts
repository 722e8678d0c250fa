import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cell } from "../encode_row.ts";
import type { ReportLayout } from "../report_layout.ts";
import type { PullRecord, RowFilter, StoredDay } from "../store_driver.ts";
import type { Transaction } from "./connection.ts";
import { copyText } from "./copy_text.ts";

/** What is stored of the covered days of a pull. */
export async function storedDays(
  sql: Transaction,
  { layout, profileId, start, end }: PullRecord,
): Promise<StoredDay[]> {
  const hasCost = layout.columns.some(({ name }) => name === "cost");
  const rows = await sql`
    SELECT days.date, days.rows, days.made_at, coalesce(costs.cost, 0) AS cost
    FROM days LEFT JOIN (
      SELECT date, sum(${sql(hasCost ? "cost" : "repeat")})::double precision AS cost FROM ${
    sql(layout.table)
  }
      WHERE profile_id = ${profileId} AND date BETWEEN ${start}::date AND ${end}::date GROUP BY date
    ) AS costs ON costs.date = days.date
    WHERE days.profile_id = ${profileId} AND days.report = ${layout.report}
      AND days.date BETWEEN ${start}::date AND ${end}::date`;
  return rows.map((row) => ({
    day: String(row["date"]),
    rows: Number(row["rows"]),
    cost: hasCost ? Number(row["cost"]) : 0,
    madeAt: row["made_at"],
  }));
}

/** Takes the rows of a pull's days away. */
export async function clearDays(
  sql: Transaction,
  { layout, profileId, start, end }: PullRecord,
): Promise<void> {
  await sql`
    DELETE FROM ${sql(layout.table)}
    WHERE profile_id = ${profileId} AND date BETWEEN ${start}::date AND ${end}::date`;
}

/**
 * Copies rows into the table of their report.
 *
 * @returns how many rows each day has.
 */
export async function copyRows(
  sql: Transaction,
  { layout, profileId }: PullRecord,
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): Promise<Map<string, number>> {
  const perDay = new Map<string, number>();
  const names = layout.columns.map(({ name }) => `"${name}"`);
  const copy = await sql.unsafe(
    `COPY ${layout.table} (profile_id, ${names.join(", ")}, extra, repeat) FROM STDIN`,
  ).writable();
  const count = (day: string): void => void perDay.set(day, (perDay.get(day) ?? 0) + 1);
  await pipeline(Readable.from(copyText(profileId, batches, count), { objectMode: true }), copy);
  return perDay;
}

/** The statement that reads the rows which pass the filter, oldest day first, and its parameters. */
export function selectRows(layout: ReportLayout, filter: RowFilter): { text: string; params: string[] } {
  const conditions: string[] = ["true"];
  const params: string[] = [];
  const narrow = (condition: string, value: string | undefined): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition.replace("?", `$${params.length}`));
  };
  narrow("profiles.country_code = ?", filter.countryCode);
  narrow("rows.profile_id = ?", filter.profileId);
  narrow("rows.date >= ?::date", filter.start);
  narrow("rows.date <= ?::date", filter.end);
  const columns = layout.columns.map(({ name }) => `rows."${name}"`).join(", ");
  const key = layout.columns.filter((column) => column.key && column.name !== "date")
    .map(({ name }) => `rows."${name}"`).join(", ");
  const text = `
    SELECT profiles.country_code, rows.profile_id, ${columns}, rows.extra
    FROM ${layout.table} AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
    WHERE ${conditions.join(" AND ")}
    ORDER BY rows.date, rows.profile_id, ${key}, rows.repeat`;
  return { text, params };
}
