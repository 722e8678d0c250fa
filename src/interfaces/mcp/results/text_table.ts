import { markdownCell } from "../../../base/text/visible_text.ts";

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

/** Place of an answer's rows: in its data alone, or in its text as well. */
export type RowsPlace = "data" | "both";

/** Rows that an answer's text shows: some clients show the model the text alone. */
const SHOWN = 20;

/** The text of an answer with the table of its rows; of many rows that are in the data, with the first ones. */
export function withTable(text: string, table: string | undefined, place: RowsPlace): string {
  if (table === undefined || table === "") return text;
  const lines = table.split("\n");
  // The first line names the columns.
  if (place === "both" || lines.length <= SHOWN + 1) return `${text}\n\n${table}`;
  return `${text}\n\n${lines.slice(0, SHOWN + 1).join("\n")}\n(${
    lines.length - SHOWN - 1
  } more rows in the data)`;
}
