import { deepEqual, equal } from "../../support/assert.ts";
import {
  busyRequests,
  laneRecord,
  leavePlace,
  renewLease,
  takePlace,
} from "../../../src/transport/pacer/lane_holders.ts";
import { newLaneState } from "../../../src/transport/pacer/lane_state.ts";
import { newPaceState } from "../../../src/transport/pacer/pace_store.ts";

Deno.test("a lane is made once, without places taken", () => {
  const state = newPaceState();
  const lane = laneRecord(state, "a");
  deepEqual(lane, { ...newLaneState(), holders: {}, passedAt: 0 });
  equal(laneRecord(state, "a"), lane);
  deepEqual(state, { ...newPaceState(), lanes: { a: lane } });
});

Deno.test("the places of all processes count, until half a minute after each of them last asked for one", () => {
  const lane = laneRecord(newPaceState(), "a");
  takePlace(lane, "one", 1000);
  takePlace(lane, "one", 2000);
  takePlace(lane, "two", 1500);
  equal(busyRequests(lane, 31_500), 3);
  equal(busyRequests(lane, 31_501), 2);
  equal(busyRequests(lane, 32_000), 2);
  renewLease(lane, "one", 32_000);
  renewLease(lane, "two", 32_000);
  equal(busyRequests(lane, 62_000), 2);
  equal(busyRequests(lane, 62_001), 0);
  deepEqual(lane.holders, {}, "nobody is remembered for ever");
});

Deno.test("a process never has less than no place, also when its lease was over before its requests ended", () => {
  const lane = laneRecord(newPaceState(), "a");
  takePlace(lane, "one", 0);
  leavePlace(lane, "one");
  leavePlace(lane, "one");
  leavePlace(lane, "unknown");
  takePlace(lane, "one", 0);
  equal(busyRequests(lane, 0), 1);
});
