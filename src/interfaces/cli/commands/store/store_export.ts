import { partitionKeys, rowPartitions } from "../../../../store/lake/row_partitions.ts";
import type { RowFilter } from "../../../../store/model/store_driver.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { layoutOf } from "../../../../store/model/report_layout.ts";
import { command } from "../../shell/command.ts";
import { exportFormat } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { addRowOptions, rowFilter } from "./row_options.ts";
import { say } from "../../shell/output/write_text.ts";

export const storeExportCommand = command(
  (kit) =>
    addRowOptions(kit.leaf("export", {
      summary: "Write stored rows of a report to a file",
      details:
        "The file extension sets the format: .csv, .json, .jsonl, .parquet or .xlsx. The file appears only when " +
        "complete. In CSV and Parquet, the last column, extra, holds other fields as JSON.",
      examples: [
        [
          "adsctl store export sp_placement placements.parquet",
          "export for DuckDB, Spark, BigQuery or Athena",
        ],
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
    }))
      .argument("<report>", "name of a report")
      .argument("<file>", "file to write; --partition-by creates folders next to it")
      .option("--partition-by <keys>", "one file per country_code, profile_id, month or date", separated),
  async (name, file, options, context) => {
    const { report, columns: stored } = layoutOf(await namedReport(name));
    const { partitionBy = [] } = options;
    exportFormat(file, context.globals.givenFormat);
    const keys = await refusingBadInput(() => partitionKeys(partitionBy));
    const filter = await rowFilter(options, context);
    const columns = ["country_code", "profile_id", ...stored.map(({ name }) => name)];
    const store = await openStore(options, context);
    const write = (path: string, narrowed: RowFilter): Promise<number> =>
      exportRows(store.rows(report, narrowed), { path, columns, extra: true }, context);
    if (keys.length === 0) {
      const count = await write(file, filter);
      await say(`Wrote ${count} rows to ${file}`, context);
      return EXIT.done;
    }
    let [count, files] = [0, 0];
    const lines = await store.coverage({ report });
    for (const { folders, filter: narrowed } of rowPartitions(lines, keys, filter)) {
      const folder = join(dirname(file), ...folders);
      await mkdir(folder, { recursive: true });
      count += await write(join(folder, basename(file)), narrowed);
      files++;
    }
    await say(`Wrote ${count} rows to ${files} files`, context);
    return EXIT.done;
  },
);
