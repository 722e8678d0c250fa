import { REPORT_COLUMNS } from "../../../../catalog/report_columns.ts";

/** A value in a report. Ids and integers past 2^53 - 1 are always text. */
export type ReportValue = string | number | boolean | null;

/** One row of a report: values by column name, in the platform's spelling. */
export type ReportRow = Record<string, ReportValue>;

/** Type of a report column: days, integers up to 2^53 - 1, other numbers, or text. */
export type ColumnType = "date" | "text" | "integer" | "real";

export type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest>
  : Text;

export type ReportColumn = Words<typeof REPORT_COLUMNS[ColumnType][number]>;

const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  columnTypes().flatMap((type) =>
    REPORT_COLUMNS[type].flatMap((line) => line.split(" ").map((name) => [name, type] as const))
  ),
);

export function columnType(name: string): ColumnType | undefined {
  return TYPES.get(name);
}

function columnTypes(): ColumnType[] {
  return ["date", "text", "integer", "real"];
}
