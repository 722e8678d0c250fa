import type { Fetch } from "../../../mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import type { VirtualClock } from "./virtual_clock.ts";

/** How a platform counts: so many in each second of the clock, in any second, or tokens that are saved up. */
export type Counting = "fixed window" | "sliding window" | "token bucket";

/** What its 429 says of the time to wait. */
export type Header = "none" | "right" | "wrong";

/** A limit and until when it holds, in milliseconds. */
export interface Step {
  readonly until: number;
  /** Requests a second. */
  readonly rate: number;
}

/** How a {@linkcode ThrottlingPlatform} behaves. */
export interface ThrottlingOptions {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly counting: Counting;
  readonly header: Header;
  readonly steps: readonly Step[];
  /** Seconds of a request and its response together; each differs by up to a third. */
  readonly latency: number;
  /** Tokens that are saved up at most. */
  readonly burst?: number;
}

const WRONG: readonly string[] = ["0", "1", "1", "2", "5", "soon"];

/** A platform whose limit nobody knows; it lives in virtual time and gives out tokens for nothing. */
export class ThrottlingPlatform {
  /** Requests that arrived, tokens apart. */
  sent = 0;
  /** Of these, refused. */
  refused = 0;
  /** When each request that was let through arrived. */
  readonly passed: number[] = [];
  readonly options: ThrottlingOptions;
  #stopped: number | undefined;
  #tokens: number;
  #filledAt = 0;
  #window: number[] = [];
  #asked: [from: number, until: number][] = [];

  constructor(options: ThrottlingOptions) {
    this.options = options;
    this.#tokens = options.burst ?? 1;
  }

  readonly fetch: Fetch = async (input) => {
    const { clock, random, latency, header } = this.options;
    if (input.endsWith("/token")) return Response.json({ access_token: "token", expires_in: 1e9 });
    const half = (): number => latency / 2 * (0.7 + random.next() * 0.6);
    if (latency > 0) await clock.sleep(half());
    this.sent++;
    const now = clock.now();
    const isAllowed = this.#stopped === undefined && this.#allows(now);
    if (isAllowed) this.passed.push(now);
    else this.refused++;
    if (latency > 0) await clock.sleep(half());
    if (isAllowed) return new Response("{}", { headers: { "content-type": "application/json" } });
    if (this.#stopped !== undefined) {
      return new Response("", { status: 429, headers: { "retry-after": String(this.#stopped) } });
    }
    if (header === "none") return new Response("", { status: 429 });
    const seconds = header === "right" ? String(Math.ceil(1 / this.rateAt(now))) : random.pick(WRONG);
    if (/\d/.test(seconds)) this.#asked.push([clock.now(), clock.now() + Number(seconds) * 1000]);
    return new Response("", { status: 429, headers: { "retry-after": seconds } });
  };

  /** From now on it refuses everything and asks for so many seconds. */
  stop(seconds: number): void {
    this.#stopped = seconds;
  }

  rateAt(time: number): number {
    return this.#stepAt(time).rate;
  }

  /** How many requests the limit had room for until then, outside of the pauses that the platform asked for. */
  allowed(until: number): number {
    let room = 0;
    for (let from = 0; from < until;) {
      const step = this.#stepAt(from);
      const to = Math.min(step.until, until);
      room += (to - from - this.#askedBetween(from, to)) / 1000 * step.rate;
      from = to;
    }
    return room + (this.options.counting === "token bucket" ? this.options.burst ?? 1 : 0);
  }

  #stepAt(time: number): Step {
    const { steps } = this.options;
    return steps.find(({ until }) => time < until) ?? { until: Infinity, rate: steps.at(-1)!.rate };
  }

  #askedBetween(from: number, to: number): number {
    let asked = 0;
    let counted = from;
    for (const [begin, end] of this.#asked.toSorted(([a], [b]) => a - b)) {
      const start = Math.max(begin, counted);
      if (Math.min(end, to) > start) asked += Math.min(end, to) - start;
      counted = Math.max(counted, end);
    }
    return asked;
  }

  #allows(now: number): boolean {
    const { counting, burst = 1 } = this.options;
    const rate = this.rateAt(now);
    if (counting === "token bucket") {
      this.#tokens = Math.min(Math.max(burst, 1), this.#tokens + (now - this.#filledAt) / 1000 * rate);
      this.#filledAt = now;
      if (this.#tokens < 1 - 1e-9) return false;
      this.#tokens--;
      return true;
    }
    // Below one a second the window is longer.
    const length = rate >= 1 ? 1000 : 1000 / rate;
    const most = Math.max(1, Math.floor(rate));
    const since = counting === "fixed window" ? Math.floor(now / length) * length : now - length;
    this.#window = this.#window.filter((time) => counting === "fixed window" ? time >= since : time > since);
    if (this.#window.length >= most) return false;
    this.#window.push(now);
    return true;
  }
}
