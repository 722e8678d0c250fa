import { newLaneState, requestLost, requestPassed, requestThrottled, startRequest } from "./lane_state.ts";
import type { LaneRecord, PaceState, PaceStore, ProfilePause } from "./pace_store.ts";
import type { Sleep } from "../../../base/time/sleep.ts";
import { FairQueue, type Waiting } from "./fair_queue.ts";

export interface TurnRequest extends Waiting {
  readonly profile: string;
  /** Maximum wait in seconds: total after a refusal, otherwise since the last success of any request. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
  /** Error for a request that would wait too long, from its place in the queue and the seconds. */
  readonly tooLong: (before: number, seconds: number) => Error;
}

/** Permission to send one request. Call exactly one method when it has ended. */
export interface Turn {
  /** The platform let it through, whatever its response. */
  passed(): void;
  /** It was not sent, or got no response. */
  lost(): void;
  /** The platform throttled it; `asked` where it gave the seconds. */
  throttled(seconds: number, options: { asked: boolean }): void;
}

/** A pause of a profile's requests. */
export interface HeldPause {
  /** Remaining seconds. */
  readonly seconds: number;
  /** Refused profiles: its own, or at least two others. */
  readonly refused: readonly string[];
}

/** The pace of one lane, as events and metrics show it. */
export interface LanePace {
  /** Requests started per second; `undefined` until the platform throttles. */
  readonly rate: number | undefined;
  /** Last observed limit of the platform, in requests per second. */
  readonly limit: number | undefined;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** Requests that are under way. */
  readonly busy: number;
}

interface LaneParts {
  readonly name: string;
  /** The pacer's name in the store. */
  readonly holder: string;
  readonly store: PaceStore;
  /** Milliseconds. */
  readonly now: () => number;
  readonly sleep: Sleep;
  /** Called with the store's remaining seconds of a pause. */
  readonly onPause: (seconds: number) => void;
  /** Starts a pause of every request. */
  readonly pause: (seconds: number) => void;
  /** Called when a request got through. */
  readonly onPassed: () => void;
}

interface Queued extends TurnRequest {
  readonly since: number;
  readonly resolve: (turn: Turn | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Decision on a request: it leaves at the store's `now` when `wait` is 0, otherwise after `wait` milliseconds. */
interface Admission {
  readonly wait: number;
  /** True when the rate makes it wait. */
  readonly byRate: boolean;
  readonly now: number;
}

/** Poll interval in milliseconds while other processes have all places: they free places without notice. */
const LOOK_AGAIN = 100;

/** Maximum seconds of a pause for the whole client; longer ones hold only the refused profile. */
export const CLIENT_PAUSE = 10;

/** Minimum reported change of the pace: a share of it, or a number of milliseconds. */
const REPORT = { change: 0.1, after: 10_000 };

/** One group of operations on one host: decides when its requests leave. */
export class Lane {
  readonly #parts: LaneParts;
  readonly #queue = new FairQueue<Queued>();
  #busy = 0;
  /** Places granted by the store to a request that has not started: none or one. */
  #granted = 0;
  #rate: number | undefined;
  #limit: number | undefined;
  #passedAt = -Infinity;
  #isHeld = false;
  #isAsking = false;
  /** Earliest time at which a waiting request gives up. */
  #deadline = Infinity;
  #alarm: { at: number; stop: AbortController } | undefined;
  /** Long pauses of profiles, by the store's clock. */
  #pauses: Readonly<Record<string, ProfilePause>> = {};
  /** Difference between the store's clock and this one, in milliseconds. */
  #offset = 0;
  #reported: { rate: number | undefined; at: number } = { rate: undefined, at: -Infinity };

  /** Starts from the store's state. */
  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  get pace(): LanePace {
    return { rate: this.#rate, limit: this.#limit, waiting: this.#queue.size, busy: this.#busy };
  }

  /** The pace, if it changed by a tenth or some seconds have passed since the last call. */
  change(): LanePace | undefined {
    const rate = this.#rate;
    const { rate: before, at } = this.#reported;
    if (rate === before) return undefined;
    const now = this.#parts.now();
    const isNews = rate === undefined || before === undefined ||
      Math.abs(rate / before - 1) > REPORT.change ||
      now - at > REPORT.after;
    if (!isNews) return undefined;
    this.#reported = { rate, at: now };
    return this.pace;
  }

  /** Pause of a profile's requests: its own, or that of the lane while at least two profiles are paused. */
  held(profile: string): HeldPause | undefined {
    const now = this.#parts.now() - this.#offset;
    const running = Object.entries(this.#pauses).filter(([, { until }]) => until > now);
    if (running.length === 0) return undefined;
    const [, second] = running.toSorted(([, a], [, b]) => b.until - a.until);
    const own = this.#pauses[profile]?.until ?? 0;
    const until = Math.max(own, second?.[1].until ?? 0);
    if (until <= now) return undefined;
    const refused = own === until
      ? [profile]
      : running.filter(([, one]) => one.until >= until).map(([id]) => id);
    return { seconds: (until - now) / 1000, refused };
  }

  /** Reads changes by others. */
  async look(): Promise<void> {
    await this.#update(() => {});
  }

  /**
   * Gives a request its turn, at once if possible. `undefined` where its profile must pause first, so that other profiles
   * go ahead.
   */
  turn(request: TurnRequest): Turn | Promise<Turn | undefined> {
    if (this.held(request.profile) !== undefined) return Promise.resolve(undefined);
    if (this.#queue.size > 0 || this.#parts.store.isShared) return this.#enqueue(request);
    const admission = this.#ask(request.weight, false);
    if (admission instanceof Promise || admission.wait > 0) return this.#enqueue(request);
    return this.#start(admission.now, request);
  }

  #enqueue(request: TurnRequest): Promise<Turn | undefined> {
    const { signal } = request;
    return new Promise<Turn | undefined>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#queue.remove(queued);
        queued.reject(signal?.reason);
        this.#letLeave();
      };
      const settled = (): void => signal?.removeEventListener("abort", abort);
      const queued: Queued = {
        ...request,
        since: this.#parts.now(),
        resolve: (turn) => (settled(), resolve(turn)),
        reject: (error) => (settled(), reject(error)),
      };
      signal?.addEventListener("abort", abort);
      this.#queue.add(queued);
      this.#deadline = Math.min(this.#deadline, queued.since + request.patience * 1000);
      this.#letLeave();
    });
  }

  /** Stops the wait of requests whose profile must pause. */
  #sendAway(): void {
    for (const queued of this.#queue.inOrder()) {
      if (this.held(queued.profile) === undefined) continue;
      this.#queue.remove(queued);
      queued.resolve(undefined);
    }
  }

  /** Releases every request that may leave, and sets a timer for the next one. */
  #letLeave(): void {
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      if (this.#isAsking) return;
      const admission = this.#ask(next.weight, this.#isHeld);
      if (admission instanceof Promise) {
        this.#isAsking = true;
        admission.then((found) => {
          this.#isAsking = false;
          if (this.#admit(found)) this.#letLeave();
        });
        return;
      }
      if (!this.#admit(admission)) return;
    }
    this.#isHeld = false;
    this.#alarm?.stop.abort();
    this.#alarm = undefined;
  }

  /** Releases the next request; false when it has to wait. */
  #admit({ wait, byRate, now }: Admission): boolean {
    if (wait > 0) {
      if (byRate) this.#isHeld = true;
      const here = this.#parts.now();
      this.#giveUp(Number.isFinite(wait) ? here + wait : here);
      // Places that others have are free as soon as they end, of which nobody tells.
      const after = wait === Infinity && this.#parts.store.isShared ? LOOK_AGAIN : wait;
      if (this.#queue.size > 0 && Number.isFinite(after)) this.#wakeAt(here + after);
      return false;
    }
    const next = this.#queue.take();
    // It may have been aborted while a shared state was looked at.
    if (next === undefined) this.#start(now, { weight: 1, profile: "" }).lost();
    else next.resolve(this.#start(now, next));
    return true;
  }

  /** Takes a place for a request, if there is one. */
  #ask(weight: number, contended: boolean): Admission | Promise<Admission> {
    const { holder } = this.#parts;
    return this.#update((lane, now, state) => {
      holdPlaces(lane, holder, { busy: this.#busy, now });
      const pause = state.pausedUntil - now;
      const busy = busyRequests(lane, now);
      const wait = pause > 0 ? pause : startRequest(lane, { now, weight, busy, contended });
      this.#granted = wait === 0 ? 1 : 0;
      holdPlaces(lane, holder, { busy: this.#busy + this.#granted, now });
      return { wait, byRate: pause <= 0 && wait > 0 && Number.isFinite(wait), now };
    });
  }

  #start(startedAt: number, { weight, profile }: Pick<TurnRequest, "weight" | "profile">): Turn {
    const { holder } = this.#parts;
    this.#busy++;
    this.#granted = 0;
    const end = (note: (lane: LaneRecord, now: number, state: PaceState) => void): void => {
      this.#busy--;
      const ended = this.#update((lane, now, state) => {
        holdPlaces(lane, holder, { busy: this.#busy + this.#granted, now });
        note(lane, now, state);
      });
      if (ended instanceof Promise) ended.then(() => this.#letLeave());
      else this.#letLeave();
    };
    return {
      passed: () => {
        this.#parts.onPassed();
        end((lane, now) => {
          lane.passedAt = now;
          requestPassed(lane, { now, startedAt, weight, busy: busyRequests(lane, now) });
        });
      },
      lost: () => end(requestLost),
      throttled: (seconds, { asked }) => {
        const isLast = this.#queue.size === 0;
        const { store, pause } = this.#parts;
        end((lane, now, state) => {
          const alone = isLast && busyRequests(lane, now) === 0;
          const forAll = Math.min(seconds, CLIENT_PAUSE);
          const isNews = requestThrottled(lane, { now, startedAt, pause: forAll, alone });
          // Of requests that left together one random pause is enough; what the platform asks for is always kept.
          if (!isNews && !asked) return;
          if (seconds > CLIENT_PAUSE) holdProfile(lane, profile, { since: now, until: now + seconds * 1000 });
          state.pausedUntil = Math.max(state.pausedUntil, now + forAll * 1000);
          if (!store.isShared) pause(forAll);
        });
      },
    };
  }

  /** Changes the lane's state and reads changes by others. */
  #update<T>(change: (lane: LaneRecord, now: number, state: PaceState) => T): T | Promise<T> {
    const { store, name, onPause } = this.#parts;
    return store.update((state, now) => {
      const lane = laneRecord(state, name);
      const result = change(lane, now, state);
      this.#offset = this.#parts.now() - now;
      const isNews = untilOf(lane.pauses) !== untilOf(this.#pauses);
      this.#pauses = { ...lane.pauses };
      if (isNews) this.#sendAway();
      this.#rate = lane.rate;
      this.#limit = lane.rate === undefined ? undefined : lane.base;
      this.#passedAt = Math.max(this.#passedAt, this.#parts.now() - (now - lane.passedAt));
      if (state.pausedUntil > now) onPause((state.pausedUntil - now) / 1000);
      return result;
    });
  }

  /** Rejects requests that may not wait until then. */
  #giveUp(until: number): void {
    if (until <= this.#deadline) return;
    const seconds = (until - this.#parts.now()) / 1000;
    let before = 0;
    this.#deadline = Infinity;
    for (const queued of this.#queue.inOrder()) {
      const from = queued.retried ? queued.since : Math.max(queued.since, this.#passedAt);
      const deadline = from + queued.patience * 1000;
      if (until > deadline) {
        this.#queue.remove(queued);
        queued.reject(queued.tooLong(before, seconds));
      } else {
        before++;
        this.#deadline = Math.min(this.#deadline, deadline);
      }
    }
  }

  #wakeAt(at: number): void {
    if (this.#alarm !== undefined && this.#alarm.at <= at) return;
    this.#alarm?.stop.abort();
    const alarm = { at, stop: new AbortController() };
    this.#alarm = alarm;
    const wake = (): void => {
      this.#alarm = undefined;
      this.#letLeave();
    };
    this.#parts.sleep((at - this.#parts.now()) / 1000, alarm.stop.signal).then(wake, () => {});
  }
}

/** A process's requests count as in flight for this many milliseconds after its last note. */
const LEASE = 30_000;

/** Lane by name, created if unknown. */
export function laneRecord(state: PaceState, name: string): LaneRecord {
  return state.lanes[name] ??= { ...newLaneState(), holders: {}, passedAt: 0, pauses: {} };
}

/** Fingerprint of a set of pauses. */
function untilOf(pauses: Readonly<Record<string, ProfilePause>>): number {
  return Object.values(pauses).reduce((sum, { until }) => sum + until, 0);
}

/** Records a profile's pause and drops ended ones. */
function holdProfile(lane: LaneRecord, profile: string, pause: ProfilePause): void {
  for (const [id, { until }] of Object.entries(lane.pauses)) if (until <= pause.since) delete lane.pauses[id];
  const until = Math.max(pause.until, lane.pauses[profile]?.until ?? 0);
  lane.pauses[profile] = { since: pause.since, until };
}

/** Requests in flight, without processes whose lease has ended. */
export function busyRequests(lane: LaneRecord, now: number): number {
  let busy = 0;
  for (const [id, holder] of Object.entries(lane.holders)) {
    if (holder.until < now) delete lane.holders[id];
    else busy += holder.busy;
  }
  return busy;
}

/**
 * Records a process's requests in flight by its own count: an earlier note may have been lost, for example on a full
 * disk.
 */
export function holdPlaces(lane: LaneRecord, id: string, { busy, now }: { busy: number; now: number }): void {
  if (busy > 0) lane.holders[id] = { busy, until: now + LEASE };
  else delete lane.holders[id];
}
