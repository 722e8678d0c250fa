import { PlatformAdsError } from "../../errors.ts";
import { visibleText } from "../../internal/visible_text.ts";
import type { Identity } from "../identity/identity.ts";
import { TokenBucket } from "./token_bucket.ts";

/** Maximum numbers of calls for each caller. */
export interface CallLimitSettings {
  /** Calls of tools a minute. @default any number */
  readonly calls?: number | undefined;
  /** Of these, calls of tools that write: plans, applies, files, the store. @default any number */
  readonly writes?: number | undefined;
}

/** Callers from which on those that have been quiet for a minute are forgotten. */
const MANY = 1_000;

/** A call that comes too soon. */
export class TooManyCallsError extends PlatformAdsError {
  /** Seconds until the next one may come. */
  readonly retryAfter: number;

  /** Says who may call how often, and when to try again. */
  constructor(message: string, retryAfter: number) {
    super(message);
    this.name = "TooManyCallsError";
    this.retryAfter = retryAfter;
  }
}

/** Counts the calls of every caller, so that none of them takes the server from the others. */
export class CallLimits {
  readonly #settings: CallLimitSettings;
  readonly #now: () => number;
  readonly #buckets = new Map<string, TokenBucket>();

  /**
   * @param settings How many a minute.
   * @param now Milliseconds since the epoch.
   */
  constructor(settings: CallLimitSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Number of remembered callers. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Counts a call.
   *
   * @param writes Whether the tool writes.
   * @throws {TooManyCallsError} when it comes too soon. It is not counted then.
   */
  count(identity: Identity, tool: string, writes: boolean): void {
    const { calls, writes: writing } = this.#settings;
    const limits = [{ what: "calls", perMinute: calls }, {
      what: "writes",
      perMinute: writes ? writing : undefined,
    }];
    const now = this.#now();
    const buckets = limits.flatMap(({ what, perMinute }) =>
      perMinute === undefined
        ? []
        : [{ what, perMinute, bucket: this.#bucket(`${what} ${identity.key}`, perMinute) }]
    );
    for (const { what, perMinute, bucket } of buckets) {
      const seconds = Math.ceil(bucket.wait(now));
      if (seconds === 0) continue;
      throw new TooManyCallsError(
        `Cannot call ${tool} now: ${visibleText(identity.subject)} may make ${perMinute} ${what} a minute. ` +
          `Nothing was done. Try again in ${seconds} s`,
        seconds,
      );
    }
    for (const { bucket } of buckets) bucket.take(now);
  }

  #bucket(key: string, perMinute: number): TokenBucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const now = this.#now();
    if (this.#buckets.size >= MANY) {
      for (const [other, bucket] of [...this.#buckets]) if (bucket.isFull(now)) this.#buckets.delete(other);
    }
    const bucket = new TokenBucket(perMinute, now);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
