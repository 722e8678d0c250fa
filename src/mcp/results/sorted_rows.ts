import { ConfigurationError } from "../../errors.ts";
import type { Row } from "./text_table.ts";

const MAX_SORTED = 300_000;

/**
 * The rows by a column, largest first; rows without a value come last.
 *
 * @throws {ConfigurationError} when no row has the column, or there are too many rows to sort.
 */
export async function* sortedRows(source: AsyncIterable<Row>, column: string): AsyncGenerator<Row> {
  const rows: Row[] = [];
  let isKnown = false;
  for await (const row of source) {
    isKnown ||= Object.hasOwn(row, column);
    if (rows.push(row) > MAX_SORTED) {
      throw new ConfigurationError(
        `Cannot sort more than ${MAX_SORTED} rows: ask for SUMMARY, for fewer days, or without sort_by`,
      );
    }
  }
  if (rows.length > 0 && !isKnown) {
    throw new ConfigurationError(
      `Cannot sort by "${column}": the rows have ${Object.keys(rows[0]!).join(", ")}`,
    );
  }
  yield* rows.sort((a, b) => compare(b[column], a[column]));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
