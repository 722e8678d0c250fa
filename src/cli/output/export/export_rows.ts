import { withPackages } from "../../../store/optional_packages.ts";
import type { ReportRow } from "../../../reports/report_row.ts";
import type { CliContext } from "../../core/context.ts";
import { asyncChunks } from "../../../internal/async_chunks.ts";
import { csvPrinter, jsonLinesPrinter, jsonPrinter } from "../text_printers.ts";
import type { Row, RowPrinter } from "../row_printer.ts";
import { exportFormat } from "./export_format.ts";
import { type ColumnType, columnType } from "../../../reports/column_type.ts";
import { foldedRows } from "./folded_rows.ts";
import { NewFile } from "./new_file.ts";
import { lazyImport } from "../../core/lazy_import.ts";

/** Destination of rows, and the columns to write. */
export interface ExportTarget {
  /** Path; its ending chooses the form. */
  readonly path: string;
  /** Columns of CSV, Parquet and spreadsheets, in order. JSON has what a row has. */
  readonly columns: readonly string[];
  /** Types of columns that differ from those of the platform's columns of the same names. */
  readonly types?: ReadonlyMap<string, ColumnType>;
  /** True to give CSV and spreadsheets a last column, `extra`, with the JSON of what has no column. */
  readonly extra?: boolean;
}

/**
 * Writes rows to a file in bounded memory. The file appears whole or not at all.
 *
 * @returns how many rows were written.
 * @throws {UsageError} when the path has no ending that says the form, {@linkcode CliError} when it cannot be written.
 */
export async function exportRows(
  rows: AsyncIterable<ReportRow>,
  { path, columns, types, extra = false }: ExportTarget,
  { globals, interruption }: CliContext,
): Promise<number> {
  const format = exportFormat(path);
  const file = await NewFile.create(path);
  let count = 0;
  async function* counted(): AsyncGenerator<ReportRow> {
    for await (const row of rows) {
      interruption.signal.throwIfAborted();
      count++;
      yield row;
    }
  }
  try {
    if (format === "parquet") {
      const { writeParquet } = await withPackages(
        "a Parquet file",
        "hyparquet-writer",
        () => lazyImport<typeof import("./parquet_file.ts")>("output/export/parquet_file"),
      );
      // What a report has besides its columns is kept, and what does not fit them.
      const typed = types ?? publishedTypes(columns);
      await writeParquet(counted(), { types: typed, extra: types === undefined, path: file.temporaryPath });
    } else if (format === "xlsx") {
      const { writeXlsx } = await withPackages(
        "a spreadsheet file",
        "hucre",
        () => lazyImport<typeof import("./xlsx_file.ts")>("output/export/xlsx_file"),
      );
      const typed = new Map(types ?? publishedTypes(columns));
      if (extra) typed.set("extra", "text");
      const sheetRows = extra ? foldedRows(counted(), columns) : counted();
      await writeXlsx(sheetRows, { types: typed, write: (bytes) => file.write(bytes) });
    } else {
      const write = (text: string): Promise<void> => file.write(new TextEncoder().encode(text));
      const printer: RowPrinter = format === "csv"
        ? csvPrinter(write, globals.fields ?? [...columns, ...extra ? ["extra"] : []], globals)
        : (format === "json" ? jsonPrinter : jsonLinesPrinter)(write, globals.fields);
      const folded = format === "csv" && extra ? foldedRows(counted(), columns) : counted();
      for await (const batch of asyncChunks<Row>(folded, 1000)) await printer.write(batch);
      await printer.end();
    }
    await file.finish();
    return count;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

function publishedTypes(columns: readonly string[]): Map<string, ColumnType> {
  return new Map(columns.map((name) => [name, columnType(name) ?? "text"]));
}
