import * as z from "zod";
import { readMoment } from "../../../base/time/moment.ts";
import type { HistoryEvent } from "../../../client/insights/history_event.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Row } from "../results/text_table.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { PlanRecord } from "../../../account/drift/plan_record.ts";
import { NOTE, PLAN_OUTPUT, showPlan } from "../plans/plan_tool.ts";

/** A moment in an argument, read by {@linkcode readMoment}. */
const MOMENT: z.ZodString = z.string().describe(
  "2026-11-20 or last week (days of the account), -7, or ISO time",
);

const NAMES = z.array(z.string()).optional();

/** Tool for changes in a profile. */
export const getChangeHistory: Tool = tool({
  name: "get_change_history",
  title: "Get change history",
  description: "Changes of the last 90 days, newest first. Entity types: CAMPAIGN, AD_GROUP, KEYWORD, " +
    "PRODUCT_TARGETING; changes: BID_AMOUNT, STATUS, BUDGET_AMOUNT, CREATED and others.",
  input: z.strictObject({
    market: MARKET,
    since: MOMENT.default("-7"),
    until: z.string().optional(),
    entity_types: NAMES,
    entity_ids: NAMES,
    campaign_ids: NAMES,
    changes: NAMES,
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["read"],
  isListed: true,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const days = { now: profile.transport.now(), timeZone: profile.timeZone };
    const events = profile.history.events({
      since: readMoment(args.since, "since", days),
      until: args.until === undefined ? undefined : readMoment(args.until, "until", { ...days, edge: "end" }),
      entityTypes: args.entity_types,
      entityIds: args.entity_ids,
      campaignIds: args.campaign_ids,
      changes: args.changes,
      signal: call.signal,
    });
    return await takeRows(rowsOf(events), { noun: "changes", limit: args.limit, offset: args.offset }, call);
  },
});

async function* rowsOf(events: AsyncIterable<HistoryEvent>): AsyncGenerator<Row> {
  for await (
    const { timestamp, entityType, entityId, changeType, previousValue, newValue, metadata } of events
  ) {
    const { campaignId, adGroupId, keyword, targetingExpression } = metadata;
    const what = keyword ?? targetingExpression;
    yield {
      time: new Date(timestamp).toISOString(),
      entity_type: entityType,
      entity_id: entityId,
      ...(what === undefined ? {} : { what }),
      change: changeType,
      before: previousValue ?? null,
      after: newValue ?? null,
      ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
      ...(adGroupId === undefined ? {} : { ad_group_id: adGroupId }),
    };
  }
}

/** Plans putting back what changed since a moment. */
export const planRestoreFromHistory: Tool = tool({
  name: "plan_restore_from_history",
  title: "Plan restoring from history",
  description:
    "Plans putting back what changed since a moment: bids, states, budgets, names, dates; pauses what was created " +
    "since. Sends nothing. Warnings say what cannot be put back.",
  input: z.strictObject({
    market: MARKET,
    since: MOMENT,
    until: z.string().optional(),
    entity_types: z.array(z.string()).optional(),
    campaign_ids: z.array(z.string()).optional(),
    changes: z.array(z.string()).optional().describe("As in get_change_history; default all"),
    made_by: z.enum(["plans", "others"]).optional().describe("plans: only changes by applied plans"),
    created: z.enum(["pause", "archive", "keep"]).optional().describe("archive is permanent"),
    note: NOTE,
  }),
  output: PLAN_OUTPUT,
  effect: "plan",
  sets: ["plans"],
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
