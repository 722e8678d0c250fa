import { deepEqual, equal } from "../../support/assert.ts";
import { busyRequests, holdPlaces, laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import { newLaneState, newPaceState } from "../../../src/platform/transport/pacer/pace_store.ts";

Deno.test("a lane is made once, without places taken", () => {
  const state = newPaceState();
  const lane = laneRecord(state, "a");
  deepEqual(lane, { ...newLaneState(), holders: {}, passedAt: 0, pauses: {} });
  equal(laneRecord(state, "a"), lane);
  deepEqual(state, { ...newPaceState(), lanes: { a: lane } });
});

Deno.test("the places of all processes count, until half a minute after each of them last noted its own", () => {
  const lane = laneRecord(newPaceState(), "a");
  holdPlaces(lane, "one", { busy: 2, now: 2000 });
  holdPlaces(lane, "two", { busy: 1, now: 1500 });
  equal(busyRequests(lane, 31_500), 3);
  equal(busyRequests(lane, 31_501), 2);
  holdPlaces(lane, "one", { busy: 2, now: 32_000 });
  equal(busyRequests(lane, 62_000), 2);
  equal(busyRequests(lane, 62_001), 0);
  deepEqual(lane.holders, {}, "nobody is remembered for ever");
});

Deno.test("a note replaces the one before, so that one which did not arrive leaves no place taken", () => {
  const lane = laneRecord(newPaceState(), "a");
  holdPlaces(lane, "one", { busy: 2, now: 0 });
  holdPlaces(lane, "one", { busy: 1, now: 0 });
  equal(busyRequests(lane, 0), 1);
  holdPlaces(lane, "one", { busy: 0, now: 0 });
  deepEqual(lane.holders, {});
});
