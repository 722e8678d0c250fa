import { setImmediate } from "node:timers";
import type { Clock } from "../../../src/emulator/mod.ts";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * One time for clients and platform, kept by the emulator's clock. It stands still while anything is under way and
 * jumps to the next waking when everybody waits, so that hours pass in seconds and in the right order.
 */
export class VirtualTime {
  readonly #clock: Clock;
  #sleepers: Sleeper[] = [];
  #underWay = 0;
  #looking = false;

  /** @param clock A clock that stands still. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#clock.now();

  /** Waits; for clients. */
  readonly sleep = async (seconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Whole milliseconds, so that the clock arrives where the sleeper looks for it.
    const sleeper = { until: Math.ceil(this.now() + seconds * 1000), wake: resolve };
    const abort = (): void => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      reject(signal!.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#sleepers.push(sleeper);
    this.#look();
    await promise.finally(() => signal?.removeEventListener("abort", abort));
  };

  /** Waits inside of what is under way: the platform takes its time. */
  async delay(milliseconds: number): Promise<void> {
    this.#underWay--;
    try {
      await this.sleep(milliseconds / 1000);
    } finally {
      this.#underWay++;
    }
  }

  /** Holds the time still for as long as some work takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#look();
    }
  }

  /** Jumps to the next waking once everything that can run has run. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      if (this.#underWay > 0 || this.#sleepers.length === 0) return;
      const next = Math.min(...this.#sleepers.map(({ until }) => until));
      if (next > this.now()) this.#clock.advance((next - this.now()) / 1000);
      const due = this.#sleepers.filter(({ until }) => until <= this.now());
      this.#sleepers = this.#sleepers.filter(({ until }) => until > this.now());
      for (const { wake } of due) wake();
      this.#look();
    });
  }
}
