import { fieldsOf } from "../../../base/json/fields_of.ts";
import { type LaneState, newLaneState } from "./lane_state.ts";

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
