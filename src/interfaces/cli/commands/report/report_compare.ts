import type { ComparedBy } from "../../../../account/jobs/read_parts.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { parseDay } from "../../shell/options/times.ts";
import { positiveInteger, separated, separatedIds } from "../../shell/arguments/parse_values.ts";
import { storeOption } from "../../shell/store/store_option.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { openSyncedStore } from "../store/open_synced_store.ts";
import { noSyncOption } from "../../shell/store/store_option.ts";
const COLUMNS = [
  "by",
  "name",
  "campaign",
  "cost_before",
  "cost_after",
  "cost_change",
  "cost_share",
  "sales_change",
  "acos_before",
  "acos_after",
];

export const reportCompareCommand = command(
  (kit) =>
    kit.profileLeaf("compare", {
      summary: "Say what moved spend, sales and ACOS between two periods",
      details:
        "Totals, then the campaigns, keywords and placements whose cost moved most, with the share that each has in the " +
        "change (-0.2: it moved the other way). Figures come from the store, which is brought up to date first. Periods " +
        "of different lengths are compared by the day.",
      examples: [
        ["adsctl report compare -m CA", "the last seven days against the seven before"],
        [
          "adsctl report compare -m CA --start -1 --end -1 --by campaign",
          "why yesterday was not like the day before",
        ],
      ],
      library: "await comparePeriods(profile, { store, before, after })",
    })
      .option("--start <day>", "first of the later days: YYYY-MM-DD, or -N days before today (default: -7)")
      .option("--end <day>", "last of the later days (default: -1)")
      .option("--before-start <day>", "first of the earlier days (default: as many days right before)")
      .option("--before-end <day>", "last of the earlier days")
      .option("--by <names>", "only by campaign, keyword or placement, separated by commas", separated)
      .option("--campaign-id <ids>", "only these campaigns", separatedIds)
      .option("--limit <n>", "rows of each breakdown (default: 10)", positiveInteger)
      .addOption(storeOption())
      .addOption(noSyncOption()),
  async (options, context) => {
    const { comparePeriods, comparisonRows, periodBefore } = await import("../../../../account/mod.ts");
    const { immatureNote } = await import("../../../../store/figures/immature_note.ts");
    const client = await connectProfile(options, context);
    const { figures, say, fetching } = await openSyncedStore(options, context);
    const { today } = client.reports;
    const day = (text: string, option: string): Promise<string> => parseDay(text, { option, today });
    const after = {
      start: await day(options.start ?? "-7", "--start"),
      end: await day(options.end ?? "-1", "--end"),
    };
    const earlier = periodBefore(after);
    const before = {
      start: options.beforeStart === undefined
        ? earlier.start
        : await day(options.beforeStart, "--before-start"),
      end: options.beforeEnd === undefined ? earlier.end : await day(options.beforeEnd, "--before-end"),
    };
    const comparison = await fetching(() =>
      comparePeriods(client, {
        ...figures,
        before,
        after,
        by: options.by as readonly ComparedBy[] | undefined,
        campaignIds: options.campaignId,
      })
    );
    const { currency, costBy, isPerDay } = comparison;
    say(
      `${after.start} to ${after.end} against ${before.start} to ${before.end}, in ${currency}` +
        (isPerDay ? ", a day's average" : ""),
    );
    await printRows(
      comparisonRows(comparison, { limit: options.limit ?? 10 }).map((row) => ({ ...row })),
      { columns: COLUMNS },
      context,
    );
    say(
      `Of the change in cost ${costBy.clicks.toFixed(2)} come from clicks, ${
        costBy.cpc.toFixed(2)
      } from their price`,
    );
    for (const line of comparison.notes) say(line);
    for (const line of await immatureNote({ days: after }, figures.store, { today })) say(line);
    return EXIT.done;
  },
);
