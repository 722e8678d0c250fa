import type { PaceState } from "./pace_store.ts";

/** Changes the state, and gives what is to be done once it is written. */
export type GatheredChange = (state: PaceState, now: number) => () => void;

/** Changes of a shared state that one process writes together. */
export class GatheredChanges {
  #waiting: GatheredChange[] = [];

  /** True when none waits to be written. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Adds a change; resolves with its result once that is written, and rejects with what it threw. */
  add<T>(change: (state: PaceState, now: number) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((state, now) => {
        try {
          const result = change(state, now);
          return () => resolve(result);
        } catch (error) {
          return () => reject(error);
        }
      });
    });
  }

  /** Takes all that wait. */
  take(): GatheredChange[] {
    return this.#waiting.splice(0);
  }

  /** Puts changes that were not written before those that came since. */
  putBack(changes: readonly GatheredChange[]): void {
    this.#waiting.unshift(...changes);
  }

  /** Makes all that wait, and gives what is to be done once the state is written. */
  applyTo(state: PaceState, now: number): (() => void)[] {
    return this.take().map((change) => change(state, now));
  }
}
