import { ScheduleState } from "./schedule_state.ts";

/**
 * Returns a function that finds the ids of entities that schedules change in a profile, or none if their state cannot
 * be read. The store is opened on the first call.
 *
 * @param place Path of the SQLite file of the store, or `postgres://...`.
 *
 * @example
 * ```ts
 * import { scheduledIn } from "@platform/ads/schedules";
 *
 * const isScheduled = async (profileId: string, keywordId: string): Promise<boolean> =>
 *   (await scheduledIn("ads.sqlite")(profileId)).has(keywordId);
 * ```
 */
export function scheduledIn(place: string): (profileId: string) => Promise<ReadonlySet<string>> {
  return async (profileId) => {
    const state = await ScheduleState.open(place).catch(() => undefined);
    if (state === undefined) return new Set();
    try {
      return new Set((await state.bases(profileId)).map(({ id }) => id));
    } finally {
      await state.close();
    }
  };
}
