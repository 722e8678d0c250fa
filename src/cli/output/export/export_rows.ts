import type { ReportRow } from "../../../reports/report_row.ts";
import type { CliContext } from "../../core/context.ts";
import { asyncChunks } from "../../../internal/async_chunks.ts";
import { csvPrinter, jsonLinesPrinter, jsonPrinter } from "../text_printers.ts";
import type { Row, RowPrinter } from "../row_printer.ts";
import { exportFormat } from "./export_format.ts";
import { foldedRows } from "./folded_rows.ts";
import { NewFile } from "./new_file.ts";
import { lazyImport } from "../../core/lazy_import.ts";

/** Where rows are written, and which of their columns. */
export interface ExportTarget {
  /** Path; its ending chooses the form. */
  readonly path: string;
  /** Columns of CSV and Parquet, in order. JSON has what a row has. */
  readonly columns: readonly string[];
  /** True to give CSV a last column, `extra`, with the JSON of what has no column; Parquet always has it. */
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
  { path, columns, extra = false }: ExportTarget,
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
      const { writeParquet } = await lazyImport<typeof import("./parquet_file.ts")>(
        "output/export/parquet_file",
      );
      await writeParquet(counted(), { columns, path: file.temporaryPath });
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
