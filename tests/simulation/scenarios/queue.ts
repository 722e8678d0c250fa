import type { AddJobsJobSpec } from "graphile-worker";
import { deepEqual, ok } from "../../support/assert.ts";
import { LeasedWork } from "../../../src/store/queue/lease.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";
import { SYNC_TASK, type SyncJob, syncJobSpec } from "../../../src/store/queue/sync_job.ts";
import { syncTask } from "../../../src/store/queue/sync_task.ts";
import { SyncResult } from "../../../src/store/sync/sync_result.ts";
import { realSleep } from "../../../src/base/time/clock.ts";
import type { Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { QueueModel } from "../world/queue_model.ts";
import { QueueServer } from "../world/queue_server.ts";
import { queueWorker } from "../world/queue_worker.ts";
import { CALM } from "../world/world.ts";

const MINUTE = 60_000;
/** Seconds of silence after which a worker is dead. */
const LEASE = 60;
const REPORTS = ["sp_placement", "sp_targeting"] as const;
/** Minutes within which a queue without faults comes to rest: the last tries are almost an hour apart. */
const AT_REST = 240;

export const QUEUE: Scenario = {
  name: "queue",
  seeds: 12,
  about:
    "Workers take syncs from one queue, which are asked for anew meanwhile; killed, frozen and taken for dead",
  async run(world) {
    const { chance } = world;
    const model = new QueueModel(() => world.now);
    const server = new QueueServer(world, model);
    const disk = new Disk();
    /** When a sync was asked for last, and when it was done last, by profile and report. */
    const asked = new Map<string, number>();
    const done = new Map<string, number>();
    const problems: string[] = [];

    const ask = (): AddJobsJobSpec => {
      const job = {
        profileId: "1",
        countryCode: "US",
        report: chance.pick("report", REPORTS),
        enqueuedAt: new Date(world.now).toISOString(),
      };
      asked.set(`${job.profileId} ${job.report}`, world.now);
      return syncJobSpec(job);
    };

    const work = (name: string, until: () => boolean) => async (): Promise<void> => {
      const process = world.processes.find((one) => one.name === name)!;
      await queueWorker({ server, process, lease: LEASE, until }, ({ database, list, heartbeat }) => {
        const leases = new LeasedWork(database.sql, () => list.id);
        const runner = {
          run: (job: SyncJob, { signal }: { signal: AbortSignal }) =>
            leases.alone(job, async (lease) => {
              await realSleep(chance.integer("seconds of work", 1, 30), signal);
              await database.transaction((own) => lease.check(own));
              const key = `${job.profileId} ${job.report}`;
              done.set(key, world.now);
              const holder = model.leases.get(key)?.workerId;
              if (holder !== list.id && process.frozenUntil < world.now - 1000) {
                problems.push(`${name} stored ${key}, which ${holder} holds`);
              }
              await lease.check();
              return new SyncResult({ outcomes: [], stopped: false });
            }),
        };
        return {
          [SYNC_TASK]: syncTask({
            runner: runner as never,
            heartbeat,
            metrics: new WorkerMetrics(),
            log: () => {},
            stop: new AbortController().signal,
            lease: LEASE,
          }),
        };
      });
    };

    try {
      world.drawFaults(["kill", "freeze"]);
      model.addJobs(Array.from({ length: chance.integer("jobs", 1, 3) }, ask));
      const until = world.now + chance.integer("minutes", 5, 30) * MINUTE;
      const workers = [...Array(chance.integer("workers", 1, 3)).keys()].map((index) => {
        const name = `worker ${index}`;
        return world.spawn(name, { disk, main: work(name, () => world.now >= until) });
      });
      const clerk = world.spawn("clerk", {
        disk,
        main: async () => {
          for (let left = chance.integer("asked anew", 0, 15); left > 0; left--) {
            await realSleep(chance.integer("seconds until", 1, 120));
            // What is asked for counts from when it is on the queue.
            await server.library(
              world.processes.find((one) => one.name === "clerk")!,
              "add job",
              (queue) => queue.addJobs([ask()]),
            );
          }
        },
      });
      await world.run(Promise.all([...workers, clerk].map(({ ended }) => ended)));
      world.faults = CALM;
      const end = world.now + AT_REST * MINUTE;
      const isAtRest = (): boolean => world.now > end || model.jobs.every(({ key }) => key === null);
      const last = world.spawn("last", { disk, main: work("last", isAtRest) });
      await world.run(last.ended);
      for (const { name, error } of world.processes) ok(error === undefined, `${name} threw ${error}`);
      deepEqual(problems, []);
      const lost = [...asked].filter(([key, time]) => (done.get(key) ?? 0) < time).map(([key]) => key);
      deepEqual(lost, [], "everything that was asked for was done since");
      // One that was replaced while its worker died is forgotten a minute later.
      deepEqual(model.jobs.flatMap(({ key }) => key ?? []), [], "and is off the queue");
      const held = [...model.leases].filter(([, { workerId }]) => model.workers.has(workerId));
      deepEqual(held, [], "no lease is left that somebody would wait for");
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
    }
  },
};
