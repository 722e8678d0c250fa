import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { loadedOnce } from "../../src/base/json/kept_or.ts";
import { Pacer } from "../../src/platform/transport/pacer/pacer.ts";
import { connectionNeverMade } from "../../src/platform/transport/exchange.ts";
import { readErrorBody } from "../../src/platform/transport/error_body.ts";
import { realSleep, SteadyClock } from "../../src/base/time/clock.ts";
import { watchingTimers } from "../support/watching_timers.ts";
import { withoutQuery } from "../../src/platform/transport/query_text.ts";

Deno.test("an address is shown without its query, wherever that begins", () => {
  equal(withoutQuery("http://x/a?b=c?d"), "http://x/a");
  equal(withoutQuery("http://x/a"), "http://x/a");
  equal(withoutQuery("?a"), "");
});

Deno.test("what is loaded once is loaded again after a failure", async () => {
  let loads = 0;
  const load = loadedOnce(() =>
    ++loads === 1 ? Promise.reject(new Error("offline")) : Promise.resolve({ loads })
  );
  await rejects(Promise.all([load(), load()]), /offline/);
  equal(loads, 1);
  deepEqual([await load(), await load()], [{ loads: 2 }, { loads: 2 }]);
});

Deno.test("a pause whose place fails is kept here, and ends no program", async () => {
  const update = () => Promise.reject(new Error("offline"));
  const pacer = new Pacer({ now: () => 0, sleep: () => Promise.resolve() }, { isShared: true, update });
  pacer.pause(7);
  equal(pacer.remaining, 7);
  // An unhandled rejection would fail the test.
  await realSleep(0);
});

Deno.test("a clock that is set back goes on from where it was, and one that sleeps early is set forward", async () => {
  let read = 1000;
  const clock = new SteadyClock({ now: () => read, sleep: () => Promise.resolve() });
  const began = clock.now();
  read = 1500;
  equal(clock.now() - began, 500);
  read = 100;
  equal(clock.now() - began, 500);
  read = 200;
  equal(clock.now() - began, 600);
  await clock.sleep(3);
  equal(clock.now() - began, 3600);
  await clock.sleep(0.0005);
  equal(clock.now() - began, 3600.5);
});

Deno.test("a clock that is set back while it sleeps has moved on by the length of the wait", async () => {
  let read = 5_000_000;
  const sleep = (seconds: number): Promise<void> => {
    read += seconds * 1000 - 3_600_000;
    return Promise.resolve();
  };
  const clock = new SteadyClock({ now: () => read, sleep });
  const began = clock.now();
  await clock.sleep(5);
  equal(clock.now() - began, 5000);
});

Deno.test("a clock that sleeps as long as it should is left as it is, and one of the runtime needs nothing", async () => {
  let read = 0;
  const sleep = (seconds: number): Promise<void> => {
    read += seconds * 1000 + 5;
    return Promise.resolve();
  };
  const clock = new SteadyClock({ now: () => read, sleep });
  const began = clock.now();
  await clock.sleep(2);
  equal(clock.now() - began, 2005);
  const real = new SteadyClock();
  const before = real.now();
  await real.sleep(0.002);
  ok(real.now() - before >= 2);
});

Deno.test("a wait is as long as it should be, up to the longest that a timer takes, and leaves no listener", async () => {
  const { setTimeout } = globalThis;
  const delays: unknown[] = [];
  const { signal } = new AbortController();
  const listening: string[] = [];
  signal.addEventListener = (name: string) => void listening.push(name);
  signal.removeEventListener = (name: string) => void listening.splice(listening.indexOf(name), 1);
  globalThis.setTimeout = ((wake: () => void, delay: number) => {
    delays.push(delay, ...listening);
    return setTimeout(wake, 0);
  }) as typeof setTimeout;
  try {
    for (const seconds of [0, 1.5, 2_147_483, 2_147_484, Infinity]) await realSleep(seconds);
    const wait = realSleep(1, signal);
    deepEqual(listening, ["abort"]);
    await wait;
    deepEqual(listening, []);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  deepEqual(delays, [0, 1500, 2_147_483_000, 2_147_483_647, 2_147_483_647, 1000]);
});

Deno.test("a wait ends with its signal and its timer with it, at once when that is aborted already", async () => {
  const reason = new Error("enough");
  await rejects(realSleep(60, AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const { seconds, left } = await watchingTimers(async () => {
    const wait = realSleep(60, controller.signal);
    controller.abort(reason);
    await rejects(wait, reason);
  });
  deepEqual([seconds, left], [[60], 0]);
  await realSleep(0);
});

Deno.test("a connection that was never made is known by its error or by a cause of it", () => {
  const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
  equal(connectionNeverMade(refused), true);
  equal(connectionNeverMade(new TypeError("fetch failed", { cause: refused })), true);
  equal(connectionNeverMade(new TypeError("error sending request: client error (Connect): x")), true);
  equal(connectionNeverMade(Object.assign(new Error("x"), { code: "ECONNRESET" })), false);
  equal(connectionNeverMade("ECONNREFUSED"), false);
  let nested: Error = refused;
  for (let depth = 0; depth < 4; depth++) nested = new Error("x", { cause: nested });
  equal(connectionNeverMade(nested), true);
  equal(connectionNeverMade(new Error("x", { cause: nested })), false);
  const circle = new Error("x");
  circle.cause = circle;
  equal(connectionNeverMade(circle), false);
});

function read(body: unknown) {
  return readErrorBody(JSON.stringify(body));
}

Deno.test("the details of an error are told once, after its message", () => {
  deepEqual(
    read({ code: "X", message: "bad", errors: [{ message: "bad" }, { message: "worse" }] }),
    {
      code: "X",
      message: "bad: worse",
    },
  );
  deepEqual(read({ errors: [{ message: "worse" }, { details: "worst" }] }).message, "worse; worst");
});
