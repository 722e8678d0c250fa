import type { Sleep } from "../../src/platform/transport/mod.ts";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still. By itself each wait moves it on and ends at once; a held one keeps its sleepers until the
 * test moves it.
 */
export class FakeTime {
  /** Every wait that was asked for, in seconds. */
  readonly slept: number[] = [];
  readonly #held: boolean;
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(options: { readonly now?: string; readonly held?: boolean } = {}) {
    this.#now = Date.parse(options.now ?? "2026-09-30T12:00:00Z");
    this.#held = options.held ?? false;
  }

  /** How many wait. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  readonly now = (): number => this.#now;

  readonly sleep: Sleep = async (seconds, signal) => {
    signal?.throwIfAborted();
    this.slept.push(seconds);
    if (!this.#held) {
      this.#now += seconds * 1000;
      return;
    }
    await new Promise<void>((wake, reject) => {
      this.#sleepers.push({ until: this.#now + seconds * 1000, wake });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  };

  /** Moves the clock on and wakes whose time has come. */
  advance(seconds: number): void {
    this.#now += seconds * 1000;
    const due = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of due) wake();
  }
}
