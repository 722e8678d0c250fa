import type { Sleep } from "../../base/time/sleep.ts";
import { backoff, type RetryPolicy } from "./retry_policy.ts";

/** Result of one attempt: a value, or a failure and its retry. */
export type Attempt<T> = { readonly value: T } | FailedAttempt;

/** A failure and its retry. */
export interface FailedAttempt {
  readonly failed: Error;
  /** The retry. */
  readonly next: Next;
}

/**
 * Next step: `"never"` keeps the failure; `"at-once"` retries without waiting or counting. Otherwise after this number of
 * seconds, random without a number; with `waits: "client"` the next attempt itself waits.
 */
type Next = "never" | "at-once" | {
  readonly after?: number | undefined;
  readonly waits?: "request" | "client" | undefined;
  /** False: other requests wait, but this work is not retried. @default true */
  readonly again?: boolean | undefined;
};

/** Options of the loop. */
export interface RetryOptions {
  readonly policy: Omit<RetryPolicy, "rules">;
  /** Milliseconds, for waits of unknown length. @default the runtime's monotonic clock */
  readonly now?: (() => number) | undefined;
  readonly sleep: Sleep;
  /** Random number, 0 to 1. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait, with its seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
  /** Called when all requests of the client pause for `seconds`; `asked` when the platform gave them. */
  readonly onPause?: ((seconds: number, options: { asked: boolean }) => void) | undefined;
}

/** State of the current attempt. */
export interface RetryTurn {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly waited: number;
  wait(seconds: number): Promise<void>;
  /** Awaits a promise and counts the time as waiting. */
  during<V>(wait: Promise<V>): Promise<V>;
}

/**
 * The one retry loop: for requests, items of a batch, files and an unavailable database.
 *
 * @throws the failure of the last attempt, when its `next` is `"never"` or the policy allows no other.
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

  /** Counts waiting; a wait before the first attempt belongs to the queue. */
  #count(seconds: number): void {
    if (this.attempt > 1) this.waited += seconds;
  }
}
