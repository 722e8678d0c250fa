import { deepEqual } from "../support/assert.ts";
import { after, before, test } from "node:test";
import type { AddJobsJobSpec, JobHelpers } from "graphile-worker";
import type { Database } from "../../src/store/postgres/database.ts";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import { type Sql, sqlOver, type SqlRow } from "../../src/store/postgres/sql.ts";
import { taskListOf } from "../../src/store/queue/end_job.ts";
import { Lease, LeaseLostError } from "../../src/store/queue/lease.ts";
import { WorkerList } from "../../src/store/queue/metrics/worker_list.ts";
import { forgetDeadJobs, queueUtils, unlockJobs } from "../../src/store/queue/queue_utils.ts";
import { SYNC_TASK, syncJobSpec } from "../../src/store/queue/sync_job.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../support/postgres.ts";
import { Chance } from "./world/chance.ts";
import { QueueModel } from "./world/queue_model.ts";

const [TRACES, STEPS] = [25, 60];
const LEASE = 60;
const REPORTS = ["sp_placement", "sp_targeting", "sp_search_terms"] as const;
const POOLS = ["one", "two"];

/** A job as an attempt got it. */
interface Taken {
  readonly id: string;
  readonly attempts: number;
  readonly revision: number;
}

/** The same queue in two places: a real server with the queue's own library, and the model. */
interface Place {
  readonly sql: Sql;
  readonly database: Pick<Database, "transaction">;
  addJobs(specs: readonly AddJobsJobSpec[]): Promise<void>;
  take(poolId: string): Promise<Taken | undefined>;
  fail(poolId: string, job: Taken): Promise<void>;
  complete(poolId: string, job: Taken): Promise<void>;
  /** Lets time pass by moving what is written down into the past. */
  age(what: "locks" | "runs" | "workers"): Promise<void>;
  dump(): Promise<unknown>;
}

function modelPlace(): Place {
  let now = Date.parse("2026-11-26T00:00:00Z");
  // Two statements are never at the same time.
  const model = new QueueModel(() => ++now);
  const sql = sqlOver(({ text, values }) =>
    Promise.resolve(model.run({ text: text.replace(/\s+/g, " ").trim(), values }))
  );
  return {
    sql,
    database: { transaction: (work) => work(sql as never) },
    addJobs: (specs) => Promise.resolve(model.addJobs(specs)),
    take: (poolId) => {
      const job = model.take(poolId);
      return Promise.resolve(job && { ...job, id: String(job.id) });
    },
    fail: (poolId, { id }) => Promise.resolve(model.fail(poolId, Number(id))),
    complete: (_poolId, { id }) => Promise.resolve(model.complete(Number(id))),
    age: (what) => {
      for (const job of model.jobs) {
        if (what === "locks" && job.lockedAt !== null) job.lockedAt -= 2000 * LEASE;
        if (what === "runs") job.runAt -= 1e8;
      }
      if (what === "workers") {
        for (const worker of model.workers.values()) {
          worker.expiresAt -= 1500 * LEASE;
        }
      }
      return Promise.resolve();
    },
    dump: () =>
      Promise.resolve({
        jobs: model.jobs.map(({ key, attempts, maxAttempts, revision, lockedBy, payload, runAt }) => ({
          key,
          attempts,
          max_attempts: maxAttempts,
          revision,
          locked_by: lockedBy,
          at: (payload as { enqueuedAt: string }).enqueuedAt,
          is_due: runAt <= now,
        })),
        workers: [...model.workers].map(([id, { poolId, expiresAt }]) => ({
          id,
          pool_id: poolId,
          expired: expiresAt < now,
        })),
        leases: [...model.leases.values()].map(({ profileId, report, workerId }) => ({
          profile_id: profileId,
          report,
          worker_id: workerId,
        })).sort((one, other) => one.report.localeCompare(other.report)),
      }),
  };
}

type Library = (...parts: readonly unknown[]) => Promise<SqlRow[]>;

/** Functions of the queue's library that it keeps for itself. */
async function library(file: string, name: string): Promise<Library> {
  const path = new URL(`./sql/${file}.js`, import.meta.resolve("graphile-worker")).href;
  return ((await import(path)) as Record<string, Library>)[name]!;
}

async function realPlace(database: Database): Promise<Place & { end(): Promise<void> }> {
  const utils = await queueUtils(database);
  const { sql } = database;
  const getJobs = await library("getJobs", "batchGetJobs");
  const completeJobs = await library("completeJobs", "batchCompleteJobs");
  const failJobs = await library("failJobs", "batchFailJobs");
  const shared = {
    escapedWorkerSchema: "graphile_worker",
    workerSchema: "graphile_worker",
    resolvedPreset: { worker: { preparedStatements: false, useNodeTime: false } },
    logger: console,
  };
  const withClient = (work: (client: unknown) => Promise<unknown>): Promise<unknown> => work(database.pool);
  const withPgClient = Object.assign(withClient, { withRetries: withClient });
  return {
    sql,
    database,
    addJobs: async (specs) => void await utils.addJobs([...specs]),
    take: async (poolId) => {
      const [job] = await getJobs(shared, withPgClient, { [SYNC_TASK]: () => {} }, poolId, null, 1);
      return job as Taken | undefined;
    },
    fail: async (poolId, job) =>
      void await failJobs(shared, withPgClient, poolId, [{ job, message: "failed" }]),
    complete: async (poolId, job) => void await completeJobs(shared, withPgClient, poolId, [job]),
    age: async (what) => {
      if (what === "locks") {
        await sql`UPDATE graphile_worker._private_jobs SET locked_at = locked_at - ${
          2 * LEASE
        } * interval '1 second'`;
      } else if (what === "runs") {
        await sql`UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '100000 seconds'`;
      } else {
        await sql`UPDATE workers SET expires_at = expires_at - ${1.5 * LEASE} * interval '1 second'`;
      }
    },
    dump: async () => ({
      jobs: await sql`
        SELECT key, attempts, max_attempts, revision, locked_by, payload->>'enqueuedAt' AS at, run_at <= now() AS is_due
        FROM graphile_worker._private_jobs ORDER BY id`,
      workers:
        await sql`SELECT id, pool_id, expires_at < now() AS expired FROM workers ORDER BY started_at, id`,
      leases: await sql`SELECT profile_id, report, worker_id FROM sync_leases ORDER BY report`,
    }),
    end: async () => {
      await utils.release();
      await sql`DELETE FROM graphile_worker._private_jobs`;
      await sql`DELETE FROM workers`;
      await sql`DELETE FROM sync_leases`;
    },
  };
}

/** One place and those who use it: two workers, with the jobs and leases that they got. */
class Play {
  readonly #place: Place;
  readonly #lists: WorkerList[];
  readonly #taken: { pool: number; job: Taken }[] = [];
  readonly #leases: Lease[] = [];

  constructor(place: Place) {
    this.#place = place;
    this.#lists = POOLS.map((processName) => new WorkerList(place.sql, { processName, seconds: LEASE }));
  }

  /** Plays a step that a trace drew; the same numbers choose the same in both places. */
  async step(name: string, number: number, time: number): Promise<unknown> {
    const { sql, database } = this.#place;
    const worker = number % 2;
    const report = REPORTS[number % 3]!;
    const pool = POOLS[worker]!;
    const list = this.#lists[worker]!;
    // Each job of its own second: which of two that wait equally long is taken first is open.
    const at = new Date(Date.parse("2026-11-01T00:00:00Z") + 1000 * time);
    const spec = {
      ...syncJobSpec({ profileId: "1", countryCode: "US", report, enqueuedAt: at.toISOString() }),
      runAt: at,
    };
    const taken = this.#taken[number % Math.max(1, this.#taken.length)];
    switch (name) {
      case "ask":
        return await this.#place.addJobs([spec]);
      case "take": {
        const job = await this.#place.take(pool);
        if (job !== undefined) this.#taken.push({ pool: worker, job });
        return job && { attempts: job.attempts, revision: job.revision };
      }
      case "end":
      case "put off": {
        if (taken === undefined) return;
        const { id, attempts, revision } = taken.job;
        const next = name === "end" ? undefined : spec;
        const parts = { database, log: () => {}, databaseAnswers: () => Promise.resolve() } as const;
        const helpers = { job: { id, attempts, revision } } as unknown as JobHelpers;
        const ended = taskListOf({ work: () => Promise.resolve(next) }, parts)["work"]!({}, helpers);
        // What the library does after a task.
        return await Promise.resolve(ended).then(async () => {
          await this.#place.complete(POOLS[taken.pool]!, taken.job);
          return "ended";
        }, async (error) => {
          await this.#place.fail(POOLS[taken.pool]!, taken.job);
          return error instanceof LeaseLostError ? "lost" : error;
        });
      }
      case "fail":
        return taken && await this.#place.fail(POOLS[taken.pool]!, taken.job);
      case "unlock":
        return await unlockJobs(database, [pool]);
      case "forget":
        return await forgetDeadJobs(sql);
      case "join":
        if (list.id !== "") await list.leave();
        return await list.join(pool);
      case "beat":
        return await list.beat({ state: "working", rows: 0, poolId: pool });
      case "expire": {
        const { ids, pools, left } = await list.expireDeadWorkers();
        return { ids: ids.sort(), pools: pools.sort(), left: left.map((one) => one.report).sort() };
      }
      case "lease":
        return await Lease.take(sql, list.id, { profileId: "1", report }).then((lease) => {
          if (lease !== undefined) this.#leases.push(lease);
          return lease === undefined ? "held" : "got";
        }, () => "not listed");
      case "check":
        return await this.#leases[number % Math.max(1, this.#leases.length)]?.check()
          .then(() => "holds", () => "lost");
      case "release":
        return await this.#leases[number % Math.max(1, this.#leases.length)]?.release();
      default:
        return await this.#place.age(name as "locks" | "runs" | "workers");
    }
  }
}

const NAMES = [
  ...[
    "ask",
    "ask",
    "take",
    "take",
    "take",
    "end",
    "put off",
    "fail",
    "unlock",
    "forget",
    "join",
    "beat",
    "expire",
  ],
  ...["lease", "lease", "check", "release", "locks", "runs", "workers"],
];

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test(`the model of the queue does what PostgreSQL and the queue's library do, on ${TRACES} traces of ${STEPS} steps`, async () => {
    const driver = await PostgresDriver.open(await makeStore(server));
    const seen = new Map<string, number>();
    try {
      for (let seed = 1; seed <= TRACES; seed++) {
        const chance = new Chance(seed, () => {});
        const real = await realPlace(driver.database);
        const model = modelPlace();
        const plays = [new Play(model), new Play(real)];
        const trace: string[] = [];
        for (let step = 0; step < STEPS; step++) {
          const name = chance.pick("step", NAMES);
          const number = chance.integer("number", 0, 5);
          trace.push(`${name} ${number}`);
          const [said, expected] = [
            await plays[0]!.step(name, number, step),
            await plays[1]!.step(name, number, step),
          ];
          const words = `seed ${seed}: ${trace.join(", ")}`;
          deepEqual(said ?? null, expected ?? null, words);
          deepEqual(await model.dump(), await real.dump(), words);
          const result = `${name} ${typeof said === "string" ? said : said === undefined ? "" : "something"}`;
          seen.set(result, (seen.get(result) ?? 0) + 1);
        }
        await real.end();
      }
    } finally {
      await driver.close();
    }
    const rare = [
      "end ended",
      "end lost",
      "put off ended",
      "put off lost",
      "lease held",
      "lease not listed",
      "check lost",
    ]
      .filter((result) => (seen.get(result) ?? 0) < 3);
    deepEqual(rare, [], "every outcome was met");
  });
}
