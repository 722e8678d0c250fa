import { asyncChunks } from "../../base/json/chunks.ts";
import { quotedName } from "../../base/text/sql_name.ts";
import { eachDay, endOfMonth } from "../../base/time/calendar.ts";
import type { QueryParameter } from "../model/store_driver.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type LakePartition, ownerId } from "./partitions.ts";
import type { LakeTable } from "./lake_tables.ts";
import { type ResultPartition, resultRows } from "./result_tables.ts";

const AT_ONCE = 20_000;
/** Rows of a report in one batch. */
const BATCH = 100;

type Row = Readonly<Record<string, unknown>>;

/**
 * Yields the rows of a partition in batches, in a deterministic order; those of reports with the platform's names, which
 * {@linkcode viewColumn} makes columns of. Report rows are streamed from one snapshot, mart rows by
 * profile and day.
 */
export async function* partitionRows(
  store: Warehouse,
  table: LakeTable,
  partition: LakePartition | ResultPartition,
): AsyncGenerator<readonly Row[]> {
  const { result } = table;
  if (result !== undefined && "runs" in partition) {
    for (const run of partition.runs) {
      yield* asyncChunks(resultRows(store, { ...table, result }, run), BATCH);
    }
    return;
  }
  const { owner, month } = partition;
  const profileId = ownerId(owner);
  const [report] = table.reports;
  if (table.key.length > 0 && month !== null && report !== undefined) {
    const start = `${month}-01`;
    yield* asyncChunks(store.storedRows(report, { profileId, start, end: endOfMonth(start) }), BATCH);
    return;
  }
  const selected = `SELECT ${table.columns.map(({ name }) => quotedName(name)).join(", ")} FROM ${
    quotedName(table.name)
  }`;
  if (table.day === undefined || month === null) {
    yield* pages(store, { selected, key: table.key, profileId });
    return;
  }
  const day = quotedName(table.day);
  const inOrder = table.columns.filter(({ type }) => type !== "json").map(({ name }) => quotedName(name))
    .join(
      ", ",
    );
  const read = (start: string, end: string, maxRows: number) =>
    store.query(
      `${selected} WHERE profile_id = ? AND ${day} BETWEEN ? AND ? ORDER BY ${day}, ${inOrder}`,
      [profileId, start, end],
      { maxRows },
    );
  const start = `${month}-01`;
  const end = endOfMonth(start);
  const whole = await read(start, end, AT_ONCE);
  if (!whole.truncated) {
    yield whole.rows;
    return;
  }
  for (const one of eachDay({ start, end })) yield (await read(one, one, Infinity)).rows;
}

async function* pages(
  store: Warehouse,
  { selected, key, profileId }: { selected: string; key: readonly string[]; profileId: string },
): AsyncGenerator<readonly Row[]> {
  const names = key.map(quotedName).join(", ");
  let after: QueryParameter[] = [];
  for (;;) {
    const further = after.length === 0 ? "" : `AND (${names}) > (${after.map(() => "?").join(", ")})`;
    const { rows } = await store.query(
      `${selected} WHERE profile_id = ? ${further} ORDER BY ${names} LIMIT ${AT_ONCE}`,
      [profileId, ...after],
      { maxRows: AT_ONCE },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    after = key.map((name) => rows.at(-1)?.[name] as QueryParameter);
  }
}
