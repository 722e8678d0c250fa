import { writeXlsxStream, type XlsxStreamRow } from "hucre/xlsx";
import { isDay } from "../../../../base/time/calendar.ts";
import type { ColumnType, ReportRow, ReportValue } from "../../../../client/reports/file/report_row.ts";
import { CliError } from "../errors/cli_error.ts";
import { EXIT } from "../errors/exit_codes.ts";

/** Characters that a cell may have. */
const MAX_CELL = 32_767;

/**
 * Writes rows as a spreadsheet, in bounded memory: ids are text, metrics numbers, days dates. Past Excel's 1,048,576
 * rows it goes on in another sheet.
 *
 * @throws {CliError} for a text that is longer than a cell may be.
 */
export async function writeXlsx(
  rows: AsyncIterable<ReportRow>,
  { types, write }: { types: ReadonlyMap<string, ColumnType>; write: (bytes: Uint8Array) => Promise<void> },
): Promise<void> {
  const names = [...types.keys()];
  async function* sheetRows(): AsyncGenerator<XlsxStreamRow> {
    yield names;
    for await (const row of rows) yield names.map((name) => cellOf(row[name] ?? null, types.get(name)));
  }
  for await (const chunk of writeXlsxStream(sheetRows(), { name: "Rows" })) await write(chunk);
}

function cellOf(value: ReportValue, type: ColumnType | undefined): string | number | boolean | Date | null {
  if (type === "date" && typeof value === "string" && isDay(value)) return new Date(`${value}T00:00:00Z`);
  if (type === "text" && typeof value === "number") return String(value);
  if (typeof value === "string" && value.length > MAX_CELL) {
    throw new CliError(
      `Cannot write a spreadsheet: a text of ${value.length} characters is longer than a cell may be (${MAX_CELL}). ` +
        "Write .csv or .parquet",
      EXIT.failed,
    );
  }
  return value;
}
