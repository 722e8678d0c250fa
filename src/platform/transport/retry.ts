import { requireOneOf } from "../../base/text/nearest.ts";
import type { Sleep } from "../../base/time/clock.ts";

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

/** Cause of a {@linkcode RetryRule}: a status, a range of statuses, or a request that got no response. */
export type RetryCause =
  | number
  | readonly [from: number, to: number]
  | "not-sent"
  | "no-response";

/** Allowed reaction to a kind of failure. */
export interface RetryRule {
  /**
   * Matching failures: HTTP statuses, ranges of them (both ends included), `"not-sent"` if no connection was made,
   * `"no-response"` if it was lost or timed out before the response was complete.
   */
  readonly on: readonly RetryCause[];
  /** Requests that may be retried: all, only idempotent ones, or none. */
  readonly requests: "all" | "idempotent" | "none";
  /**
   * `"at-once"`: immediately, with a new access token and without counting an attempt; `"wait"`: after the seconds of
   * `Retry-After`, or after a random wait if the response has none.
   */
  readonly delay: "at-once" | "wait";
  /** Scope of the wait: the request alone, or every request of the client. @default "request" */
  readonly waits?: "request" | "client";
}

/** Limits on the retries of a request, and the failures that allow them. All times are seconds. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. @default 8 */
  readonly maxAttempts: number;
  /** Upper bound of the first random wait; it doubles with each attempt. @default 1 */
  readonly backoffBase: number;
  /** Upper bound of any random wait. @default 60 */
  readonly backoffMax: number;
  /** Upper bound of the total wait of one request. @default 600 */
  readonly maxTotalWait: number;
  /** The first rule that matches a failure applies; other failures are not retried. @default RETRY_RULES */
  readonly rules: readonly RetryRule[];
}

/**
 * Retried failures, with their requests and delays.
 *
 * @example
 * ```ts
 * import { type PlatformAdsOptions, RETRY_RULES } from "@platform/ads";
 * import type { RetryRule } from "@platform/ads/transport";
 *
 * // Retry reads after 408 too.
 * const timedOut: RetryRule = { on: [408], requests: "idempotent", delay: "wait" };
 * const options: Pick<PlatformAdsOptions, "retry"> = { retry: { rules: [timedOut, ...RETRY_RULES] } };
 * console.log(options.retry);
 * ```
 */
export const RETRY_RULES: readonly RetryRule[] = Object.freeze(
  [
    { on: [401], requests: "all", delay: "at-once" },
    { on: [429], requests: "all", delay: "wait", waits: "client" },
    { on: [501], requests: "none", delay: "wait" },
    { on: [[500, 599]], requests: "idempotent", delay: "wait" },
    { on: ["not-sent"], requests: "all", delay: "wait" },
    { on: ["no-response"], requests: "idempotent", delay: "wait" },
  ] as const,
);

/**
 * Default retry policy.
 *
 * @example
 * ```ts
 * import { DEFAULT_RETRY, type PlatformAdsOptions } from "@platform/ads";
 *
 * const patient: Pick<PlatformAdsOptions, "retry"> = { retry: { ...DEFAULT_RETRY, maxTotalWait: 3600 } };
 * console.log(patient.retry);
 * ```
 */
export const DEFAULT_RETRY: RetryPolicy = Object.freeze({
  maxAttempts: 8,
  backoffBase: 1,
  backoffMax: 60,
  maxTotalWait: 600,
  rules: RETRY_RULES,
});

export function retryPolicy(policy: Partial<RetryPolicy> = {}): RetryPolicy {
  const { rules = RETRY_RULES, ...given } = policy;
  const { rules: _, ...defaults } = DEFAULT_RETRY;
  const times = { ...defaults, ...given };
  for (const [name, value] of Object.entries(times)) {
    requireOneOf("the field of a retry policy", name, [...Object.keys(defaults), "rules"]);
    if (!(value >= 0)) throw new RangeError(`Cannot use a retry policy whose "${name}" is ${value}`);
  }
  if (times.maxAttempts < 1) throw new RangeError('Cannot use a retry policy whose "maxAttempts" is below 1');
  return { ...times, rules };
}

export function retryRule(
  policy: Pick<RetryPolicy, "rules">,
  cause: number | "not-sent" | "no-response",
  { idempotent }: { idempotent: boolean },
): RetryRule | undefined {
  const rule = policy.rules.find(({ on }) => on.some((one) => matches(one, cause)));
  if (rule === undefined || rule.requests === "none") return undefined;
  return rule.requests === "all" || idempotent ? rule : undefined;
}

function matches(on: RetryCause, cause: number | "not-sent" | "no-response"): boolean {
  if (typeof on !== "object") return on === cause;
  return typeof cause === "number" && on[0] <= cause && cause <= on[1];
}

/**
 * Random seconds up to an exponentially growing limit ("full jitter"), so that callers do not retry simultaneously.
 *
 * @param attempt The failed attempt, from 1.
 * @param random 0 up to 1.
 */
export function backoff(
  policy: Pick<RetryPolicy, "backoffBase" | "backoffMax">,
  attempt: number,
  random: number,
): number {
  return random * Math.min(policy.backoffMax, policy.backoffBase * 2 ** (attempt - 1));
}
