import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { printRows, wantsData } from "../../output/print_rows.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { storeOption, withStore } from "../../core/with_store.ts";

const COLUMNS = [
  "country_code",
  "profile_id",
  "report",
  "first_day",
  "last_day",
  "days",
  "rows",
  "gaps",
  "last_pull",
];

/** `adsctl store coverage`. */
export function storeCoverageCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("coverage", {
    summary: "Tell which days are stored, and which are missing between them",
    details: "A day is covered only when the whole file of a completed report was stored.",
    examples: [["adsctl store coverage --json", "with every gap"]],
    library: "const lines = await store.coverage()",
  })
    .addOption(storeOption())
    .action((options, self) => kit.run((context) => runStoreCoverage(options, context), self));
}

/** Tells what is stored. */
export async function runStoreCoverage(options: StoreOptions, context: CliContext): Promise<number> {
  return await withStore(options, context, async (store) => {
    const lines = await store.coverage();
    const rows = lines.map(({ countryCode, profileId, firstDay, lastDay, lastPull, gaps, ...line }) => ({
      country_code: countryCode,
      profile_id: profileId,
      report: line.report,
      first_day: firstDay,
      last_day: lastDay,
      days: line.days,
      rows: line.rows,
      gaps: wantsData(context)
        ? gaps
        : gaps.map(({ start, end }) => start === end ? start : `${start}..${end}`).join(" "),
      last_pull: lastPull,
    }));
    await printRows(rows, { columns: COLUMNS }, context);
    if (rows.length === 0 && !context.globals.quiet) {
      await context.io.stderr.write(`Nothing is stored in ${store.location}: adsctl sync fills it\n`);
    }
    return EXIT.done;
  });
}
