import * as z from "zod";
import { type Tool, tool } from "../tool.ts";
import { findKind, KINDS } from "../../resources/kinds.ts";
import { MAX_ITEMS, PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT, showPlan, TOO_MANY } from "./plan_tool.ts";

/** Plans to archive entities by id; nothing is sent. */
export const planArchive: Tool = tool({
  name: "plan_archive",
  title: "Plan archives",
  description:
    "Plans archiving entities; sends nothing. Archiving is permanent: prefer plan_update with state PAUSED.",
  input: z.strictObject({ ...PLAN_ARGS, ids: z.array(z.string()).min(1).max(MAX_ITEMS, TOO_MANY) }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, ids, note }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    return await showPlan(await profile.resource(kind).planArchive(ids, { note, signal: call.signal }), call);
  },
});
