import * as z from "zod";
import { readMoment } from "../../internal/moment.ts";
import type { HistoryEvent } from "../../history/history_event.ts";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import type { Row } from "../results/text_table.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";
import { MOMENT } from "./moment.ts";

const NAMES = z.array(z.string()).optional();

/** Tool for changes in a profile. */
export const getChangeHistory: Tool = tool({
  name: "get_change_history",
  title: "Get change history",
  description:
    "What changed in a profile in the last 90 days, newest first. Entity types are CAMPAIGN, AD_GROUP, KEYWORD, " +
    "PRODUCT_TARGETING and others, changes BID_AMOUNT, STATUS, BUDGET_AMOUNT, CREATED and others.",
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
  hints: { readOnlyHint: true, openWorldHint: true },
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
