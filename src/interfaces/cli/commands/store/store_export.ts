import { addDays, type DayRange, eachDay, endOfMonth, startOfMonth } from "../../../../base/time/calendar.ts";
import { normalizeCountry } from "../../../../base/markets/markets.ts";
import type { Coverage } from "../../../../store/model/coverage.ts";
import type { RowFilter } from "../../../../store/model/store_driver.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
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
    const keys = partitionKeys(partitionBy);
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
    for (const { folders, filter: narrowed } of partitions(lines, keys, filter)) {
      const folder = join(dirname(file), ...folders);
      await mkdir(folder, { recursive: true });
      count += await write(join(folder, basename(file)), narrowed);
      files++;
    }
    await say(`Wrote ${count} rows to ${files} files`, context);
    return EXIT.done;
  },
);

const KEYS = ["country_code", "profile_id", "month", "date"] as const;

type PartitionKey = typeof KEYS[number];

interface Partition {
  readonly folders: readonly string[];
  readonly filter: RowFilter;
}

function partitionKeys(words: readonly string[]): PartitionKey[] {
  return words.map((word) => {
    const key = KEYS.find((each) => each === word.replaceAll("-", "_"));
    if (key !== undefined) return key;
    throw new UsageError(`Cannot partition rows by "${word}": expected one of ${KEYS.join(", ")}`);
  });
}

function partitions(
  lines: readonly Coverage[],
  keys: readonly PartitionKey[],
  filter: RowFilter,
): Partition[] {
  const found = new Map<string, Partition>();
  for (const { countryCode, profileId, firstDay, lastDay } of lines) {
    if (filter.profileId !== undefined && filter.profileId !== profileId) continue;
    if (filter.countryCode !== undefined && normalizeCountry(filter.countryCode) !== countryCode) continue;
    const start = filter.start !== undefined && filter.start > firstDay ? filter.start : firstDay;
    const end = filter.end !== undefined && filter.end < lastDay ? filter.end : lastDay;
    for (const days of dayRanges({ start, end }, keys)) {
      const values = {
        country_code: countryCode,
        profile_id: profileId,
        month: days.start.slice(0, 7),
        date: days.start,
      };
      const folders = keys.map((key) => `${key}=${values[key]}`);
      found.set(folders.join("/"), {
        folders,
        filter: {
          ...filter,
          ...(keys.includes("country_code") ? { countryCode } : {}),
          ...(keys.includes("profile_id") ? { profileId } : {}),
          ...(keys.includes("month") || keys.includes("date") ? within(days, filter) : {}),
        },
      });
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, partition]) => partition);
}

function dayRanges(range: DayRange, keys: readonly PartitionKey[]): DayRange[] {
  if (range.start > range.end) return [];
  if (keys.includes("date")) return [...eachDay(range)].map((day) => ({ start: day, end: day }));
  if (!keys.includes("month")) return [range];
  const months: DayRange[] = [];
  for (let start = startOfMonth(range.start); start <= range.end;) {
    const end = endOfMonth(start);
    months.push({ start, end });
    start = addDays(end, 1);
  }
  return months;
}

function within({ start, end }: DayRange, filter: RowFilter): DayRange {
  return {
    start: filter.start !== undefined && filter.start > start ? filter.start : start,
    end: filter.end !== undefined && filter.end < end ? filter.end : end,
  };
}
