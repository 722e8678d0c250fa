import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { Heartbeat, type HeartbeatParts } from "../../../src/store/queue/heartbeat.ts";
import { LeaseLostError, type LeaseSubject } from "../../../src/store/queue/lease.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";

/** Timers and a clock that a test moves. */
class Clock {
  now = 1_000_000;
  #timers = new Map<number, { run: () => void; delay: number }>();
  #last = 0;

  /** Milliseconds of the timers that are set. */
  get delays(): number[] {
    return Array.from(this.#timers.values(), ({ delay }) => delay);
  }

  install(): () => void {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const { now } = Date;
    globalThis.setTimeout = ((run: () => void, delay: number) => {
      this.#timers.set(++this.#last, { run, delay });
      return this.#last;
    }) as unknown as typeof set;
    globalThis.clearTimeout = ((timer: number) => this.#timers.delete(timer)) as unknown as typeof clear;
    Date.now = () => this.now;
    return () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
      Date.now = now;
    };
  }

  /** Moves the clock on and runs what is set. */
  async tick(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    const due = [...this.#timers.values()];
    this.#timers.clear();
    for (const { run } of due) run();
    await this.settle();
  }

  /** Lets everything run that waits for nothing. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
  }
}

interface World {
  readonly heartbeat: Heartbeat;
  readonly clock: Clock;
  readonly log: WorkerLogRecord[];
  readonly calls: string[];
  readonly list: {
    isListed: boolean;
    dead: { ids: string[]; pools: string[]; left: LeaseSubject[] };
    problem?: Error;
    /** Holds signs of life up. */
    held?: Promise<void>;
  };
}

/** A heartbeat every quarter of 40 seconds. */
async function withHeartbeat(
  step: (world: World) => Promise<void>,
  parts: Partial<HeartbeatParts> = {},
): Promise<void> {
  const clock = new Clock();
  const restore = clock.install();
  const calls: string[] = [];
  const log: WorkerLogRecord[] = [];
  const list: World["list"] & Record<string, unknown> = {
    isListed: true,
    dead: { ids: [], pools: [], left: [] },
    id: "",
    join(pool: string) {
      this["id"] = "w";
      calls.push(`join ${pool}`);
      return Promise.resolve();
    },
    async beat(shown: { state: string; rows: number; poolId: string }) {
      calls.push(`beat ${shown.state} ${shown.rows} ${shown.poolId}`);
      await this.held;
      if (this.problem !== undefined) throw this.problem;
      return this.isListed;
    },
    leave() {
      calls.push("leave");
      return Promise.resolve();
    },
    expireDeadWorkers() {
      calls.push("expire");
      return Promise.resolve(this.dead);
    },
  };
  const heartbeat = new Heartbeat({
    list: list as unknown as HeartbeatParts["list"],
    unlock: (pools) => {
      calls.push(`unlock ${pools.join()}`);
      return Promise.resolve();
    },
    settle: ({ report }) => {
      calls.push(`settle ${report}`);
      return Promise.resolve();
    },
    log: (record) => log.push(record),
    seconds: 40,
    rows: () => 7,
    ...parts,
  });
  try {
    await step({ heartbeat, clock, log, calls, list });
  } finally {
    restore();
  }
}

Deno.test("a worker joins, and gives a sign of life four times within the time of its lease", () =>
  withHeartbeat(async ({ heartbeat, clock, calls, log }) => {
    await heartbeat.start();
    deepEqual(calls, ["join "], "who was not on the list does not leave it");
    deepEqual(clock.delays, [10_000]);
    await clock.tick(10_000);
    deepEqual(calls.slice(1), ["beat working 7 "]);
    deepEqual(clock.delays, [10_000]);
    heartbeat.poolId = "pool";
    deepEqual(clock.delays, [0], "the others learn it at once");
    heartbeat.state = "draining";
    await clock.tick(0);
    equal(calls.at(-1), "beat draining 7 pool");
    deepEqual(log.map(({ event }) => event), ["joined"]);
    await heartbeat.stop();
    deepEqual(clock.delays, []);
    equal(calls.at(-1), "leave");
  }));

Deno.test("the dead are looked for after the worker has lived for the time of a lease, and not sooner", () =>
  withHeartbeat(async ({ heartbeat, clock, calls }) => {
    await heartbeat.start();
    await clock.tick(40_000);
    ok(!calls.includes("expire"));
    await clock.tick(1);
    ok(calls.includes("expire"));
  }));

Deno.test("after an outage of the database nobody is taken for dead until it was there for the time of a lease", () =>
  withHeartbeat(async ({ heartbeat, clock, calls, list, log }) => {
    await heartbeat.start();
    list.problem = new Error("away");
    await clock.tick(100_000);
    deepEqual(log.slice(-1).map(({ level, event, error }) => [level, event, error]), [[
      "warn",
      "no_sign_of_life",
      "away",
    ]]);
    delete list.problem;
    await clock.tick(10_000);
    await clock.tick(40_000);
    ok(!calls.includes("expire"));
    await clock.tick(1);
    ok(calls.includes("expire"));
  }));

Deno.test("a worker that was taken for dead ends the jobs it was at and joins anew", () =>
  withHeartbeat(async ({ heartbeat, clock, calls, list, log }) => {
    await heartbeat.start();
    const { lost } = heartbeat;
    equal(lost.aborted, false);
    list.isListed = false;
    await clock.tick(10_000);
    ok(lost.aborted && lost.reason instanceof LeaseLostError);
    equal(heartbeat.lost.aborted, false, "for jobs that begin later");
    deepEqual(calls.slice(-2), ["leave", "join "]);
    deepEqual(log.map(({ level, event }) => `${level} ${event}`), [
      "info joined",
      "error taken_for_dead",
      "info joined",
    ]);
  }));

const DEAD = {
  ids: ["d.1"],
  pools: ["pool-d"],
  left: [{ profileId: "1", report: "a" }, { profileId: "1", report: "b" }],
};

Deno.test("what the dead left is settled before their jobs are unlocked, and once", () =>
  withHeartbeat(async ({ heartbeat, clock, calls, list, log }) => {
    await heartbeat.start();
    list.dead = DEAD;
    await clock.tick(40_001);
    deepEqual(calls.slice(-4), ["expire", "settle a", "settle b", "unlock pool-d"]);
    const { event, level, workers, left } = log.at(-1)!;
    deepEqual([event, level, workers, left], ["workers_expired", "warn", ["d.1"], 2]);
    list.dead = { ids: [], pools: ["pool-e"], left: [] };
    await clock.tick(10_000);
    equal(calls.at(-1), "unlock pool-e", "jobs that nobody on the list has");
    equal(log.filter(({ event }) => event === "workers_expired").length, 1);
  }));

Deno.test("a pool that is being taken over is not taken over a second time meanwhile", async () => {
  let settled = (): void => {};
  let begun = 0;
  const settle = (): Promise<void> => {
    begun += 1;
    return new Promise((done) => settled = done);
  };
  await withHeartbeat(async ({ heartbeat, clock, calls, list }) => {
    await heartbeat.start();
    list.dead = { ...DEAD, left: DEAD.left.slice(1) };
    await clock.tick(40_001);
    await clock.tick(10_000);
    equal(begun, 1);
    settled();
    await clock.tick(0);
    equal(calls.filter((call) => call === "unlock pool-d").length, 1);
    list.dead = { ids: [], pools: ["pool-d"], left: [] };
    await clock.tick(10_000);
    equal(calls.filter((call) => call === "unlock pool-d").length, 2, "it can be again afterwards");
  }, { settle });
});

Deno.test("what cannot be settled or unlocked is logged, and holds nothing up", () =>
  withHeartbeat(async ({ heartbeat, clock, list, log }) => {
    await heartbeat.start();
    list.dead = { ...DEAD, left: DEAD.left.slice(1) };
    await clock.tick(40_001);
    deepEqual(log.filter(({ event }) => event === "not_settled").map(({ error }) => error), [
      "no",
      "neither",
    ]);
    await clock.tick(10_000);
    equal(log.filter(({ event }) => event === "not_settled").length, 4, "and is tried again");
  }, {
    settle: () => Promise.reject(new Error("no")),
    unlock: () => Promise.reject(new Error("neither")),
  }));

Deno.test("settling ends after half a minute, or when the worker itself is taken for dead", () => {
  let signal = new AbortController().signal;
  return withHeartbeat(async ({ heartbeat, clock, list }) => {
    await heartbeat.start();
    const timeouts: number[] = [];
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (milliseconds) => {
      timeouts.push(milliseconds);
      return new AbortController().signal;
    };
    try {
      list.dead = { ...DEAD, left: DEAD.left.slice(1) };
      await clock.tick(40_001);
    } finally {
      AbortSignal.timeout = timeout;
    }
    deepEqual(timeouts, [30_000]);
    equal(signal.aborted, false);
    list.isListed = false;
    await clock.tick(10_000);
    match(String(signal.reason), /considered this one dead/);
  }, {
    settle: (_subject, options) => {
      signal = options.signal;
      return new Promise(() => {});
    },
  });
});

Deno.test("a list that cannot be left does not keep a worker from ending", () =>
  withHeartbeat(async ({ heartbeat, list }) => {
    await heartbeat.start();
    Object.assign(list, { leave: () => Promise.reject(new Error("away")) });
    await heartbeat.stop();
  }));

Deno.test("a worker that joins anew or leaves waits for the sign of life under way, and gives no other one then", async () => {
  for (const [next, calls] of [["start", ["leave", "join "]], ["stop", ["leave"]]] as const) {
    await withHeartbeat(async (world) => {
      const { heartbeat, clock, list } = world;
      const { promise, resolve } = Promise.withResolvers<void>();
      await heartbeat.start();
      list.held = promise;
      await clock.tick(10_000);
      heartbeat.poolId = "";
      const ended = heartbeat[next]();
      await clock.tick(0);
      deepEqual(world.calls, ["join ", "beat working 7 "]);
      resolve();
      await ended;
      deepEqual(world.calls.slice(2), calls);
      deepEqual(clock.delays, next === "start" ? [10_000] : []);
    });
  }
});

Deno.test("a sign of life whose connection was ended is given again at once, three times, and then at its next time", () =>
  withHeartbeat(async ({ heartbeat, clock, calls, log, list }) => {
    await heartbeat.start();
    list.problem = Object.assign(new Error("terminated"), { code: "57P01" });
    calls.length = 0;
    await clock.tick(10_000);
    deepEqual(calls, Array(4).fill("beat working 7 "));
    equal(log.filter(({ event }) => event === "no_sign_of_life").length, 1);
    delete list.problem;
    await clock.tick(10_000);
    list.problem = new Error("something else");
    calls.length = 0;
    await clock.tick(10_000);
    deepEqual(calls, ["beat working 7 "]);
  }));

Deno.test("the queue is repaired after each sign of life", async () => {
  let repairs = 0;
  const repair = (): Promise<void> => (repairs++, Promise.resolve());
  await withHeartbeat(async ({ heartbeat, clock }) => {
    await heartbeat.start();
    equal(repairs, 0);
    for (let beat = 1; beat < 4; beat++) {
      await clock.tick(10_000);
      equal(repairs, beat);
    }
  }, { repair });
});
