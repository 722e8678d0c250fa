/** Waits; injected so that no test waits for real time. */
export type Sleep = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** The longest time that a timer of the runtimes can take, in milliseconds; a longer one would end at once. */
export const MAX_TIMER = 2 ** 31 - 1;

/**
 * A pause that every request of one client keeps while the platform is throttling it.
 *
 * @example
 * ```ts
 * import { CoolDown, type Credentials, type Platform, PlatformAds } from "@platform/ads";
 *
 * // Two clients of one account that pause together.
 * function pair(credentials: Credentials, platform: Platform): PlatformAds[] {
 *   const coolDown = new CoolDown(Date.now);
 *   return [1, 2].map(() => new PlatformAds(credentials, { platform, coolDown }));
 * }
 * ```
 */
export class CoolDown {
  readonly #now: () => number;
  #until = 0;

  /**
   * Starts without a pause.
   *
   * @param now Milliseconds since the epoch.
   */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts a pause, or makes the present one longer; it is never made shorter. */
  extend(seconds: number): void {
    this.#until = Math.max(this.#until, this.#now() + seconds * 1000);
  }

  /** Seconds of the pause that are left. */
  get remaining(): number {
    return Math.max(0, (this.#until - this.#now()) / 1000);
  }
}

/** Waits in real time; an abort ends the wait with the signal's reason. */
export const realSleep: Sleep = (seconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, Math.min(seconds * 1000, MAX_TIMER));
    function abort(): void {
      clearTimeout(timer);
      reject(signal!.reason);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
