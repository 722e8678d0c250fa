import type { HistoryEvent } from "../../../client/insights/history_event.ts";
import { planFromHistory } from "../../../operations/plans/plan_from_history.ts";
import { history, historyRow } from "../../../operations/reads/history.ts";
import { PLAN } from "./plan_answer.ts";
import { showAllowed } from "./plan_tool.ts";
import type { Row } from "../calls/text_table.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

export const getChangeHistory: Tool = operationTool(history, {
  output: ROWS,
  sets: ["read"],
  isListed: true,
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const events = await history.run({ profile, signal: call.signal }, input);
    return await takeRows(rowsOf(events), { noun: history.noun, limit, offset }, call);
  },
});

async function* rowsOf(events: AsyncIterable<HistoryEvent>): AsyncGenerator<Row> {
  for await (const event of events) {
    const { time, entityType, entityId, changeType, previousValue, newValue, what, campaignId, adGroupId } =
      historyRow(event);
    yield {
      time,
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

export const planRestoreFromHistory: Tool = operationTool(planFromHistory, {
  output: PLAN,
  sets: ["plans"],
  answer: async (profile, input, call) => {
    const plans = () => Promise.resolve([call.context.plans]);
    return await showAllowed(await planFromHistory.run({ profile, signal: call.signal, plans }, input), call);
  },
});
