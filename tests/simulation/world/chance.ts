import { SeededRandom } from "../../support/seeded_random.ts";

/** Everything a run draws, from one seed. Each draw carries its reason, so that two runs can be compared draw by draw. */
export class Chance {
  readonly #random: SeededRandom;
  readonly #drawn: (reason: string) => void;

  /** @param drawn Called with the reason and the value of each draw. */
  constructor(seed: number, drawn: (reason: string) => void) {
    this.#random = new SeededRandom(seed);
    this.#drawn = drawn;
  }

  /** A number from 0 up to 1. */
  next(reason: string): number {
    const value = this.#random.next();
    this.#drawn(`${reason}=${value.toFixed(6)}`);
    return value;
  }

  /** An integer from `low` to `high`, both included. */
  integer(reason: string, low: number, high: number): number {
    return low + Math.floor(this.next(reason) * (high - low + 1));
  }

  /** True with a probability from 0 to 1. Nothing is drawn for 0, so that a fault that is off changes no run. */
  happens(reason: string, probability: number): boolean {
    return probability > 0 && this.next(reason) < probability;
  }

  /** One of the values. */
  pick<T>(reason: string, values: readonly T[]): T {
    return values[this.integer(reason, 0, values.length - 1)]!;
  }
}
