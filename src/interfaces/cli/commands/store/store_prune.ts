import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { parseMoment } from "../../shell/options/times.ts";
import { printRows } from "../../shell/output/print_rows.ts";

export const storePruneCommand = command(
  (kit) =>
    kit.leaf("prune", {
      printsRows: true,
      summary: "Delete old versions of stored rows",
      details: "Keeps current data, and everything that --as-of shows from the given time on.",
      examples: [[
        "adsctl store prune --history-before -365 --dry-run",
        "count versions older than a year",
      ]],
      library: 'const counts = await store.pruneHistory("2026-01-01")',
    })
      .addOption(storeOption())
      .requiredOption(
        "--history-before <time>",
        "delete versions replaced before: 2026-01-01, or -365 (days ago)",
      )
      .option("--dry-run", "count them without deleting"),
  async (options, context) => {
    const moment = parseMoment(options.historyBefore, { option: "--history-before", now: context.io.now() });
    const store = await openStore(options, context);
    const before = new Date(moment).toISOString();
    const counts = await store.pruneHistory(before, { dryRun: options.dryRun ?? false });
    const rows = Object.entries(counts).map(([report, versions]) => ({ report, versions }));
    await printRows(rows, { columns: ["report", "versions"] }, context);
    if (!context.globals.quiet) {
      const total = rows.reduce((sum, { versions }) => sum + versions, 0);
      const done = options.dryRun ? "would be deleted" : "were deleted";
      await context.io.stderr.write(`${total} versions that ended before ${before} ${done}\n`);
    }
    return EXIT.done;
  },
);
