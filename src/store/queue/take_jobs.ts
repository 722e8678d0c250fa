import { parseCronItem, run, type Runner, type TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { EventEmitter } from "node:events";
import { atMost, pause, unlessAborted } from "../../base/time/clock.ts";
import { storeError } from "../postgres/postgres_error.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { quietLogger } from "./queue_utils.ts";
import { SCHEDULES_TASK } from "./run_schedules.ts";
import type { LogSink } from "./worker_log.ts";

interface TakingParts {
  readonly pool: Pool;
  readonly location: string;
  readonly taskList: TaskList;
  readonly heartbeat: Heartbeat;
  readonly log: LogSink;
  readonly run?: typeof run;
}

interface TakingOptions {
  readonly concurrency: number;
  readonly drain: number;
  readonly signal: AbortSignal;
  readonly giveUp: () => void;
}

const PAUSE = 1;

const LETTING_GO = 10;

interface Taking {
  readonly runner: Runner;
  /** Resolves with the reason when the client could not record the end of a job; it then takes no more jobs. */
  readonly broken: Promise<Error>;
  readonly ended: Promise<void>;
}

export async function takeJobs(parts: TakingParts, options: TakingOptions): Promise<void> {
  const { heartbeat, log, location } = parts;
  const { signal } = options;
  while (!signal.aborted) {
    let taking: Taking | undefined;
    try {
      await heartbeat.start();
      taking = await startTaking(parts, options);
      const error = await unlessAborted(Promise.race([taking.runner.promise, taking.broken]), signal);
      if (signal.aborted) await drained(taking, parts, options);
      else throw error ?? new Error("It stopped unexpectedly");
    } catch (error) {
      const { message } = storeError(error, location) as Error;
      log({ level: "warn", event: "queue_lost", error: message });
      await pause(PAUSE, { signal });
    } finally {
      await letGo(taking);
    }
  }
}

/** Stops a client, with a time limit because a broken client may wait forever for its last write. */
async function letGo(taking: Taking | undefined): Promise<void> {
  if (taking !== undefined) await atMost(LETTING_GO, taking.runner.stop().catch(() => {}));
}

async function startTaking(
  { pool, taskList, heartbeat, run: start = run }: TakingParts,
  { concurrency, drain }: TakingOptions,
): Promise<Taking> {
  const events = new EventEmitter();
  const broken = new Promise<Error>((tell) =>
    events.once("pool:fatalError", ({ error }: { error: Error }) => tell(error))
  );
  const ended = new Promise<void>((tell) => {
    let left = concurrency;
    events.on("worker:stop", () => --left === 0 && tell());
  });
  events.on("pool:create", ({ workerPool }: { workerPool: { id: string } }) => {
    heartbeat.poolId = workerPool.id;
  });
  const runner = await start({
    pgPool: pool,
    concurrency,
    taskList,
    events,
    parsedCronItems: [parseCronItem({ task: SCHEDULES_TASK, match: "* * * * *" })],
    noHandleSignals: true,
    pollInterval: 1000,
    gracefulShutdownAbortTimeout: (drain + 60) * 1000,
    // In batches what the database did not take breaks this client; otherwise it would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: quietLogger,
  });
  return { runner, broken, ended: broken.then(() => ended) };
}

async function drained(
  { runner, ended }: Taking,
  { heartbeat, log }: TakingParts,
  { drain, giveUp }: TakingOptions,
): Promise<void> {
  heartbeat.state = "draining";
  log({ level: "info", event: "worker_draining" });
  const timer = setTimeout(giveUp, drain * 1000);
  try {
    await Promise.race([runner.stop(), ended]);
  } finally {
    clearTimeout(timer);
  }
}
