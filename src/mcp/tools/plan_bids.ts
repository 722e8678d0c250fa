import * as z from "zod";
import { bestTargets } from "../../account/jobs/best_targets.ts";
import { checkBidsOptions, planBids } from "../../account/jobs/plan_bids.ts";
import { jobAnswer } from "../jobs/job_answer.ts";
import { heldParts, jobFigures } from "../jobs/job_figures.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";
import { HOLD_BACK, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT } from "./plan_tool.ts";

/** Plans other bids by a condition on figures, or for the best keywords and targets. */
export const planBidsTool: Tool = tool({
  name: "plan_bids",
  title: "Plan bids",
  description: "Plans relative bids of keywords and targets: those that meet a condition on their " +
    "figures, or the best ones; hold_back 0.25 keeps a quarter to compare. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    change: z.string().describe("+8%, *1.2, +0.05 or an amount"),
    where: z.string().default("true").describe("acos30d < 0.2 && clicks30d >= 10"),
    best: z.int().min(1).max(1000).optional().describe("By sales"),
    ids: z.array(z.string()).optional(),
    lag: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    campaign_ids: z.array(z.string()).optional(),
    hold_back: HOLD_BACK,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const { change, where, best, campaign_ids: campaignIds } = args;
    checkBidsOptions({ where, change });
    if (where === "true" && best === undefined && args.ids === undefined && campaignIds === undefined) {
      throw new RangeError("Cannot change every bid of an account: name where, best, ids or campaign_ids");
    }
    const profile = await call.context.profile(args.market, call.signal);
    const figures = await jobFigures(call);
    const held = await heldParts(args.hold_back, profile.profileId, call);
    const found = best === undefined
      ? undefined
      : await bestTargets(profile, { ...figures, count: best, campaignIds, lag: args.lag });
    const given = args.ids === undefined ? undefined : new Set(args.ids);
    const ids = found === undefined ? args.ids : found.filter((id) => given?.has(id) ?? true);
    const options = { change, where, ids, campaignIds, lag: args.lag, min: args.min, max: args.max };
    const which = best === undefined ? "" : ` of the ${best} with the most sales in 30 days`;
    const condition = where === "true" ? "" : ` where ${where}`;
    const note = args.note ?? `Bids ${change}${which}${condition}`;
    return await jobAnswer(await planBids(profile, { ...figures, ...held, ...options, note }), call);
  },
});
