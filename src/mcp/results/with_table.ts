/** Place of an answer's rows: in its data alone, or in its text as well. */
export type RowsPlace = "data" | "both";

/** Rows that the text shows of data that holds them all. */
const SAMPLE = 5;

/**
 * The text of an answer with the table of its rows; where they are in the data, with the first of them. Few rows are
 * not sent twice.
 */
export function withTable(text: string, table: string | undefined, place: RowsPlace): string {
  if (table === undefined || table === "") return text;
  const lines = table.split("\n");
  // The first line names the columns.
  if (place === "both") return `${text}\n\n${table}`;
  if (lines.length <= SAMPLE + 1) return `${text} (in the data)`;
  return `${text}\n\n${lines.slice(0, SAMPLE + 1).join("\n")}\n(${
    lines.length - SAMPLE - 1
  } more rows in the data)`;
}
