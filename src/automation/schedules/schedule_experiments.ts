import { dayIn } from "../../base/time/calendar.ts";
import { drawSwitchBack } from "../../base/statistics/switch_back.ts";
import type { Schedule } from "./schedule.ts";

/** Experiment of a schedule, and its progress. */
export interface WeeksOfSchedule {
  /** Name in the file of schedules. */
  readonly schedule: string;
  /** First day of its first week. */
  readonly from: string;
  /** Last day of its last week. */
  readonly until: string;
  /** `planned` before the first week, `ended` after the last one. */
  readonly state: "planned" | "running" | "ended";
  /** Number of its weeks, on and off. */
  readonly weeks: number;
  /** Number of its weeks off, half of all. */
  readonly off: number;
  /** True in a week on, false in a week off; `null` before and after its weeks. */
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
