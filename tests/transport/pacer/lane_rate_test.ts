import { equal, ok } from "../../support/assert.ts";
import {
  type LaneState,
  newLaneState,
  requestLost,
  requestPassed,
  requestThrottled,
  startRequest,
} from "../../../src/platform/transport/pacer/pace_store.ts";

/** Requests that left then and got through. */
function pass(lane: LaneState, times: readonly number[], weight = 1): void {
  for (const startedAt of times) {
    requestPassed(lane, { now: startedAt + 50, startedAt, weight, busy: 3 });
  }
}

/** A request that left then and was refused at once, and the first start after its pause. */
function refuse(lane: LaneState, now: number, { pause = 1, alone = false } = {}): number {
  equal(requestThrottled(lane, { now, startedAt: now, pause, alone }), true);
  const resumedAt = now + pause * 1000;
  equal(startRequest(lane, { now: resumedAt, weight: 1, busy: 0, contended: false }), 0);
  return resumedAt;
}

/** A lane that let so many requests through in the second before it refused one, which goes on at 2000. */
function laneAfter(count: number): LaneState {
  const lane = newLaneState();
  pass(lane, Array.from({ length: count }, (_, index) => 100 + index * 800 / count));
  equal(refuse(lane, 1000), 2000);
  return lane;
}

function near(actual: number | undefined, expected: number): void {
  ok(Math.abs((actual ?? NaN) - expected) < 1e-9, `${actual} instead of ${expected}`);
}

Deno.test("the first rate is 97 % of what passed in the second before the refusal, by weight", () => {
  const lane = newLaneState();
  pass(lane, [500, 1000, 1001, 1500, 1999, 2000, 2001]);
  pass(lane, [1700], 5);
  refuse(lane, 2000);
  near(lane.rate, 0.97 * 9);
});

Deno.test("a later rate is what passed in the two seconds before the refusal, at most 87 % of the present one", () => {
  const cases: readonly [passed: readonly number[], rate: number][] = [
    [[3001, 3500, 4000, 4200, 4300, 4400, 4500, 4600, 4700, 4800, 4900, 5000], 0.97 * 12 / 2],
    [[3000, 4950, 4960, 4970, 4980, 4990, 5000, 5001], 0.97 * 6 / 2],
    [Array.from({ length: 19 }, (_, index) => 3100 + index * 100), 0.87 * 9.7],
  ];
  for (const [passed, rate] of cases) {
    const lane = laneAfter(10);
    near(lane.rate, 9.7);
    pass(lane, passed);
    refuse(lane, 5000);
    near(lane.rate, rate);
  }
});

Deno.test("at a low rate the look back is as long as eight requests take", () => {
  const lane = laneAfter(2);
  near(lane.rate, 1.94);
  const span = 8000 / 1.94;
  pass(lane, [20_000 - Math.ceil(span), 20_000 - Math.floor(span), 17_000, 18_000, 19_000, 19_990]);
  refuse(lane, 20_000);
  near(lane.rate, 0.97 * 5 / (span / 1000));
});

Deno.test("while responses to the newest requests are missing, the look back ends one request after the last that is known", () => {
  const lane = laneAfter(2);
  const span = 8000 / 1.94;
  const end = 18_000 + 1000 / 1.94;
  pass(lane, [Math.floor(end - span), Math.ceil(end - span), 15_500, 16_500, 17_500, 18_000]);
  refuse(lane, 20_000);
  near(lane.rate, 0.97 * 5 / (span / 1000));
});

Deno.test("only requests that left at the present rate count for the next one, and as in a whole second at least", () => {
  for (const [first, counted] of [[2000, 5], [1999, 4]] as const) {
    const lane = laneAfter(10);
    pass(lane, [first, 2100, 2200, 2300, 2400]);
    refuse(lane, 2500);
    near(lane.rate, 0.97 * counted);
  }
});

Deno.test("a rate falls to three quarters when few requests passed at it, and never below three tenths", () => {
  for (const [count, factor] of [[3, 0.75], [4, 0.87]] as const) {
    const lane = laneAfter(3);
    near(lane.rate, 2.91);
    pass(lane, [2000, 2010, 2020, 2030].slice(0, count));
    refuse(lane, 2400);
    near(lane.rate, factor * 2.91);
  }
  const lane = laneAfter(10);
  pass(lane, [2000]);
  refuse(lane, 2500);
  near(lane.rate, 0.3 * 9.7);
});

Deno.test("a rate at which nothing passed falls to 85 %, and no further while every lone request is refused", () => {
  const lane = laneAfter(10);
  let now = 3000;
  let expected = 9.7;
  for (const factor of [0.85, 1, 1]) {
    now = refuse(lane, now) + 1000;
    near(lane.rate, expected *= factor);
  }
  pass(lane, [now, now, now]);
  now = refuse(lane, now) + 10_000;
  near(lane.rate, expected = 0.97 * 3 / 1.001);
  now = refuse(lane, now) + 10_000;
  near(lane.rate, expected *= 0.85);
});

Deno.test("where one request passes at a time a rate falls to less than a third each time, down to one request a minute", () => {
  const lane = laneAfter(10);
  let now = 3000;
  let expected = 9.7;
  for (let time = 0; time < 6; time++) {
    pass(lane, [now]);
    now = refuse(lane, now + 1) + 100_000;
    near(lane.rate, expected = Math.max(1 / 60, expected * 0.3));
  }
  near(lane.rate, 1 / 60);
});

Deno.test("when nothing is known of the limit, a refusal leaves one request at a time, and one more with each response", () => {
  const lane = newLaneState();
  const resumedAt = refuse(lane, 100);
  equal(lane.rate, undefined);
  equal(startRequest(lane, { now: resumedAt, weight: 1, busy: 1, contended: true }), Infinity);
  requestPassed(lane, { now: resumedAt + 50, startedAt: resumedAt, weight: 1, busy: 0 });
  equal(lane.window, 2);
  // What passed since counts for the first rate, whatever was refused before.
  pass(lane, [resumedAt + 60, resumedAt - 1]);
  refuse(lane, resumedAt + 100);
  near(lane.rate, 0.97 * 2);
});

Deno.test("a lone request that is refused slows nothing down once a minute, and then does", () => {
  for (const [later, isSlowed] of [[60_000, true], [60_001, false]] as const) {
    const lane = newLaneState();
    const resumedAt = refuse(lane, 500, { alone: true });
    equal(lane.window, 16);
    refuse(lane, resumedAt + later - 1000, { alone: true });
    equal(lane.window, isSlowed ? 1 : 16, `${later} ms later`);
  }
  const lane = newLaneState();
  pass(lane, [100]);
  refuse(lane, 500, { alone: true });
  equal(lane.rate, undefined);
  // Where a rate is known, a lone request counts like any other.
  const known = laneAfter(10);
  refuse(known, 500_000, { alone: true });
  near(known.rate, 0.85 * 9.7);
});

Deno.test("after few passed requests the next goes alone, for half a minute at most", () => {
  const next = (lane: LaneState, now: number, busy = 1): number =>
    startRequest(lane, { now, weight: 1, busy, contended: false });
  const few = laneAfter(3);
  equal(next(few, 31_999), Infinity);
  equal(next(few, 32_000), 0);
  equal(next(laneAfter(3), 31_999, 0), 0, "the one that went alone ended without a word");
  const many = laneAfter(4);
  equal(many.probeUntil, 0);
  equal(next(many, 2999), 0);

  const ends: Readonly<Record<string, (lane: LaneState) => unknown>> = {
    passed: (lane) => requestPassed(lane, { now: 2100, startedAt: 2000, weight: 1, busy: 0 }),
    lost: requestLost,
    refused: (lane) => requestThrottled(lane, { now: 2100, startedAt: 900, pause: 1, alone: false }),
  };
  for (const [how, end] of Object.entries(ends)) {
    const lane = laneAfter(3);
    end(lane);
    equal(lane.probeUntil, 0, how);
    equal(next(lane, 5000), 0, how);
  }
});

Deno.test("a rate is kept for three seconds, or twice the longest pause that its refusal cost, up to two minutes", () => {
  for (const [pause, seconds] of [[1, 3], [1.5, 3], [1.6, 3.2], [5, 10], [60, 120], [61, 120]] as const) {
    const lane = laneAfter(10);
    pass(lane, [3000, 3001, 3002]);
    const resumedAt = refuse(lane, 3100, { pause });
    near(lane.holdUntil - resumedAt, seconds * 1000);
  }
  const lane = laneAfter(10);
  const throttled = (startedAt: number, pause: number): boolean =>
    requestThrottled(lane, { now: 3000, startedAt, pause, alone: false });
  equal(throttled(2500, 8), true);
  equal(throttled(2999, 9), false, "it left before the refusal that is counted");
  equal(throttled(2999, 2), false);
  equal(startRequest(lane, { now: 13_000, weight: 1, busy: 0, contended: false }), 0);
  near(lane.holdUntil - 13_000, 18_000);
  equal(throttled(3000, 1), true, "it left after it");
  startRequest(lane, { now: 20_000, weight: 1, busy: 0, contended: false });
  near(lane.holdUntil - 20_000, 6000);
});

Deno.test("a rate that is found at the same place again is kept for six seconds", () => {
  const lane = laneAfter(10);
  let now = 2000;
  const hold = (passed: number): number => {
    // 87 % of the rate where enough passed, 85 % where nothing did, and less than a half where little did.
    pass(lane, Array.from({ length: passed }, (_, index) => now + 1000 + index));
    now = refuse(lane, now + 1500);
    return Math.round((lane.holdUntil - now) / 100) / 10;
  };
  equal(hold(30), 6);
  equal(hold(30), 6);
  equal(hold(0), 6);
  equal(hold(0), 6);
  equal(hold(1), 3);
  equal(hold(1), 3);
  equal(hold(20), 6);
});

Deno.test("a kept rate grows with the seconds while requests wait: slowly at first, then fast", () => {
  const lane = laneAfter(10);
  equal(lane.holdUntil, 5000);
  const start = (now: number, contended = true): number | undefined => {
    startRequest(lane, { now, weight: 1, busy: 0, contended });
    return lane.rate;
  };
  const grown = (steps: number): number => 9.7 * Math.exp(0.012 * steps + 0.015 * steps ** 3);
  near(start(4999), 9.7);
  near(start(5500), grown(0.5));
  near(start(6000), grown(1));
  near(start(7000), grown(2));
  near(start(7500, false), grown(2));
  // A step at a time, however long nothing was asked for.
  near(start(20_000), grown(3));
  // The next reduction starts from there, and the growth from its rate.
  pass(lane, Array.from({ length: 100 }, (_, index) => 18_010 + index * 10));
  const reduced = 0.87 * grown(3);
  const resumedAt = refuse(lane, 20_000);
  near(lane.rate, reduced);
  near(start(resumedAt + 4000), reduced * Math.exp(0.027));
});

Deno.test("below two requests a second a step of growth is as long as two requests take", () => {
  const lane = laneAfter(1);
  near(lane.rate, 0.97);
  const step = 2000 / 0.97;
  startRequest(lane, { now: 5000 + step / 2, weight: 1, busy: 0, contended: true });
  near(lane.rate, 0.97 * Math.exp(0.012 / 2 + 0.015 / 8));
});

Deno.test("a rate grows to twice what gets through and no further, however long requests wait", () => {
  const lane = laneAfter(10);
  for (let now = 5000; now < 600_000; now += 500) {
    startRequest(lane, { now, weight: 1, busy: 0, contended: true });
  }
  near(lane.rate, 2 * 9.7);
  // What was refused then is a matter of seconds again.
  refuse(lane, 600_000);
  near(lane.rate, 0.85 * 2 * 9.7);
  const busy = laneAfter(10);
  for (let now = 5000; now < 12_000; now += 20) {
    startRequest(busy, { now, weight: 1, busy: 0, contended: true });
    requestPassed(busy, { now: now + 10, startedAt: now, weight: 1, busy: 0 });
  }
  ok(busy.rate! > 4 * 9.7 && busy.rate! <= 101, String(busy.rate));
});

/** A lane at a rate whose growth has gone on for long, so that what gets through alone bounds it. */
function grownLane(rate: number): LaneState {
  return { ...newLaneState(), rate, base: 0.1, growth: 50 };
}

function grownRate(lane: LaneState, now: number): number | undefined {
  startRequest(lane, { now, weight: 1, busy: 0, contended: true });
  return lane.rate;
}

Deno.test("what gets through is counted over two seconds, or as long as eight requests take at a low rate", () => {
  const quick = grownLane(8);
  pass(quick, [18_000], 100);
  pass(quick, [18_001, 19_000, 20_000], 3);
  near(grownRate(quick, 20_000), 9);
  const slow = grownLane(2);
  pass(slow, [16_000], 100);
  pass(slow, [16_001, 19_000, 20_000], 3);
  near(grownRate(slow, 20_000), 2 * 9 / 4);
});

Deno.test("where more got through than is remembered, it is counted since the first that is, over a second at least", () => {
  const times = (count: number, from: number, gap: number): number[] =>
    Array.from({ length: count }, (_, index) => from + index * gap);
  const long = grownLane(8);
  // The second left before the first: requests are remembered in the order in which they end.
  pass(long, [18_500, 18_499, ...times(126, 18_510, 10)]);
  equal(long.passed.length, 128);
  near(grownRate(long, 20_000), 2 * 127 / 1.501);
  const short = grownLane(8);
  pass(short, times(128, 19_500, 3));
  near(grownRate(short, 20_000), 2 * 128);
  const all = grownLane(8);
  pass(all, times(127, 18_510, 10));
  near(grownRate(all, 20_000), 2 * 127 / 2);
});
