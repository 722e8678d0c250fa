import type { PaceState } from "./pace_store.ts";

/** Makes a change; `isNote` where it has no result, and `settle` is to be called once it is written. */
type GatheredChange = (state: PaceState, now: number) => { isNote: boolean; settle: () => void };

/** Changes that are kept at most while the shared state cannot be written. */
const MAX_MISSED = 1000;

/**
 * Changes of a shared state that one process writes together. Where that state cannot be written they are made on one of
 * the process alone, and those without a result again on the shared one as soon as it can be: a place that is given back
 * stays taken for others no longer than that. By a result the caller has acted, and that is not done again.
 */
export class GatheredChanges {
  #waiting: GatheredChange[] = [];
  #missed: GatheredChange[] = [];
  #made = 0;

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
          return { isNote: result === undefined, settle: () => resolve(result) };
        } catch (error) {
          return { isNote: false, settle: () => reject(error) };
        }
      });
    });
  }

  /** Makes all that wait on the shared state, after what it missed, and gives what is to be done once it is written. */
  applyTo(state: PaceState, now: number): (() => void)[] {
    for (const change of this.#missed) change(state, now);
    this.#made = this.#waiting.length;
    return this.#waiting.map((change) => change(state, now).settle);
  }

  /** Notes that the shared state was written as `applyTo` left it. */
  written(): void {
    this.#missed = [];
    this.#waiting.splice(0, this.#made);
  }

  /** Makes all that wait on a state of this process alone, also what could not be written. */
  applyToOwn(state: PaceState, now: number): (() => void)[] {
    const settle = this.#waiting.splice(0).map((change) => {
      const { isNote, settle } = change(state, now);
      if (isNote) this.#missed.push(change);
      return settle;
    });
    this.#missed.splice(0, this.#missed.length - MAX_MISSED);
    return settle;
  }
}
