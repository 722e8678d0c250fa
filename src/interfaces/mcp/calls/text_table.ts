import { markdownCell } from "../../../base/text/visible_text.ts";

const MAX_CELL = 120;

export type Row = Readonly<Record<string, unknown>>;

export function textTable(rows: readonly Row[], options: { longestCell?: number } = {}): string {
  if (rows.length === 0) return "";
  const columns = columnsOf(rows);
  const { longestCell = MAX_CELL } = options;
  const lines = rows.map((row) => columns.map((column) => cell(row[column], longestCell)).join(" | "));
  return [columns.map(markdownCell).join(" | "), ...lines].join("\n");
}

export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function cell(value: unknown, longest: number): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return markdownCell(text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
}

export type RowsPlace = "data" | "both";

/** Rows repeated in the text, because some clients show the model only the text. */
const SHOWN = 20;

export function withTable(text: string, table: string | undefined, place: RowsPlace): string {
  if (table === undefined || table === "") return text;
  const lines = table.split("\n");
  // The first line names the columns.
  if (place === "both" || lines.length <= SHOWN + 1) return `${text}\n\n${table}`;
  return `${text}\n\n${lines.slice(0, SHOWN + 1).join("\n")}\n(${
    lines.length - SHOWN - 1
  } more rows in the data)`;
}
