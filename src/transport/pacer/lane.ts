import type { Sleep } from "../sleep.ts";
import { FairQueue, type Waiting } from "./fair_queue.ts";
import { newLaneState, requestLost, requestPassed, requestThrottled, startRequest } from "./lane_state.ts";

/** A request that waits for its turn. */
export interface TurnRequest extends Waiting {
  /** Seconds that it may wait: in all when it was refused before, else for as long as nothing gets through. */
  readonly patience: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** The error for one that would wait too long, from the number of those before it and the seconds to wait. */
  readonly tooLong: (before: number, seconds: number) => Error;
}

/** The turn of a request: it may leave. Exactly one of the methods is to be called when it has ended. */
export interface Turn {
  /** The platform let it through, whatever else its response says. */
  passed(): void;
  /** It did not leave, or got no response. */
  lost(): void;
  /** The platform refused it as one too many; `asked` is true where it gave the seconds itself. */
  throttled(seconds: number, options: { asked: boolean }): void;
}

/** The pace of one lane, as events and metrics show it. */
export interface LanePace {
  /** Requests a second that are started; `undefined` while the platform has not throttled. */
  readonly rate: number | undefined;
  /** Requests a second that the platform was last seen to allow. */
  readonly limit: number | undefined;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** Requests that are under way. */
  readonly busy: number;
}

/** What a lane depends on. */
export interface LaneWorld {
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits. */
  readonly sleep: Sleep;
  /** When the pause of the whole client ends. */
  readonly pausedUntil: () => number;
  /** Starts a pause of the whole client. */
  readonly pause: (seconds: number) => void;
  /** Called when a request got through. */
  readonly passed: () => void;
}

/** A change of the pace that is reported: as a share of it, or after so many milliseconds. */
const REPORT = { change: 0.1, after: 10_000 };

interface Queued extends TurnRequest {
  readonly since: number;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: unknown) => void;
}

/** One group of operations on one host: which of its requests leaves when. */
export class Lane {
  readonly #world: LaneWorld;
  readonly #state = newLaneState();
  readonly #queue = new FairQueue<Queued>();
  #busy = 0;
  #passedAt = -Infinity;
  /** When the first of those who wait may run out of patience. */
  #deadline = Infinity;
  #alarm: { at: number; stop: AbortController } | undefined;
  #reported: { rate: number | undefined; at: number } = { rate: undefined, at: 0 };

  /** Starts without knowing a limit. */
  constructor(world: LaneWorld) {
    this.#world = world;
  }

  /** The pace at present. */
  get pace(): LanePace {
    const { rate, base } = this.#state;
    return {
      rate,
      limit: rate === undefined ? undefined : base,
      waiting: this.#queue.size,
      busy: this.#busy,
    };
  }

  /** The pace, where it changed by a tenth or some seconds have passed since it was last asked for; else `undefined`. */
  change(): LanePace | undefined {
    const { rate } = this.#state;
    const { rate: before, at } = this.#reported;
    if (rate === before) return undefined;
    const now = this.#world.now();
    const isNews = rate === undefined || before === undefined ||
      Math.abs(rate / before - 1) > REPORT.change ||
      now - at > REPORT.after;
    if (!isNews) return undefined;
    this.#reported = { rate, at: now };
    return this.pace;
  }

  /** Gives a request its turn: at once where nothing is in its way. */
  turn(request: TurnRequest): Turn | Promise<Turn> {
    if (this.#queue.size === 0) {
      const now = this.#world.now();
      if (this.#wait(now, request.weight, false) === 0) return this.#start(now, request.weight);
    }
    return this.#enqueue(request);
  }

  #enqueue(request: TurnRequest): Promise<Turn> {
    const { signal } = request;
    return new Promise<Turn>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        if (!this.#queue.remove(queued)) return;
        reject(signal?.reason);
        this.#letLeave();
      };
      const settled = (): void => signal?.removeEventListener("abort", abort);
      const queued: Queued = {
        ...request,
        since: this.#world.now(),
        resolve: (turn) => (settled(), resolve(turn)),
        reject: (error) => (settled(), reject(error)),
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#queue.add(queued);
      this.#deadline = Math.min(this.#deadline, queued.since + request.patience * 1000);
      this.#letLeave();
    });
  }

  /** Lets every request leave that may, and sets the alarm for the next one. */
  #letLeave(): void {
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      const now = this.#world.now();
      const wait = this.#wait(now, next.weight, true);
      if (wait === 0) {
        this.#queue.take();
        next.resolve(this.#start(now, next.weight));
        continue;
      }
      this.#giveUp(Number.isFinite(wait) ? now + wait : now);
      if (this.#queue.size > 0 && Number.isFinite(wait)) this.#wakeAt(now + wait);
      return;
    }
    this.#alarm?.stop.abort();
    this.#alarm = undefined;
  }

  #wait(now: number, weight: number, contended: boolean): number {
    const pause = this.#world.pausedUntil() - now;
    return pause > 0 ? pause : startRequest(this.#state, { now, weight, busy: this.#busy, contended });
  }

  #start(startedAt: number, weight: number): Turn {
    this.#busy++;
    const end = (note: () => void): void => {
      this.#busy--;
      note();
      if (this.#queue.size > 0) this.#letLeave();
    };
    return {
      passed: () =>
        end(() => {
          this.#passedAt = this.#world.now();
          this.#world.passed();
          requestPassed(this.#state, { startedAt, weight, busy: this.#busy });
        }),
      lost: () => end(() => requestLost(this.#state)),
      throttled: (seconds, { asked }) =>
        end(() => {
          const alone = this.#busy === 0 && this.#queue.size === 0;
          const now = this.#world.now();
          const isNews = requestThrottled(this.#state, { now, startedAt, pause: seconds, alone });
          // Of requests that left together one random pause is enough; what the platform asks for is always kept.
          if (isNews || asked) this.#world.pause(seconds);
        }),
    };
  }

  /** Ends the waiting of requests that may not wait until then. */
  #giveUp(until: number): void {
    if (until <= this.#deadline) return;
    const seconds = (until - this.#world.now()) / 1000;
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
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#letLeave();
    };
    this.#world.sleep((at - this.#world.now()) / 1000, alarm.stop.signal).then(wake, () => {});
  }
}
