import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { presetName } from "../../../reports/presets.ts";
import { reportLayout } from "../../../store/report_layout.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { exportFormat } from "../../output/export/export_format.ts";
import { exportRows } from "../../output/export/export_rows.ts";
import { withStore } from "../../core/with_store.ts";
import { addRowOptions, rowFilter, type RowOptions } from "./row_options.ts";

/** `adsctl store export`. */
export function storeExportCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("export", {
    summary: "Write stored rows of a report to a file",
    details:
      "The ending chooses the form: .csv, .json, .jsonl or .parquet. The file appears whole or not at all. In " +
      "CSV and Parquet the last column, extra, holds as JSON what has no column of its own.",
    examples: [
      ["adsctl store export sp_placement placements.parquet", "for DuckDB, Spark, BigQuery or Athena"],
      [
        "adsctl store export sp_search_terms terms.csv -m DE --start 2026-09-01 --end 2026-09-30",
        "one month",
      ],
    ],
    library: 'for await (const row of store.rows("sp_placement")) { ... }',
  });
  return addRowOptions(command)
    .argument("<report>", "name of a report")
    .argument("<file>", "file to write")
    .action((report: string, file: string, options: RowOptions, self) =>
      kit.run((context) => runStoreExport({ ...options, report, file }, context), self)
    );
}

/** Writes stored rows to a file. */
export async function runStoreExport(
  options: RowOptions & { report: string; file: string },
  context: CliContext,
): Promise<number> {
  const report = presetName(options.report);
  const { file } = options;
  exportFormat(file);
  const filter = await rowFilter(options, context);
  const columns = ["country_code", "profile_id", ...reportLayout(report).columns.map(({ name }) => name)];
  return await withStore(options, context, async (store) => {
    const count = await exportRows(store.rows(report, filter), { path: file, columns, extra: true }, context);
    if (!context.globals.quiet) await context.io.stderr.write(`Wrote ${count} rows to ${file}\n`);
    return EXIT.done;
  });
}
