import type { PaceState } from "./pace_store.ts";

/** A change; `isNote` where it has no result, and `settle` is called after writing. */
type GatheredChange = (state: PaceState, now: number) => { isNote: boolean; settle: () => void };

/** Maximum changes kept while the shared state cannot be written. */
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

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Adds a change; settles with its result after writing. */
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

  /** Applies missed and pending changes to the shared state; returns callbacks for after writing. */
  applyTo(state: PaceState, now: number): (() => void)[] {
    for (const change of this.#missed) change(state, now);
    this.#made = this.#waiting.length;
    return this.#waiting.map((change) => change(state, now).settle);
  }

  /** Notes that the result of `applyTo` was written. */
  written(): void {
    this.#missed = [];
    this.#waiting.splice(0, this.#made);
  }

  /** Applies pending changes, and those that could not be written, to this process's own state. */
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
