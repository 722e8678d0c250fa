import { newLaneState } from "./lane_state.ts";
import type { LaneRecord, PaceState } from "./pace_store.ts";

/** Milliseconds after its last start for which the requests of a process count as under way. */
const LEASE = 30_000;

/** The lane of that name; a new one when nothing is known of it. */
export function laneRecord(state: PaceState, name: string): LaneRecord {
  return state.lanes[name] ??= { ...newLaneState(), holders: {}, passedAt: 0 };
}

/** Requests under way in all, without those of processes whose lease is over. */
export function busyRequests(lane: LaneRecord, now: number): number {
  let busy = 0;
  for (const id in lane.holders) {
    const holder = lane.holders[id];
    if (holder === undefined) continue;
    if (holder.until < now) delete lane.holders[id];
    else busy += holder.busy;
  }
  return busy;
}

/** Counts a request that leaves. */
export function takePlace(lane: LaneRecord, id: string, now: number): void {
  const holder = lane.holders[id] ??= { busy: 0, until: 0 };
  holder.busy++;
  holder.until = now + LEASE;
}

/** Counts a request that ended. */
export function leavePlace(lane: LaneRecord, id: string): void {
  const holder = lane.holders[id];
  if (holder !== undefined && holder.busy > 0) holder.busy--;
}
