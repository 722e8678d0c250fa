import type { DatabaseSync } from "node:sqlite";
import type { ReportLayout } from "../../report_layout.ts";
import type { PullRecord, RowFilter, StoredDay } from "../../store_driver.ts";
import { StoreError } from "../../store_error.ts";

/** Stored rows of a pull's covered days. */
export function storedDays(
  database: DatabaseSync,
  { layout, profileId, start, end }: PullRecord,
): StoredDay[] {
  const hasCost = layout.columns.some(({ name }) => name === "cost");
  const cost = hasCost
    ? `SELECT date, sum(cost) AS cost FROM ${layout.table} WHERE profile_id = ?1 AND date BETWEEN ?3 AND ?4 GROUP BY date`
    : "SELECT NULL AS date, NULL AS cost";
  const rows = database.prepare(
    `SELECT days.date, days.rows, days.made_at, coalesce(costs.cost, 0) AS cost
     FROM days LEFT JOIN (${cost}) AS costs ON costs.date = days.date
     WHERE days.profile_id = ?1 AND days.report = ?2 AND days.date BETWEEN ?3 AND ?4`,
  ).all(profileId, layout.report, start, end);
  return rows.map((row) => ({
    day: String(row["date"]),
    rows: Number(row["rows"]),
    cost: Number(row["cost"]),
    madeAt: row["made_at"] === null ? null : String(row["made_at"]),
  }));
}

/**
 * When the rows of a pull become known, in milliseconds since the epoch: after everything that is known of its days, also
 * where the clock was set back.
 */
export function knownFrom(
  database: DatabaseSync,
  { layout, profileId, start, end, pulledAt }: PullRecord,
): number {
  const newest = database.prepare(
    "SELECT max(pulled_at) AS newest FROM days WHERE profile_id = ? AND report = ? AND date BETWEEN ? AND ?",
  ).get(profileId, layout.report, start, end)?.["newest"];
  const now = Date.parse(pulledAt);
  return typeof newest === "string" ? Math.max(now, Date.parse(newest) + 1) : now;
}

/**
 * The rows of a report that pass the filter, oldest day first, as they are at this moment. Their number is held
 * against what was written down when they were stored.
 *
 * @throws {StoreError} after the last row when some could not be read.
 */
export function* selectRows(
  database: DatabaseSync,
  layout: ReportLayout,
  filter: RowFilter,
): Generator<Record<string, unknown>> {
  const { where, params } = condition(filter);
  const columns = layout.columns.map(({ name }) => `rows."${name}"`);
  const key = layout.columns.filter((column) => column.key && column.name !== "date");
  const order = ["date", "profile_id", ...key.map(({ name }) => `"${name}"`), "repeat"].map((name) =>
    `rows.${name}`
  );
  const statement = database.prepare(
    `SELECT profiles.country_code, rows.profile_id, ${columns.join(", ")}, rows.extra
     FROM ${layout.table} AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
     WHERE ${where} ORDER BY ${order.join(", ")}`,
  );
  const counting = database.prepare(
    `SELECT coalesce(sum(rows.rows), 0) AS n
     FROM days AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
     WHERE ${where} AND rows.report = ?`,
  );
  database.exec("BEGIN");
  const expected = Number(counting.get(...params, layout.report)!["n"]);
  let read = 0;
  for (const row of statement.iterate(...params)) {
    read++;
    yield row;
  }
  if (read !== expected) {
    throw new StoreError(
      `Cannot read ${layout.report} whole: ${read} of ${expected} rows came. The file is damaged`,
    );
  }
}

function condition(filter: RowFilter): { where: string; params: string[] } {
  const conditions: string[] = ["1"];
  const params: string[] = [];
  const narrow = (condition: string, value: string | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    params.push(value);
  };
  narrow("profiles.country_code = ?", filter.countryCode);
  narrow("rows.profile_id = ?", filter.profileId);
  narrow("rows.date >= ?", filter.start);
  narrow("rows.date <= ?", filter.end);
  return { where: conditions.join(" AND "), params };
}
