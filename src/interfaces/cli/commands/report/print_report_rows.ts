import { asyncChunks } from "../../../../base/json/chunks.ts";
import type { ColumnType, ReportRow } from "../../../../client/reports/file/report_row.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import type { RowPrinter } from "../../shell/context/row_printer.ts";
import { say } from "../../shell/output/write_text.ts";

interface ReportOutput {
  readonly columns: readonly string[];
  /** Columns of a table. */
  readonly shown: readonly string[];
  /** Path of the file to write, instead of printing rows. */
  readonly out?: string | undefined;
  readonly types?: ReadonlyMap<string, ColumnType> | undefined;
  /** True if the first rows tell the columns. */
  readonly hasMore?: boolean | undefined;
}

/** Prints the rows of a report, or writes them to a file. */
export async function printReportRows(
  rows: AsyncIterable<ReportRow>,
  { columns, shown, out, types, hasMore }: ReportOutput,
  context: CliContext,
): Promise<number> {
  if (out !== undefined) {
    const extra = hasMore === true;
    const target = { path: out, columns, extra, ...(types === undefined ? {} : { types }) };
    await say(`Wrote ${await exportRows(rows, target, context)} rows to ${out}`, context);
    return EXIT.done;
  }
  let printer = hasMore ? undefined : rowPrinter({ columns: shown, fields: columns }, context);
  let count = 0;
  for await (const batch of asyncChunks(rows, 500)) {
    printer ??= printerOf([...new Set([...batch.flatMap((row) => Object.keys(row)), ...columns])]);
    await printer.write(batch);
    count += batch.length;
  }
  printer ??= printerOf(columns);
  await printer.end();
  if (count === 0) await say("The report has no rows", context);
  return EXIT.done;

  function printerOf(names: readonly string[]): RowPrinter {
    return rowPrinter({ columns: names, fields: names }, context);
  }
}
