import type { ProfileClient } from "../../../../client/profile_client.ts";
import { command, type CommandDoc, type MakeCommand } from "../../shell/command.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addAskOptions, askedFor } from "./report_options.ts";
import { say } from "../../shell/output/write_text.ts";
import { printRows } from "../../shell/output/print_rows.ts";

export const reportCreateCommand = command(
  (kit) =>
    addAskOptions(kit.profileLeaf("create", {
      summary: "Request a report and print its id, without waiting",
      details:
        "A report covers at most 31 days. If the same report is already being built, its id is printed.",
      examples: [[
        "adsctl report create sp_targeting -m US --start -31 --end -1",
        "request now, download later",
      ]],
      library: 'const id = await profile.reports.create("sp_targeting", "2026-08-01", "2026-08-31")',
    }))
      .argument("<report>", "report name, or @file with a configuration"),
  async (word, options, context) => {
    const client = await connectProfile(options, context);
    const { report, start, end, ...shape } = await askedFor(word, options, { client, context });
    const { signal } = context.interruption;
    const reportId = await refusingBadInput(() =>
      client.reports.create(report, start, end, { ...shape, signal })
    );
    await printRows([{ reportId, start, end }], { columns: ["reportId", "start", "end"] }, context);
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

export const reportStatusCommand = aboutReport("status", {
  printsRows: true,
  summary: "Show the status of a report",
  examples: [[
    "adsctl report status 0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11 -m US",
    "PENDING, PROCESSING, COMPLETED",
  ]],
  library: "const { status } = await profile.reports.status(reportId)",
}, async (client, reportId, context) => {
  const { signal } = context.interruption;
  const status = await refusingBadInput(() => client.reports.status(reportId, { signal }));
  await printRows([status], { columns: STATUS_COLUMNS, fields: STATUS_FIELDS }, context);
});

export const reportDeleteCommand = aboutReport("delete", {
  summary: "Cancel a report that is still being built",
  examples: [["adsctl report delete 0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11 -m US", "cancel it"]],
  library: "await profile.reports.delete(reportId)",
}, async (client, reportId, context) => {
  const { signal } = context.interruption;
  await refusingBadInput(() => client.reports.delete(reportId, { signal }));
  await say(`Cancelled report ${reportId}`, context);
});

function aboutReport(
  name: string,
  doc: CommandDoc,
  run: (client: ProfileClient, reportId: string, context: CliContext) => Promise<void>,
): MakeCommand {
  return command(
    (kit) => kit.profileLeaf(name, doc).argument("<report-id>", "id of the report"),
    async (reportId, options, context) => {
      const client = await connectProfile(options, context);
      await run(client, reportId, context);
      return EXIT.done;
    },
  );
}
