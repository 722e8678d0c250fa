import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import type { ReportStatus } from "../../../../client/reports/requests/report_status.ts";
import { command } from "../../shell/command.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { asyncChunks } from "../../../../base/lists/chunks.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { reportColumns } from "../../shell/output/report_columns.ts";
import { say } from "../../shell/output/write_text.ts";

export const reportDownloadCommand = command(
  (kit) =>
    kit.profileLeaf("download", {
      summary: "Print the rows of a completed report",
      examples: [
        [
          "adsctl report download 0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11 -m US --wait --out rows.csv",
          "download it once it is complete",
        ],
      ],
      library: "const rows = await profile.reports.download(await profile.reports.wait(reportId))",
    })
      .argument("<report-id>", "id of the report")
      .option("--wait", "wait until the report is complete")
      .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx"),
  async (reportId, options, context) => {
    const { out } = options;
    if (out !== undefined) await checkExport(out, context.globals.givenFormat);
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const work = context.progress.work({ noun: "report", yields: "row" });
    const status = await refusingBadInput(() =>
      options.wait
        ? client.reports.wait(reportId, {
          signal,
          ...(context.globals.demo ? { poll: 1, maxPoll: 1 } : {}),
          onStatus: ({ status }, seconds) =>
            work.part(reportId, { name: reportId, state: "running", step: status.toLowerCase(), seconds }),
        })
        : client.reports.status(reportId, { signal })
    );
    const columns = status.configuration?.columns ?? [];
    const rows = rowsOf(client, status, signal);
    if (out !== undefined) {
      const count = await exportRows(rows, { path: out, columns }, context);
      await say(`Wrote ${count} rows to ${out}`, context);
      return EXIT.done;
    }
    const printer = rowPrinter({ columns: reportColumns(columns), fields: columns }, context);
    for await (const batch of asyncChunks(rows, 500)) await printer.write(batch);
    await printer.end();
    return EXIT.done;
  },
);

async function* rowsOf(
  client: ProfileClient,
  status: ReportStatus,
  signal: AbortSignal,
): AsyncGenerator<ReportRow> {
  for await (const batch of client.reports.batches(status, { signal })) yield* batch;
}
