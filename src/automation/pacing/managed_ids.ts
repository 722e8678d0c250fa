import { addDays } from "../../base/time/calendar.ts";
import { ScheduleState } from "../schedules/schedule_state.ts";
import { scheduledIn } from "../schedules/scheduled_ids.ts";

const KEPT_DAYS = 3;

/**
 * Returns a function that finds the campaigns managed by pacing: those of runs in the last three days, and those
 * changed but not yet restored.
 *
 * @throws {StoreError} when the store cannot be opened.
 * @param place Path of the SQLite store, or `postgres://...`.
 */
export function pacedIn(
  place: string,
): (profileId: string, today: string) => Promise<ReadonlyMap<string, string>> {
  return async (profileId, today) => {
    // A campaign is not free because its state cannot be read: then nothing is planned.
    const state = await ScheduleState.open(place, { use: "pacing" });
    try {
      const owned = await state.owned(profileId, { since: addDays(today, -KEPT_DAYS) });
      // Amounts that pacing changed and has not restored stay its own, however long ago it ran.
      const moved = await state.bases(profileId);
      return new Map([...moved.map(({ id, schedule }) => [id, schedule] as const), ...owned]);
    } finally {
      await state.close();
    }
  };
}

interface ManagedIds {
  readonly scheduled: ReturnType<typeof scheduledIn>;
  readonly paced: ReturnType<typeof pacedIn>;
}

/** Finds what schedules and pacing manage, which jobs then leave alone, in the state beside a store. */
export function managedIn(place: string): ManagedIds {
  return { scheduled: scheduledIn(place), paced: pacedIn(place) };
}
