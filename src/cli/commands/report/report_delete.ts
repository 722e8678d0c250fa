import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { MarketOptions } from "../../options/market_options.ts";
import { withProfile } from "../../core/with_profile.ts";
import { addProfileOptions } from "./report_options.ts";
import { say } from "../../output/say.ts";

/** `adsctl report delete`. */
export function reportDeleteCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("delete", {
    summary: "Cancel a report that is not built yet",
    examples: [["adsctl report delete 0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11 -m US", "it will not be built"]],
    library: "await profile.reports.delete(reportId)",
  });
  return addProfileOptions(command)
    .argument("<report-id>", "id of the report")
    .action((reportId, options, self) =>
      kit.run((context) => runReportDelete(reportId, options, context), self)
    );
}

/** Cancels a report. */
async function runReportDelete(
  reportId: string,
  options: MarketOptions,
  context: CliContext,
): Promise<number> {
  return await withProfile(options, context, async (client) => {
    const { signal } = context.interruption;
    await refusingBadInput(() => client.reports.delete(reportId, { signal }));
    await say(`Cancelled report ${reportId}`, context);
    return EXIT.done;
  });
}
