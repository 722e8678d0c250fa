import * as z from "zod";
import { readMoment } from "../../internal/moment.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";
import { MOMENT } from "./moment.ts";
import { PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT, showPlan } from "./plan_tool.ts";

const NAMES = z.array(z.string()).optional();

/** Plans putting back what changed since a moment. */
export const planRestoreFromHistory: Tool = tool({
  name: "plan_restore_from_history",
  title: "Plan restoring from history",
  description:
    "Plans putting bids and states back to what they were at a moment, whoever changed them since; sends nothing. " +
    "What cannot be put back is in the warnings.",
  input: z.strictObject({
    market: MARKET,
    since: MOMENT,
    entity_types: NAMES,
    campaign_ids: NAMES,
    changes: NAMES.describe("Default BID_AMOUNT, DEFAULT_BID_AMOUNT, STATUS"),
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const plan = await profile.history.rollbackPlan(
      readMoment(args.since, "since", { now: profile.transport.now(), timeZone: profile.timeZone }),
      {
        entityTypes: args.entity_types,
        campaignIds: args.campaign_ids,
        changes: args.changes,
        note: args.note,
        signal: call.signal,
      },
    );
    return await showPlan(plan, call);
  },
});
