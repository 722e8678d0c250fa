import { dayIn } from "../../base/time/calendar.ts";
import { drawSwitchBack } from "../../base/statistics/switch_back.ts";
import type { Schedule } from "./schedule.ts";

/** Experiment of a schedule, and its progress. */
export interface WeeksOfSchedule {
  /** Name of the schedule in the schedules file. */
  readonly schedule: string;
  /** First day of the experiment. */
  readonly from: string;
  /** Last day of the experiment. */
  readonly until: string;
  /** `planned` before the first week, `ended` after the last one. */
  readonly state: "planned" | "running" | "ended";
  /** Number of weeks in the experiment, with and without the schedule. */
  readonly weeks: number;
  /** Number of weeks without the schedule, half of all. */
  readonly off: number;
  /** True in a week with the schedule, false in a week without it; `null` before and after the experiment. */
  readonly isOn: boolean | null;
  /** Seed that makes the calendar repeatable. */
  readonly seed: string;
}

/**
 * Lists the experiments of schedules, in the order of their file.
 *
 * @param now Milliseconds since the epoch; the day is that of the schedule's zone, otherwise of UTC.
 *
 * @example
 * ```ts
 * import { loadSchedules, scheduleExperiments } from "@platform/ads/schedules";
 *
 * async function show(path: string): Promise<void> {
 *   const { schedules } = await loadSchedules(path);
 *   for (const { schedule, state, until } of scheduleExperiments(schedules, Date.now())) {
 *     console.log(schedule, state, until);
 *   }
 * }
 * ```
 */
export function scheduleExperiments(schedules: readonly Schedule[], now: number): WeeksOfSchedule[] {
  return schedules.flatMap(({ name, zone = "UTC", experiment }) => {
    if (experiment === undefined) return [];
    const weeks = drawSwitchBack(experiment);
    const today = dayIn(zone, now);
    const until = weeks.at(-1)?.end ?? experiment.from;
    return [{
      schedule: name,
      from: experiment.from,
      until,
      state: today < experiment.from ? "planned" : today > until ? "ended" : "running",
      weeks: weeks.length,
      off: weeks.filter(({ isOn }) => !isOn).length,
      isOn: weeks.find(({ start, end }) => start <= today && today <= end)?.isOn ?? null,
      seed: experiment.seed,
    }];
  });
}
