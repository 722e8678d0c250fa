import * as z from "zod";
import { comparePeriods, periodBefore } from "../../../account/jobs/compare_periods.ts";
import { comparisonRows } from "../../../account/jobs/comparison_rows.ts";
import { readDay, readDayRange } from "../../../base/time/moment.ts";
import { immatureNote } from "../../../store/figures/immature_note.ts";
import { jobFigures } from "../plans/job_answer.ts";
import { ROW_ARGS, ROWS, rowsAnswer, takeRows } from "../tooling/rows.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { findWaste } from "../../../account/jobs/find_waste.ts";

/** Tool for differences in spend, sales and ACOS between two periods. */
export const comparePeriodsTool: Tool = tool({
  name: "compare_periods",
  title: "Compare two periods",
  description:
    "What moved spend, sales and ACOS between two periods: the total, and the campaigns, keywords and placements whose " +
    "cost moved most, with the share of each in the change (negative: the other way).",
  input: z.strictObject({
    market: MARKET,
    start: z.string().default("-7").describe("Later days: YYYY-MM-DD, -N or last week"),
    end: z.string().optional(),
    before_start: z.string().optional().describe("Default: as many days right before"),
    before_end: z.string().optional(),
    by: z.array(z.enum(["campaign", "keyword", "placement"])).optional(),
    campaign_ids: z.array(z.string()).optional(),
    limit: z.int().min(1).max(60).default(5).describe("Rows of each"),
  }),
  output: ROWS,
  effect: "read",
  sets: ["reports"],
  isListed: true,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { today } = profile.reports;
    const after = readDayRange(args, today);
    const earlier = periodBefore(after);
    const { before_start: start, before_end: end } = args;
    const before = {
      start: start === undefined ? earlier.start : readDay(start, "before_start", today),
      end: end === undefined ? earlier.end : readDay(end, "before_end", today),
    };
    const figures = await jobFigures(call);
    const comparison = await comparePeriods(profile, {
      ...figures,
      before,
      after,
      by: args.by,
      campaignIds: args.campaign_ids,
    });
    const rows = comparisonRows(comparison, { limit: args.limit }).map(shortRow);
    const { currency, costBy, isPerDay } = comparison;
    const notes = [
      `${after.start} to ${after.end} against ${before.start} to ${before.end}, in ${currency}` +
      (isPerDay ? ", a day's average" : ""),
      `Of the change in cost ${costBy.clicks.toFixed(2)} come from clicks, ${
        costBy.cpc.toFixed(2)
      } from their price`,
      ...comparison.notes,
      ...await immatureNote({ days: after }, figures.store, { today }),
    ];
    return rowsAnswer(rows, { noun: "rows", offset: 0, total: rows.length, notes });
  },
});

/** Without what is empty or can be worked out. */
function shortRow(
  { id, campaign, sales_share: _, sales_before: __, clicks_before: ___, ...row }: ReturnType<
    typeof comparisonRows
  >[number],
): Record<string, unknown> {
  return {
    ...row,
    ...(id === "" || id === row.name ? {} : { id }),
    ...(campaign === "" ? {} : { campaign }),
  };
}

/** Search terms that cost money and sold nothing. */
export const findWasteTool: Tool = tool({
  name: "find_waste",
  title: "Find wasted search terms",
  description:
    "Search terms that were clicked often and sold nothing, with their cost, most expensive first. " +
    "plan_negatives keeps them away.",
  input: z.strictObject({
    market: MARKET,
    min_clicks: z.int().min(1).default(15),
    max_orders: z.int().min(0).default(0),
    days: z.int().min(1).default(30),
    campaign_ids: z.array(z.string()).optional(),
    limit: ROW_ARGS.limit.default(20),
    offset: ROW_ARGS.offset,
  }),
  output: ROWS,
  effect: "read",
  sets: ["reports"],
  isListed: true,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { terms, cost, currency, clicksOf } = await findWaste(profile, {
      ...await jobFigures(call),
      minClicks: args.min_clicks,
      maxOrders: args.max_orders,
      days: args.days,
      campaignIds: args.campaign_ids,
    });
    const rows = terms.map((term) => ({
      search_term: term.searchTerm,
      clicks: term.clicks,
      cost: term.cost,
      orders: term.orders,
      campaign: term.campaignName,
      ad_group: term.adGroupName,
      campaign_id: term.campaignId,
      ad_group_id: term.adGroupId,
    }));
    const note = `${
      cost.toFixed(2)
    } ${currency} in all, for clicks of ${clicksOf.firstDay} to ${clicksOf.lastDay}`;
    const { limit, offset } = args;
    return await takeRows(rows, { noun: "search terms", limit, offset, notes: () => [note] }, call);
  },
});
