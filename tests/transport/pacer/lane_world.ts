import { Lane, type Turn, type TurnRequest } from "../../../src/platform/transport/pacer/lane.ts";
import {
  MemoryPaceStore,
  type PaceState,
  type PaceStore,
} from "../../../src/platform/transport/pacer/pace_store.ts";
import { FakeTime } from "../../support/fake_time.ts";

/** A request that asked for its turn. */
export interface AskedTurn {
  /** Its turn, once it may leave. */
  turn?: Turn;
  /** Why it waits no longer. */
  error?: unknown;
  /** True once its profile had to pause. */
  sentAway?: boolean;
  /** True when it had its turn at once. */
  readonly wasAtOnce: boolean;
}

/** A lane on a clock that the test moves, and what it reported. */
export interface LaneWorld {
  readonly lane: Lane;
  readonly time: FakeTime;
  /** Seconds of the pauses that it saw, and of those that it started. */
  readonly pauses: { readonly seen: number[]; readonly started: number[] };
  /** Ends of its timers. */
  readonly alarms: readonly AbortSignal[];
  /** How many requests it said got through. */
  readonly passed: () => number;
  /** Changes the state as somebody else would. */
  change(change: (state: PaceState, now: number) => void): Promise<void>;
  ask(parts?: Partial<TurnRequest>): AskedTurn;
  /** Moves the clock, and lets everything follow from it. */
  advance(seconds: number): Promise<void>;
  /** Lets everything happen that can. */
  settle(): Promise<void>;
}

/** A memory that others change too, so that every look takes a moment. */
export class SharedMemory implements PaceStore {
  readonly isShared = true;
  readonly memory: MemoryPaceStore;
  /** Looks so far. */
  looks = 0;

  constructor(now: () => number) {
    this.memory = new MemoryPaceStore(now);
  }

  async update<T>(change: (state: PaceState, now: number) => T): Promise<T> {
    this.looks++;
    await null;
    return this.memory.update(change);
  }
}

/** Makes a lane with a state of its own, or one that others share. */
export function laneWorld(shared?: (now: () => number) => PaceStore): LaneWorld {
  const time = new FakeTime({ held: true });
  const store = shared?.(time.now) ?? new MemoryPaceStore(time.now);
  const pauses = { seen: [] as number[], started: [] as number[] };
  const alarms: AbortSignal[] = [];
  let passed = 0;
  const lane = new Lane({
    name: "lane",
    holder: "here",
    store,
    now: time.now,
    sleep: (seconds, signal) => {
      if (signal !== undefined) alarms.push(signal);
      return time.sleep(seconds, signal);
    },
    onPause: (seconds) => pauses.seen.push(seconds),
    pause: (seconds) => pauses.started.push(seconds),
    onPassed: () => passed++,
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await null;
  };
  return {
    lane,
    time,
    pauses,
    alarms,
    passed: () => passed,
    change: async (change) => await store.update(change),
    ask(parts) {
      const asked = lane.turn({
        caller: 1,
        profile: "1",
        weight: 1,
        priority: "interactive",
        retried: false,
        patience: 600,
        tooLong: (before, seconds) => new Error(`${before} before, ${seconds} s`),
        ...parts,
      });
      if (!(asked instanceof Promise)) return { turn: asked, wasAtOnce: true };
      const found: AskedTurn = { wasAtOnce: false };
      asked.then(
        (turn) => turn === undefined ? found.sentAway = true : found.turn = turn,
        (error) => found.error = error,
      );
      return found;
    },
    async advance(seconds) {
      time.advance(seconds);
      await settle();
    },
    settle,
  };
}
