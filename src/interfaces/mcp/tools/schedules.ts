import { join } from "node:path";
import * as z from "zod";
import { visibleText } from "../../../base/text/visible_text.ts";
import { PROPOSED_SCHEDULES } from "../../../automation/schedules/schedule.ts";
import type { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import { planSchedules } from "../../../operations/automation/plan_schedules.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { MARKET, type Tool, tool, type ToolCall } from "../tooling/tool.ts";

export const getSchedules: Tool = tool({
  name: "get_schedules",
  title: "Show schedules",
  description:
    "Entities that hourly schedules change: base, factor, last written amount, and why some are left alone. " +
    "Do not plan changes to them: schedules treat those as manual edits.",
  input: z.strictObject({
    market: MARKET,
    schedule: z.string().optional(),
    left_alone: z.boolean().optional().describe("only entities that wait for a person"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["store"],
  async run({ market, schedule, left_alone: leftAlone = false, limit, offset }, call) {
    const { profileId } = await call.context.profile(market, call.signal);
    const { bases, runs } = await withState(call, async (state) => ({
      bases: await state.bases(profileId),
      runs: await state.runs(profileId),
    }));
    const rows = bases.filter((base) =>
      (schedule === undefined || base.schedule === schedule) && (!leftAlone || base.kept !== null)
    ).map(({ wrote, kept, intends: _, ...base }) => ({
      ...base,
      live: wrote,
      left_alone: kept,
      run: runs.get(base.schedule)?.state ?? null,
      last_tick: runs.get(base.schedule)?.at ?? null,
    }));
    return await takeRows(rows, { noun: "entities that schedules change", limit, offset }, call);
  },
});

export const planSchedule: Tool = operationTool(planSchedules, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const store = await call.context.store!.warehouse();
    const proposal = join(call.context.settings.planFolder, PROPOSED_SCHEDULES);
    const weeks = await withState(
      call,
      (state) => planSchedules.run({ profile, state, store, signal: call.signal, proposal }, input),
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
  // Makes the store first, where the server has one that nothing was stored in yet.
  await context.store!.warehouse();
  const { ScheduleState } = await import("../../../automation/schedules/schedule_state.ts");
  const state = await ScheduleState.open(context.store!.place);
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}
