import type { KeptCalendar } from "../../automation/schedules/kept_calendars.ts";
import type { Schedule } from "../../automation/schedules/schedule.ts";
import type { ScheduleOutcome } from "../../automation/schedules/schedule_outcome.ts";
import { dayIn } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { EFFECT_FIGURES } from "../../store/figures/experiment_outcome.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";
import { comparisonRange, VERDICT_WORDS } from "../reads/outcome_lines.ts";
import { SCHEDULES_FIELD, schedulesOf } from "./schedules_field.ts";

interface OutcomeContext {
  readonly profile: ProfileClient;
  readonly store: Warehouse;
  /** Path or address of the store. */
  readonly place: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export const measureSchedule = defineOperation<OutcomeContext, ScheduleOutcome>()({
  name: "auto outcome",
  effect: "read",
  isForPeople: true,
  title: "Measure a schedule",
  summary: "Measure a schedule's effect from random on and off weeks",
  details:
    "For a schedule with experiment: { from: 2026-12-07, weeks: 12, seed: any }, which uses factor 1 in " +
    "randomly chosen off weeks. Compares on and off weeks in pairs, without the first day of each week, once " +
    "all orders are in. Needs at least six pairs. Shows the calendar too. Read-only.",
  brief: "Measures a schedule's effect from random on and off weeks",
  examples: [{ input: { name: "nights" }, about: "measure the effect of nights on sales" }],
  library: "await scheduleOutcome(store, { schedule, profileId, campaignIds, today })",
  input: {
    name: { type: "text", required: true, value: "name", help: "schedule name" },
    schedules: SCHEDULES_FIELD,
    figure: {
      type: "choice",
      choices: EFFECT_FIGURES,
      default: "sales",
      value: "figure",
      help: "figure for the verdict",
    },
  },
  check: async ({ schedules }) => void await schedulesOf(schedules),
  async run(context, { name, schedules: document, figure }): Promise<ScheduleOutcome> {
    const { profile, store, now, signal } = context;
    const [{ scheduleOutcome }, { readMovables }] = await Promise.all([
      import("../../automation/schedules/schedule_outcome.ts"),
      import("../../automation/schedules/scheduled_entities.ts"),
    ]);
    const { schedules, source } = await schedulesOf(document);
    const own = schedules.find((one) => one.name === name);
    const calendar = await keptCalendar(context, name, own);
    const schedule = calendar?.schedule ?? own;
    if (schedule === undefined) throw new RangeError(`${source} has no schedule "${name}"`);
    if (schedule.experiment === undefined) {
      throw new RangeError(
        `Cannot measure schedule "${name}": it was on every week. Add to ${source}: ` +
          "experiment: { from: 2026-12-07, weeks: 12, seed: any }",
      );
    }
    // Of every move, the campaigns themselves.
    const selected = await readMovables(profile, [{ ...schedule, move: "state" }], { signal });
    return await scheduleOutcome(store, {
      ...{ schedule, calendar, figure, profileId: profile.profileId },
      campaignIds: selected.map(({ id }) => id),
      today: dayIn(schedule.zone ?? profile.timeZone, now),
    });
  },
  lines: (
    { verdict, reason, pairs, campaigns, weeks, effects, missing, since, edited_on: edited },
  ) => [
    `${VERDICT_WORDS[verdict]}: ${reason}`,
    `  ${pairs} pairs of weeks compared over ${campaigns} campaigns, each without its first day`,
    ...Object.entries(effects).map(([figure, range]) => `  ${figure.padEnd(7)} ${comparisonRange(range)}`),
    ...missing.map((days) => `  not stored: ${days}`),
    since === null
      ? "  The store has no run of it: the calendar comes from the file"
      : `  Its calendar was fixed at the first run, on ${since}; edits of the file do not change it`,
    ...edited === null ? [] : [`  The schedule was edited on ${edited}: unfinished weeks are left out`],
    ...weeks.map(({ start, end, isOn }) => `  ${start} to ${end}  ${isOn ? "on" : "off"}`),
  ],
});

/**
 * Returns a calendar recorded by past ticks: the one of the file's experiment, or the most recent one if the file has
 * no experiment.
 */
async function keptCalendar(
  { place, profile: { profileId } }: Pick<OutcomeContext, "place" | "profile">,
  name: string,
  now: Schedule | undefined,
): Promise<KeptCalendar | undefined> {
  const { ScheduleState } = await import("../../automation/schedules/schedule_state.ts");
  const state = await ScheduleState.open(place);
  const calendars = await state.calendars(profileId).finally(() => state.close());
  const own = calendars.filter(({ schedule }) => schedule.name === name);
  return now?.experiment === undefined
    ? own.at(-1)
    : own.find(({ schedule }) => schedule.experiment?.from === now.experiment?.from);
}
