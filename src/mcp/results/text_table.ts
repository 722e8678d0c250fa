import { markdownCell } from "../../internal/visible_text.ts";

const MAX_CELL = 120;

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows as a compact Markdown table: one line a row, whatever the values hold.
 *
 * @param options.longestCell Characters after which a cell is cut. @default 120
 */
export function textTable(rows: readonly Row[], options: { longestCell?: number } = {}): string {
  if (rows.length === 0) return "";
  const columns = columnsOf(rows);
  const { longestCell = MAX_CELL } = options;
  const lines = rows.map((row) => columns.map((column) => cell(row[column], longestCell)).join(" | "));
  return [columns.map(markdownCell).join(" | "), ...lines].join("\n");
}

/** Every column that the rows have, in the order in which they first appear. */
export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function cell(value: unknown, longest: number): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return markdownCell(text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
}
