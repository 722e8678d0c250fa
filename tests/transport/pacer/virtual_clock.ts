import type { PacerClock, Sleep } from "../../../src/platform/transport/mod.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that jumps to the next waking whenever everybody waits: hours pass in milliseconds, in the right order. */
export class VirtualClock implements PacerClock {
  #now = 0;
  #sleepers: Sleeper[] = [];

  readonly now = (): number => this.#now;

  readonly sleep: Sleep = (seconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#now + seconds * 1000, wake: resolve };
      signal?.addEventListener("abort", () => {
        const at = this.#sleepers.indexOf(sleeper);
        if (at >= 0) this.#sleepers.splice(at, 1);
        reject(signal.reason);
      }, { once: true });
      // Sorted by time, and by order where the times are equal.
      let at = this.#sleepers.length;
      while (at > 0 && this.#sleepers[at - 1]!.at > sleeper.at) at--;
      this.#sleepers.splice(at, 0, sleeper);
    });

  /**
   * Lets time pass until the work is done.
   *
   * @param turns How often the runtime itself gets a turn before each jump, for work that does more than wait.
   */
  async run<T>(work: Promise<T>, turns = 0): Promise<T> {
    let isDone = false;
    const watched = work.finally(() => isDone = true);
    watched.catch(() => {});
    for (let idle = 0; !isDone;) {
      // Everything that follows from the last waking happens first.
      for (let turn = 0; turn < 25 && !isDone; turn++) await null;
      for (let turn = 0; turn < turns && !isDone; turn++) {
        await new Promise((resume) => setTimeout(resume, 0));
      }
      if (isDone) break;
      const next = this.#sleepers.shift();
      if (next === undefined) {
        if (++idle > 1000) throw new Error("Everybody waits for something else than time");
        await new Promise((resume) => setTimeout(resume, 0));
        continue;
      }
      idle = 0;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    return await watched;
  }
}
