import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { namedReport } from "../../../reports/named_report.ts";
import { layoutOf } from "../../../store/report_layout.ts";
import type { RowFilter } from "../../../store/store_driver.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { exportFormat } from "../../output/export/export_format.ts";
import { exportRows } from "../../output/export/export_rows.ts";
import { withStore } from "../../core/with_store.ts";
import { separated } from "../../options/parse_values.ts";
import { partitionKeys, partitions } from "./partitions.ts";
import { addRowOptions, rowFilter, type RowOptions } from "./row_options.ts";
import { say } from "../../output/say.ts";

/** Options of {@linkcode runStoreExport}. */
interface ExportOptions extends RowOptions {
  /** Preset. */
  readonly report: string;
  readonly file: string;
  /** Keys of the partitions. */
  readonly partitionBy?: readonly string[];
}

/** `adsctl store export`. */
export function storeExportCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("export", {
    summary: "Write stored rows of a report to a file",
    details:
      "The ending chooses the form: .csv, .json, .jsonl, .parquet or .xlsx. The file appears whole or not at all. In " +
      "CSV and Parquet the last column, extra, holds as JSON what has no column of its own.",
    examples: [
      ["adsctl store export sp_placement placements.parquet", "for DuckDB, Spark, BigQuery or Athena"],
      [
        "adsctl store export sp_search_terms terms.csv -m DE --start 2026-09-01 --end 2026-09-30",
        "one month",
      ],
      [
        "adsctl store export sp_placement lake/rows.parquet --partition-by country_code,month",
        "lake/country_code=US/month=2026-09/rows.parquet, and so on",
      ],
    ],
    library: 'for await (const row of store.rows("sp_placement")) { ... }',
  });
  return addRowOptions(command)
    .argument("<report>", "name of a report")
    .argument("<file>", "file to write; with --partition-by its folders are made beside it")
    .option("--partition-by <keys>", "a file for each country_code, profile_id, month or date", separated)
    .action((report, file, options, self) =>
      kit.run((context) => runStoreExport({ ...options, report, file }, context), self)
    );
}

/** Writes stored rows to a file, or to one for each partition. */
async function runStoreExport(options: ExportOptions, context: CliContext): Promise<number> {
  const { report, columns: stored } = layoutOf(await namedReport(options.report));
  const { file, partitionBy = [] } = options;
  exportFormat(file);
  const keys = partitionKeys(partitionBy);
  const filter = await rowFilter(options, context);
  const columns = ["country_code", "profile_id", ...stored.map(({ name }) => name)];
  return await withStore(options, context, async (store) => {
    const write = (path: string, narrowed: RowFilter): Promise<number> =>
      exportRows(store.rows(report, narrowed), { path, columns, extra: true }, context);
    if (keys.length === 0) {
      const count = await write(file, filter);
      await say(`Wrote ${count} rows to ${file}`, context);
      return EXIT.done;
    }
    let [count, files] = [0, 0];
    const lines = (await store.coverage()).filter((line) => line.report === report);
    for (const { folders, filter: narrowed } of partitions(lines, keys, filter)) {
      const folder = join(dirname(file), ...folders);
      await mkdir(folder, { recursive: true });
      count += await write(join(folder, basename(file)), narrowed);
      files++;
    }
    await say(`Wrote ${count} rows to ${files} files`, context);
    return EXIT.done;
  });
}
