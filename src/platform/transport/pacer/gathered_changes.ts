import type { PaceState } from "./pace_store.ts";

type GatheredChange = (state: PaceState, now: number) => { isNote: boolean; settle: () => void };

const MAX_MISSED = 1000;

/**
 * Batches changes of the shared state. While it cannot be written, they apply to the process's own state; those
 * without a result are repeated on the shared state later, so that released places do not stay taken. Changes with a
 * result are not repeated, because the caller has already acted on it.
 */
export class GatheredChanges {
  #waiting: GatheredChange[] = [];
  #missed: GatheredChange[] = [];
  #made = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

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

  applyTo(state: PaceState, now: number): (() => void)[] {
    for (const change of this.#missed) change(state, now);
    this.#made = this.#waiting.length;
    return this.#waiting.map((change) => change(state, now).settle);
  }

  written(): void {
    this.#missed = [];
    this.#waiting.splice(0, this.#made);
  }

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
