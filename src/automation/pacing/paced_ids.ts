import { addDays } from "../../base/time/calendar.ts";
import { ScheduleState } from "../schedules/schedule_state.ts";

/** Days after its last run for which pacing keeps its campaigns. */
const KEPT_DAYS = 3;

/**
 * Returns a function that finds the campaigns whose amounts pacing owns in a profile, with the name of each amount: those
 * of runs in the last three days. The store is opened on the first call.
 *
 * @param place Path of the SQLite file of the store, or `postgres://...`.
 */
export function pacedIn(
  place: string,
): (profileId: string, today: string) => Promise<ReadonlyMap<string, string>> {
  return async (profileId, today) => {
    const state = await ScheduleState.open(place, { use: "pacing" }).catch(() => undefined);
    if (state === undefined) return new Map();
    try {
      return await state.owned(profileId, { since: addDays(today, -KEPT_DAYS) });
    } finally {
      await state.close();
    }
  };
}
