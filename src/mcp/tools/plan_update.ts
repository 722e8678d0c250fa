import * as z from "zod";
import { type Tool, tool } from "../tool.ts";
import { findKind, KINDS } from "../../resources/kinds.ts";
import { heldParts } from "../jobs/job_figures.ts";
import { HOLD_BACK, ITEMS, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT, showPlan } from "./plan_tool.ts";

/** Plans changes of existing entities; nothing is sent. */
export const planUpdate: Tool = tool({
  name: "plan_update",
  title: "Plan updates",
  description:
    "Plans changes to existing entities; sends nothing. Each item has the entity's id field and the fields to " +
    'change, e.g. {"keywordId":"9","bid":0.5}. Returns before and after, warnings and the fingerprint that apply_plan needs.',
  input: z.strictObject({ ...PLAN_ARGS, items: ITEMS, hold_back: HOLD_BACK }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, items, note, hold_back: share }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    const resource = profile.resource(kind);
    const held = await heldParts(share, profile.profileId, call);
    const plan = await resource.planUpdate(items, { note, ...held, signal: call.signal });
    return await showPlan(plan, call);
  },
});
