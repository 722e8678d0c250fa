import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type ApiRequest, Pacer, ThrottledError, type TransportEvent } from "../../mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { stubPlatform } from "../support/stub_client.ts";
import { SharedMemory } from "./pacer/lane_world.ts";
import { busyRequests as busy, done, throttled, transportWorld as world } from "./transport_world.ts";
import { until } from "../support/until.ts";

const BASE_URL = stubPlatform("http://127.0.0.1:9").regions.NA!.baseUrl;

/** Responses that are held back: one is released, or all from now on. */
function hanging(): {
  respond: () => Promise<Response>;
  release: (response: Response) => void;
  open: () => void;
} {
  const waiting: ((response: Response) => void)[] = [];
  let isOpen = false;
  return {
    respond: () => new Promise((resolve) => isOpen ? resolve(done()) : waiting.push(resolve)),
    release: (response) => waiting.shift()?.(response),
    open: () => {
      isOpen = true;
      for (const resolve of waiting) resolve(done());
    },
  };
}

Deno.test("beforeAttempt is awaited right before each attempt, and what it throws ends the request and frees its place", async () => {
  const order: string[] = [];
  const one = world((
    _,
    turn,
  ) => (order.push("sent"), turn === 1 ? new Response("", { status: 503 }) : done()));
  const beforeAttempt = async (): Promise<void> => {
    await null;
    order.push("before");
  };
  equal(await one.send({ beforeAttempt }), "done");
  deepEqual(order, ["before", "sent", "before", "sent"]);

  const other = world(done);
  const refuse = (): never => {
    throw new RangeError("not now");
  };
  await rejects(other.send({ beforeAttempt: refuse }), /not now/);
  deepEqual([other.sent.length, busy(other)], [0, 0]);
  equal(await other.send(), "done");
});

Deno.test("a pause that begins right before a request leaves holds it back, and it asks once more", async () => {
  const made = world(done);
  let asked = 0;
  const beforeAttempt = (): void => {
    if (++asked === 1) made.transport.pacer.pause(5);
  };
  equal(await made.send({ beforeAttempt }), "done");
  deepEqual([asked, made.sent.length, busy(made), made.time.slept], [2, 1, 0, [5]]);
});

Deno.test("a profile that is refused right before its request leaves holds that back, after the pause of all too", async () => {
  const made = world(done);
  let asked = 0;
  const beforeAttempt = async (): Promise<void> => {
    if (++asked > 1) return;
    const lane = made.transport.pacer.lane(BASE_URL, "sp reads");
    const turn = await lane.turn({
      caller: 1,
      profile: "7",
      weight: 1,
      priority: "interactive",
      retried: false,
      patience: 600,
      tooLong: () => new Error("too long"),
    });
    turn!.throttled(60, { asked: true });
    made.time.advance(10);
    equal(made.transport.pacer.remaining, 0);
  };
  equal(await made.send({ scope: "7", beforeAttempt }), "done");
  deepEqual([asked, made.sent.length, busy(made), made.time.slept], [2, 1, 0, [50]]);
});

Deno.test("a request is one that was refused from its second attempt on", async () => {
  const made = world((_, turn) => turn === 1 ? throttled(5) : done());
  const lane = made.transport.pacer.lane(BASE_URL, "sp reads");
  const retried: boolean[] = [];
  const turn = lane.turn.bind(lane);
  lane.turn = (request) => (retried.push(request.retried), turn(request));
  await made.send();
  deepEqual(retried, [false, true]);
});

Deno.test("a token that expires while its request waits for its turn is renewed before that leaves", async () => {
  const places = hanging();
  const made = world((path) => path.endsWith("hang") ? places.respond() : done(), { held: true });
  const others = Array.from({ length: 16 }, () => made.send({ path: "/sp/hang" }));
  await until(() => busy(made) === 16);
  const waits = made.send();
  await until(() => made.transport.pacer.paces()[0]?.waiting === 1);
  made.time.advance(3500);
  places.open();
  equal(await waits, "done");
  await Promise.all(others);
  deepEqual(made.sent.slice(15), ["Bearer token-1", "Bearer token-2"]);
  equal(busy(made), 0);
});

Deno.test("each wait for the pause is reported with its seconds, a short one too", async () => {
  const events: TransportEvent[] = [];
  const made = world((_, turn) => turn === 1 ? throttled(0.5) : done(), {
    onEvent: (event) => events.push(event),
  });
  await made.send();
  deepEqual(events.filter(({ kind }) => kind === "wait").map(({ seconds }) => seconds), [0.5]);
});

Deno.test("a request may wait exactly as long as the policy allows, and no second longer", async () => {
  const retry = { maxTotalWait: 20 };
  const exactly = world((_, turn) => turn === 1 ? throttled(20) : done(), { retry });
  equal(await exactly.send(), "done");
  deepEqual(exactly.time.slept, [20]);
  exactly.transport.pacer.pause(20);
  equal(await exactly.send(), "done");
  exactly.transport.pacer.pause(20.5);
  await rejects(exactly.send(), (error: Error) => {
    ok(error instanceof ThrottledError);
    deepEqual([error.statusCode, error.sent, error.retryAfter], [429, false, 20.5]);
    match(
      error.message,
      /asked this client to pause for 21 s more, until 2026-09-30 12:01:00 UTC, which is past the 20 s/,
    );
    return true;
  });
});

Deno.test("a pause that is made longer meanwhile ends a request that was sent before, and it says so", async () => {
  const made = world((_, turn) => turn === 1 ? throttled(10) : done(), {
    sleep: async (seconds) => {
      await time.sleep(seconds);
      made.transport.pacer.pause(595);
    },
  });
  const { time } = made;
  await rejects(
    made.send(),
    (error: Error) => error instanceof ThrottledError && error.sent && error.retryAfter === 595,
  );
  equal(made.sent.length, 1);
});

const AGAIN: readonly [waited: number, others: number, error?: RegExp][] = [
  [590, 0],
  [591, 0, /pause for 10 s more, until .* UTC, which is past the 600 s/],
  [591, 1, /pause for 10 s more, and 1 request waits before it, until .* UTC, which is past the 600 s/],
  [591, 2, /pause for 10 s more, and 2 requests wait before it, until .* UTC, which is past the 600 s/],
];

for (const [waited, before, error] of AGAIN) {
  const seconds = 10;
  Deno.test(`a request that waited ${waited} s ${error ? "gives up" : "waits on"} when ${before} others and it are paused for ${seconds} s`, async () => {
    const places = hanging();
    const made = world((path, turn) => {
      if (path.endsWith("hang")) return places.respond();
      return turn === 1
        ? new Response("", { status: 503, headers: { "retry-after": String(waited) } })
        : done();
    }, { held: true });
    const waiting = (): number | undefined => made.transport.pacer.paces()[0]?.waiting;
    const result = made.send().catch((error: unknown) => error);
    await until(() => made.time.sleepers === 1);
    made.time.advance(waited - 10);
    const others = Array.from({ length: 16 }, () => made.send({ path: "/sp/hang" }));
    await until(() => busy(made) === 16);
    for (let scope = 0; scope < before; scope++) others.push(made.send({ scope: String(scope) }));
    await until(() => waiting() === before);
    made.time.advance(10);
    await until(() => waiting() === before + 1);
    places.release(throttled(seconds));
    await until(() => made.transport.pacer.remaining === seconds && made.time.sleepers > 0);
    places.open();
    made.time.advance(seconds);
    await Promise.all(others);
    const found = await result;
    if (error === undefined) equal(found, "done");
    else ok(found instanceof ThrottledError && found.sent && error.test(found.message), String(found));
  });
}

Deno.test("a request without a scope pauses its sender alone", async () => {
  const made = world((_, turn) => turn === 1 ? throttled(30) : done());
  await rejects(made.send({ scope: undefined, sender: "1", retryThrottled: false }), ThrottledError);
  const waited = (): number => made.time.slept.reduce((sum, seconds) => sum + seconds, 0);
  equal(await made.send({ scope: undefined, sender: "2" }), "done");
  // The platform is overloaded, so that others wait for their turn, but not for the end of the pause.
  ok(waited() < 30, String(waited()));
  equal(await made.send({ scope: undefined, sender: "1" }), "done");
  ok(waited() >= 30, String(waited()));
});

/** The message of a request that may not wait, after these profiles were refused together for an hour. */
async function afterRefusals(refused: readonly string[], request: Partial<ApiRequest>): Promise<string> {
  const made = world(() => throttled(3600));
  await Promise.all(refused.map((scope) => rejects(made.send(scope === "" ? {} : { scope }))));
  equal(made.sent.length, refused.length);
  return await made.send(request).then(String, String);
}

const ASKED: readonly [refused: readonly string[], scope: string | undefined, asked: string][] = [
  [["1"], "1", "profile 1"],
  [["1", "2"], "1", "profile 1"],
  [["1", "2"], "9", "2 profiles (1, 2)"],
  [["1", "2", "3"], "9", "3 profiles (1, 2, 3)"],
  [["1", "2", "3", "4"], "9", "4 profiles (1, 2, 3, …)"],
  [[""], undefined, "requests of this kind without a profile"],
];

for (const [refused, scope, asked] of ASKED) {
  Deno.test(`a request that may not wait after refusals of ${JSON.stringify(refused)} says that ${asked} shall pause`, async () => {
    const message = await afterRefusals(refused, scope === undefined ? {} : { scope });
    ok(message.includes(`: the platform asked ${asked} to pause for 3600 s more, until `), message);
    match(message, /until 2026-09-30 13:00:00 UTC, which is past the 600 s that this request may wait$/);
  });
}

Deno.test("a request may wait as long as it says itself, if the policy allows more", async () => {
  const made = world(done);
  made.transport.pacer.pause(20);
  await rejects(
    made.send({ maxWait: 19.5 }),
    /for 20 s more, until .* past the 19.5 s that this request may/,
  );
  equal(await made.send({ maxWait: 20 }), "done");
  const strict = world(done, { retry: { maxTotalWait: 5 } });
  strict.transport.pacer.pause(20);
  await rejects(strict.send({ maxWait: 20 }), /past the 5 s/);
});

Deno.test("a shared pace is looked at once more only for a profile that has to pause, and goes on where that was dropped", async () => {
  const time = new FakeTime();
  const store = new SharedMemory(time.now);
  const made = world((_, turn) => turn === 2 ? throttled(3600) : done(), {
    now: time.now,
    sleep: time.sleep,
    pacer: Pacer.shared(store, time),
  });
  await made.send({ scope: "7" });
  equal(store.looks, 2, "its turn and its end");
  await rejects(made.send({ scope: "7" }), ThrottledError);
  equal(store.looks, 4);
  await rejects(made.send({ scope: "7" }), /asked profile 7 to pause/);
  deepEqual([store.looks, made.sent.length], [5, 2]);
  // As another process forgets it.
  await Pacer.shared(store, time).forgetPauses();
  time.advance(10);
  equal(await made.send({ scope: "7" }), "done");
  deepEqual([store.looks, made.sent.length], [9, 3]);
});
