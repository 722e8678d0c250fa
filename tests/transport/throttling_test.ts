import assert from "node:assert/strict";
import { Pacer, ServerError, ThrottledError } from "../../mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { StubClient } from "../support/stub_client.ts";
import type { StubAnswer } from "../support/stub_server.ts";
import { until } from "../support/until.ts";

const OK = { json: "done" };

function throttled(retryAfter?: string): StubAnswer {
  const date = "Wed, 30 Sep 2026 12:00:00 GMT";
  return { status: 429, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter, date } };
}

/** Something that a handler waits for until the test lets it go on. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

const WAITS: readonly [what: string, header: string | undefined, seconds: number][] = [
  ["as many seconds as the platform asks for", "7", 7],
  ["until the date that the platform gives", "Wed, 30 Sep 2026 12:00:30 GMT", 30],
  ["a random part of the bound when the platform gives no time", undefined, 0.25],
  ["a random part of the bound when the time makes no sense", "bananas 12", 0.25],
];

for (const [what, header, seconds] of WAITS) {
  Deno.test(`After 429 a request waits ${what}`, async () => {
    await using client = StubClient.start((_, turn) => turn === 1 ? throttled(header) : OK, {
      transport: { random: () => 0.25 },
    });
    assert.equal(await client.send(), "done");
    assert.deepEqual(client.time.slept, [seconds]);
  });
}

Deno.test("After 429 a write is repeated too, for the platform did not act", async () => {
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("1") : OK);
  assert.equal(await client.send({ method: "POST", json: {} }), "done");
});

Deno.test("A 429 that the caller wants to see is not retried, and pauses the client all the same; a 503 is retried", async () => {
  await using client = StubClient.start((_, turn) =>
    turn === 1 ? { status: 503 } : turn === 2 ? throttled("4") : OK
  );
  await assert.rejects(client.send({ retryThrottled: false }), ThrottledError);
  assert.equal(client.requests.length, 2);
  assert.equal(client.transport.pacer.remaining, 4);
  assert.equal(await client.send({ retryThrottled: true }), "done");
  assert.deepEqual(client.time.slept, [1, 4]);
});

Deno.test("Without a given time the bound doubles with each attempt", async () => {
  await using client = StubClient.start((_, turn) => turn < 6 ? throttled() : OK);
  await client.send();
  assert.deepEqual(client.time.slept, [1, 2, 4, 8, 16]);
});

Deno.test("429 after every attempt is a ThrottledError", async () => {
  await using client = StubClient.start(() => throttled("2"), { transport: { retry: { maxAttempts: 3 } } });
  await assert.rejects(
    client.send(),
    (error: Error) => error instanceof ThrottledError && error.retryAfter === 2,
  );
  assert.equal(client.requests.length, 3);
  assert.deepEqual(client.time.slept, [2, 2]);
});

Deno.test("A wait past maxTotalWait is not begun", async () => {
  await using client = StubClient.start(() => throttled("250"));
  await assert.rejects(client.send(), ThrottledError);
  assert.deepEqual(client.time.slept, [250, 250]);
  assert.equal(client.requests.length, 3);
});

Deno.test("A request that arrives in a pause longer than it may wait fails unsent and says so", async () => {
  await using client = StubClient.start(() => throttled("601"));
  await assert.rejects(client.send(), ThrottledError);
  await assert.rejects(client.send({ path: "/things/other" }), (error: Error) => {
    assert.ok(error instanceof ThrottledError);
    assert.match(
      error.message,
      /Cannot send GET .*\/na\/things\/other: .* 601 s more, until 2026-09-30 12:10:01 UTC.* 600 s/,
    );
    return error.retryAfter === 601;
  });
  assert.equal(client.requests.length, 1);
});

Deno.test("While one request is throttled, no request of the client leaves for 10 s, and none of its group", async () => {
  const time = new FakeTime({ held: true });
  const arrivals: [path: string, second: number][] = [];
  const began = time.now();
  await using client = StubClient.start(({ path }, turn) => {
    arrivals.push([path, (time.now() - began) / 1000]);
    return turn === 1 ? throttled("30") : OK;
  }, { time });
  const send = (path: string): Promise<unknown> => client.send({ path, method: "POST", json: {} });
  const first = send("/things/first");
  await until(() => time.sleepers === 1);
  const others = ["/a", "/b", "/c"].map(send);
  const alike = send("/things/second");
  await until(() => time.sleepers === 5);
  time.advance(9.5);
  assert.equal(time.sleepers, 5);
  time.advance(0.5);
  await Promise.all(others);
  time.advance(19.5);
  assert.equal(time.sleepers, 2);
  time.advance(0.5);
  await Promise.all([first, alike]);
  assert.deepEqual(arrivals.map(([, second]) => second), [0, 10, 10, 10, 30, 30]);
  assert.deepEqual(arrivals.slice(4).map(([path]) => path).sort(), ["/na/things/first", "/na/things/second"]);
});

Deno.test("A second 429 makes the pause longer for those who wait already", async () => {
  const time = new FakeTime({ held: true });
  const began = time.now();
  const seconds: number[] = [];
  let arrived = 0;
  let answerBoth = (): void => {};
  const bothArrived = new Promise<void>((resolve) => answerBoth = resolve);
  await using client = StubClient.start(async ({ path }, turn) => {
    if (turn > 2) seconds.push((time.now() - began) / 1000);
    if (turn > 2) return OK;
    if (++arrived === 2) answerBoth();
    await bothArrived;
    return throttled(path.endsWith("long") ? "50" : "10");
  }, { time });
  const both = [client.send({ path: "/things/long" }), client.send({ path: "/things/short" })];
  await until(() => time.sleepers === 2);
  time.advance(10);
  // The shorter wait is over, and sleeps again for the rest of the longer one.
  await until(() => time.sleepers === 2);
  time.advance(39);
  assert.deepEqual([time.sleepers, seconds], [2, []]);
  time.advance(1);
  await Promise.all(both);
  assert.deepEqual(seconds, [50, 50]);
});

Deno.test("A request that got its token while another was throttled waits with it", async () => {
  const time = new FakeTime({ held: true });
  const held = [gate(), gate()];
  let tokens = 0;
  const arrivals: string[] = [];
  await using client = StubClient.start(async ({ path }) => {
    if (path === "/token") {
      if (++tokens === 2) await held[0]!.opened;
      return { json: { access_token: `token-${tokens}`, expires_in: 3600 } };
    }
    if (arrivals.push(path) > 1) return OK;
    await held[1]!.opened;
    return throttled("30");
  }, { time, tokens: false });
  const first = client.send({ path: "/first" });
  await until(() => arrivals.length === 1);
  time.advance(3600);
  const second = client.send({ path: "/second" });
  await until(() => tokens === 2);
  held[1]!.open();
  await until(() => time.sleepers === 1);
  held[0]!.open();
  await until(() => time.sleepers === 2);
  assert.deepEqual(arrivals, ["/na/first"]);
  time.advance(30);
  assert.deepEqual(await Promise.all([first, second]), ["done", "done"]);
});

Deno.test("The token endpoint is not the throttled host: a consent code is exchanged during a pause", async () => {
  const time = new FakeTime({ held: true });
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("60") : OK, { time });
  const pending = client.send();
  await until(() => time.sleepers === 1);
  const { status } = await client.transport.postForm({ grant_type: "authorization_code", code: "c" });
  assert.equal(status, 200);
  time.advance(60);
  assert.equal(await pending, "done");
});

Deno.test("A pause is never made shorter", () => {
  const time = new FakeTime();
  const pacer = new Pacer(time);
  pacer.pause(50);
  pacer.pause(10);
  assert.equal(pacer.remaining, 50);
  time.advance(20);
  assert.equal(pacer.remaining, 30);
  time.advance(40);
  assert.equal(pacer.remaining, 0);
});

Deno.test("A pacer of one's own learns of every pause that the platform asks for", async () => {
  const pauses: number[] = [];
  class Watched extends Pacer {
    override pause(seconds: number): void {
      pauses.push(seconds);
      super.pause(seconds);
    }
  }
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("5") : OK, {
    transport: { pacer: new Watched() },
  });
  await client.send();
  assert.deepEqual(pauses, [5]);
});

Deno.test("Two clients do not share a pause", async () => {
  await using throttledClient = StubClient.start((_, turn) => turn === 1 ? throttled("5") : OK);
  await using other = StubClient.start(() => OK, { time: throttledClient.time });
  const pending = throttledClient.send();
  await other.send();
  assert.equal(await pending, "done");
  assert.deepEqual(throttledClient.time.slept, [5]);
});

Deno.test("A token that expires during a pause is renewed before the request goes on", async () => {
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("3600") : OK, {
    transport: { retry: { maxTotalWait: 4000 } },
  });
  await client.send();
  assert.deepEqual(client.requests.map(({ headers }) => headers.get("authorization")), [
    "Bearer token-1",
    "Bearer token-2",
  ]);
});

for (const status of [500, 502, 503, 504]) {
  Deno.test(`${status} is repeated for a read and stands for a write`, async () => {
    await using client = StubClient.start((_, turn) => turn === 2 ? OK : { status });
    assert.equal(await client.send(), "done");
    assert.deepEqual(client.time.slept, [1]);
    await assert.rejects(client.send({ method: "POST", json: {} }), ServerError);
    assert.equal(client.requests.length, 3);
  });
}

Deno.test("A read by POST that says it is idempotent is repeated after 5xx", async () => {
  await using client = StubClient.start((_, turn) => turn < 3 ? { status: 502 } : OK);
  assert.equal(await client.send({ method: "POST", json: {}, idempotent: true }), "done");
});

Deno.test("5xx with Retry-After waits that long, without holding up others", async () => {
  const time = new FakeTime({ held: true });
  await using client = StubClient.start(
    ({ path }, turn) =>
      path === "/na/failing" && turn === 1 ? { status: 503, headers: { "retry-after": "20" } } : OK,
    { time },
  );
  const failing = client.send({ path: "/failing" });
  await until(() => time.sleepers === 1);
  assert.equal(await client.send({ path: "/other" }), "done");
  time.advance(20);
  assert.equal(await failing, "done");
  assert.deepEqual(time.slept, [20]);
});

Deno.test("501 and other refusals are not repeated", async () => {
  for (const status of [400, 403, 404, 406, 415, 422, 425, 501]) {
    await using client = StubClient.start(() => ({ status }));
    await assert.rejects(client.send());
    assert.equal(client.requests.length, 1, String(status));
  }
});

Deno.test("The token endpoint's own 429 obeys its Retry-After and holds up no one else", async () => {
  let turn = 0;
  await using client = StubClient.start(({ path }) => {
    if (path !== "/token") return OK;
    turn++;
    if (turn === 1) return throttled("9");
    if (turn === 2) return { status: 503 };
    return { json: { access_token: "late", expires_in: 3600 } };
  }, { tokens: false });
  assert.equal(await client.send(), "done");
  assert.deepEqual(client.time.slept, [9, 2]);
});

Deno.test("A clock that is set back an hour in a pause makes the pause no longer", async () => {
  const time = new FakeTime();
  let setBack = 0;
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("5") : OK, {
    time,
    transport: {
      now: () => time.now() - setBack,
      sleep: async (seconds, signal) => {
        await time.sleep(seconds, signal);
        setBack = 3_600_000;
      },
    },
  });
  assert.equal(await client.send(), "done");
  assert.deepEqual(time.slept, [5]);
});

Deno.test("A clock that is set back before a request makes no pause of the past come back", async () => {
  const time = new FakeTime();
  let setBack = 0;
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("5") : OK, {
    time,
    transport: { now: () => time.now() - setBack },
  });
  await client.send();
  setBack = 3_600_000;
  await client.send();
  assert.deepEqual(time.slept, [5]);
});

Deno.test("Waits that end at once, as in a test, end the pause", async () => {
  await using client = StubClient.start((_, turn) => turn === 1 ? throttled("5") : OK, {
    transport: { now: Date.now, sleep: () => Promise.resolve() },
  });
  assert.equal(await client.send(), "done");
  assert.equal(client.requests.length, 2);
});
