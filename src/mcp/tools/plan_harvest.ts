import * as z from "zod";
import { planHarvest } from "../../account/jobs/plan_harvest.ts";
import { jobAnswer } from "../jobs/job_answer.ts";
import { heldParts, jobFigures } from "../jobs/job_figures.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";
import { HOLD_BACK, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT } from "./plan_tool.ts";

const MAX_SUGGESTIONS = 10;

/** Plans exact keywords of search terms that sell. */
export const planHarvestTool: Tool = tool({
  name: "plan_harvest",
  title: "Plan a harvest of search terms",
  description:
    "Plans exact keywords of search terms that sell, in the ad groups of a map, and exact negatives where " +
    "found. Without a map it suggests one. Sends nothing.",
  input: z.strictObject({
    market: MARKET,
    map: z.array(z.strictObject({ source: z.string(), target: z.string(), bid: z.number().optional() }))
      .max(500).default([]).describe("Ad groups, by id or name"),
    min_orders: z.int().min(1).default(2),
    max_acos: z.number().optional().describe("0.3 for 30 %"),
    days: z.int().min(1).default(30),
    hold_back: HOLD_BACK,
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const result = await planHarvest(profile, {
      ...await jobFigures(call),
      ...await heldParts(args.hold_back, profile.profileId, call),
      map: args.map,
      minOrders: args.min_orders,
      maxAcos: args.max_acos,
      days: args.days,
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
