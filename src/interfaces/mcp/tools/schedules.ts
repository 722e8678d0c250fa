import { join } from "node:path";
import { visibleText } from "../../../base/text/visible_text.ts";
import { PROPOSED_SCHEDULES } from "../../../automation/schedules/schedule.ts";
import type { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import { schedulesStatus } from "../../../operations/automation/schedules_status.ts";
import { planSchedules } from "../../../operations/automation/plan_schedules.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool, ToolCall } from "../tooling/tool.ts";

export const getSchedules: Tool = operationTool(schedulesStatus, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async ({ profileId }, input, call, { limit, offset }) => {
    const values = await withState(call, (state) => schedulesStatus.run({ profileId, state }, input));
    const rows = values.map(({ state: _, ...row }) => row);
    return await takeRows(rows, { noun: "entities that schedules change", limit, offset }, call);
  },
});

export const planSchedule: Tool = operationTool(planSchedules, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const { settings, store: shared } = call.context;
    const proposal = join(settings.planFolder, PROPOSED_SCHEDULES);
    const weeks = await withState(
      call,
      (state) =>
        shared!.use((store) =>
          planSchedules.run({ profile, state, store, signal: call.signal, proposal }, input)
        ),
    );
    const rows = weeks.map(({ factors, risk_by_hour: _, ...week }) => ({
      ...week,
      campaign: visibleText(week.campaign),
      highest_factor: Math.max(...factors.flat()),
    }));
    return await takeRows(rows, { noun: "campaigns", limit, offset }, call);
  },
});

async function withState<T>(
  { context }: Pick<ToolCall, "context">,
  work: (state: ScheduleState) => Promise<T>,
): Promise<T> {
  const { ScheduleState } = await import("../../../automation/schedules/schedule_state.ts");
  const state = await ScheduleState.open(context.store!.place);
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}
