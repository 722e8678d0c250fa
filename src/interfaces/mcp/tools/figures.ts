import * as z from "zod";
import { comparisonRows } from "../../../account/jobs/comparison_rows.ts";
import { comparePeriods } from "../../../operations/reads/compare_periods.ts";
import { jobFigures } from "../plans/job_answer.ts";
import { ROW_ARGS, ROWS, rowsAnswer, takeRows } from "../tooling/rows.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { findWaste } from "../../../account/jobs/find_waste.ts";

/** Tool for differences in spend, sales and ACOS between two periods. */
export const comparePeriodsTool: Tool = operationTool(comparePeriods, {
  output: ROWS,
  sets: ["read", "reports"],
  isListed: true,
  more: { limit: z.int().min(1).max(60).default(5).describe("Rows of each") },
  answer: async (profile, input, call, { limit }) => {
    const { comparison, heading, notes } = await comparePeriods.run(
      { profile, figures: await jobFigures(call) },
      input,
    );
    const rows = comparisonRows(comparison, { limit }).map(shortRow);
    return rowsAnswer(rows, { noun: "rows", offset: 0, total: rows.length, notes: [heading, ...notes] });
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
  description: "Search terms with many clicks and no sales, highest cost first. plan_negatives blocks them.",
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
  sets: ["read", "reports"],
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
