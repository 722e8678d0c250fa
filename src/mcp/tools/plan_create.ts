import * as z from "zod";
import { type Tool, tool } from "../tool.ts";
import { findKind, KINDS } from "../../resources/kinds.ts";
import { ITEMS, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT, showPlan } from "./plan_tool.ts";

/** Plans new entities; nothing is sent. */
export const planCreate: Tool = tool({
  name: "plan_create",
  title: "Plan creates",
  description:
    "Plans new entities; sends nothing. Items hold the platform's fields, e.g. for sp_negative_keywords " +
    '{"campaignId":"7","adGroupId":"8","keywordText":"free","matchType":"NEGATIVE_EXACT","state":"ENABLED"}.',
  input: z.strictObject({ ...PLAN_ARGS, items: ITEMS }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, items, note }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    return await showPlan(
      await profile.resource(kind).planCreate(items, { note, signal: call.signal }),
      call,
    );
  },
});
