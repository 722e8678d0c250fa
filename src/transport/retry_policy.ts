/** How often and how long a request may be repeated. All times are seconds. */
export interface RetryPolicy {
  /** Attempts in all, the first included. @default 8 */
  readonly maxAttempts: number;
  /** Upper bound of the first random wait; it doubles with each attempt. @default 1 */
  readonly backoffBase: number;
  /** Upper bound of any random wait. @default 60 */
  readonly backoffMax: number;
  /** Upper bound of all waits of one request together. @default 600 */
  readonly maxTotalWait: number;
}

/**
 * The policy of a client that is given none.
 *
 * @example
 * ```ts
 * import { DEFAULT_RETRY, type PlatformAdsOptions } from "@platform/ads";
 *
 * const patient: Pick<PlatformAdsOptions, "retry"> = { retry: { ...DEFAULT_RETRY, maxTotalWait: 3600 } };
 * console.log(patient.retry);
 * ```
 */
export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 8,
  backoffBase: 1,
  backoffMax: 60,
  maxTotalWait: 600,
};

/**
 * Fills the gaps of a policy with the defaults.
 *
 * @throws {RangeError} when a value is negative, not a number, or allows no attempt at all.
 */
export function retryPolicy(policy: Partial<RetryPolicy> = {}): RetryPolicy {
  const whole = { ...DEFAULT_RETRY, ...policy };
  for (const [name, value] of Object.entries(whole)) {
    if (!(value >= 0)) throw new RangeError(`Cannot use a retry policy whose "${name}" is ${value}`);
  }
  if (whole.maxAttempts < 1) throw new RangeError('Cannot use a retry policy whose "maxAttempts" is below 1');
  return whole;
}

/**
 * Seconds to wait before the next attempt: random between nothing and an exponentially growing bound ("full jitter"),
 * so that many callers do not come back at once.
 *
 * @param attempt The attempt that failed, counted from 1.
 * @param random A number from 0 up to 1.
 */
export function backoff(policy: RetryPolicy, attempt: number, random: number): number {
  return random * Math.min(policy.backoffMax, policy.backoffBase * 2 ** (attempt - 1));
}

/**
 * Seconds that a `Retry-After` header asks for, given as seconds or as an HTTP date; `undefined` when it says nothing
 * that can be understood.
 *
 * @param now Milliseconds since the epoch.
 */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // Date.parse takes "-5" and "bananas 12" for dates; only what looks like an HTTP date may reach it.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d:\d\d:\d\d GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
