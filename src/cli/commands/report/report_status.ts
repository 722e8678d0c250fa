import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { MarketOptions } from "../../options/market_options.ts";
import { printRows } from "../../output/print_rows.ts";
import { withProfile } from "../../core/with_profile.ts";
import { addProfileOptions } from "./report_options.ts";

const COLUMNS = ["reportId", "status", "name", "startDate", "endDate", "createdAt", "failureReason"];
const FIELDS = [...COLUMNS, "updatedAt", "generatedAt", "fileSize", "urlExpiresAt", "configuration", "url"];

/** `adsctl report status`. */
export function reportStatusCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("status", {
    summary: "Show the status of a report",
    examples: [[
      "adsctl report status 0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11 -m US",
      "PENDING, PROCESSING, COMPLETED",
    ]],
    library: "const { status } = await profile.reports.status(reportId)",
  });
  return addProfileOptions(command)
    .argument("<report-id>", "id of the report")
    .action((reportId, options, self) =>
      kit.run((context) => runReportStatus(reportId, options, context), self)
    );
}

/** Prints the status of a report. */
async function runReportStatus(
  reportId: string,
  options: MarketOptions,
  context: CliContext,
): Promise<number> {
  return await withProfile(options, context, async (client) => {
    const { signal } = context.interruption;
    const status = await refusingBadInput(() => client.reports.status(reportId, { signal }));
    await printRows([status], { columns: COLUMNS, fields: FIELDS }, context);
    return EXIT.done;
  });
}
