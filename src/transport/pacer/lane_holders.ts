import { newLaneState } from "./lane_state.ts";
import type { LaneRecord, PaceState } from "./pace_store.ts";

/** Milliseconds after the last note of a process for which its requests count as under way. */
const LEASE = 30_000;

/** The lane of that name; a new one when nothing is known of it. */
export function laneRecord(state: PaceState, name: string): LaneRecord {
  return state.lanes[name] ??= { ...newLaneState(), holders: {}, passedAt: 0 };
}

/** Requests under way in all, without those of processes whose lease is over. */
export function busyRequests(lane: LaneRecord, now: number): number {
  let busy = 0;
  for (const [id, holder] of Object.entries(lane.holders)) {
    if (holder.until < now) delete lane.holders[id];
    else busy += holder.busy;
  }
  return busy;
}

/**
 * Writes down how many requests of a process are under way, by its own count: an earlier note may not have reached the
 * shared state, for example on a full disk.
 */
export function holdPlaces(lane: LaneRecord, id: string, { busy, now }: { busy: number; now: number }): void {
  if (busy > 0) lane.holders[id] = { busy, until: now + LEASE };
  else delete lane.holders[id];
}
