import { join } from "node:path";
import * as z from "zod";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { fileSystem } from "../../../base/runtime/file_system.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { PROPOSED_SCHEDULES } from "../../../automation/schedules/schedule.ts";
import type { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { MARKET, type Tool, tool, type ToolCall } from "../tooling/tool.ts";

const MAX_TEXT = 20_000;

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

export const planSchedule: Tool = tool({
  name: "plan_schedule",
  title: "Propose a schedule",
  description:
    "Checks schedules and previews a week by campaign: amounts, writes or rules, money at risk. Nothing is sent; the " +
    "proposal waits until a person accepts it in the console. version: 1\\nschedules: { nights: { select: { names: " +
    "['SP *'] }, move: bid, grid: [{ hours: 00-06, factor: 0.5 }] } }",
  input: z.strictObject({
    market: MARKET,
    schedules: z.string().min(1).max(MAX_TEXT).describe("YAML of schedules.yaml"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "plan",
  sets: ["store"],
  async run({ market, schedules: text, limit, offset }, call) {
    const { parseSchedules, planWeek, putSchedules } = await import("../../../automation/schedules/mod.ts");
    const { schedules } = parseSchedules(text, "schedules.yaml");
    const profile = await call.context.profile(market, call.signal);
    const store = await call.context.store!.warehouse();
    const weeks = await withState(
      call,
      (state) => planWeek(profile, { schedules, state, store, signal: call.signal }),
    );
    const place = join(call.context.settings.planFolder, PROPOSED_SCHEDULES);
    await fileSystem().writeText(place, putSchedules(await readIfThere(place), text, PROPOSED_SCHEDULES));
    const rows = weeks.map(({ campaignId, effectiveHigh, risk, factors, ...week }) => ({
      campaign_id: campaignId,
      ...week,
      campaign: visibleText(week.campaign),
      effective_high: effectiveHigh,
      risk_week: risk === null ? null : Number(risk.flat().reduce((sum, one) => sum + one, 0).toFixed(2)),
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
