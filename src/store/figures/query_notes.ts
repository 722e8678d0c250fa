import type { FoundRows } from "../model/query_question.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { immatureNote } from "./immature_note.ts";
import { missingDaysNote } from "./missing_days_note.ts";

interface RunQuery {
  readonly sql: string;
  readonly params?: readonly unknown[];
  /** Time at which the figures were known, ISO 8601. */
  readonly asOf?: string | undefined;
  readonly today: string;
}

/** Notes on what rows do not tell: a time before all reports, sales still to come, and days that are not stored. */
export async function queryNotes(
  { rows }: Pick<FoundRows, "rows">,
  { sql, params = [], asOf, today }: RunQuery,
  store: Warehouse,
): Promise<string[]> {
  const statement = { sql, params };
  const immature = await immatureNote({ rows, statement }, store, { today, asOf });
  if (asOf === undefined) return [...immature, ...await missingDaysNote(statement, store)];
  const unknown = await store.whyUnknownAt(asOf);
  return unknown === undefined ? immature : [unknown, ...immature];
}
