import type { Runner, RunnerOptions } from "graphile-worker";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import type { Heartbeat } from "../../../src/store/queue/heartbeat.ts";
import { takeJobs } from "../../../src/store/queue/take_jobs.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";

/** One start of the queue's client. */
interface Client {
  readonly options: RunnerOptions;
  /** Ends it by itself. */
  readonly end: () => void;
  /** Resolves what waits for it to stop. */
  readonly stopped: () => void;
  readonly tell: (event: string, told?: unknown) => void;
}

interface World {
  readonly clients: Client[];
  readonly log: WorkerLogRecord[];
  readonly calls: string[];
  readonly heartbeat: { state: string; poolId: string; onStart: () => Promise<void> };
  readonly stop: AbortController;
  /** Timers that are set, by their milliseconds. */
  readonly timers: Map<number, () => void>;
  /** True once `takeJobs` has returned. */
  isOver(): boolean;
  /** Lets everything run that waits for nothing. */
  settle(): Promise<void>;
}

/** Takes two jobs at a time with a client that the test drives, and 20 seconds to drain. */
async function withQueue(step: (world: World) => Promise<void>): Promise<void> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const timers: World["timers"] = new Map();
  const calls: string[] = [];
  const clients: Client[] = [];
  const log: WorkerLogRecord[] = [];
  const stop = new AbortController();
  const heartbeat = {
    state: "working",
    poolId: "",
    onStart: () => Promise.resolve(),
    start: async () => {
      calls.push("joined");
      await heartbeat.onStart();
    },
  };
  const run = (options: RunnerOptions): Promise<Runner> => {
    const ended = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    calls.push("run");
    clients.push({
      options,
      end: ended.resolve,
      stopped: stopped.resolve,
      tell: (event, told) => options.events?.emit(event as "stop", told as never),
    });
    const client = {
      promise: ended.promise,
      stop: () => {
        calls.push("stop");
        return stopped.promise;
      },
    };
    return Promise.resolve(client as unknown as Runner);
  };
  globalThis.setTimeout = ((run: () => void, delay: number) => {
    timers.set(delay, run);
    return delay;
  }) as unknown as typeof set;
  globalThis.clearTimeout = ((delay: number) => timers.delete(delay)) as unknown as typeof clear;
  let isOver = false;
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  try {
    const taking = takeJobs({
      pool: {} as never,
      location: "postgres://db/ads",
      taskList: {},
      heartbeat: heartbeat as unknown as Heartbeat,
      log: (record) => log.push(record),
      run,
    }, {
      concurrency: 2,
      drain: 20,
      signal: stop.signal,
      giveUp: () => calls.push("give up"),
    }).then(() => isOver = true);
    await settle();
    await step({ clients, log, calls, heartbeat, stop, timers, settle, isOver: () => isOver });
    stop.abort();
    for (const { stopped } of clients) stopped();
    await taking;
    deepEqual([...timers], [], "no timer keeps the program from ending");
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

const brief = (log: readonly WorkerLogRecord[]): unknown[] =>
  log.map(({ level, event, error }) => [level, event, error]);

Deno.test("jobs are taken after the worker joined the list, which learns the name of its pool", () =>
  withQueue(async ({ calls, clients: [client], heartbeat, log }) => {
    deepEqual(calls, ["joined", "run"]);
    client!.tell("pool:create", { workerPool: { id: "pool" } });
    equal(heartbeat.poolId, "pool");
    deepEqual(log, []);
    const { concurrency, parsedCronItems, noHandleSignals, gracefulShutdownAbortTimeout } = client!.options;
    equal(concurrency, 2);
    equal(parsedCronItems?.length, 1);
    equal(noHandleSignals, true, "the signals of the process are the program's");
    ok(gracefulShutdownAbortTimeout! > 20_000, "draining ends before the client loses its patience");
    await Promise.resolve();
  }));

Deno.test("a worker that drains waits for its jobs, and gives them up when its seconds are over", () =>
  withQueue(async ({ calls, clients: [client], heartbeat, log, stop, timers, isOver, settle }) => {
    stop.abort();
    await settle();
    equal(heartbeat.state, "draining");
    deepEqual(brief(log), [["info", "worker_draining", undefined]]);
    deepEqual(calls.slice(2), ["stop"]);
    deepEqual([...timers.keys()], [20_000]);
    timers.get(20_000)?.();
    deepEqual(calls.slice(2), ["stop", "give up"]);
    equal(isOver(), false);
    client!.stopped();
    await settle();
    equal(isOver(), true);
    deepEqual(calls.slice(4), ["stop"], "it is stopped for good");
  }));

Deno.test("a worker that drains does not wait for a client that cannot write down how its jobs ended", () =>
  withQueue(async ({ clients: [client], stop, timers, isOver, settle }) => {
    stop.abort();
    await settle();
    client!.tell("worker:stop");
    client!.tell("pool:fatalError", { error: new Error("away") });
    await settle();
    deepEqual([...timers.keys()], [20_000], "one of its two jobs has not ended");
    client!.tell("worker:stop");
    await settle();
    deepEqual([...timers.keys()], [10_000], "it has ten seconds to close its connections");
    equal(isOver(), false);
    timers.get(10_000)?.();
    await settle();
    equal(isOver(), true);
    timers.clear();
  }));

Deno.test("a worker whose jobs have ended goes on waiting for a client that works", () =>
  withQueue(async ({ clients: [client], stop, isOver, settle }) => {
    stop.abort();
    await settle();
    for (let job = 0; job < 3; job++) client!.tell("worker:stop");
    await settle();
    equal(isOver(), false);
  }));

Deno.test("a queue that is lost is said to be, and tried again after a second", () =>
  withQueue(async ({ calls, clients, log, timers, settle }) => {
    clients[0]!.tell("pool:fatalError", { error: new Error("it is away") });
    await settle();
    deepEqual(brief(log), [["warn", "queue_lost", "it is away"]]);
    deepEqual([...timers.keys()], [1000]);
    timers.get(1000)?.();
    timers.delete(1000);
    await settle();
    deepEqual(calls, ["joined", "run", "stop"]);
    clients[0]!.stopped();
    await settle();
    deepEqual(calls, ["joined", "run", "stop", "joined", "run"]);
    clients[1]!.end();
    await settle();
    deepEqual(brief(log).at(-1), ["warn", "queue_lost", "It stopped unexpectedly"]);
  }));

Deno.test("a list that cannot be joined is tried again, and a pause ends with the worker", () =>
  withQueue(async ({ calls, clients, heartbeat, log, stop, timers, isOver, settle }) => {
    let joins = 0;
    heartbeat.onStart = () => ++joins > 1 ? Promise.resolve() : Promise.reject(new Error("no list"));
    clients[0]!.end();
    clients[0]!.stopped();
    await settle();
    timers.get(1000)?.();
    timers.delete(1000);
    await settle();
    deepEqual(brief(log).map(String), ["warn,queue_lost,It stopped unexpectedly", "warn,queue_lost,no list"]);
    deepEqual(calls, ["joined", "run", "stop", "joined"]);
    stop.abort();
    await settle();
    equal(isOver(), true);
    equal(calls.length, 4);
  }));

Deno.test("a worker that is to stop while it joins takes no jobs, and one that is told before does not join", () =>
  withQueue(async ({ calls, clients, heartbeat, stop, timers, settle }) => {
    heartbeat.onStart = () => {
      stop.abort();
      return Promise.resolve();
    };
    clients[0]!.end();
    clients[0]!.stopped();
    await settle();
    timers.get(1000)?.();
    timers.delete(1000);
    await settle();
    deepEqual(calls.slice(3), ["joined", "run", "stop"]);
    const told: string[] = [];
    await takeJobs({ heartbeat: { start: () => told.push("joined") } } as never, {
      signal: AbortSignal.abort(),
    } as never);
    deepEqual(told, []);
  }));
