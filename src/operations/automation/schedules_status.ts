import type { KeptBase, ScheduleState } from "../../automation/schedules/schedule_state.ts";
import { defineOperation } from "../model/operation.ts";

interface StatusContext {
  readonly profileId: string;
  readonly state: Pick<ScheduleState, "bases" | "runs">;
}

interface ScheduledValue extends Omit<KeptBase, "wrote" | "intends" | "kept"> {
  /** Last written value. */
  readonly live: number;
  /** Reason why the value waits for a person; otherwise `null`. */
  readonly left_alone: string | null;
  readonly state: string;
  readonly run: string | null;
  /** ISO 8601. */
  readonly last_tick: string | null;
}

export const schedulesStatus = defineOperation<StatusContext, readonly ScheduledValue[]>()({
  name: "auto status schedules",
  effect: "read",
  tool: "get_schedules",
  title: "Show schedules",
  summary: "Show base values and last written values of schedules",
  details: "adsctl auto base decides about values left alone because others changed them.",
  brief:
    "Entities that hourly schedules change: base, factor, last written amount, and why some are left alone. " +
    "Do not plan changes to them: schedules treat those as manual edits.",
  examples: [
    { input: {}, about: "list scheduled entities, and those left unchanged" },
    { input: { left_alone: true }, about: "list entities that wait for a person" },
  ],
  library: "await rulesOfSchedules(profile, state)",
  input: {
    schedule: { type: "text", value: "name", help: "only this schedule" },
    left_alone: {
      type: "switch",
      help: "only entities that wait for a person",
      brief: "only entities that wait for a person",
    },
  },
  async run({ profileId, state }, { schedule, left_alone: leftAlone = false }) {
    const runs = await state.runs(profileId);
    const bases = (await state.bases(profileId)).filter((base) =>
      (schedule === undefined || base.schedule === schedule) && (!leftAlone || base.kept !== null)
    );
    return bases.map(({ wrote, kept, intends, ...base }) => ({
      ...base,
      live: wrote,
      left_alone: kept,
      state: kept ?? (intends === null ? "moved" : `${intends} was being written`),
      run: runs.get(base.schedule)?.state ?? null,
      last_tick: runs.get(base.schedule)?.at ?? null,
    }));
  },
});
