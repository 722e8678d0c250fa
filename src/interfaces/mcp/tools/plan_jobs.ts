import * as z from "zod";
import { jobAnswer, jobFigures } from "../plans/job_answer.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { HOLD_BACK, holdBackOf, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT } from "../plans/plan_tool.ts";

const AGAIN = z.boolean().optional().describe("Also what was changed lately");

/** Plans other bids by a condition on figures, or for the best keywords and targets. */
export const planBidsTool: Tool = tool({
  name: "plan_bids",
  title: "Plan bids",
  description:
    "Plans relative bids of keywords and targets: those that meet a condition, the best or the worst; " +
    "hold_back 0.25 keeps a quarter to compare. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    change: z.string().describe("+8%, *1.2, +0.05 or an amount"),
    where: z.string().default("true").describe("acos30d < 0.2 && clicks30d >= 10"),
    best: z.int().min(1).max(1000).optional().describe("By sales"),
    worst: z.int().min(1).max(1000).optional().describe("By loss"),
    ids: z.array(z.string()).optional(),
    lag: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    campaign_ids: z.array(z.string()).optional(),
    hold_back: HOLD_BACK,
    again: AGAIN,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const { change, where, best, worst, campaign_ids: campaignIds } = args;
    const count = best ?? worst;
    const [{ checkBidsOptions, planBids }, { bestTargetDays, bestTargets }] = await Promise.all([
      import("../../../account/jobs/plan_bids.ts"),
      import("../../../account/jobs/best_targets.ts"),
    ]);
    checkBidsOptions({ where, change });
    if (best !== undefined && worst !== undefined) {
      throw new RangeError("Cannot use best and worst together: choose one");
    }
    if (where === "true" && count === undefined && args.ids === undefined && campaignIds === undefined) {
      throw new RangeError(
        "Cannot change every bid of an account: name where, best, worst, ids or campaign_ids",
      );
    }
    const profile = await call.context.profile(args.market, call.signal);
    const figures = await jobFigures(call);
    const holdBack = holdBackOf(args.hold_back);
    const by = best === undefined ? "loss" : "sales";
    const found = count === undefined
      ? undefined
      : await bestTargets(profile, { ...figures, count, by, campaignIds, lag: args.lag });
    const given = args.ids === undefined ? undefined : new Set(args.ids);
    const ids = found === undefined ? args.ids : found.filter((id) => given?.has(id) ?? true);
    const judged = count === undefined ? undefined : bestTargetDays(profile, { by, lag: args.lag });
    const { lag, min, max, again } = args;
    const options = { change, where, ids, campaignIds, judged, lag, min, max, again };
    const rank = by === "loss" ? "highest cost above their sales" : "most sales";
    const which = count === undefined ? "" : ` of the ${count} with the ${rank} in 30 days`;
    const condition = where === "true" ? "" : ` where ${where}`;
    const note = args.note ?? `Bids ${change}${which}${condition}`;
    return await jobAnswer(await planBids(profile, { ...figures, holdBack, ...options, note }), call);
  },
});

const MAX_SUGGESTIONS = 10;

/** Plans exact keywords of search terms that sell. */
export const planHarvestTool: Tool = tool({
  name: "plan_harvest",
  title: "Plan a harvest of search terms",
  description:
    "Plans exact keywords of search terms that sell, in the ad groups of a map, and negatives where found. " +
    "Without a map it suggests one. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    map: z.array(z.strictObject({ source: z.string(), target: z.string(), bid: z.number().optional() }))
      .max(500).default([]).describe("Ad groups, by id or name"),
    min_orders: z.int().min(1).default(2),
    max_acos: z.number().optional().describe("0.3 for 30 %"),
    days: z.int().min(1).default(30),
    hold_back: HOLD_BACK,
    again: AGAIN,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { planHarvest } = await import("../../../account/jobs/plan_harvest.ts");
    const result = await planHarvest(profile, {
      ...await jobFigures(call),
      holdBack: holdBackOf(args.hold_back),
      map: args.map,
      minOrders: args.min_orders,
      maxAcos: args.max_acos,
      days: args.days,
      again: args.again,
      note: args.note,
    });
    const answer = await jobAnswer(result, call);
    const suggestions = result.suggestions.slice(0, MAX_SUGGESTIONS).map((one) => ({
      source: one.sourceAdGroupId,
      source_name: one.sourceName,
      target: one.targetAdGroupId,
      target_name: one.targetName,
      terms: one.terms,
      orders: one.orders,
    }));
    if (suggestions.length === 0) return answer;
    const note = `${result.suggestions.length} ad groups have terms and no target: see suggestions`;
    return { ...answer, data: { ...answer.data, suggestions }, text: `${note}\n${answer.text}` };
  },
});

/** Plans to keep away search terms that cost money and sold nothing. */
export const planNegativesTool: Tool = tool({
  name: "plan_negatives",
  title: "Plan negatives",
  description:
    "Plans negatives for the search terms that find_waste lists: a keyword, or a product for an ASIN, in the ad group " +
    "that paid. Leaves out its own live keywords. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    min_clicks: z.int().min(1).default(15),
    max_orders: z.int().min(0).default(0),
    days: z.int().min(1).default(30),
    campaign_ids: z.array(z.string()).optional(),
    hold_back: HOLD_BACK,
    again: AGAIN,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { planNegatives } = await import("../../../account/jobs/plan_negatives.ts");
    const result = await planNegatives(profile, {
      ...await jobFigures(call),
      holdBack: holdBackOf(args.hold_back),
      minClicks: args.min_clicks,
      maxOrders: args.max_orders,
      days: args.days,
      campaignIds: args.campaign_ids,
      again: args.again,
      note: args.note,
    });
    return await jobAnswer(result, call);
  },
});

/** Plans higher budgets of campaigns that run out of budget early. */
export const planBudgetsTool: Tool = tool({
  name: "plan_budgets",
  title: "Plan budgets",
  description: "Plans higher daily budgets for campaigns that spend them early. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    change: z.string().optional().describe("+20%, *1.5, +5 or an amount"),
    max: z.number().optional(),
    days: z.int().min(1).default(14),
    min_days: z.int().min(1).default(3).describe("Days on which it was spent early"),
    max_acos: z.number().optional().describe("0.3 for 30 %"),
    campaign_ids: z.array(z.string()).optional(),
    hold_back: HOLD_BACK,
    again: AGAIN,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { planBudgets } = await import("../../../account/jobs/plan_budgets.ts");
    const result = await planBudgets(profile, {
      ...await jobFigures(call),
      holdBack: holdBackOf(args.hold_back),
      change: args.change,
      max: args.max,
      days: args.days,
      minDays: args.min_days,
      maxAcos: args.max_acos,
      campaignIds: args.campaign_ids,
      again: args.again,
      note: args.note,
    });
    return await jobAnswer(result, call);
  },
});
