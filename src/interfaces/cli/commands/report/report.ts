import { InvalidArgumentError } from "@commander-js/extra-typings";
import { presetOf, REPORT_PRESETS } from "../../../../client/reports/requests/presets.ts";
import { jobReport } from "../../../../account/runs/job_reports.ts";
import { runReport } from "../../../../operations/reads/run_report.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { command, withCommands } from "../../shell/command.ts";
import { reportCompareCommand } from "./report_compare.ts";
import {
  reportCreateCommand,
  reportDeleteCommand,
  reportDownloadCommand,
  reportStatusCommand,
} from "./report_requests.ts";
import { reportListCommand } from "./report_list.ts";
import { reportCheckCommand, reportFieldsCommand } from "./report_fields.ts";
import { reportRunCommand } from "./report_run.ts";
import { reportWasteCommand } from "./report_waste.ts";
import { printReport, type RunReportOptions } from "./run_report.ts";
import { reportColumnsCommand, reportTypesCommand } from "./report_types.ts";

export const reportCommand = withCommands(
  command(
    (kit) =>
      operationLeaf<[string], RunReportOptions>(kit, runReport, {
        examples: [
          [
            "adsctl report search-terms -m US --start -30 --end -1 --format csv > terms.csv",
            "write the last 30 days to a file",
          ],
          ["adsctl report campaigns -m US --start -60 --chart sales14d", "draw sales by day"],
          ["adsctl report targeting -m US --start -7 --reporting compare", "compare old and new reports"],
        ],
        fields: ([report]) => presetColumns(report),
      })
        .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx")
        .option("--chart <metric>", "chart a metric by day instead of printing rows", metricName),
    printReport,
  ),
  [
    reportCompareCommand,
    reportWasteCommand,
    reportCreateCommand,
    reportStatusCommand,
    reportDownloadCommand,
    reportDeleteCommand,
    reportListCommand,
    reportTypesCommand,
    reportColumnsCommand,
    reportFieldsCommand,
    reportCheckCommand,
    reportRunCommand,
  ],
);

function metricName(text: string): string {
  if (!/^\w+$/.test(text)) throw new InvalidArgumentError("It is not the name of a column.");
  return text;
}

function presetColumns(report: string | undefined): readonly string[] {
  const job = jobReport(report ?? "");
  if (job !== undefined) return Object.keys(job.columns);
  const preset = report === undefined ? undefined : presetOf(report);
  return preset === undefined ? [] : REPORT_PRESETS[preset].columns;
}
