import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Cell } from "../encode_row.ts";
import type { ReportLayout } from "../report_layout.ts";
import type { PullRecord, RowFilter, StoredDay } from "../store_driver.ts";
import { StoreError } from "../store_error.ts";

/** Puts rows of one report and profile into its table. */
export class RowInserter {
  readonly #profileId: string;
  readonly #insert: StatementSync;
  readonly #insertRepeat: StatementSync;
  readonly #keyLength: number;
  readonly #perDay = new Map<string, number>();
  #rows = 0;

  /** @param layout How the rows are laid out. */
  constructor(database: DatabaseSync, { layout, profileId }: { layout: ReportLayout; profileId: string }) {
    const { table, columns } = layout;
    const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    const names = ["profile_id", ...columns.map(({ name }) => `"${name}"`), "extra"];
    const into = `INSERT INTO ${table} (${names.join(", ")}, repeat)`;
    const places = names.map(() => "?").join(", ");
    const same = ["profile_id", ...key].map((name) => `${name} = ?`).join(" AND ");
    this.#profileId = profileId;
    this.#keyLength = key.length;
    this.#insert = database.prepare(`${into} VALUES (${places}, 0) ON CONFLICT DO NOTHING`);
    this.#insertRepeat = database.prepare(
      `${into} SELECT ${places}, max(repeat) + 1 FROM ${table} WHERE ${same}`,
    );
  }

  /** Rows put in so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows of a day. */
  rowsOn(day: string): number {
    return this.#perDay.get(day) ?? 0;
  }

  /** Puts a row in; one whose key is there already is counted as a further one. */
  add(cells: readonly Cell[]): void {
    if (this.#insert.run(this.#profileId, ...cells).changes === 0) {
      this.#insertRepeat.run(this.#profileId, ...cells, this.#profileId, ...cells.slice(0, this.#keyLength));
    }
    const day = String(cells[0]);
    this.#perDay.set(day, this.rowsOn(day) + 1);
    this.#rows++;
  }
}

/** What is stored of the covered days of a pull. */
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

/** Takes the rows of a pull's days away. */
export function clearDays(database: DatabaseSync, { layout, profileId, start, end }: PullRecord): void {
  database.prepare(`DELETE FROM ${layout.table} WHERE profile_id = ? AND date BETWEEN ? AND ?`)
    .run(profileId, start, end);
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
