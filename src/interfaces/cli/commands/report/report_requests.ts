import {
  reportCreate,
  reportDelete,
  reportDownload,
  reportStatus,
} from "../../../../operations/reads/report_requests.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { reportGiven } from "../../shell/input/report_given.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { reportColumns } from "../../shell/output/report_columns.ts";
import { say } from "../../shell/output/write_text.ts";
import { printReportRows } from "./print_report_rows.ts";

export const reportCreateCommand = command(
  (kit) => operationLeaf<[string]>(kit, reportCreate),
  async (word, options, context) => {
    const input = await operationInput(reportCreate, options, {
      report: await reportGiven(word, context.io),
    });
    const about = await requestContext(options, context);
    const created = await refusingBadInput(() => reportCreate.run(about, input));
    await printRows([created], { columns: ["reportId", "start", "end"] }, context);
    return EXIT.done;
  },
);

const STATUS_COLUMNS = ["reportId", "status", "name", "startDate", "endDate", "createdAt", "failureReason"];
const STATUS_FIELDS = [
  ...STATUS_COLUMNS,
  "updatedAt",
  "generatedAt",
  "fileSize",
  "urlExpiresAt",
  "configuration",
  "url",
];

export const reportStatusCommand = command(
  (kit) => operationLeaf<[string]>(kit, reportStatus, { printsRows: true }),
  async (reportId, options, context) => {
    const about = await requestContext(options, context);
    const status = await refusingBadInput(() => reportStatus.run(about, { report_id: reportId }));
    await printRows([status], { columns: STATUS_COLUMNS, fields: STATUS_FIELDS }, context);
    return EXIT.done;
  },
);

export const reportDeleteCommand = command(
  (kit) => operationLeaf<[string]>(kit, reportDelete),
  async (reportId, options, context) => {
    const about = await requestContext(options, context);
    await refusingBadInput(() => reportDelete.run(about, { report_id: reportId }));
    await say(`Cancelled report ${reportId}`, context);
    return EXIT.done;
  },
);

export const reportDownloadCommand = command(
  (kit) =>
    operationLeaf<[string], { out?: string; wait?: true }>(kit, reportDownload)
      .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx"),
  async (reportId, { out, ...options }, context) => {
    const input = await operationInput(reportDownload, options, { report_id: reportId });
    if (out !== undefined) await checkExport(out, context.globals.givenFormat);
    const about = await requestContext(options, context);
    const work = context.progress.work({ noun: "report", yields: "row" });
    const { columns, rows } = await refusingBadInput(() =>
      reportDownload.run({
        ...about,
        onStatus: ({ status }, seconds) =>
          work.part(reportId, { name: reportId, state: "running", step: status.toLowerCase(), seconds }),
      }, input)
    );
    return await printReportRows(rows(), { columns, shown: reportColumns(columns), out }, context);
  },
);

async function requestContext(options: MarketOptions, context: CliContext) {
  return {
    profile: await connectProfile(options, context),
    signal: context.interruption.signal,
  };
}
