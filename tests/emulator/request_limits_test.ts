import { deepEqual, equal, ok } from "../support/assert.ts";
import { World } from "../reliability/support/world.ts";
import { Caller } from "./caller.ts";
import { long } from "../support/long.ts";

/** Statuses of so many requests for the profiles of North America, at one moment of a clock that stands still. */
async function burst(caller: Caller, count: number): Promise<{ passed: number; waits: (string | null)[] }> {
  const responses = [];
  for (let index = 0; index < count; index++) {
    responses.push(await caller.call("GET", "/v2/profiles", undefined, { profile: null }));
  }
  return {
    passed: responses.filter(({ status }) => status === 200).length,
    waits: responses.filter(({ status }) => status === 429).map(({ headers }) => headers.get("retry-after")),
  };
}

Deno.test("without the quirk any number of requests passes", async () => {
  await using caller = await Caller.start({ clock: { frozen: true } });
  deepEqual(await burst(caller, 60), { passed: 60, waits: [] });
});

Deno.test("a limit of requests a second differs by time, and a second later as many pass again", async () => {
  await using caller = await Caller.start({
    // The start of a minute, at which the limit changes.
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
    quirks: { requestsPerSecond: 30, limitChangeSeconds: 60, limitRetryAfter: "always" },
  });
  const limits = new Set<number>();
  for (let minute = 0; minute < 5; minute++) {
    const first = await burst(caller, 35);
    ok(first.passed >= 10 && first.passed <= 30, String(first.passed));
    ok(first.waits.every((wait) => wait === "1"));
    caller.emulator.advance(1);
    equal((await burst(caller, 35)).passed, first.passed);
    limits.add(first.passed);
    caller.emulator.advance(59);
  }
  ok(limits.size > 1, [...limits].join());
});

Deno.test("429 comes without Retry-After where the quirk says so", async () => {
  await using caller = await Caller.start({
    clock: { frozen: true },
    quirks: { requestsPerSecond: 3, limitRetryAfter: "never" },
  });
  const { waits } = await burst(caller, 6);
  ok(waits.length >= 3 && waits.every((wait) => wait === null));
});

Deno.test("reads and writes, families and hosts have limits of their own", async () => {
  await using caller = await Caller.start({ clock: { frozen: true }, quirks: { requestsPerSecond: 3 } });
  const status = async (method: string, path: string, host: "NA" | "EU" = "NA"): Promise<number> =>
    (await caller.call(method, path, undefined, { profile: null, host })).status;
  ok((await burst(caller, 6)).waits.length > 0);
  equal(await status("GET", "/v2/profiles"), 429);
  equal(await status("GET", "/v2/profiles", "EU"), 200);
  ok(await status("PUT", "/v2/profiles") !== 429);
  ok(await status("GET", "/portfolios") !== 429);
});

long();
Deno.test("a client under the limits of a busy day gets all of its work done", async () => {
  await using world = await World.start();
  world.emulator.setFaults("busy-day");
  const { ads, events } = world.client();
  const us = await ads.profile("US");
  const lists = await Promise.all(Array.from({ length: 150 }, () => us.sp.keywords.list({ pageSize: 500 })));
  equal(new Set(lists.map(({ length }) => length)).size, 1);
  ok(events.some(({ pace }) => pace?.group === "sp reads" && pace.rate! < 40));
});
