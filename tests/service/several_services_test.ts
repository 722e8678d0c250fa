import { fileURLToPath } from "node:url";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { timeZoneOf } from "../../src/base/markets/markets.ts";
import {
  type DoWork,
  parseService,
  runService,
  type ServiceEvent,
} from "../../src/automation/service/mod.ts";
import { StateSession } from "../../src/store/warehouse/state_session.ts";
import { textSource } from "../../src/store/stream/text_source.ts";
import type { StreamSource } from "../../src/store/stream/stream_source.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeStore, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { HOUR, START, World } from "./service_world.ts";
import { longFile } from "../support/long.ts";

longFile();

async function twoServices(place: string): Promise<void> {
  const world = new World(place, "timers: { sync: hourly, watch: every 30m, drift: every 15m }", [
    "US",
    "CA",
  ]);
  let open = 0;
  const busy = new Set<string>();
  const work: DoWork = async ({ profile, timer }) => {
    const key = `${profile.profileId} ${timer.name}`;
    ok(!busy.has(key), `${key} runs twice at the same time`);
    busy.add(key);
    open++;
    await new Promise((resume) => setTimeout(resume, 2));
    busy.delete(key);
    return "fine";
  };
  await Promise.all([world.until(START + 6 * HOUR, work), world.until(START + 6 * HOUR, work)]);
  equal(
    world.events.filter(({ kind }) => kind === "failed").length,
    0,
    JSON.stringify(world.events.find(({ kind }) => kind === "failed")),
  );
  const times = world.events.filter(({ kind }) => kind === "done").map(({ profileId, timer, due }) =>
    `${profileId} ${timer} ${due}`
  );
  equal(new Set(times).size, times.length, "nothing is done twice");
  ok(open >= 30, String(open));
}

Deno.test("SQLite: two services on one store do nothing twice", async () => {
  await using folder = await temporaryFolder();
  await twoServices(folder.file("ads.sqlite"));
});

if (hasPostgres) {
  Deno.test("PostgreSQL: two services on one store do nothing twice", async () => {
    const server = await testServer();
    try {
      await twoServices(await makeStore(server));
    } finally {
      await server.stop();
    }
  });
}

/** Services that come and go on one store, each with its own connection. */
async function manyServices(place: string, count: number): Promise<void> {
  const QUARTER = HOUR / 4;
  const end = START + 5 * HOUR;
  const minutes = { sync: 30, watch: 60, drift: 15 } as const;
  const countries = ["US", "CA", "JP"];
  const events: ServiceEvent[] = [];
  const done = new Set<string>();
  let now = START;
  let turns = 0;
  /** The clock goes on slowly while something is due, and at once when all is done. */
  const tick = (): void => {
    const isDone = countries.every((_, at) =>
      Object.entries(minutes).every(([timer, each]) =>
        done.has(`10${at} ${timer} ${Math.floor(now / (60_000 * each)) * 60_000 * each}`)
      )
    );
    const next = (Math.floor(now / QUARTER) + 1) * QUARTER;
    now = isDone ? next : Math.min(next - 1000, now + 1000);
  };
  const profiles = new World(place, "timers: { sync: hourly }", countries).profiles.map((profile) => ({
    ...profile,
    transport: { now: () => now },
  })) as unknown as ProfileClient[];
  const work: DoWork = async ({ signal }) => {
    await new Promise((resume) => setTimeout(resume, 1 + turns++ % 3));
    signal.throwIfAborted();
    return "fine";
  };
  const workers = new Set<number>();
  const over = new AbortController();
  await Promise.all(Array.from({ length: count }, async (_, at) => {
    // Every second service is asked to end in the middle of its work, again and again, and comes back.
    while (!over.signal.aborted) {
      const stop = new AbortController();
      let begun = 0;
      await runService(profiles, {
        file: parseService(
          "version: 1\nprofiles: all\ntimers: { sync: every 30m, watch: hourly, drift: every 15m }",
          "s",
        ),
        place,
        store: {} as never,
        plans: {} as never,
        work: { sync: work, drift: work, watch: work },
        onEvent: (event) => {
          events.push(event);
          if (event.kind === "began" && at % 2 === 1 && ++begun === 3) stop.abort();
          if (event.kind !== "done") return;
          workers.add(at);
          const key = `${event.profileId} ${event.timer} ${event.due}`;
          ok(!done.has(key), `${key} is done twice`);
          done.add(key);
        },
        sleep: async () => {
          await new Promise((resume) => setTimeout(resume, 1));
          tick();
          if (now >= end) over.abort();
        },
        signal: AbortSignal.any([stop.signal, over.signal]),
      });
    }
  }));
  deepEqual(events.filter(({ kind }) => kind === "failed"), []);
  ok(events.some(({ kind }) => kind === "stopped"), "some were cut off");
  ok(workers.size > 1, "several of them work");
  for (const [at] of countries.entries()) {
    for (const [timer, each] of Object.entries(minutes)) {
      const first = Math.floor(START / (60_000 * each)) * 60_000 * each;
      for (let due = first; due < end - QUARTER; due += 60_000 * each) {
        ok(
          done.has(`10${at} ${timer} ${due}`),
          `10${at} ${timer} ${new Date(due).toISOString()} is left out`,
        );
      }
    }
  }
}

if (hasPostgres) {
  Deno.test("PostgreSQL: of five services that come and go on one store each time of a timer is done by one, and none is left out", async () => {
    const server = await testServer();
    try {
      await manyServices(await makeStore(server), 5);
    } finally {
      await server.stop();
    }
  });
}

/** A service is killed in the middle of its work, with SIGKILL, and two go on on its store. */
async function killedService(place: string): Promise<void> {
  const program = fileURLToPath(new URL("killed_service.ts", import.meta.url));
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", program, place, String(START)],
    stdout: "piped",
  }).spawn();
  const reader = process.stdout.getReader();
  match(new TextDecoder().decode((await reader.read()).value), /began/);
  process.kill("SIGKILL");
  await process.status;
  await reader.cancel();

  const timers = "timers: { sync: hourly, watch: every 30m, drift: { at: daily 02:00, missed: skip } }";
  const world = new World(place, timers);
  const both = (end: number): Promise<unknown> => Promise.all([world.until(end), world.until(end)]);
  await both(START + 0.25 * HOUR);
  const syncs = (): string[] =>
    world.events.filter(({ timer }) => timer === "sync").map(({ kind, due, attempt }) =>
      `${kind} ${new Date(due).toISOString().slice(11, 16)} ${attempt}`
    );
  deepEqual(syncs(), [], "the killed one may be alive while its lease lasts");
  const session = await StateSession.open(place, { what: "service", tables: [] });
  await session.rows("UPDATE service_leases SET until = 0");
  await session.close();
  await both(START + 0.4 * HOUR);
  deepEqual(syncs().slice(0, 2), ["began 12:00 2", "done 12:00 2"], "its work is made again, by one");

  // Two days without any service: what is missed is made up for once, or skipped as the timer says.
  await both(START + 2 * HOUR);
  world.now += 48 * HOUR;
  const [before, back] = [world.events.length, world.now];
  await both(back + 2 * HOUR);
  const after = world.events.slice(before).filter(({ kind }) => kind === "done");
  deepEqual([...new Set(after.map(({ timer }) => timer))].sort(), ["sync", "watch"]);
  ok(after.every(({ due }) => due > back - HOUR), "two days are one run");
  await both(world.now + 24 * HOUR);
  const done = world.events.filter(({ kind }) => kind === "done").map(({ timer, due }) => `${timer} ${due}`);
  equal(new Set(done).size, done.length, "no time of a timer is done twice");
  ok(done.filter((line) => line.startsWith("drift")).length <= 1, "what is skipped stays skipped");
  deepEqual(world.events.filter(({ kind }) => kind === "failed"), []);
}

Deno.test("SQLite: of two services beside a killed one each time of a timer is done by one, made up for or skipped", async () => {
  await using folder = await temporaryFolder();
  await killedService(folder.file("ads.sqlite"));
});

if (hasPostgres) {
  Deno.test("PostgreSQL: of two services beside a killed one each time of a timer is done by one, made up for or skipped", async () => {
    const server = await testServer();
    try {
      await killedService(await makeStore(server));
    } finally {
      await server.stop();
    }
  });
}

Deno.test("the hourly stream is read once for all profiles, until the next hour and then anew, and by the way of --once to its end", async () => {
  await using folder = await temporaryFolder();
  const place = folder.file("ads.sqlite");
  let now = Date.parse("2026-11-20T12:59:59.700Z");
  const profiles = ["US", "CA"].map((countryCode, at) =>
    ({
      profileId: `10${at}`,
      countryCode,
      timeZone: timeZoneOf({ countryCode }),
      transport: { now: () => now },
    }) as unknown as ProfileClient
  );
  const events: ServiceEvent[] = [];
  const stop = new AbortController();
  await using store = await Warehouse.open(place, { now: () => now });
  const waits: StreamSource[] = [];
  const options = {
    file: parseService(
      "version: 1\nprofiles: all\nqueue: arn:aws:sqs:us-east-1:1:hourly\ntimers: { stream: continuous, drift: hourly }",
      "s",
    ),
    place,
    store,
    plans: {} as never,
    concurrency: 1,
    work: { drift: () => Promise.resolve("fine") },
    onEvent: (event: ServiceEvent) => void events.push(event),
  };
  const hours = (kind: string, timer: string): string[] =>
    events.filter((one) => one.kind === kind && one.timer === timer).map(({ countryCode, due }) =>
      `${countryCode} ${new Date(due).getUTCHours()}`
    );
  await runService(profiles, {
    ...options,
    stream: () => {
      const source = textSource(new ReadableStream<string>({ start: (pipe) => pipe.enqueue('{"a":1}\n') }));
      waits.push(source);
      return Promise.resolve(source);
    },
    sleep: async () => {
      await new Promise((resume) => setTimeout(resume, 20));
      now += 20;
      if (waits.length === 2 && hours("began", "drift").length === 4) stop.abort();
    },
    signal: stop.signal,
  });
  deepEqual(hours("began", "stream"), ["all 12", "all 13"]);
  deepEqual(hours("done", "stream"), ["all 12"]);
  deepEqual(hours("stopped", "stream"), ["all 13"]);
  deepEqual(
    hours("done", "drift"),
    ["US 12", "CA 12", "US 13", "CA 13"],
    "it takes the place of no other work",
  );
  const [first] = events.filter(({ kind, timer }) => kind === "done" && timer === "stream");
  equal(first?.detail, "0 records stored, 0 came again, 1 set aside");

  now += HOUR;
  events.length = 0;
  await runService(profiles, {
    ...options,
    once: true,
    stream: () => Promise.resolve(textSource('{"b":2}\n{"b":3}\n')),
  });
  deepEqual(hours("done", "stream"), ["all 14"]);
  events.length = 0;
  now += HOUR;
  await runService(profiles, { ...options, once: true });
  match(events.find(({ kind }) => kind === "failed")?.detail ?? "", /No queue is known: name it under queue/);
});
