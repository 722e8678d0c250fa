import type { JobHelpers } from "graphile-worker";
import { type QueueTask, taskListOf } from "../../../src/store/queue/end_job.ts";
import { Heartbeat } from "../../../src/store/queue/heartbeat.ts";
import { WorkerList } from "../../../src/store/queue/worker_list.ts";
import { forgetDeadJobs, unlockJobs } from "../../../src/store/queue/queue_utils.ts";
import { realSleep } from "../../../src/base/time/clock.ts";
import type { QueueConnection, QueueServer } from "./queue_server.ts";
import type { SimProcess } from "./sim_process.ts";

/** Jobs that a worker does at the same time. */
const CONCURRENCY = 2;

/** Parts of a worker of the model's queue. */
interface WorkerParts {
  readonly server: QueueServer;
  readonly process: SimProcess;
  /** Seconds of silence after which it is dead. */
  readonly lease: number;
  /** True when it takes no more jobs. */
  readonly until: () => boolean;
  /** Puts work that lost its job back, after each sign of life. */
  readonly repair?: (database: QueueConnection) => Promise<unknown>;
}

/** Parts that the tasks of such a worker need. */
interface TaskParts {
  readonly database: QueueConnection;
  readonly list: WorkerList;
  readonly heartbeat: Heartbeat;
}

/** Takes jobs from the model's queue as `runWorker` does, with the real list of workers, signs of life and ends of jobs. */
export async function queueWorker(
  { server, process, lease, until, repair }: WorkerParts,
  tasksOf: (parts: TaskParts) => Readonly<Record<string, QueueTask>>,
): Promise<void> {
  const { name } = process;
  const database = server.connect(process);
  const { sql } = database;
  const poolId = `pool of ${name}`;
  const list = new WorkerList(sql, { processName: name, seconds: lease });
  const log = (): void => {};
  const heartbeat = new Heartbeat({
    list,
    unlock: (pools) => unlockJobs(database as never, pools),
    repair: async () => {
      await forgetDeadJobs(sql);
      await repair?.(database);
    },
    settle: () => Promise.resolve(),
    log,
    seconds: lease,
    rows: () => 0,
  });
  const tasks = taskListOf(tasksOf({ database, list, heartbeat }), {
    database: database as never,
    log,
    databaseAnswers: () => Promise.resolve(),
  });
  await heartbeat.start();
  heartbeat.poolId = poolId;
  const runJobs = async (): Promise<void> => {
    while (!until()) {
      const job = await server.library(process, "get job", (queue) => queue.take(poolId));
      if (job === undefined) {
        await realSleep(5);
        continue;
      }
      const helpers = {
        job: { ...job, id: String(job.id), max_attempts: job.maxAttempts },
      } as unknown as JobHelpers;
      const hasFailed = await Promise.resolve(tasks[job.task]!(job.payload, helpers)).then(
        () => false,
        () => true,
      );
      await server.library(
        process,
        hasFailed ? "fail job" : "complete job",
        (queue) => hasFailed ? queue.fail(poolId, job.id) : queue.complete(job.id),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runJobs));
  await heartbeat.stop();
  server.close(process);
}
