import { dayOf } from "../../../../base/time/calendar.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { parseDay } from "../../shell/options/times.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { printRows } from "../../shell/output/print_rows.ts";
const COLUMNS = [
  "country_code",
  "ad_product",
  "date",
  "metric",
  "stream",
  "report",
  "difference",
  "share",
  "note",
];

export const streamReconcileCommand = command(
  (kit) =>
    kit.leaf("reconcile", {
      printsRows: true,
      summary: "Compare stored hours with stored daily reports",
      details:
        "Sums hours to the market's days, and compares each day with the first stored report of sp_campaigns, " +
        "sp_placement and sp_targeting (sb_campaigns, sb_targeting; sd_campaigns, sd_targeting). note gives " +
        "likely causes: missing hours, records newer than the report, or a report newer than the last record. " +
        "Sync again before you investigate, because reports are restated too.",
      examples: [
        ["adsctl store stream reconcile --start -7", "compare the last week, by day and metric"],
        [
          "adsctl store stream reconcile --above 0.01 --by-campaign --fail-on-differences",
          "list campaigns that differ by over 1 %",
        ],
      ],
      library: 'const lines = await reconcileStream(store, { start: "2026-11-01" })',
      fields: [...COLUMNS, "profile_id", "campaign_id", "source"],
    })
      .option("--start <day>", "first day: 2026-11-01, or -7 for days ago (default: everything)")
      .option("--end <day>", "last day (default: everything)")
      .option("--by-campaign", "compare by campaign")
      .option("--above <share>", "only differences above this share of the report; 0.01 is 1 %", shareOf)
      .option("--fail-on-differences", "exit code 6 if there are differences")
      .addOption(storeOption()),
  async (options, context) => {
    const { io, globals } = context;
    const today = dayOf(io.now());
    const day = async (text: string | undefined, option: string): Promise<string | undefined> =>
      text === undefined ? undefined : await parseDay(text, { option, today });
    const [start, end] = [await day(options.start, "--start"), await day(options.end, "--end")];
    const { reconcileStream } = await import("../../../../store/stream/reconcile_stream.ts");
    const store = await openStore(options, context);
    const lines = await reconcileStream(store, { start, end, byCampaign: options.byCampaign });
    const differing = lines.filter(({ difference, share }) =>
      difference !== 0 && Math.abs(share ?? 1) > (options.above ?? 0)
    );
    const shown = options.above === undefined && !options.byCampaign ? lines : differing;
    const campaign = options.byCampaign ? ["campaign_id"] : [];
    const [country, product, date, ...rest] = COLUMNS;
    await printRows(shown.map((line) => ({ ...line })), {
      columns: [country!, product!, date!, ...campaign, ...rest],
      fields: [...COLUMNS, "profile_id", ...campaign, "source"],
    }, context);
    if (!globals.quiet) {
      await io.stderr.write(
        lines.length === 0
          ? "No day has both stored hours and a stored report\n"
          : `${lines.length} figures compared, ${differing.length} differ\n`,
      );
    }
    return options.failOnDifferences && differing.length > 0 ? EXIT.differences : EXIT.done;
  },
);

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && Number.isFinite(share)) return share;
  throw new UsageError(`Cannot use --above "${text}": it is not a share such as 0.01`);
}
