import { ScheduleState } from "./schedule_state.ts";

/**
 * Finds what schedules of a store move in a profile; nothing where their state cannot be read. Nothing is opened before it is
 * asked for.
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
