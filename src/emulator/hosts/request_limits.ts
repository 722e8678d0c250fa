import type { Clock } from "../core/clock.ts";
import type { Quirks } from "../core/quirks.ts";
import { Random } from "../core/random.ts";
import { type HttpResponse, jsonResponse } from "../http/http_response.ts";

type LimitQuirks = Pick<Quirks, "requestsPerSecond" | "limitChangeSeconds" | "limitRetryAfter">;

/** Suggested bids have a quarter of the usual limit. */
const RECOMMENDATIONS_SHARE = 4;
const LOWEST = 1 / 3;

/**
 * Requests per second by group of operations and host; limits change over time. At most one second's worth
 * accumulates, and a 429 does not count.
 */
export class RequestLimits {
  readonly #seed: string;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; filledAt: number }>();

  constructor(seed: string, clock: Clock) {
    this.#seed = seed;
    this.#clock = clock;
  }

  refusal(
    request: { method: string; path: string; host: string },
    quirks: LimitQuirks,
  ): HttpResponse | undefined {
    const now = this.#clock.now();
    const group = groupOf(request);
    const key = `${request.host} ${group}`;
    const random = new Random(`${this.#seed} ${key} ${Math.floor(now / 1000 / quirks.limitChangeSeconds)}`);
    const share = LOWEST + (1 - LOWEST) * random.next();
    const limit = Math.max(
      1,
      quirks.requestsPerSecond * share / (group === "recommendations" ? RECOMMENDATIONS_SHARE : 1),
    );
    const saysHow = quirks.limitRetryAfter === "always" ||
      quirks.limitRetryAfter === "sometimes" && random.chance(0.5);
    const bucket = this.#buckets.get(key) ?? { tokens: limit, filledAt: now };
    this.#buckets.set(key, bucket);
    bucket.tokens = Math.min(limit, bucket.tokens + Math.max(0, now - bucket.filledAt) / 1000 * limit);
    bucket.filledAt = now;
    if (bucket.tokens < 1) {
      const body = { code: "THROTTLED", message: "Too Many Requests" };
      return jsonResponse(429, body, saysHow ? { headers: { "retry-after": "1" } } : {});
    }
    bucket.tokens--;
    return undefined;
  }
}

function groupOf({ method, path }: { method: string; path: string }): string {
  if (path.includes("/recommendations")) return "recommendations";
  const isRead = method === "GET" || path.endsWith("/list") || path.includes("/query/");
  return `${path.split("/")[1] ?? ""} ${isRead ? "reads" : "writes"}`;
}
