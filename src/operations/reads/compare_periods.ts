import type { Comparison } from "../../account/jobs/compare_periods.ts";
import type { FigureOptions } from "../../account/jobs/ensure_stored.ts";
import { amountText } from "../../base/markets/amount_text.ts";
import { readDay, readDayRange } from "../../base/time/moment.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { defineOperation } from "../model/operation.ts";

export interface CompareContext {
  readonly profile: ProfileClient;
  readonly figures: FigureOptions;
}

export interface ComparedPeriods {
  readonly comparison: Comparison;
  readonly sentence: string;
  readonly heading: string;
  readonly notes: readonly string[];
}

export const comparePeriods = defineOperation<CompareContext, ComparedPeriods>()({
  name: "report compare",
  effect: "read",
  tool: "compare_periods",
  title: "Compare two periods",
  summary: "Find what moved spend, sales and ACOS between two periods",
  details:
    "Prints totals, then the campaigns, keywords and placements whose cost moved most, with their share of " +
    "the change (-0.2: opposite direction). Updates the store first. Periods of different lengths are compared per " +
    "day.",
  brief:
    "Finds what moved spend, sales and ACOS between two periods: totals, and the campaigns, keywords and " +
    "placements whose cost moved most, with their share of the change (negative: opposite).",
  examples: [
    { input: {}, about: "compare the last seven days with the week before" },
    {
      input: { start: "-1", end: "-1", by: ["campaign"] },
      about: "compare yesterday with the day before",
    },
    { input: { start: "last week" }, about: "compare last week, Monday to Sunday, with the week before" },
  ],
  library: "await comparePeriods(profile, { store, before, after })",
  input: {
    start: {
      type: "day",
      orPeriod: true,
      default: "-7",
      help:
        "first day of the later period: YYYY-MM-DD, -N (days before today), or a period such as last week",
      brief: "Later days: YYYY-MM-DD, -N or last week",
    },
    end: {
      type: "day",
      orPeriod: true,
      help: "last day of the later period",
      otherwise: "the end of the period, or -1",
    },
    before_start: {
      type: "day",
      help: "first day of the earlier period",
      otherwise: "the same number of days, right before",
      brief: "Default right before",
    },
    before_end: { type: "day", help: "last day of the earlier period" },
    by: {
      type: "choices",
      choices: ["campaign", "keyword", "placement"],
      help: "only by campaign, keyword or placement, separated by commas",
    },
    campaign_ids: { type: "ids", help: "only these campaigns" },
  },
  async run({ profile, figures }, input): Promise<ComparedPeriods> {
    const [{ comparePeriods, periodBefore }, { comparisonSentence }, { immatureNote }] = await Promise.all([
      import("../../account/jobs/compare_periods.ts"),
      import("../../account/jobs/comparison_sentence.ts"),
      import("../../store/figures/immature_note.ts"),
    ]);
    const { today } = profile.reports;
    const after = readDayRange(input, today);
    const earlier = periodBefore(after);
    const { before_start: start, before_end: end } = input;
    const before = {
      start: start === undefined ? earlier.start : readDay(start, "before_start", today),
      end: end === undefined ? earlier.end : readDay(end, "before_end", today),
    };
    const comparison = await comparePeriods(profile, {
      ...figures,
      before,
      after,
      by: input.by,
      campaignIds: input.campaign_ids,
    });
    const { currency, costBy: { clicks, cpc }, isPerDay } = comparison;
    return {
      comparison,
      sentence: comparisonSentence(comparison),
      heading: `${after.start} to ${after.end} against ${before.start} to ${before.end}, in ${currency}` +
        (isPerDay ? ", a day's average" : ""),
      notes: [
        `Change in cost: ${amountText(clicks, currency)} from clicks, ${amountText(cpc, currency)} from CPC`,
        ...comparison.notes,
        ...await immatureNote({ days: after }, figures.store, { today }),
      ],
    };
  },
});
