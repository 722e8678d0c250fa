import { parseCronItem, run, type Runner, type TaskList } from "graphile-worker";
import { EventEmitter } from "node:events";
import { realSleep } from "../../transport/cool_down.ts";
import { storeError } from "../postgres/postgres_error.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { quietLogger } from "./quiet_logger.ts";
import { SCHEDULES_TASK } from "./run_schedules.ts";
import type { LogSink } from "./worker_log.ts";

/** What taking jobs needs. */
export interface TakingParts {
  /** Where the queue is. */
  readonly address: string;
  /** The same, without secrets. */
  readonly location: string;
  /** What to do with jobs. */
  readonly taskList: TaskList;
  /** The worker's place on the list. */
  readonly heartbeat: Heartbeat;
  /** The log. */
  readonly log: LogSink;
}

/** How jobs are taken. */
export interface TakingOptions {
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** Seconds that running jobs are given once no more are taken. */
  readonly drain: number;
  /** Fires when no more jobs are to be taken. */
  readonly signal: AbortSignal;
  /** Called when those seconds are over: running jobs are to be put back. */
  readonly giveUp: () => void;
}

/** Seconds before the queue is tried again after it was lost. */
const PAUSE = 1;

/** Takes jobs until the signal fires, then lets the running ones end. A queue that is lost is tried again. */
export async function takeJobs(parts: TakingParts, options: TakingOptions): Promise<void> {
  const { heartbeat, log, location } = parts;
  const { signal } = options;
  while (!signal.aborted) {
    let taking: Runner | undefined;
    try {
      await heartbeat.start();
      taking = await startTaking(parts, options);
      await Promise.race([taking.promise, fired(signal)]);
      if (signal.aborted) await drained(taking, parts, options);
    } catch (error) {
      const { message } = storeError(error, location) as Error;
      log({ level: "warn", event: "queue_lost", error: message });
      await realSleep(PAUSE, signal).catch(() => {});
    } finally {
      await taking?.stop().catch(() => {});
    }
  }
}

function startTaking(
  { address, taskList, heartbeat }: TakingParts,
  { concurrency, drain }: TakingOptions,
): Promise<Runner> {
  const events = new EventEmitter();
  events.on("pool:create", ({ workerPool }: { workerPool: { id: string } }) => {
    heartbeat.poolId = workerPool.id;
  });
  return run({
    connectionString: address,
    maxPoolSize: concurrency + 3,
    concurrency,
    taskList,
    events,
    parsedCronItems: [parseCronItem({ task: SCHEDULES_TASK, match: "* * * * *" })],
    noHandleSignals: true,
    pollInterval: 1000,
    gracefulShutdownAbortTimeout: (drain + 60) * 1000,
    // In batches the queue tries again what the database did not take; otherwise the process would end.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: quietLogger,
  });
}

async function drained(
  taking: Runner,
  { heartbeat, log }: TakingParts,
  { drain, giveUp }: TakingOptions,
): Promise<void> {
  heartbeat.state = "draining";
  log({ level: "info", event: "worker_draining" });
  const timer = setTimeout(giveUp, drain * 1000);
  try {
    await taking.stop();
  } finally {
    clearTimeout(timer);
  }
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
