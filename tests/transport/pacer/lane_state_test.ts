import { equal, ok } from "node:assert/strict";
import {
  type LaneState,
  newLaneState,
  requestPassed,
  requestThrottled,
  startRequest,
} from "../../../src/transport/pacer/lane_state.ts";

/** A lane that let ten requests a second through until it refused one at 1 s, and goes on at 2 s. */
function throttledLane(): LaneState {
  const lane = newLaneState();
  for (let at = 0; at < 10; at++) {
    requestPassed(lane, { now: at * 100 + 50, startedAt: at * 100, weight: 1, busy: 3 });
  }
  equal(requestThrottled(lane, { now: 1000, startedAt: 950, pause: 1, alone: false }), true);
  equal(startRequest(lane, { now: 2000, weight: 1, busy: 0, contended: true }), 0);
  return lane;
}

Deno.test("nothing is held back before the platform throttles, but that sixteen are under way at once at first", () => {
  const lane = newLaneState();
  for (let busy = 0; busy < 16; busy++) {
    equal(startRequest(lane, { now: 0, weight: 1, busy, contended: true }), 0);
  }
  equal(startRequest(lane, { now: 0, weight: 1, busy: 16, contended: true }), Infinity);
  requestPassed(lane, { now: 50, startedAt: 0, weight: 1, busy: 15 });
  equal(startRequest(lane, { now: 0, weight: 1, busy: 16, contended: true }), 0);
  equal(lane.rate, undefined);
});

Deno.test("the rate after a refusal is what was let through before it", () => {
  const { rate = 0 } = throttledLane();
  ok(rate > 9 && rate < 10, String(rate));
});

Deno.test("a request of weight five keeps the next one waiting five times as long", () => {
  for (const weight of [1, 5]) {
    const lane = throttledLane();
    const wait = startRequest(lane, { now: 2500, weight, busy: 0, contended: false });
    equal(wait, 0);
    const next = startRequest(lane, { now: 2500, weight: 1, busy: 1, contended: false });
    ok(Math.abs(next - (weight / lane.rate! * 1000 - 50)) < 1, `${next} ms after weight ${weight}`);
  }
});

Deno.test("refusals of requests that left together reduce the rate once", () => {
  const lane = throttledLane();
  const { rate } = lane;
  equal(requestThrottled(lane, { now: 2100, startedAt: 960, pause: 1, alone: false }), false);
  startRequest(lane, { now: 4000, weight: 1, busy: 0, contended: false });
  equal(lane.rate, rate);
});

Deno.test("a lone request that is refused once slows nothing down", () => {
  const lane = newLaneState();
  requestPassed(lane, { now: 50, startedAt: 0, weight: 1, busy: 0 });
  requestThrottled(lane, { now: 20, startedAt: 10, pause: 5, alone: true });
  for (const now of [5020, 5021, 5022]) {
    equal(startRequest(lane, { now, weight: 1, busy: 0, contended: false }), 0);
  }
  equal(lane.rate, undefined);
});

Deno.test("a limit is forgotten after ten minutes without a request", () => {
  const lane = throttledLane();
  equal(startRequest(lane, { now: 700_000, weight: 1, busy: 0, contended: false }), 0);
  equal(lane.rate, undefined);
});

Deno.test("the state of a lane can be written as JSON and read back", () => {
  const lane = throttledLane();
  equal(JSON.stringify(JSON.parse(JSON.stringify(lane))), JSON.stringify(lane));
  ok(Object.values(newLaneState()).every((value) => value !== Infinity && value !== -Infinity));
});
