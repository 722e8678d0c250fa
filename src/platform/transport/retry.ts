import type { Sleep } from "../../base/time/sleep.ts";
import { backoff, type RetryPolicy } from "./retry_policy.ts";

/** The result of one attempt: a value, or a failure and when it may be tried again. */
export type Attempt<T> = { readonly value: T } | FailedAttempt;

/** Why an attempt failed, and whether another follows. */
export interface FailedAttempt {
  /** Why. */
  readonly failed: Error;
  /** When it may be tried again. */
  readonly next: Next;
}

/**
 * Next step: `"never"` leaves the failure. `"at-once"`: without a wait and without counting. Otherwise after this number
 * of seconds, or a random wait where no number is given; with `waits: "client"` the next attempt itself does the waiting.
 */
type Next = "never" | "at-once" | {
  readonly after?: number | undefined;
  readonly waits?: "request" | "client" | undefined;
  /** False: the others wait, and this piece of work is not tried again. @default true */
  readonly again?: boolean | undefined;
};

/** Parts of the loop. */
export interface RetryOptions {
  /** Limits on retries. */
  readonly policy: Omit<RetryPolicy, "rules">;
  /** Milliseconds, for waits of unknown length. @default those of the runtime's monotonic clock */
  readonly now?: (() => number) | undefined;
  readonly sleep: Sleep;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait, with its length in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
  /** Called when every request of the client is to wait for `seconds`; `asked` when they are the platform's own. */
  readonly onPause?: ((seconds: number, options: { asked: boolean }) => void) | undefined;
}

/** The state of a retried piece of work, for the attempt that is made now. */
export interface RetryTurn {
  /** Number of the attempt, counted from 1. */
  readonly attempt: number;
  /** Seconds waited since the first attempt. */
  readonly waited: number;
  wait(seconds: number): Promise<void>;
  /** Waits until something is there. */
  during<V>(wait: Promise<V>): Promise<V>;
}

/**
 * The one loop in which work is retried: requests, items of a batch, files, a database that is away.
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

  /** Counts the waiting; a wait before the first attempt belongs to the queue, not to this piece of work. */
  #count(seconds: number): void {
    if (this.attempt > 1) this.waited += seconds;
  }
}
