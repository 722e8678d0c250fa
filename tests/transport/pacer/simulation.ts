import { PlatformAds, type PlatformAdsOptions } from "../../../mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import { type Counting, type Header, type Step, ThrottlingPlatform } from "./throttling_platform.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** How the limit changes. */
export type Shape = "steady" | "steps up" | "steps down" | "any steps" | "bursts";

/** One caller and how it fared. */
export interface Caller {
  /** Requests that it made. */
  readonly requests: number;
  /** Seconds until its last response. */
  readonly seconds: number;
  /** Seconds that it would have taken had every caller got an equal share of what was let through. */
  readonly fairSeconds: number;
}

/** What one simulation showed. */
export interface Outcome {
  readonly seed: number;
  readonly shape: Shape;
  readonly counting: Counting;
  readonly header: Header;
  /** Seconds of a request and its response. */
  readonly latency: number;
  readonly requests: number;
  /** Requests that ended with an error. */
  readonly failed: number;
  /** Requests sent for each response that was wanted. */
  readonly sentPerAnswer: number;
  /** Share of what the limit had room for. */
  readonly throughput: number;
  readonly callers: readonly Caller[];
}

const SHAPES: readonly Shape[] = ["steady", "steps up", "steps down", "any steps", "bursts"];
const HEADERS: readonly Header[] = ["none", "none", "right", "wrong"];
const COUNTINGS: readonly Counting[] = ["token bucket", "fixed window", "sliding window"];
const [SLOWEST, FASTEST] = [1, 40];

/** Runs callers against a platform whose limit changes, all of it decided by the seed. */
export async function simulate(seed: number, options: Partial<PlatformAdsOptions> = {}): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const clock = new VirtualClock();
  const shape = random.pick(SHAPES);
  const rate = Math.round(1.5 * 12 ** random.next());
  const platform = new ThrottlingPlatform({
    clock,
    random,
    counting: random.pick(COUNTINGS),
    header: random.pick(HEADERS),
    steps: steps(shape, rate, random),
    latency: random.pick([0, 0.05, 0.15, 0.3, 0.8]),
    burst: Math.ceil(rate * random.integer(1, 3)),
  });
  return await drive({ seed, shape, clock, random, platform, rate }, options);
}

async function drive(
  world: {
    seed: number;
    shape: Shape;
    clock: VirtualClock;
    random: SeededRandom;
    platform: ThrottlingPlatform;
    rate: number;
  },
  options: Partial<PlatformAdsOptions>,
): Promise<Outcome> {
  const { seed, shape, clock, random, platform, rate } = world;
  const stub = stubPlatform("http://127.0.0.1:9");
  const ads = new PlatformAds(STUB_CREDENTIALS, {
    platform: stub,
    fetch: platform.fetch,
    now: clock.now,
    sleep: clock.sleep,
    random: () => random.next(),
    ...options,
  });
  const most = Math.min(500, Math.ceil(rate * random.integer(50, 90)));
  const callers = random.integer(1, 6);
  const counts = Array.from({ length: callers }, () => Math.ceil(most / callers * (0.5 + random.next())));
  const ends = counts.map(() => 0);
  let failed = 0;
  const calls = counts.flatMap((count, caller) =>
    Array.from({ length: count }, async () => {
      try {
        await ads.transport.send({
          method: "GET",
          baseUrl: stub.regions.NA!.baseUrl,
          path: "/sp/keywords",
          scope: String(caller),
          idempotent: true,
        });
      } catch {
        failed++;
      }
      ends[caller] = clock.now();
    })
  );
  await clock.run(Promise.all(calls));
  const answers = platform.passed.length;
  const { counting, header, latency } = platform.options;
  return {
    seed,
    shape,
    counting,
    header,
    latency,
    requests: calls.length,
    failed,
    sentPerAnswer: platform.sent / Math.max(1, answers),
    throughput: answers / platform.allowed(Math.max(...platform.passed)),
    callers: counts.map((requests, caller) => ({
      requests,
      seconds: ends[caller]! / 1000,
      fairSeconds: platform.passed[fairPlace(counts, requests) - 1]! / 1000 + latency,
    })),
  };
}

/** The place, among all that were let through, of the last request of a caller when the callers take turns. */
function fairPlace(counts: readonly number[], requests: number): number {
  return counts.reduce((sum, count) => sum + Math.min(count, requests), 0);
}

function steps(shape: Shape, rate: number, random: SeededRandom): Step[] {
  const list: Step[] = [];
  let present = rate;
  for (let until = 0; until < 14_400_000;) {
    until += random.integer(15, 60) * 1000;
    list.push({ until, rate: Math.round(Math.min(FASTEST, Math.max(SLOWEST, present))) });
    if (shape === "steps up") present *= 1.3 + random.next() * 2;
    if (shape === "steps down") present /= 1.3 + random.next() * 2;
    if (shape === "any steps") present = rate * Math.exp((random.next() - 0.5) * 2.5);
    if (shape === "bursts") present = present === rate ? rate * (0.2 + random.next() * 0.3) : rate;
  }
  return list;
}
