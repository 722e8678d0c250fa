import { requireOneOf } from "../../base/text/nearest.ts";

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
