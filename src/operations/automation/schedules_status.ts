import type { RuleStanding } from "../../automation/schedules/rules_of_schedules.ts";
import type { KeptBase, ScheduleState } from "../../automation/schedules/schedule_state.ts";
import type { DocumentText } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";
import { schedulesOf } from "./schedules_field.ts";

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
  brief: "Entities that hourly schedules change: base, factor, last amount, why some are left alone. " +
    "Plan no changes to them: schedules take those for manual edits.",
  examples: [
    { input: {}, about: "list scheduled entities, and those left unchanged" },
    { input: { left_alone: true }, about: "list entities that wait for a person" },
  ],
  library: "await rulesOfSchedules(profile, state)",
  input: {
    schedules: {
      type: "document",
      isArgument: true,
      isRare: true,
      value: "file",
      maxLength: 20_000,
      help: "only the schedules of this file",
      brief: "YAML of schedules.yaml, to show only its schedules",
    },
    schedule: { type: "text", value: "name", help: "only this schedule" },
    left_alone: {
      type: "switch",
      help: "only entities that wait for a person",
      brief: "only those that wait for a person",
    },
  },
  check: async (input) => void await chosenSchedules(input),
  async run({ profileId, state }, { left_alone: leftAlone = false, ...input }) {
    const runs = await state.runs(profileId);
    const chosen = await chosenSchedules(input);
    const bases = (await state.bases(profileId)).filter((base) =>
      (chosen?.includes(base.schedule) ?? true) && (!leftAlone || base.kept !== null)
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

/**
 * Returns the names of the chosen schedules; `undefined` for every one.
 *
 * @throws {ConfigurationError} listing every mistake of the file by line.
 */
export async function chosenSchedules(
  { schedules: document, schedule }: {
    readonly schedules?: DocumentText | undefined;
    readonly schedule?: string | undefined;
  },
): Promise<readonly string[] | undefined> {
  if (document === undefined) return schedule === undefined ? undefined : [schedule];
  const { schedules } = await schedulesOf(document);
  return schedules.map(({ name }) => name).filter((name) => schedule === undefined || name === schedule);
}

export const RULE_WORDS: Readonly<Record<RuleStanding["state"], string>> = {
  as_wanted: "as scheduled",
  paused: "paused",
  changed: "changed by someone else",
  missing: "missing",
  not_sent: "not changed yet; the next run changes it",
  not_tied: "not linked to its campaign",
  not_ours: "not written by this store",
};
