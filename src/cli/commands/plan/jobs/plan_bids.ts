import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { BidKind } from "../../../../account/jobs/plan_bids.ts";
import { kindNamed } from "../../../../resources/kind_names.ts";
import { refusingBadInput } from "../../../core/errors/cli_error.ts";
import type { CommandKit } from "../../../core/command.ts";
import type { CliContext } from "../../../core/context.ts";
import { lazyImport } from "../../../core/lazy_import.ts";
import { separated, separatedIds, wholeNumber } from "../../../options/parse_values.ts";
import {
  fromFilesOption,
  type JobOptions,
  money,
  moneyFor,
  type MoneyOption,
  withJobOptions,
} from "./job_options.ts";

/** Options of {@linkcode runPlanBids}. */
interface PlanBidsOptions extends JobOptions {
  /** Condition. */
  readonly where: string;
  /** Change of the bids. */
  readonly change: string;
  /** Lowest bid. */
  readonly min?: MoneyOption;
  /** Highest bid. */
  readonly max?: MoneyOption;
  /** Days before today that are not judged. */
  readonly lag?: number;
  /** Kinds of entities. */
  readonly entity?: readonly string[];
  readonly campaignId?: readonly string[];
}

/** `adsctl plan bids`. */
export function planBidsCommand(kit: CommandKit): CommandUnknownOpts {
  return withJobOptions(
    kit.leaf("bids", {
      summary: "Plan other bids for keywords and targets whose figures meet a condition",
      details:
        "The condition is written in the language of policies (CEL): clicks, cost, sales, orders, acos and impressions " +
        "of 7d, 14d or 30d, bid, state, matchType, keywordText, and the fields of campaign and adGroup. An entity without " +
        "a bid of its own is judged by the default bid of its ad group and gets one. Figures come from the store, which is " +
        "brought up to date first. A condition on sales, orders or acos leaves out the last 14 days (--lag), because " +
        "orders may still come of their clicks. What is left out is counted by reason; --json has each.",
      examples: [
        [
          "adsctl plan bids -m CA --where 'acos30d < 0.20 && clicks30d >= 10' --change +10% --max 2.50",
          "raise what sells well, to 2.50 at most",
        ],
        [
          "adsctl plan bids -m CA --where \"acos30d > 0.40 && like(campaign.name, 'SP*')\" --change -15% --min 0.10",
          "lower what costs too much",
        ],
      ],
      library: 'await planBids(profile, { store, where: "acos30d < 0.20", change: "+10%", max: 2.5 })',
    })
      .requiredOption("--where <condition>", "which keywords and targets")
      .requiredOption("--change <change>", "+10%, -5%, *1.2, +0.05 or an amount")
      .option("--max <amount>", "highest bid in the currency of the market, or USD=2.50,CAD=3", money)
      .option("--min <amount>", "lowest bid in the currency of the market, or USD=0.10,CAD=0.12", money)
      .option(
        "--lag <n>",
        "days before today that are not judged (default: 14 with sales, else 0)",
        wholeNumber,
      )
      .option(
        "--entity <entities>",
        "keywords, targets, sb-keywords or sb-targets (default: all of them)",
        separated,
      )
      .option("--campaign-id <ids>", "only in these campaigns", separatedIds)
      .addOption(fromFilesOption()),
  ).action((options, self) => kit.run((context) => runPlanBids(options, context), self));
}

/** Plans bids by a condition. */
async function runPlanBids(options: PlanBidsOptions, context: CliContext): Promise<number> {
  const { BID_KINDS, checkBidsOptions, planBids } = await lazyImport<
    typeof import("../../../../account/jobs/plan_bids.ts")
  >("../account/jobs/plan_bids");
  const { where, change } = options;
  await refusingBadInput(() => checkBidsOptions({ where, change }));
  const kinds = options.entity?.map((name): BidKind =>
    kindNamed(name, { names: BID_KINDS, style: "command" })
  );
  const { runJob } = await lazyImport<typeof import("./run_job.ts")>("commands/plan/jobs/run_job");
  return await runJob(options, context, {
    fileReports: ["sp_targeting", "sb_targeting"],
    change,
    amounts: { "--max": options.max, "--min": options.min },
    run: (client, figures) =>
      planBids(client, {
        ...figures,
        where,
        change,
        min: moneyFor(options.min, client),
        max: moneyFor(options.max, client),
        kinds: kinds ?? kindsOf(figures.reports),
        lag: options.lag,
        campaignIds: options.campaignId,
        note: options.note,
      }),
  });
}

/** The kinds of bids whose reports are there, of files; `undefined` for all. */
function kindsOf(reports: ReadonlySet<string> | undefined): BidKind[] | undefined {
  if (reports === undefined) return undefined;
  return [
    ...(reports.has("sp_targeting") ? ["sp.keywords", "sp.targets"] as const : []),
    ...(reports.has("sb_targeting") ? ["sb.keywords", "sb.targets"] as const : []),
  ];
}
