import * as z from "zod";
import { PlanRecord } from "../../account/drift/plan_record.ts";
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
    "Plans putting back what changed since a moment: bids, states, budgets, names, dates and so on; pauses what was " +
    "created since. Sends nothing. What cannot be put back is in the warnings.",
  input: z.strictObject({
    market: MARKET,
    since: MOMENT,
    until: z.string().optional(),
    entity_types: NAMES,
    campaign_ids: NAMES,
    changes: NAMES.describe("As in get_change_history; default all"),
    made_by: z.enum(["plans", "others"]).optional().describe("plans: only changes by applied plans"),
    created: z.enum(["pause", "archive", "keep"]).optional().describe("archive is permanent"),
    note: PLAN_ARGS.note,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const days = { now: profile.transport.now(), timeZone: profile.timeZone };
    const { until, made_by: by } = args;
    const ours = by === undefined
      ? undefined
      : await PlanRecord.read([call.context.plans], profile.profileId);
    const plan = await profile.history.rollbackPlan(
      readMoment(args.since, "since", days),
      {
        until: until === undefined ? undefined : readMoment(until, "until", { ...days, edge: "end" }),
        created: args.created,
        entityTypes: args.entity_types,
        campaignIds: args.campaign_ids,
        changes: args.changes,
        only: ours === undefined
          ? undefined
          : (event) => (ours.planOf(event) !== undefined) === (by === "plans"),
        note: args.note,
        signal: call.signal,
      },
    );
    return await showPlan(plan, call);
  },
});
