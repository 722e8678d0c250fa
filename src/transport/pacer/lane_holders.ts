import { newLaneState } from "./lane_state.ts";
import type { LaneRecord, PaceState } from "./pace_store.ts";

/** Milliseconds after a process last asked for a place for which its requests count as under way. */
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

/** Counts a request that leaves. */
export function takePlace(lane: LaneRecord, id: string, now: number): void {
  lane.holders[id] = { busy: (lane.holders[id]?.busy ?? 0) + 1, until: now + LEASE };
}

/** Keeps the places of a process that asks for another: its requests may take longer than its lease. */
export function renewLease(lane: LaneRecord, id: string, now: number): void {
  const holder = lane.holders[id];
  if (holder !== undefined) holder.until = now + LEASE;
}

/** Counts a request that ended. */
export function leavePlace(lane: LaneRecord, id: string): void {
  const holder = lane.holders[id];
  if (holder !== undefined && holder.busy > 0) holder.busy--;
}
