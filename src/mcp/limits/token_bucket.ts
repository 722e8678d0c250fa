/** Limiter with a rate per minute, and a burst of the same size after an idle minute. */
export class TokenBucket {
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  /**
   * @param perMinute How many.
   * @param now Milliseconds since the epoch.
   */
  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Seconds until one is let through; 0 when one is now. */
  wait(now: number): number {
    this.#fill(now);
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) * 60 / this.#perMinute;
  }

  /** Takes one of those that are let through. */
  take(now: number): void {
    this.#fill(now);
    this.#tokens--;
  }

  /** True where nothing was taken for so long that a new bucket is the same. */
  isFull(now: number): boolean {
    this.#fill(now);
    return this.#tokens >= this.#perMinute;
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#perMinute, this.#tokens + passed * this.#perMinute / 60_000);
    this.#at = now;
  }
}
