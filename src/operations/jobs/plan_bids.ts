import { BID_PRESETS } from "../../account/jobs/bid_presets.ts";
import type { BidKind } from "../../account/jobs/plan_bids.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import { kindNamed } from "../../platform/catalog/kind_names.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { InputOf } from "../model/field.ts";
import { defineJob, type JobContext } from "./job_operation.ts";

const FIELDS = {
  where: {
    type: "text",
    value: "condition",
    help: "condition, such as: acos30d > 30% and clicks30d >= 10",
    brief: "acos30d < 0.2 && clicks30d >= 10",
  },
  change: {
    type: "step",
    help: "+10%, -5%, *1.2, +0.05 or an amount",
    brief: "+8%, *1.2, +0.05 or an amount",
  },
  preset: {
    type: "choice",
    choices: ["winners", "wasters", "no-sales"],
    help: "ready-made condition and change",
  },
  best: {
    type: "whole",
    min: 1,
    max: 1000,
    help: "the n keywords and targets with the most sales",
    brief: "By sales",
  },
  worst: {
    type: "whole",
    min: 1,
    max: 1000,
    help: "the n with the largest loss (cost minus sales)",
    brief: "By loss",
  },
  ids: { type: "ids", help: "only these keywords and targets" },
  max: { type: "amount", help: "highest bid" },
  min: { type: "amount", help: "lowest bid" },
  lag: {
    type: "whole",
    min: 0,
    help: "newest days to ignore",
    otherwise: "14 for sales, otherwise 0",
  },
  entities: {
    type: "words",
    value: "entities",
    help: "keywords, targets, brands-keywords, brands-targets or display-targets",
    otherwise: "all but display-targets",
    isRare: true,
  },
  campaign_ids: { type: "ids", help: "only in these campaigns" },
  labels: {
    type: "names",
    help: "only in campaigns and ad groups with this label",
    isRare: true,
  },
} as const;

type BidsInput = InputOf<typeof FIELDS>;

export const planBids = defineJob({
  name: "plan bids",
  title: "Plan bids",
  summary: "Plan bid changes for keywords and targets that meet a condition",
  details:
    "Conditions use the policy language (CEL): clicks, cost, sales, orders, acos and impressions for 7d, 14d " +
    "or 30d; bid, state, matchType, keywordText; and fields of campaign and adGroup. acos30d.est is a " +
    "smoothed estimate, useful with few clicks; .low and .high bound it (95 %). cvr (orders per click) and " +
    "ctr have them too. Use acos30d.low > 30% to match only clear cases; the plan then shows estimate and " +
    "interval. Entities without their own bid start from the ad group's default bid. Updates the store first. " +
    "Conditions on sales, orders or acos ignore the last 14 days (--lag), whose orders may still arrive; " +
    "acos30d covers the 30 days before them. " +
    "Skipped entities and changes denied by the policy are counted by reason; --json lists them. Presets: " +
    Object.entries(BID_PRESETS).map(([name, { about, change }]) => `${name} (${about}: ${change})`).join(
      ", ",
    ) +
    ".",
  brief: "Plans bid changes for keywords and targets: those that meet a condition, the best or the worst. " +
    "hold_back 0.25 keeps a quarter for comparison. Sends nothing.",
  examples: [
    {
      input: { where: "acos30d < 0.20 && clicks30d >= 10", change: "+10%", max: 2.5 },
      about: "raise bids with low ACOS, up to 2.50",
    },
    {
      input: { where: "acos30d.low > 30%", change: "-15%" },
      about: "lower bids only if ACOS is clearly too high, even with few clicks",
    },
    { input: { preset: "no-sales" }, about: "lower bids with clicks but no sales" },
    {
      input: { where: "acos30d > 0.40 && like(campaign.name, 'SP*')", change: "-15%", min: 0.1 },
      about: "lower bids with high ACOS",
    },
  ],
  library: 'await planBids(profile, { store, where: "acos30d < 0.20", change: "+10%", max: 2.5 })',
  input: FIELDS,
  fileReports: ["sp_targeting", "sb_targeting"],
  isDated: true,
  async check(input, { field }) {
    const { preset, where, best, worst, ids, campaign_ids: campaignIds, labels, entities } = input;
    const { change, where: condition } = settled(input);
    if (change === undefined) {
      throw new RangeError(
        `Cannot plan bids: give ${field("change")} such as -10%, or a ${field("preset")}, which brings one`,
      );
    }
    if ((where ?? preset ?? best ?? worst ?? ids ?? campaignIds ?? labels) === undefined) {
      const [first, ...others] = ["where", "preset", "best"].map(field);
      throw new RangeError(
        `Cannot plan bids: choose entities with ${first}, ${others.join(", ")} or ${field("worst")}, or by ${
          field("ids")
        }, ${field("campaign_ids")} or ${field("labels")}`,
      );
    }
    if (best !== undefined && worst !== undefined) {
      throw new RangeError(`Cannot use ${field("best")} and ${field("worst")} together: choose one`);
    }
    if (labels !== undefined && (best !== undefined || worst !== undefined)) {
      throw new RangeError(
        `Cannot rank within a label: give ${field("best")} or ${field("worst")}, or ${field("labels")}`,
      );
    }
    const { BID_KINDS, checkBidsOptions } = await import("../../account/jobs/plan_bids.ts");
    checkBidsOptions({ where: condition, change });
    for (const name of entities ?? []) kindNamed(name, { names: BID_KINDS, style: "people" });
  },
  async run({ profile, figures }, input) {
    const { BID_KINDS, planBids } = await import("../../account/jobs/plan_bids.ts");
    const { where, change = "" } = settled(input);
    const ranked = await rankedBids({ profile, figures }, input);
    const condition = where === "true" ? "" : ` where ${where}`;
    return await planBids(profile, {
      ...figures,
      ids: input.ids,
      ...ranked?.options,
      where,
      change,
      min: input.min,
      max: input.max,
      kinds: input.entities?.map((name): BidKind => kindNamed(name, { names: BID_KINDS, style: "people" })) ??
        kindsOf(figures.reports),
      lag: input.lag,
      campaignIds: input.campaign_ids,
      labels: input.labels,
      note: input.note ?? (ranked &&
        `Bids ${change} of the ${ranked.which}${condition}, days to ${ranked.options.judged.end}`),
    });
  },
});

function settled({ preset, where, change }: BidsInput): { where: string; change: string | undefined } {
  const named = preset === undefined ? undefined : BID_PRESETS[preset];
  return { where: where ?? named?.where ?? "true", change: change ?? named?.change };
}

async function rankedBids(
  { profile, figures }: JobContext,
  { best, worst, ids: given, campaign_ids: campaignIds, lag }: BidsInput,
): Promise<
  | { readonly options: { readonly ids: string[]; readonly judged: DayRange }; readonly which: string }
  | undefined
> {
  const count = best ?? worst;
  if (count === undefined) return undefined;
  const { bestTargetDays, bestTargets } = await import("../../account/jobs/best_targets.ts");
  const by = best === undefined ? "loss" : "sales";
  const reports = figures.reports && [...figures.reports] as ReportPresetName[];
  const found = await bestTargets(profile, { ...figures, reports, count, by, campaignIds, lag });
  return {
    options: {
      ids: found.filter((id) => given?.includes(id) ?? true),
      judged: bestTargetDays(profile, { ...figures, by, lag }),
    },
    which: `${count} with the ${by === "loss" ? "highest cost above their sales" : "most sales"} in 30 days`,
  };
}

function kindsOf(reports: ReadonlySet<string> | undefined): BidKind[] | undefined {
  if (reports === undefined) return undefined;
  return [
    ...(reports.has("sp_targeting") ? ["sp.keywords", "sp.targets"] as const : []),
    ...(reports.has("sb_targeting") ? ["sb.keywords", "sb.targets"] as const : []),
  ];
}
