import type { Row } from "./text_table.ts";

/** The rows by a column, largest first; rows without a value come last. */
export function sortedRows(rows: readonly Row[], column: string): Row[] {
  return [...rows].sort((a, b) => compare(b[column], a[column]));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
