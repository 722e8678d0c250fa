import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printRows } from "../../output/print_rows.ts";
import { withProfile } from "../../core/with_profile.ts";
import { addAskOptions, askedFor, type AskOptions } from "./report_options.ts";

/** `adsctl report create`. */
export function reportCreateCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("create", {
    summary: "Ask for a report and print its id, without waiting",
    details: "One report spans at most 31 days. A report that is being built already is not asked for again.",
    examples: [["adsctl report create sp_targeting -m US --start -31 --end -1", "ask now, download later"]],
    library: 'const id = await profile.reports.create("sp_targeting", "2026-08-01", "2026-08-31")',
  });
  return addAskOptions(command)
    .argument("<report>", "name of a report, or @file with a configuration")
    .action((report, options, self) => kit.run((context) => runReportCreate(report, options, context), self));
}

/** Asks for a report. */
async function runReportCreate(
  word: string,
  options: AskOptions,
  context: CliContext,
): Promise<number> {
  return await withProfile(options, context, async (client) => {
    const { report, start, end, ...shape } = await askedFor(word, options, { client, context });
    const { signal } = context.interruption;
    const reportId = await refusingBadInput(() =>
      client.reports.create(report, start, end, { ...shape, signal })
    );
    await printRows([{ reportId, start, end }], { columns: ["reportId", "start", "end"] }, context);
    return EXIT.done;
  });
}
