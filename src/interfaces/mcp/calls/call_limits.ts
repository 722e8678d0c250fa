import { PlatformAdsError } from "../../../errors.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import type { Identity } from "../access/identity.ts";

export interface CallLimitSettings {
  readonly calls?: number | undefined;
  readonly writes?: number | undefined;
}

/** Number of callers above which idle ones are forgotten after a minute. */
const MANY = 1_000;

export class TooManyCallsError extends PlatformAdsError {
  readonly retryAfter: number;
  readonly isFirst: boolean;

  constructor(message: string, { retryAfter, isFirst }: { retryAfter: number; isFirst: boolean }) {
    super(message);
    this.name = "TooManyCallsError";
    this.retryAfter = retryAfter;
    this.isFirst = isFirst;
  }
}

export class CallLimits {
  readonly #settings: CallLimitSettings;
  readonly #now: () => number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(settings: CallLimitSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** @throws {TooManyCallsError} when the limit is reached; the call is not counted then. */
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
      const isFirst = !bucket.isRefusing;
      bucket.isRefusing = true;
      throw new TooManyCallsError(
        `Cannot call ${tool} now: ${visibleText(identity.subject)} may make ${perMinute} ${what} a minute. ` +
          `Nothing was done. Try again in ${seconds} s`,
        { retryAfter: seconds, isFirst },
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

/** Rate limit per minute, with a burst of the same size after an idle minute. */
class TokenBucket {
  isRefusing = false;
  readonly #perMinute: number;
  #tokens: number;
  #at: number;

  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#tokens = perMinute;
    this.#at = now;
  }

  wait(now: number): number {
    this.#fill(now);
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) * 60 / this.#perMinute;
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens--;
    this.isRefusing = false;
  }

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

/** Characters of a text that a tool takes; the console and commands take longer ones. */
export const MAX_TEXT = 20_000;
const DEEPEST = 64;
const MAX_ELEMENTS = 50_000;

/**
 * Rejects oversized arguments, because parsing them would block the server for all other clients.
 *
 * @throws {RangeError} naming the exceeded limit.
 */
export function checkArgumentLimits(args: unknown): void {
  let elements = 0;
  const open: { value: unknown; depth: number }[] = [{ value: args, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && value.length > MAX_TEXT) {
      throw new RangeError(
        `Cannot take a text of ${value.length} characters: ${MAX_TEXT} is the maximum for an argument`,
      );
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth >= DEEPEST) {
      throw new RangeError(`Cannot take arguments nested more than ${DEEPEST} levels deep`);
    }
    for (const [name, part] of Object.entries(value)) {
      if (++elements > MAX_ELEMENTS) {
        throw new RangeError(`Cannot take arguments of more than ${MAX_ELEMENTS} elements`);
      }
      open.push({ value: name, depth: depth + 1 }, { value: part, depth: depth + 1 });
    }
  }
}
