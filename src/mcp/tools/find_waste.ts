import * as z from "zod";
import { findWaste } from "../../account/jobs/find_waste.ts";
import { jobFigures } from "../jobs/job_figures.ts";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";

/** Search terms that cost money and sold nothing. */
export const findWasteTool: Tool = tool({
  name: "find_waste",
  title: "Find wasted search terms",
  description:
    "Search terms that were clicked often and sold nothing, with what they cost, the most expensive first. " +
    "plan_create with sp_negative_keywords keeps them away.",
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
  hints: { readOnlyHint: true, openWorldHint: true },
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
