import type { Sleep } from "../../../base/time/clock.ts";
import {
  type LaneRecord,
  newLaneState,
  type PaceState,
  type PaceStore,
  type ProfilePause,
  requestLost,
  requestPassed,
  requestThrottled,
  startRequest,
} from "./pace_store.ts";

export interface TurnRequest extends Waiting {
  readonly profile: string;
  /** Maximum wait in seconds: total after a refusal, otherwise since the last success of any request. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
  readonly tooLong: (before: number, seconds: number) => Error;
}

/** Permission to send one request. Call exactly one method when the request has ended. */
export interface Turn {
  passed(): void;
  lost(): void;
  /** The platform throttled the request; `asked` if it stated the seconds. */
  throttled(seconds: number, options: { asked: boolean }): void;
}

export interface HeldPause {
  readonly seconds: number;
  /** Profiles that were refused: the waiting profile itself, or at least two others. */
  readonly refused: readonly string[];
}

/** The pace of one lane, as shown in events and metrics. */
export interface LanePace {
  /** Requests started per second; `undefined` until the platform throttles. */
  readonly rate: number | undefined;
  /** Last observed limit of the platform, in requests per second. */
  readonly limit: number | undefined;
  /** Number of queued requests. */
  readonly waiting: number;
  /** Number of requests in flight. */
  readonly busy: number;
}

interface LaneParts {
  readonly name: string;
  readonly holder: string;
  readonly store: PaceStore;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly onPause: (seconds: number) => void;
  readonly pause: (seconds: number) => void;
  readonly onPassed: () => void;
}

interface Queued extends TurnRequest {
  readonly since: number;
  readonly resolve: (turn: Turn | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Admission {
  readonly wait: number;
  readonly byRate: boolean;
  readonly now: number;
}

/** Poll interval in milliseconds while other processes occupy all places, because they free places without notice. */
const LOOK_AGAIN = 100;

/** Maximum seconds of a pause for the whole client; longer ones hold only the refused profile. */
export const CLIENT_PAUSE = 10;

const REPORT = { change: 0.1, after: 10_000 };

export class Lane {
  readonly #parts: LaneParts;
  readonly #queue = new FairQueue<Queued>();
  #busy = 0;
  #granted = 0;
  #rate: number | undefined;
  #limit: number | undefined;
  #passedAt = -Infinity;
  #isHeld = false;
  #isAsking = false;
  #deadline = Infinity;
  #alarm: { at: number; stop: AbortController } | undefined;
  #pauses: Readonly<Record<string, ProfilePause>> = {};
  #offset = 0;
  #reported: { rate: number | undefined; at: number } = { rate: undefined, at: -Infinity };

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  get pace(): LanePace {
    return { rate: this.#rate, limit: this.#limit, waiting: this.#queue.size, busy: this.#busy };
  }

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

  /** The profile's own pause, or the lane's while at least two profiles are paused. */
  held(profile: string): HeldPause | undefined {
    const now = this.#parts.now() - this.#offset;
    const pauses = Object.entries(this.#pauses);
    const [, second] = pauses.toSorted(([, a], [, b]) => b.until - a.until);
    const own = this.#pauses[profile]?.until ?? 0;
    const until = Math.max(own, second?.[1].until ?? 0);
    if (until <= now) return undefined;
    const refused = own === until
      ? [profile]
      : pauses.filter(([, one]) => one.until >= until).map(([id]) => id);
    return { seconds: (until - now) / 1000, refused };
  }

  async look(): Promise<void> {
    await this.#update(() => {});
  }

  /**
   * Grants a turn, immediately if possible; `undefined` if the profile must pause first, so that other profiles go
   * ahead.
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

  #sendAway(): void {
    for (const queued of this.#queue.inOrder()) {
      if (this.held(queued.profile) === undefined) continue;
      this.#queue.remove(queued);
      queued.resolve(undefined);
    }
  }

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

/** Milliseconds for which a process's requests count as in flight after its last note. */
const LEASE = 30_000;

export function laneRecord(state: PaceState, name: string): LaneRecord {
  return state.lanes[name] ??= { ...newLaneState(), holders: {}, passedAt: 0, pauses: {} };
}

function untilOf(pauses: Readonly<Record<string, ProfilePause>>): number {
  return Object.values(pauses).reduce((sum, { until }) => sum + until, 0);
}

function holdProfile(lane: LaneRecord, profile: string, pause: ProfilePause): void {
  for (const [id, { until }] of Object.entries(lane.pauses)) if (until <= pause.since) delete lane.pauses[id];
  const until = Math.max(pause.until, lane.pauses[profile]?.until ?? 0);
  lane.pauses[profile] = { since: pause.since, until };
}

export function busyRequests(lane: LaneRecord, now: number): number {
  let busy = 0;
  for (const [id, holder] of Object.entries(lane.holders)) {
    if (holder.until < now) delete lane.holders[id];
    else busy += holder.busy;
  }
  return busy;
}

/**
 * Records the places that a process occupies, from its own count, because an earlier note may have been lost, for
 * example on a full disk.
 */
export function holdPlaces(lane: LaneRecord, id: string, { busy, now }: { busy: number; now: number }): void {
  if (busy > 0) lane.holders[id] = { busy, until: now + LEASE };
  else delete lane.holders[id];
}

/**
 * Priority while the platform throttles: `interactive` requests (a person waits) precede `bulk` ones (background work).
 */
export type Priority = "interactive" | "bulk";

export interface Waiting {
  readonly caller: unknown;
  readonly weight: number;
  /** Interactive entries precede bulk entries. */
  readonly priority: Priority;
  readonly retried: boolean;
}

const BULK_TURN = 5;

/** Queue with equal shares by weight for each caller, however many entries it has (start-time fair queueing). */
export class FairQueue<T extends Waiting> {
  readonly #classes = { interactive: new Class<T>(), bulk: new Class<T>() };
  #turn = 0;

  get size(): number {
    return this.#classes.interactive.size + this.#classes.bulk.size;
  }

  inOrder(): T[] {
    return [...this.#classes.interactive.inOrder(), ...this.#classes.bulk.inOrder()];
  }

  add(item: T): void {
    this.#classes[item.priority].add(item);
  }

  peek(): T | undefined {
    return this.#next().peek();
  }

  take(): T | undefined {
    const item = this.#next().take();
    if (item !== undefined) this.#turn++;
    return item;
  }

  remove(item: T): boolean {
    return this.#classes[item.priority].remove(item);
  }

  #next(): Class<T> {
    const { interactive, bulk } = this.#classes;
    if (interactive.size === 0) return bulk;
    return bulk.size > 0 && this.#turn % BULK_TURN === BULK_TURN - 1 ? bulk : interactive;
  }
}

interface CallerQueue<T> {
  readonly retried: T[];
  readonly fresh: T[];
  start: number;
}

class Class<T extends Waiting> {
  readonly #callers = new Map<unknown, CallerQueue<T>>();
  #time = 0;
  size = 0;

  add(item: T): void {
    let caller = this.#callers.get(item.caller);
    if (caller === undefined) {
      caller = { retried: [], fresh: [], start: this.#time };
      this.#callers.set(item.caller, caller);
    }
    caller.start = Math.max(caller.start, this.#time);
    caller[item.retried ? "retried" : "fresh"].push(item);
    this.size++;
  }

  peek(): T | undefined {
    const caller = this.#first();
    return caller?.retried[0] ?? caller?.fresh[0];
  }

  take(): T | undefined {
    const caller = this.#first();
    const item = caller?.retried.shift() ?? caller?.fresh.shift();
    if (caller === undefined || item === undefined) return undefined;
    this.#time = caller.start;
    caller.start += item.weight;
    this.#left();
    return item;
  }

  remove(item: T): boolean {
    const list = this.#callers.get(item.caller)?.[item.retried ? "retried" : "fresh"] ?? [];
    const at = list.indexOf(item);
    if (at < 0) return false;
    list.splice(at, 1);
    this.#left();
    return true;
  }

  inOrder(): T[] {
    const all = [...this.#callers.values()].flatMap(({ retried, fresh, start }) => {
      let at = start;
      return [...retried, ...fresh].map((item) => {
        const place = { item, start: at };
        at += item.weight;
        return place;
      });
    });
    return all.sort((a, b) => a.start - b.start).map(({ item }) => item);
  }

  #left(): void {
    this.size--;
    if (this.size === 0) this.#callers.clear();
  }

  #first(): CallerQueue<T> | undefined {
    let first: CallerQueue<T> | undefined;
    for (const [key, caller] of this.#callers) {
      // Whoever has nothing waiting and no more than its share behind it starts like anybody new.
      if (!isIdle(caller)) {
        if (first === undefined || caller.start < first.start) first = caller;
      } else if (caller.start <= this.#time) this.#callers.delete(key);
    }
    return first;
  }
}

function isIdle({ retried, fresh }: CallerQueue<unknown>): boolean {
  return retried.length === 0 && fresh.length === 0;
}
