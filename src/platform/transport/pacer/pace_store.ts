import { fieldsOf } from "../../../base/json/fields_of.ts";

/** Requests that one process has in flight. */
export interface Holder {
  /** Number of busy slots. */
  busy: number;
  /** End of its lease; a killed process loses its slots then. */
  until: number;
}

/** A pause of one profile, longer than that of the client's other requests. */
export interface ProfilePause {
  /** Time of the refusal, in milliseconds of the store's clock. */
  since: number;
  /** End of the pause, in milliseconds of the store's clock. */
  until: number;
}

/** A lane, and the processes with requests in flight in it. */
export interface LaneRecord extends LaneState {
  /** Holders by pacer id. */
  holders: Record<string, Holder>;
  /** Time when a request was last accepted. */
  passedAt: number;
  /** Pauses by profile id; "" for requests without a profile. */
  pauses: Record<string, ProfilePause>;
}

/** Everything that pacers share, as plain data. Times are milliseconds of the clock of the store. */
export interface PaceState {
  /** End of the pause that applies to every request. */
  pausedUntil: number;
  /** Lanes by host and group. */
  lanes: Record<string, LaneRecord>;
  /** Exports in progress, by endpoint and id, with their start times. */
  exports: Record<string, Record<string, number>>;
}

/**
 * Stores the state of pacers: in memory for a single one, or in a place that several processes can access for those
 * that share an account.
 */
export interface PaceStore {
  /** True if pacers of other processes also change the state, so that changes must be polled for. */
  readonly isShared: boolean;
  /**
   * Reads and changes the state atomically. Changes in memory are made immediately, others as soon as possible.
   *
   * @param change Changes the state in place; `now` is the time of the store's clock.
   */
  update<T>(change: (state: PaceState, now: number) => T): T | Promise<T>;
}

export function newPaceState(): PaceState {
  return { pausedUntil: 0, lanes: {}, exports: {} };
}

export function readPaceState(stored: unknown): PaceState {
  const { pausedUntil, lanes, exports } = fieldsOf(stored);
  return {
    pausedUntil: Number.isFinite(pausedUntil) ? Number(pausedUntil) : 0,
    lanes: Object.fromEntries(
      Object.entries(fieldsOf(lanes)).filter(isLane).map(([name, lane]) => [name, {
        ...lane,
        pauses: Object.fromEntries(Object.entries(fieldsOf(lane.pauses)).filter(isPause)),
      }]),
    ),
    exports: Object.fromEntries(Object.entries(fieldsOf(exports)).filter(isBuilding)),
  };
}

function isLane(entry: [string, unknown]): entry is [string, LaneRecord] {
  const lane = fieldsOf(entry[1]);
  const { rate = 1, quickest = 0, passedAt, passed, holders } = lane;
  const known = Object.entries(newLaneState()).every(([name, value]) =>
    typeof value !== "number" || Number.isFinite(lane[name])
  );
  return known && Number.isFinite(rate) && Number(rate) > 0 && Number.isFinite(quickest) &&
    Number.isFinite(passedAt) && Array.isArray(passed) && passed.flat().every(Number.isFinite) &&
    typeof holders === "object" && holders !== null &&
    Object.values(holders).every((holder) =>
      Number.isFinite(fieldsOf(holder)["busy"]) && Number.isFinite(fieldsOf(holder)["until"])
    );
}

function isPause(entry: [string, unknown]): entry is [string, ProfilePause] {
  const { since, until } = fieldsOf(entry[1]);
  return Number.isFinite(since) && Number.isFinite(until);
}

function isBuilding(entry: [string, unknown]): entry is [string, Record<string, number>] {
  const times = Object.values(fieldsOf(entry[1]));
  return times.length > 0 && times.every(Number.isFinite);
}

export class MemoryPaceStore implements PaceStore {
  readonly isShared = false;
  readonly #state = newPaceState();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  update<T>(change: (state: PaceState, now: number) => T): T {
    return change(this.#state, this.#now());
  }
}

/**
 * State of the limit of one lane: one group of operations on one host. Plain data, so that processes can share it.
 * Times are milliseconds of one clock; rates are requests per second, with a heavy request counted by its weight.
 */
export interface LaneState {
  /** Rate at which requests are started; absent until the platform throttles. */
  rate?: number;
  /** Time at which the rate allows the next request. */
  nextAt: number;
  /** Maximum number of requests in flight. */
  window: number;
  /** Duration of the fastest accepted request, in milliseconds; absent until there is one. */
  quickest?: number;
  /** When a request last started. */
  startedAt: number;
  /** True from a reduction until the first start after its pause, when the new rate is estimated. */
  reduced: boolean;
  /** Time when the rate was last reduced; a 429 for a request sent earlier belongs to the same reduction. */
  reducedAt: number;
  /** Time when the request whose 429 reduced the rate was sent. */
  refusedAt: number;
  /** True if that request was the only one in flight. */
  alone: boolean;
  /** Time when a lone request was last refused while no limit was known; a single refusal does not reduce the rate. */
  hiccupAt: number;
  /** Length of the longest pause caused by the last reduction, in seconds. */
  cost: number;
  /** Number of consecutive reductions without an accepted request in between. */
  failures: number;
  /** Time until which the first request after a pause is sent alone; 0 if none is. */
  probeUntil: number;
  /** Time since which requests are sent at the current rate. */
  resumedAt: number;
  /** Time until which the rate is kept. */
  holdUntil: number;
  /** The last estimated rate, from which it grows. */
  base: number;
  /** Growth since the hold ended, about in seconds. */
  growth: number;
  /** Time when the rate last grew. */
  grownAt: number;
  /** Requests accepted by the platform, newest last: the time when each was sent, and its weight. */
  passed: [startedAt: number, weight: number][];
}

const FIRST_WINDOW = 16;
const MAX_WINDOW = 256;
const MAX_PASSED = 128;
/**
 * Threshold of slow responses, as a multiple of the quickest and in milliseconds; beyond it more requests would only
 * queue.
 */
const SLOW = { times: 4, atLeast: 5000 };
const MIN_RATE = 1 / 60;
/** Fraction of the observed limit that is used. */
const SHARE = 0.97;
const REDUCE = { many: 0.87, few: 0.75, none: 0.85, lowest: 0.3 };
const FEW = 4;
const MAX_PROBE = 30_000;
const LOOK_BACK = { shortest: 2000, requests: 8, first: 1000 };
const HOLD = { first: 3, again: 6, same: 0.3 };
const HOLD_PER_PAUSE = 2;
const MAX_HOLD = 120;
const GROWTH = { slow: 0.012, fast: 0.015 };
const MAX_GROWTH = 2;
const REQUESTS_PER_STEP = 2;
/** Refusals of lone requests this many milliseconds apart are unrelated. */
const HICCUPS_APART = 60_000;
/** Maximum lateness of a timer that is compensated, in milliseconds. */
const CREDIT = 50;
/** A limit is forgotten after this many idle milliseconds. */
const FORGET_AFTER = 600_000;

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
  readonly busy: number;
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

interface EndedRequest {
  readonly now: number;
  readonly startedAt: number;
  readonly weight: number;
  readonly busy: number;
}

export function requestPassed(lane: LaneState, { now, startedAt, weight, busy }: EndedRequest): void {
  lane.probeUntil = 0;
  lane.passed.push([startedAt, weight]);
  if (lane.passed.length > MAX_PASSED) lane.passed.shift();
  const took = now - startedAt;
  lane.quickest = Math.min(lane.quickest ?? took, took);
  const isSlow = took > Math.max(lane.quickest * SLOW.times, SLOW.atLeast);
  if (busy + 1 >= lane.window && lane.window < MAX_WINDOW && !isSlow) lane.window++;
}

export function requestLost(lane: LaneState): void {
  lane.probeUntil = 0;
}

/**
 * Returns true if the rate was reduced; false if the request left before the last reduction.
 *
 * @param pause Seconds that requests pause.
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

function recentRate({ passed }: LaneState, now: number, rate: number): number {
  const span = Math.max(LOOK_BACK.shortest, LOOK_BACK.requests * 1000 / rate);
  // Of many requests the newest alone are known.
  const since = Math.max(now - span, passed.length < MAX_PASSED ? 0 : passed[0]![0] - 1);
  let weight = 0;
  for (const [startedAt, one] of passed) if (startedAt > since) weight += one;
  return weight / (Math.max(LOOK_BACK.first, now - since) / 1000);
}
