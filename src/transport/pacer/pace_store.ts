import type { LaneState } from "./lane_state.ts";

/** Requests that one process has under way. */
export interface Holder {
  /** How many. */
  busy: number;
  /** When its lease ends: a process that was killed loses its places then. */
  until: number;
}

/** A lane, and who has requests under way in it. */
export interface LaneRecord extends LaneState {
  /** By the id of the pacer. */
  holders: Record<string, Holder>;
  /** When a request last got through. */
  passedAt: number;
}

/** Everything that pacers share, as plain data. Times are milliseconds of the clock of the store. */
export interface PaceState {
  /** When the pause of every request ends. */
  pausedUntil: number;
  /** Lanes by host and group. */
  lanes: Record<string, LaneRecord>;
}

/**
 * Keeps the state of pacers: in memory for one, in a place that several processes reach for those that share an
 * account.
 */
export interface PaceStore {
  /** True when pacers of other processes change it too, so that a change has to be looked for. */
  readonly isShared: boolean;
  /**
   * Reads the state and changes it in one step, which no other change comes between. Changes of a memory are made at
   * once, others as soon as possible.
   *
   * @param change Changes the state in place; `now` is the time of the store's clock.
   */
  update<T>(change: (state: PaceState, now: number) => T): T | Promise<T>;
}

/** A state in which nothing is known. */
export function newPaceState(): PaceState {
  return { pausedUntil: 0, lanes: {} };
}

/** Keeps the state of one pacer. */
export class MemoryPaceStore implements PaceStore {
  readonly isShared = false;
  readonly #state = newPaceState();
  readonly #now: () => number;

  /**
   * Starts without knowing a limit.
   *
   * @param now Milliseconds.
   */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Changes the state at once. */
  update<T>(change: (state: PaceState, now: number) => T): T {
    return change(this.#state, this.#now());
  }
}
