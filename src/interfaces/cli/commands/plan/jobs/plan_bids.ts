import { Option } from "@commander-js/extra-typings";
import { BID_PRESETS } from "../../../../../account/jobs/bid_presets.ts";
import type { FigureOptions } from "../../../../../account/jobs/ensure_stored.ts";
import type { BidKind } from "../../../../../account/jobs/plan_bids.ts";
import type { DayRange } from "../../../../../base/time/calendar.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ReportPresetName } from "../../../../../client/reports/requests/presets.ts";
import { kindNamed } from "../../../../../client/entities/model/kind_names.ts";
import { refusingBadInput, UsageError } from "../../../shell/errors/cli_error.ts";
import { command } from "../../../shell/command.ts";
import {
  positiveInteger,
  repeated,
  separated,
  separatedIds,
  wholeNumber,
} from "../../../shell/arguments/parse_values.ts";
import {
  asOfOption,
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
  readonly where?: string;
  /** Change of the bids. */
  readonly change?: string;
  /** Condition and change by a short name. */
  readonly preset?: keyof typeof BID_PRESETS;
  /** Number of those with the most sales. */
  readonly best?: number;
  /** Number of those whose cost is furthest above their sales. */
  readonly worst?: number;
  /** Lowest bid. */
  readonly min?: MoneyOption;
  /** Highest bid. */
  readonly max?: MoneyOption;
  /** Days before today that are not judged. */
  readonly lag?: number;
  /** Kinds of entities. */
  readonly entity?: readonly string[];
  readonly campaignId?: readonly string[];
  /** Names of labels of the account. */
  readonly label?: readonly string[];
}

/** `adsctl plan bids`. */
export const planBidsCommand = command(
  (kit) =>
    withJobOptions(
      kit.leaf("bids", {
        summary: "Plan other bids for keywords and targets whose figures meet a condition",
        details:
          "The condition is written in the language of policies (CEL): clicks, cost, sales, orders, acos and impressions " +
          "of 7d, 14d or 30d, bid, state, matchType, keywordText, and the fields of campaign and adGroup. Few clicks say little: " +
          "acos30d.est is drawn towards ad group and campaign, and lies with 95 % between acos30d.low and acos30d.high; so for " +
          "cvr (orders a click) and ctr. Such a condition shows estimate and interval beside each change. An entity without " +
          "a bid of its own is judged by the default bid of its ad group and gets one. Figures come from the store, which is " +
          "brought up to date first. A condition on sales, orders or acos leaves out the last 14 days (--lag), because " +
          "orders may still come of their clicks. What is left out is counted by reason, and so is what the policy denies; " +
          "--json has each. Presets: " +
          Object.entries(BID_PRESETS).map(([name, { about, change }]) => `${name} (${about}: ${change})`)
            .join(
              ", ",
            ) +
          ".",
        examples: [
          [
            "adsctl plan bids -m CA --where 'acos30d < 0.20 && clicks30d >= 10' --change +10% --max 2.50",
            "raise what sells well, to 2.50 at most",
          ],
          [
            "adsctl plan bids -m CA --where 'acos30d.low > 30%' --change -15%",
            "lower what surely costs too much, however few its clicks",
          ],
          [
            "adsctl plan bids -m CA --preset wasters --as-of 2026-09-01",
            "the plan of that day, and what happened to these keywords since",
          ],
          ["adsctl plan bids -m CA --preset no-sales", "lower what is clicked and not bought"],
          [
            "adsctl plan bids -m CA --where \"acos30d > 0.40 && like(campaign.name, 'SP*')\" --change -15% --min 0.10",
            "lower what costs too much",
          ],
        ],
        library: 'await planBids(profile, { store, where: "acos30d < 0.20", change: "+10%", max: 2.5 })',
      })
        .option("--where <condition>", "which keywords and targets: acos30d > 30% and clicks30d >= 10")
        .option("--change <change>", "+10%, -5%, *1.2, +0.05 or an amount")
        .addOption(
          new Option("--preset <name>", "condition and change by a short name; --where and --change win")
            .choices(
              Object.keys(BID_PRESETS) as (keyof typeof BID_PRESETS)[],
            ),
        )
        .option("--best <n>", "only the n keywords and targets with the most sales", positiveInteger)
        .option("--worst <n>", "only the n whose cost is furthest above their sales", positiveInteger)
        .option("--max <amount>", "highest bid in the currency of the market, or USD=2.50,CAD=3", money)
        .option("--min <amount>", "lowest bid in the currency of the market, or USD=0.10,CAD=0.12", money)
        .option(
          "--lag <n>",
          "days before today that are not judged (default: 14 with sales, else 0)",
          wholeNumber,
        )
        .option(
          "--entity <entities>",
          "keywords, targets, sb-keywords, sb-targets or sd-targets (default: all but sd-targets)",
          separated,
        )
        .option("--campaign-id <ids>", "only in these campaigns", separatedIds)
        .option(
          "--label <name>",
          "only in campaigns and ad groups with this label of the account; repeatable",
          repeated,
        )
        .addOption(fromFilesOption())
        .addOption(asOfOption()),
    ),
  async (options, context) => {
    const { BID_KINDS, checkBidsOptions, planBids } = await import(
      "../../../../../account/jobs/plan_bids.ts"
    );
    const { preset, best, worst } = options;
    const { where = "true", change } = {
      ...(preset === undefined ? {} : BID_PRESETS[preset]),
      ...given(options),
    };
    if (change === undefined) {
      throw new UsageError("Cannot plan bids: give --change such as -10%, or a --preset, which brings one");
    }
    if (options.where === undefined && preset === undefined && best === undefined && worst === undefined) {
      throw new UsageError("Cannot plan bids: say which with --where, --preset, --best or --worst");
    }
    if (best !== undefined && worst !== undefined) {
      throw new UsageError("Cannot use --best and --worst together: choose one");
    }
    if (options.label !== undefined && (best !== undefined || worst !== undefined)) {
      throw new UsageError("Cannot rank within a label: give --best or --worst, or --label");
    }
    await refusingBadInput(() => checkBidsOptions({ where, change }));
    const kinds = options.entity?.map((name): BidKind =>
      kindNamed(name, { names: BID_KINDS, style: "command" })
    );
    const { runJob } = await import("./run_job.ts");
    return await runJob(options, context, {
      fileReports: ["sp_targeting", "sb_targeting"],
      change,
      amounts: { "--max": options.max, "--min": options.min },
      run: async (client, figures) =>
        await planBids(client, {
          ...figures,
          ...await ranked(client, { best, worst, options, figures }),
          where,
          change,
          min: moneyFor(options.min, client),
          max: moneyFor(options.max, client),
          kinds: kinds ?? kindsOf(figures.reports),
          lag: options.lag,
          campaignIds: options.campaignId,
          labels: options.label,
          note: options.note,
        }),
    });
  },
);

/** Condition and change as they were typed. */
function given({ where, change }: PlanBidsOptions): { where?: string; change?: string } {
  return { ...(where === undefined ? {} : { where }), ...(change === undefined ? {} : { change }) };
}

/** The best or the worst by their figures, with the days that they are of; nothing where neither was asked for. */
async function ranked(
  client: ProfileClient,
  { best, worst, options, figures }: {
    best: number | undefined;
    worst: number | undefined;
    options: PlanBidsOptions;
    figures: FigureOptions & { readonly signal: AbortSignal; readonly reports?: ReadonlySet<string> };
  },
): Promise<{ readonly ids?: string[]; readonly judged?: DayRange }> {
  const count = best ?? worst;
  if (count === undefined) return {};
  const { bestTargetDays, bestTargets } = await import("../../../../../account/jobs/best_targets.ts");
  const by = best === undefined ? "loss" : "sales";
  const reports = figures.reports && [...figures.reports] as ReportPresetName[];
  const { campaignId: campaignIds, lag } = options;
  const ids = await bestTargets(client, { ...figures, reports, count, by, campaignIds, lag });
  return { ids, judged: bestTargetDays(client, { ...figures, by, lag }) };
}

/** The kinds of bids whose reports are there, of files; `undefined` for all. */
function kindsOf(reports: ReadonlySet<string> | undefined): BidKind[] | undefined {
  if (reports === undefined) return undefined;
  return [
    ...(reports.has("sp_targeting") ? ["sp.keywords", "sp.targets"] as const : []),
    ...(reports.has("sb_targeting") ? ["sb.keywords", "sb.targets"] as const : []),
  ];
}
