import type { WorkerUtils } from "graphile-worker";
import type { PlatformAds } from "../../client/platform_ads.ts";
import { Pacer } from "../../platform/transport/pacer/pacer.ts";
import type { TransportEvent } from "../../platform/transport/transport_options.ts";
import { PostgresDriver } from "../postgres/postgres_driver.ts";
import { storeError } from "../postgres/postgres_error.ts";
import { applicationName, forgetDeadJobs, queueUtils, unlockJobs } from "./queue_utils.ts";
import { type QueueTask, taskListOf } from "./end_job.ts";
import { credentialKey } from "./credential_key.ts";
import { PostgresPaceStore } from "./postgres_pace_store.ts";
import { Heartbeat } from "./heartbeat.ts";
import { jobCounts } from "./queue_status.ts";
import { JobRunner } from "./run_job.ts";
import { runSchedules, SCHEDULES_TASK } from "./run_schedules.ts";
import { SYNC_TASK } from "./sync_job.ts";
import { syncTask } from "./sync_task.ts";
import { takeJobs } from "./take_jobs.ts";
import { WorkerList } from "./worker_list.ts";
import { jobLog, type LogSink } from "./worker_log.ts";
import { WorkerMetrics } from "./worker_metrics.ts";
import { realSleep } from "../../base/time/clock.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import { REPORTS_PATH } from "../../client/reports/requests/report_status.ts";

export interface WorkerTaskParts {
  readonly driver: PostgresDriver;
  readonly ads: PlatformAds;
  readonly workerId: () => string;
  readonly metrics: Pick<WorkerMetrics, "add">;
  readonly log: LogSink;
  readonly stop: AbortSignal;
  readonly lost: () => AbortSignal;
}

/** Pacer, priority and observer for the client that a worker makes. */
export interface WorkerClientOptions {
  /** Pacer shared by all workers with the same credentials. */
  readonly pacer: Pacer;
  /** Lets interactive requests go first. */
  readonly priority: "bulk";
  /** Called after every exchange and before every wait. */
  readonly onEvent: (event: TransportEvent) => void;
}

/** Options of {@linkcode runWorker}. */
export interface WorkerOptions {
  /** Creates the client. */
  readonly connect: (options: WorkerClientOptions) => PlatformAds | Promise<PlatformAds>;
  /** Maximum number of simultaneous jobs. @default 4 */
  readonly concurrency?: number | undefined;
  /** Seconds of silence after which other workers consider a worker dead. @default 60 */
  readonly lease?: number | undefined;
  /** Seconds that running jobs have to finish when the worker drains. @default 20 */
  readonly drain?: number | undefined;
  /** Seconds between two status checks of a report. @default 5, growing to 60 */
  readonly poll?: number | undefined;
  /** Starts draining: no more jobs are taken; running ones finish or are put back. */
  readonly signal: AbortSignal;
  /** Puts running jobs back at once. @default when the seconds of `drain` are over */
  readonly abort?: AbortSignal | undefined;
  /** Receives the log. */
  readonly log: LogSink;
  /** Called once the worker takes jobs, with a function that returns metrics in Prometheus text format. */
  readonly onReady?: ((metrics: () => Promise<string>) => void) | undefined;
}

export interface QueueWorkerOptions extends WorkerOptions {
  readonly tasks?: ((parts: WorkerTaskParts) => Readonly<Record<string, QueueTask>>) | undefined;
  readonly repair?: ((driver: PostgresDriver) => Promise<readonly string[]>) | undefined;
}

/**
 * Runs jobs until the signal fires and waits out database restarts.
 *
 * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @throws {ConfigurationError} or {@linkcode StoreError} when the database is unusable at the start.
 */
export async function runWorker(address: string, options: QueueWorkerOptions): Promise<void> {
  const { concurrency = 4, lease = 60, drain = 20, signal } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`Cannot run ${concurrency} jobs at a time: it is not a whole number from 1 up`);
  }
  if (!(lease >= 1)) throw new RangeError(`Cannot use a lease of ${lease} s: it is not 1 or more`);
  const processName = crypto.randomUUID().slice(0, 13);
  const driver = await PostgresDriver.open(address, {
    // The queue takes some, among them one to listen on.
    max: concurrency * 3 + 7,
    applicationName: applicationName(processName),
  });
  const { database } = driver;
  const { sql } = database;
  const log = jobLog(options.log, { worker: processName });
  const problem = (what: string) => (error: unknown): void =>
    log({ level: "warn", event: what, error: (error as Error).message });
  const metrics = new WorkerMetrics();
  const paces = new PostgresPaceStore(database, { onProblem: problem("pace_not_shared") });
  const pacer = Pacer.shared(paces);
  const list = new WorkerList(sql, { processName, seconds: lease });
  const stop = new AbortController();
  let utils: WorkerUtils | undefined;
  let heartbeat: Heartbeat | undefined;
  try {
    utils = await queueUtils(database);
    const ads = await options.connect({
      pacer,
      priority: "bulk",
      onEvent: (event) => {
        metrics.heard(event);
        logExchange(log, event);
      },
    });
    paces.join(credentialKey(ads.clientId));
    const runner = new JobRunner({ driver, ads, workerId: () => list.id, poll: options.poll });
    heartbeat = new Heartbeat({
      list,
      unlock: (pools) => unlockJobs(database, pools),
      repair: async () => {
        await forgetDeadJobs(sql);
        const found = await options.repair?.(driver) ?? [];
        if (found.length > 0) log({ level: "warn", event: "put_back", found });
      },
      log,
      seconds: lease,
      rows: () => metrics.rows,
      settle: (subject, options) => runner.settle(subject, options),
    });
    const beat = heartbeat;
    const tasks = {
      ...options.tasks?.({
        driver,
        ads,
        workerId: () => list.id,
        metrics,
        log,
        stop: stop.signal,
        lost: () => beat.lost,
      }),
      [SYNC_TASK]: syncTask({ runner, heartbeat, metrics, log, stop: stop.signal, lease }),
    };
    const taskList = {
      ...taskListOf(tasks, { database, log, databaseAnswers: () => awaitDatabase(sql) }),
      // Beside jobs of the same key its own are put on the queue once, however often it runs.
      [SCHEDULES_TASK]: runSchedules({ sql, ads, log }),
    };
    options.onReady?.(async () => {
      const [row] = await sql`SELECT count(*) AS workers FROM workers WHERE expires_at > now()`;
      const workers = Number(row?.["workers"]);
      return metrics.text({ jobs: await jobCounts(sql), workers, paces: pacer.paces() });
    });
    log({ level: "info", event: "worker_started", concurrency, store: driver.location });
    const giveUp = (): void => stop.abort(new DOMException("The worker is shutting down", "AbortError"));
    options.abort?.addEventListener("abort", giveUp);
    await takeJobs({ pool: database.pool, taskList, heartbeat, log, location: driver.location }, {
      concurrency,
      drain,
      signal,
      giveUp,
    });
  } catch (error) {
    throw storeError(error, driver.location);
  } finally {
    await heartbeat?.stop();
    await paces.close();
    await utils?.release();
    await driver.close();
    log({ level: "info", event: "worker_stopped", rows: metrics.rows });
  }
}

const [PAUSE, MAX_WAIT] = [0.5, 600];

/** Waits up to ten minutes for the database, for example during a restart. `RetryPolicy` is about HTTP responses only. */
export async function awaitDatabase(sql: Sql): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < MAX_WAIT * 1000) {
    const answers = await sql`SELECT 1`.then(() => true, () => false);
    if (answers) return;
    await realSleep(PAUSE);
  }
}

export function logExchange(log: LogSink, event: TransportEvent): void {
  const { kind, method, url, status, requestId, seconds, pace } = event;
  if (pace !== undefined) {
    const { host, group, rate, waiting } = pace;
    log({ level: "info", event: "pace", host, group, rate: rate ?? null, waiting });
    return;
  }
  const creates = method === "POST" && url.endsWith(REPORTS_PATH);
  const failed = kind === "no-response" || status !== undefined && status >= 400;
  log({
    level: failed || kind === "wait" ? "warn" : creates ? "info" : "debug",
    event: kind === "wait" ? "waits" : "request",
    method,
    url,
    seconds,
    ...(kind === "wait" ? {} : { status: status ?? null, request_id: requestId ?? null }),
  });
}
