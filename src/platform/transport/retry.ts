import type { Sleep } from "../../base/time/sleep.ts";
import { backoff, type RetryPolicy } from "./retry_policy.ts";

export type Attempt<T> = { readonly value: T } | FailedAttempt;

export interface FailedAttempt {
  readonly failed: Error;
  readonly next: Next;
}

/**
 * `"never"` is final; `"at-once"` retries without waiting or counting. Otherwise waits `after` seconds, or a random
 * time; with `waits: "client"` the next attempt itself waits.
 */
type Next = "never" | "at-once" | {
  readonly after?: number | undefined;
  readonly waits?: "request" | "client" | undefined;
  /**
   * False: other requests wait, but this one is not retried.
   *
   * @default true
   */
  readonly again?: boolean | undefined;
};

export interface RetryOptions {
  readonly policy: Omit<RetryPolicy, "rules">;
  readonly now?: (() => number) | undefined;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((seconds: number) => void) | undefined;
  readonly onPause?: ((seconds: number, options: { asked: boolean }) => void) | undefined;
}

export interface RetryTurn {
  readonly attempt: number;
  readonly waited: number;
  wait(seconds: number): Promise<void>;
  during<V>(wait: Promise<V>): Promise<V>;
}

/**
 * The only retry loop: for requests, batch items, files and an unavailable database.
 *
 * @throws the last failure when it is final or the policy allows no further attempt.
 */
export async function retry<T>(
  options: RetryOptions,
  work: (turn: RetryTurn) => Promise<Attempt<T>>,
): Promise<T> {
  const { policy } = options;
  const turn = new Turn(options);
  for (;; turn.attempt++) {
    const result = await work(turn);
    if ("value" in result) return result.value;
    const { failed, next } = result;
    if (next === "never") throw failed;
    if (next === "at-once") {
      turn.attempt--;
      continue;
    }
    const seconds = next.after ?? backoff(policy, turn.attempt, options.random());
    if (next.waits === "client") options.onPause?.(seconds, { asked: next.after !== undefined });
    const isOver = turn.attempt >= policy.maxAttempts || turn.waited + seconds > policy.maxTotalWait;
    if (next.again === false || isOver) throw failed;
    if (next.waits === "client") continue;
    turn.waited += seconds;
    await turn.pause(seconds);
  }
}

class Turn implements RetryTurn {
  attempt = 1;
  waited = 0;
  readonly #options: RetryOptions;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  async wait(seconds: number): Promise<void> {
    this.#count(seconds);
    await this.pause(seconds);
  }

  async during<V>(wait: Promise<V>): Promise<V> {
    const now = this.#options.now ?? (() => performance.now());
    const began = now();
    const found = await wait;
    this.#count((now() - began) / 1000);
    return found;
  }

  async pause(seconds: number): Promise<void> {
    this.#options.onWait?.(seconds);
    await this.#options.sleep(seconds, this.#options.signal);
  }

  #count(seconds: number): void {
    if (this.attempt > 1) this.waited += seconds;
  }
}
