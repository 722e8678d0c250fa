import { InvalidArgumentError } from "@commander-js/extra-typings";
import {
  presetOf,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  spellReport,
} from "../../../../client/reports/requests/presets.ts";
import { JOB_REPORTS, jobReport, spellJobReport } from "../../../../account/job_reports/job_reports.ts";
import { command, withCommands } from "../../shell/command.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { reportCompareCommand } from "./report_compare.ts";
import { reportCreateCommand, reportDeleteCommand, reportStatusCommand } from "./report_requests.ts";
import { reportDownloadCommand } from "./report_download.ts";
import { reportListCommand } from "./report_list.ts";
import { reportCheckCommand, reportFieldsCommand } from "./report_fields.ts";
import { addAskOptions } from "./report_options.ts";
import { reportingOption } from "../../shell/options/reporting_option.ts";
import { reportRunCommand } from "./report_run.ts";
import { reportWasteCommand } from "./report_waste.ts";
import { advertiserOption } from "./print_job_report.ts";
import { runReport } from "./run_report.ts";
import { reportColumnsCommand, reportTypesCommand } from "./report_types.ts";

export const reportCommand = withCommands(
  command(
    (kit) =>
      addAskOptions(kit.profileLeaf("report", {
        summary: "Run a performance report and print its rows",
        details:
          `Reports by name: ${REPORT_PRESET_NAMES.map(spellReport).join(", ")}, and from separate APIs: ${
            JOB_REPORTS.map(({ name }) => spellJobReport(name)).join(", ")
          }. A type from adsctl report types, ` +
          "such as sdCampaigns:matchedTarget, returns all its columns. @file reads a configuration as JSON. Ranges " +
          "over 31 days are split into several reports. The platform keeps reports for 60 to 95 days; adsctl sync " +
          "keeps them for good. Old reports, the default, end in 2027. --reporting new uses new reports, which go back 15 months; columns they lack are " +
          "empty and listed. --reporting compare runs both and lists the differences: exit code 0 if there are " +
          "none, otherwise 6.",
        examples: [
          [
            "adsctl report search-terms -m US --start -30 --end -1 --format csv > terms.csv",
            "the last 30 days",
          ],
          ["adsctl report attribution-campaigns -m US --start -30", "traffic from other sites, by campaign"],
          ["adsctl report campaigns -m US --start -60 --chart sales14d", "draw sales by day"],
          ["adsctl report targeting -m US --start -7 --reporting compare", "compare old and new reports"],
        ],
        library: 'const rows = await profile.reports.run("sp_placement", "2026-08-01", "2026-09-25")',
        fields: ([report]) => presetColumns(report),
      }))
        .argument("<report>", "report name or type, or @file with a configuration")
        .addOption(reportingOption())
        .addOption(advertiserOption())
        .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx")
        .option("--chart <metric>", "chart a metric by day instead of printing rows", metricName)
        .option(
          "--timeout <minutes>",
          "stop waiting after this many minutes; run the command again to resume (default: 180)",
          positiveInteger,
        ),
    runReport,
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
