import { deepEqual, equal, ok } from "../../support/assert.ts";
import {
  type LaneState,
  newLaneState,
  requestPassed,
  requestThrottled,
  startRequest,
} from "../../../src/platform/transport/pacer/pace_store.ts";

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

Deno.test("a limit is forgotten only after more than ten minutes in which nothing left or was under way", () => {
  const cases: readonly [now: number, busy: number, isForgotten: boolean][] = [
    [602_000, 0, false],
    [602_001, 1, false],
    [602_001, 0, true],
  ];
  for (const [now, busy, isForgotten] of cases) {
    const lane = throttledLane();
    equal(startRequest(lane, { now, weight: 1, busy, contended: false }), 0);
    equal(lane.rate === undefined, isForgotten);
    if (isForgotten) deepEqual({ ...lane, quickest: 0 }, { ...newLaneState(), startedAt: now, quickest: 0 });
  }
  const unthrottled = newLaneState();
  requestPassed(unthrottled, { now: 50, startedAt: 0, weight: 1, busy: 15 });
  equal(startRequest(unthrottled, { now: 900_000, weight: 1, busy: 0, contended: false }), 0);
  equal(unthrottled.window, 17);
});

Deno.test("requests start at the rate: each when the time of the one before is over, a late one up to 50 ms made up for", () => {
  const lane = throttledLane();
  const gap = 1000 / lane.rate!;
  const start = (now: number): number => startRequest(lane, { now, weight: 1, busy: 1, contended: false });
  const near = (actual: number, expected: number): void => {
    ok(Math.abs(actual - expected) < 1e-9, `${actual} instead of ${expected}`);
  };
  near(start(2000), gap);
  equal(start(2000 + gap), 0, "at the time itself");
  near(start(2000 + gap), gap);
  equal(start(2000 + 2 * gap + 30), 0);
  near(start(2000 + 2 * gap + 30), gap - 30);
  equal(start(5000), 0);
  near(start(5000), gap - 50);
});

Deno.test("more may be under way with each response while all places are taken, up to 256", () => {
  const lane = newLaneState();
  const passed = (busy: number): number => {
    requestPassed(lane, { now: 1050, startedAt: 1000, weight: 1, busy });
    return lane.window;
  };
  equal(passed(14), 16);
  equal(passed(15), 17);
  equal(passed(15), 17);
  for (let busy = 16; busy < 400; busy++) passed(busy);
  equal(lane.window, 256);
});

Deno.test("no more are let under way where a response takes five seconds, and four times as long as the quickest", () => {
  const cases: readonly [quickest: readonly number[], took: number, isSlow: boolean][] = [
    [[100], 5000, false],
    [[100], 5001, true],
    [[2000, 3000], 8000, false],
    [[3000, 2000], 8001, true],
    [[], 60_000, false],
  ];
  for (const [quickest, took, isSlow] of cases) {
    const lane = newLaneState();
    for (const one of quickest) requestPassed(lane, { now: 9 + one, startedAt: 9, weight: 1, busy: 0 });
    requestPassed(lane, { now: 9 + took, startedAt: 9, weight: 1, busy: 15 });
    equal(lane.window, isSlow ? 16 : 17, `${took} ms after ${quickest}`);
  }
});

Deno.test("the state of a new lane is what other processes and releases write, and it can be written as JSON", () => {
  deepEqual(newLaneState(), {
    nextAt: 0,
    window: 16,
    startedAt: 0,
    reduced: false,
    reducedAt: 0,
    refusedAt: 0,
    alone: false,
    hiccupAt: -60_000,
    cost: 0,
    failures: 0,
    probeUntil: 0,
    resumedAt: 0,
    holdUntil: 0,
    base: 0,
    growth: 0,
    grownAt: 0,
    passed: [],
  });
  const lane = throttledLane();
  for (let at = 2001; at < 2200; at++) {
    requestPassed(lane, { now: at + 50, startedAt: at, weight: 1, busy: 3 });
  }
  equal(lane.passed.length, 128);
  deepEqual([lane.passed[0], lane.passed.at(-1)], [[2072, 1], [2199, 1]]);
  deepEqual(JSON.parse(JSON.stringify(lane)), lane);
  ok(Object.values(newLaneState()).every((value) => value !== Infinity && value !== -Infinity));
});
