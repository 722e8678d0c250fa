import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { type DoWork, runService, ServiceState, serviceStatus } from "../../src/automation/service/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { HOUR, START, World } from "./service_world.ts";
import { long } from "../support/long.ts";

async function withWorld(
  timers: string,
  run: (world: World) => Promise<void>,
  countries?: string[],
): Promise<void> {
  await using folder = await temporaryFolder();
  await run(new World(folder.file("ads.sqlite"), timers, countries));
}

Deno.test("every timer runs once each time it is due, in the zone of its market", async () => {
  await withWorld("timers: { sync: nightly 04:00, schedules: every 30m, watch: every 2h }", async (world) => {
    await world.until(START + 72 * HOUR);
    const clock = (zone: string, time: string): string =>
      new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(
        Date.parse(`${time}Z`),
      );
    for (
      const [country, zone] of [["US", "America/Los_Angeles"], ["DE", "Europe/Paris"], [
        "JP",
        "Asia/Tokyo",
      ]] as const
    ) {
      const of = (timer: string): string[] =>
        world.done.filter((line) => line.startsWith(`${country} ${timer} `)).map((line) =>
          line.split(" ")[2]!
        );
      const syncs = of("sync");
      equal(syncs.length, 4, `${country} ${syncs}: the first night is made up for at the beginning`);
      for (const time of syncs) equal(clock(zone, time), "04:00", `${country} ${time}`);
      for (const [timer, count] of [["schedules", 144], ["watch", 36]] as const) {
        const times = of(timer);
        equal(new Set(times).size, times.length, `${country} ${timer}`);
        ok(Math.abs(times.length - count) <= 1, `${country} ${timer} ${times.length}`);
      }
    }
    ok(world.events.every(({ kind }) => kind === "began" || kind === "done"));
  }, ["US", "DE", "JP"]);
});

Deno.test("watching waits for the sync that is due with it, and begins when that has ended", async () => {
  await withWorld("timers: { watch: daily 04:00, sync: daily 04:00 }", async (world) => {
    await world.until(START + HOUR, async ({ timer }) => {
      if (timer.name === "sync") await new Promise((resume) => setTimeout(resume, 5));
      return "fine";
    });
    deepEqual(world.events.map(({ kind, timer }) => `${timer} ${kind}`), [
      "sync began",
      "sync done",
      "watch began",
      "watch done",
    ]);
  });
});

Deno.test("a failed run is repeated after 5, 15, 60 and 120 minutes, then waits for its next time", async () => {
  await withWorld("timers: { sync: daily 04:00 }", async (world) => {
    await world.until(START + 20 * HOUR, () => Promise.reject(new Error("no reports")));
    const failed = world.events.filter(({ kind }) => kind === "failed");
    deepEqual(
      failed.map(({ attempt, detail }) => `${attempt} ${detail}`),
      [1, 2, 3, 4, 5].map((n) => `${n} no reports`),
    );
    const times = world.times.filter((_, at) => world.events[at]!.kind === "failed");
    for (const [at, minutes] of [5, 15, 60, 120].entries()) {
      const waited = (times[at + 1]! - times[at]!) / 60_000;
      ok(waited >= minutes && waited < minutes + 6, `${waited} minutes, expected ${minutes}`);
    }
    await using state = await ServiceState.open(world.place);
    const [status] = await serviceStatus(world.profiles, { file: world.file, state });
    equal(status!.outcome, "failed");
    equal(status!.isLate && !status!.isDue, true);
    await world.until(world.now + 8 * HOUR);
    const [after] = await serviceStatus(world.profiles, { file: world.file, state });
    deepEqual([after!.outcome, after!.attempt, after!.isLate], ["done", 1, false]);
  });
});

Deno.test("asked to end, a service ends its work, and the next resumes it as the same attempt", async () => {
  await withWorld("timers: { sync: daily 04:00 }", async (world) => {
    const stop = new AbortController();
    const work: DoWork = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        stop.abort(new Error("enough"));
      });
    await world.until(START + 2 * HOUR, work, stop.signal);
    deepEqual(world.events.map(({ kind, attempt }) => `${kind} ${attempt}`), ["began 1", "stopped 1"]);
    await world.until(START + 2 * HOUR);
    deepEqual(world.events.slice(2).map(({ kind, attempt }) => `${kind} ${attempt}`), ["began 1", "done 1"]);
  });
});

Deno.test("a run without an end is made again at once, and at most five times", async () => {
  await withWorld("timers: { sync: daily 04:00 }", async (world) => {
    await using state = await ServiceState.open(world.place);
    const unit = { profileId: "100", timer: "sync" };
    const due = Date.parse("2026-11-20T12:00:00Z");
    await state.begin(unit, { due, attempt: 1, now: START });
    await world.until(START + HOUR);
    deepEqual(world.events.map(({ kind, attempt }) => `${kind} ${attempt}`), ["began 2", "done 2"]);
    await state.begin(unit, { due, attempt: 5, now: START });
    await world.until(world.now + HOUR);
    equal(world.events.length, 2, "what kills its process is not begun for ever");
  });
});

Deno.test("what was missed is made up for once or skipped, as the timer says; a clock that was ahead silences nothing", async () => {
  const timers = "timers: { sync: { at: daily 02:00 }, drift: { at: daily 02:00, missed: skip } }";
  await withWorld(timers, async (world) => {
    await world.until(START + HOUR);
    deepEqual(world.done.map((line) => line.split(" ")[1]), ["sync"]);
    world.now += 5 * 24 * HOUR;
    await world.until(world.now + HOUR);
    deepEqual(world.done.map((line) => line.split(" ")[1]), ["sync", "sync"], "five nights are one run");
    await using state = await ServiceState.open(world.place);
    const ahead = world.now + 40 * 24 * HOUR;
    await state.begin({ profileId: "100", timer: "sync" }, { due: ahead, attempt: 1, now: ahead });
    await world.until(world.now + 25 * HOUR);
    deepEqual(
      world.done.map((line) => line.split(" ")[1]).slice(2),
      ["sync", "drift"],
    );
  });
});

Deno.test("two services whose clocks are days apart do each time of a timer once, and do not take turns", async () => {
  await using folder = await temporaryFolder();
  const place = folder.file("ads.sqlite");
  const timers = "timers: { sync: nightly 04:00 }";
  const [right, ahead] = [new World(place, timers), new World(place, timers)];
  ahead.now += 3 * 24 * HOUR;
  await Promise.all([right.until(START + 6 * HOUR), ahead.until(ahead.now + 6 * HOUR)]);
  deepEqual([right.done.length, ahead.done.length], [1, 1]);
  // The next night is done as well.
  await right.until(START + 24 * HOUR);
  ok(new Set(right.done).size >= 2, right.done.join());
});

long();
Deno.test("services whose clocks are days apart repeat nothing after restarts, and skip no night", async () => {
  await using folder = await temporaryFolder();
  const place = folder.file("ads.sqlite");
  const timers = "timers: { sync: nightly 04:00 }";
  const [right, ahead] = [new World(place, timers), new World(place, timers)];
  ahead.now += 3 * 24 * HOUR;
  // Both services start anew every six hours.
  for (let start = 0; start < 4; start++) {
    for (const world of [right, ahead]) await world.until(world.now + 6 * HOUR);
  }
  deepEqual([right.done.length, ahead.done.length], [2, 2], "the time missed before the start, and a night");
  // The clock that was ahead is gone. What it did silences none of the nights that come.
  for (let night = 0; night < 5; night++) await right.until(right.now + 24 * HOUR);
  equal(right.done.length, 7, right.done.join());
});

Deno.test("a service for no profile is refused", async () => {
  await withWorld("timers: { sync: nightly }", async (world) => {
    await rejects(runService([], { file: world.file, place: world.place } as never), /no profile/);
  });
});

Deno.test("a store that is away for a while does not end a service that runs; one that is away at the start does", async () => {
  await using folder = await temporaryFolder();
  const world = new World(folder.file("ads.sqlite"), "timers: { sync: daily 04:00 }");
  const reasons: string[] = [];
  const stop = new AbortController();
  let looks = 0;
  let broken = false;
  const profile = {
    ...world.profiles[0]!,
    transport: {
      now: () => {
        if (broken && looks < 3) throw new Error("the store is away");
        return world.now;
      },
    },
  } as unknown as ProfileClient;
  const options = {
    file: world.file,
    place: world.place,
    store: {} as never,
    plans: {} as never,
    work: { sync: () => Promise.resolve("fine") },
    onProblem: (reason: string) => void reasons.push(reason),
    sleep: async (seconds: number) => {
      await new Promise((resume) => setTimeout(resume, 1));
      world.now += 1000 * seconds;
      looks++;
      broken = looks < 3;
      if (looks >= 6) stop.abort();
    },
    signal: stop.signal,
  };
  await runService([profile], options);
  deepEqual([...new Set(reasons)], ["the store is away"]);
  ok(looks >= 6, "it went on after the store came back");
  [looks, broken] = [0, true];
  await rejects(runService([profile], { ...options, signal: undefined }), /the store is away/);
});
