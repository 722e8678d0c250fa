import { equal, match, ok } from "../../support/assert.ts";
import {
  type ApiRequest,
  PlatformAds,
  type PlatformAdsOptions,
  ThrottledError,
  type TransportEvent,
} from "../../../mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import {
  type Counting,
  type Header,
  type ThrottlingOptions,
  ThrottlingPlatform,
} from "./throttling_platform.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** A client of a platform with one limit, in virtual time. */
function world(
  limit: Partial<ThrottlingOptions> & { rate: number },
  options: Partial<PlatformAdsOptions> = {},
): {
  clock: VirtualClock;
  platform: ThrottlingPlatform;
  send: (request?: Partial<ApiRequest>) => Promise<number>;
} {
  const clock = new VirtualClock();
  const random = new SeededRandom(5);
  const platform = new ThrottlingPlatform({
    clock,
    random,
    counting: "fixed window",
    header: "none",
    latency: 0.1,
    steps: [{ until: Infinity, rate: limit.rate }],
    ...limit,
  });
  const stub = stubPlatform("http://127.0.0.1:9");
  const { transport } = new PlatformAds(STUB_CREDENTIALS, {
    platform: stub,
    fetch: platform.fetch,
    now: clock.now,
    sleep: clock.sleep,
    random: () => random.next(),
    ...options,
  });
  const send = async (request: Partial<ApiRequest> = {}): Promise<number> => {
    const baseUrl = stub.regions.NA!.baseUrl;
    await transport.send({ method: "GET", baseUrl, path: "/sp/keywords", idempotent: true, ...request });
    return clock.now();
  };
  return { clock, platform, send };
}

function times<T>(count: number, work: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => work(index));
}

const COUNTINGS: readonly Counting[] = ["fixed window", "sliding window", "token bucket"];
const HEADERS: readonly Header[] = ["none", "right", "wrong"];

for (const counting of COUNTINGS) {
  for (const header of HEADERS) {
    for (const latency of [0, 0.2]) {
      Deno.test(`200 requests at a limit of 5 a second get 200 responses (${counting}, Retry-After ${header}, ${latency} s)`, async () => {
        const { clock, platform, send } = world({ rate: 5, counting, header, latency, burst: 5 });
        await clock.run(Promise.all(times(200, () => send())));
        equal(platform.passed.length, 200);
        ok(platform.sent <= 260, `${platform.sent} requests were sent`);
        const share = 200 / platform.allowed(platform.passed.at(-1)!);
        ok(share > 0.75, `${share} of what the limit allowed`);
      });
    }
  }
}

Deno.test("after a pause requests leave one after the other, not together", async () => {
  const { clock, platform, send } = world({ rate: 5 });
  await clock.run(Promise.all(times(100, () => send())));
  const later = platform.passed.filter((time) => time > 2000);
  const together = later.filter((time, at) => at > 0 && time - later[at - 1]! < 20);
  ok(together.length < later.length / 10, `${together.length} of ${later.length} left together`);
});

Deno.test("a queue that moves is no failure, however long it is", async () => {
  const { clock, platform, send } = world({ rate: 1 }, { retry: { maxTotalWait: 60 } });
  await clock.run(Promise.all(times(300, () => send())));
  equal(platform.passed.length, 300);
  ok(platform.passed.at(-1)! > 280_000);
});

Deno.test("one who gives up says how many are before it, and that it was never sent", async () => {
  const { clock, platform, send } = world({ rate: 5 });
  const errors: unknown[] = [];
  const first = times(40, () => send());
  const stuck = clock.sleep(2).then(() => {
    platform.stop(3600);
    return Promise.all(times(3, () => send().catch((error) => errors.push(error))));
  });
  await clock.run(Promise.allSettled([...first, stuck]));
  const unsent = errors.filter((error) => error instanceof ThrottledError && !error.sent);
  equal(unsent.length, 3);
  match(
    String(unsent.at(-1)),
    /Cannot send GET .*: the platform asked requests .*without a profile to pause for \d+ s more, until/,
  );
  equal(new Set(unsent.map((error) => (error as ThrottledError).statusCode)).size, 1);
});

Deno.test("interactive requests overtake bulk ones, which go on all the same", async () => {
  const { clock, send } = world({ rate: 5 });
  const bulk = times(150, () => send({ priority: "bulk" }));
  const late = clock.sleep(5).then(() => Promise.all(times(10, () => send({ path: "/sp/campaigns" }))));
  const [bulkEnds, lateEnds] = await clock.run(Promise.all([Promise.all(bulk), late]));
  ok(Math.max(...lateEnds) < 9500, `the last one had its response after ${Math.max(...lateEnds)} ms`);
  const meanwhile = bulkEnds.filter((time) => time > 5500 && time < Math.max(...lateEnds));
  ok(meanwhile.length > 0, "bulk requests got through meanwhile");
});

const { signal } = new AbortController();
const CALLERS: Readonly<Record<string, readonly [many: Partial<ApiRequest>, few: Partial<ApiRequest>]>> = {
  "another profile": [{ scope: "1" }, { scope: "2" }],
  "another path": [{ path: "/sp/keywords" }, { path: "/sp/campaigns" }],
  "no signal": [{ signal }, {}],
  "a signal of its own": [{ signal }, { signal: new AbortController().signal }],
};

for (const [how, [ofMany, ofFew]] of Object.entries(CALLERS)) {
  Deno.test(`a caller with few requests, known by ${how}, does not wait for one with many`, async () => {
    const { clock, send } = world({ rate: 5 });
    const many = times(200, () => send(ofMany));
    const few = clock.sleep(3).then(() => Promise.all(times(10, () => send(ofFew))));
    const [manyEnds, fewEnds] = await clock.run(Promise.all([Promise.all(many), few]));
    const fairSeconds = 10 / (5 / 2);
    ok(Math.max(...fewEnds) < 3000 + 2 * fairSeconds * 1000, `${Math.max(...fewEnds)} ms`);
    ok(Math.max(...manyEnds) > 40_000);
  });
}

Deno.test("an abort frees the place in the queue at once", async () => {
  const { clock, platform, send } = world({ rate: 5 });
  const controller = new AbortController();
  const reason = new Error("the user pressed a key");
  const left = times(100, () => send({ signal: controller.signal }).then(() => "sent", (error) => error));
  const stay = times(20, () => send());
  const abort = clock.sleep(2).then(() => controller.abort(reason));
  const [results, ends] = await clock.run(Promise.all([Promise.all(left), Promise.all(stay), abort]));
  ok(results.filter((result) => result === reason).length > 80);
  ok(Math.max(...ends) < 9000, `${Math.max(...ends)} ms`);
  ok(platform.passed.length < 50);
});

Deno.test("the pace is reported when it changes, with the group and how many wait", async () => {
  const events: TransportEvent[] = [];
  const { clock, send } = world({ rate: 5 }, { onEvent: (event) => events.push(event) });
  await clock.run(Promise.all(times(60, () => send())));
  const paces = events.flatMap(({ pace }) => pace ?? []);
  ok(paces.length > 0 && paces.length < 20, `${paces.length} reports`);
  const [first] = paces;
  equal(first!.group, "sp reads");
  ok(first!.rate! > 2 && first!.rate! < 10);
  ok(first!.waiting > 20);
});
