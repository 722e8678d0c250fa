/**
 * Knowledge about the limit of one lane: one group of operations on one host. Plain data, so that processes can share
 * it. Times are milliseconds of one clock; rates are requests a second, a heavy request counted by its weight.
 */
export interface LaneState {
  /** Rate at which requests are started; absent until the platform throttles. */
  rate?: number;
  /** When the next request may start, by the rate. */
  nextAt: number;
  /** Most requests that may be under way at once. */
  window: number;
  /** Milliseconds of the quickest request that got through; absent until one did. */
  quickest?: number;
  /** When a request last started. */
  startedAt: number;
  /** True from a reduction until the first start after its pause, when the new rate is estimated. */
  reduced: boolean;
  /** When the rate was last reduced: a 429 of a request that left earlier belongs to the same reduction. */
  reducedAt: number;
  /** When the request left whose 429 reduced the rate. */
  refusedAt: number;
  /** True when that request was the only one. */
  alone: boolean;
  /** When a lone request was last refused while nothing was known: once is no reason to slow down. */
  hiccupAt: number;
  /** Seconds of the longest pause that the last reduction cost. */
  cost: number;
  /** Reductions in a row before which no request got through. */
  failures: number;
  /** Time until which the first request after a pause goes alone; 0 when none does. */
  probeUntil: number;
  /** Since when requests leave at the present rate. */
  resumedAt: number;
  /** Until when the rate is kept. */
  holdUntil: number;
  /** The rate that was estimated last, from which it grows. */
  base: number;
  /** Growth since the hold ended, about in seconds. */
  growth: number;
  /** When it last grew. */
  grownAt: number;
  /** Requests that the platform let through, the newest last: when each left, and its weight. */
  passed: [startedAt: number, weight: number][];
}

/** Initial window: with a low limit, few requests are refused. */
const FIRST_WINDOW = 16;
const MAX_WINDOW = 256;
const MAX_PASSED = 128;
/**
 * Threshold of slow responses, as a multiple of the quickest and in milliseconds; beyond it more requests would only
 * queue.
 */
const SLOW = { times: 4, atLeast: 5000 };
const MIN_RATE = 1 / 60;
/** Used share of the observed limit. */
const SHARE = 0.97;
/** Reductions after many passed requests, after few, and after none. */
const REDUCE = { many: 0.87, few: 0.75, none: 0.85, lowest: 0.3 };
/** Passed requests after which an estimate needs no probe. */
const FEW = 4;
/** Maximum milliseconds of a lone probe. */
const MAX_PROBE = 30_000;
/** Window of an estimate in milliseconds, or the time of a number of requests. */
const LOOK_BACK = { shortest: 2000, requests: 8, first: 1000 };
/** Seconds to hold a rate: at first, and after the limit was found again within this share of the last place. */
const HOLD = { first: 3, again: 6, same: 0.3 };
/** Ratio of a hold and the pause after a refusal, up to a maximum of seconds. */
const HOLD_PER_PAUSE = 2;
const MAX_HOLD = 120;
/** Growth: slow at first, then fast, to find a much higher limit soon. */
const GROWTH = { slow: 0.012, fast: 0.015 };
/** Maximum ratio of rate and observed throughput. */
const MAX_GROWTH = 2;
/** Growth steps take a second, or the time of this many requests. */
const REQUESTS_PER_STEP = 2;
/** Refusals of lone requests this many milliseconds apart are unrelated. */
const HICCUPS_APART = 60_000;
/** Compensated lateness of a timer, in milliseconds. */
const CREDIT = 50;
/** A limit is forgotten after this many idle milliseconds. */
const FORGET_AFTER = 600_000;

/** A lane without observations. */
export function newLaneState(): LaneState {
  return {
    nextAt: 0,
    window: FIRST_WINDOW,
    startedAt: 0,
    reduced: false,
    reducedAt: 0,
    refusedAt: 0,
    alone: false,
    hiccupAt: -HICCUPS_APART,
    cost: 0,
    failures: 0,
    probeUntil: 0,
    resumedAt: 0,
    holdUntil: 0,
    base: 0,
    growth: 0,
    grownAt: 0,
    passed: [],
  };
}

interface StartRequest {
  readonly now: number;
  readonly weight: number;
  /** Requests of the lane in flight. */
  readonly busy: number;
  /** True when requests wait because of the rate. */
  readonly contended: boolean;
}

/**
 * Starts a request if it may start.
 *
 * @returns 0 when it may leave now, milliseconds until it may ask again, or `Infinity` until a response arrives.
 */
export function startRequest(lane: LaneState, { now, weight, busy, contended }: StartRequest): number {
  if (busy === 0 && lane.rate !== undefined && now - lane.startedAt > FORGET_AFTER) {
    delete lane.rate;
    Object.assign(lane, newLaneState());
  }
  if (busy >= lane.window || now < lane.probeUntil && busy > 0) return Infinity;
  if (lane.reduced) resume(lane, now);
  if (lane.rate !== undefined) {
    if (contended) grow(lane, now, lane.rate);
    if (lane.nextAt > now) return lane.nextAt - now;
    lane.nextAt = Math.max(lane.nextAt, now - CREDIT) + (weight / lane.rate) * 1000;
  }
  lane.startedAt = now;
  return 0;
}

/** A request that ended, and the number of others in flight. */
interface EndedRequest {
  readonly now: number;
  /** Time at which it left. */
  readonly startedAt: number;
  readonly weight: number;
  /** Others in flight. */
  readonly busy: number;
}

/** The platform accepted a request. */
export function requestPassed(lane: LaneState, { now, startedAt, weight, busy }: EndedRequest): void {
  lane.probeUntil = 0;
  lane.passed.push([startedAt, weight]);
  if (lane.passed.length > MAX_PASSED) lane.passed.shift();
  const took = now - startedAt;
  lane.quickest = Math.min(lane.quickest ?? took, took);
  const isSlow = took > Math.max(lane.quickest * SLOW.times, SLOW.atLeast);
  if (busy + 1 >= lane.window && lane.window < MAX_WINDOW && !isSlow) lane.window++;
}

/** A request ended without telling anything about the limit. */
export function requestLost(lane: LaneState): void {
  lane.probeUntil = 0;
}

/**
 * The platform throttled a request.
 *
 * @param pause Seconds for which requests pause.
 * @returns true when the rate is reduced for it; false when it left before the last reduction.
 */
export function requestThrottled(
  lane: LaneState,
  { now, startedAt, pause, alone }: { now: number; startedAt: number; pause: number; alone: boolean },
): boolean {
  lane.probeUntil = 0;
  if (startedAt < lane.reducedAt) {
    lane.cost = Math.max(lane.cost, pause);
    return false;
  }
  lane.cost = pause;
  lane.alone = alone;
  lane.refusedAt = startedAt;
  lane.reducedAt = now;
  lane.reduced = true;
  return true;
}

/** First start after a reduction: the responses by now tell how much was accepted. */
function resume(lane: LaneState, now: number): void {
  lane.reduced = false;
  const { weight, seen } = throughput(lane);
  const previous = lane.rate;
  const isHiccup = lane.alone && now - lane.hiccupAt > HICCUPS_APART;
  if (previous === undefined && (weight === 0 || isHiccup)) {
    // Nothing to estimate a rate from: one at a time, and one more with each response.
    if (isHiccup) lane.hiccupAt = now;
    else lane.window = 1;
    lane.resumedAt = now;
    return;
  }
  lane.failures = weight === 0 ? lane.failures + 1 : 0;
  const rate = Math.max(MIN_RATE, reducedRate(lane, { weight, seen }));
  const isSame = previous !== undefined && Math.abs(rate / lane.base - 1) < HOLD.same;
  const hold = isSame ? HOLD.again : HOLD.first;
  lane.rate = rate;
  lane.base = rate;
  lane.growth = 0;
  lane.probeUntil = weight < FEW ? now + MAX_PROBE : 0;
  lane.nextAt = now;
  lane.resumedAt = now;
  lane.holdUntil = now + Math.min(Math.max(hold, lane.cost * HOLD_PER_PAUSE), MAX_HOLD) * 1000;
}

function reducedRate(lane: LaneState, { weight, seen }: { weight: number; seen: number }): number {
  if (lane.rate === undefined) return seen * SHARE;
  // Lone requests that are refused one after the other, each after a pause, say nothing more of the rate.
  if (weight === 0) return lane.failures > 1 ? lane.rate : lane.rate * REDUCE.none;
  const most = lane.rate * (weight < FEW ? REDUCE.few : REDUCE.many);
  return Math.max(lane.rate * REDUCE.lowest, Math.min(seen * SHARE, most));
}

/** Throughput before the refusal, since requests left at this rate. */
function throughput(lane: LaneState): { weight: number; seen: number } {
  const { rate, refusedAt, resumedAt } = lane;
  const span = rate === undefined
    ? LOOK_BACK.first
    : Math.max(LOOK_BACK.shortest, LOOK_BACK.requests * 1000 / rate);
  // The responses to the newest requests may be missing still.
  const newest = (lane.passed.at(-1)?.[0] ?? refusedAt) + (rate === undefined ? Infinity : 1000 / rate);
  const until = Math.min(refusedAt, newest);
  const since = Math.max(until - span, resumedAt - 1);
  let weight = 0;
  for (const [startedAt, one] of lane.passed) if (startedAt > since && startedAt <= until) weight += one;
  return { weight, seen: weight / (Math.max(LOOK_BACK.first, until - since) / 1000) };
}

function grow(lane: LaneState, now: number, rate: number): void {
  if (now < lane.holdUntil) return;
  const step = Math.max(1, REQUESTS_PER_STEP / rate);
  const elapsed = (now - Math.max(lane.grownAt, lane.holdUntil)) / 1000;
  lane.grownAt = now;
  const growth = lane.growth + Math.min(elapsed, step) / step;
  const grown = lane.base * Math.exp(GROWTH.slow * growth + GROWTH.fast * growth ** 3);
  const most = MAX_GROWTH * Math.max(lane.base, recentRate(lane, now, rate));
  if (grown <= most) lane.growth = growth;
  lane.rate = Math.max(rate, Math.min(grown, most));
}

/** Accepted requests a second in the window of an estimate. */
function recentRate({ passed }: LaneState, now: number, rate: number): number {
  const span = Math.max(LOOK_BACK.shortest, LOOK_BACK.requests * 1000 / rate);
  // Of many requests the newest alone are known.
  const since = Math.max(now - span, passed.length < MAX_PASSED ? 0 : passed[0]![0] - 1);
  let weight = 0;
  for (const [startedAt, one] of passed) if (startedAt > since) weight += one;
  return weight / (Math.max(LOOK_BACK.first, now - since) / 1000);
}
