import type { AddJobsJobSpec } from "graphile-worker";
import type { Database } from "../../src/store/postgres/database.ts";
import { type Sql, sqlOver, type SqlRow } from "../../src/store/tables/postgres_sql.ts";
import { queueUtils } from "../../src/store/queue/queue_utils.ts";
import { PLAN_TASK, SYNC_TASK } from "../../src/store/queue/sync_job.ts";
import { QueueModel } from "./world/queue_model.ts";

/** Seconds of silence after which a worker is dead. */
export const LEASE = 60;

/**
 * Seconds that an attempt after a failed one is put off further in both places: the library's own few seconds pass while a
 * slow machine plays a trace, and only a step may age a job.
 */
const LATER = 1000;

/** A job as an attempt got it. */
export interface Taken {
  readonly id: string;
  readonly attempts: number;
  readonly revision: number;
  readonly key: string | null;
}

/** The same queue in two places: a real server with the queue's own library, and the model. */
export interface Place {
  readonly sql: Sql;
  readonly database: Pick<Database, "transaction">;
  addJobs(specs: readonly AddJobsJobSpec[]): Promise<void>;
  take(poolId: string): Promise<Taken | undefined>;
  fail(poolId: string, job: Taken): Promise<void>;
  complete(poolId: string, job: Taken): Promise<void>;
  /** Lets time pass by moving what is written down into the past. */
  age(what: "locks" | "runs" | "workers"): Promise<void>;
  dump(): Promise<unknown>;
  /** Lets untried jobs be due one after the other, in the order of their keys: which of two that wait equally long is taken is open. */
  line(keys: readonly string[]): Promise<void>;
  /** Rollouts, plans and journals. */
  dumpRollouts(): Promise<unknown>;
}

export function modelPlace(): Place {
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
    fail: (poolId, { id }) => {
      model.fail(poolId, Number(id));
      for (const job of model.jobs) if (job.id === Number(id) && job.runAt > now) job.runAt += 1000 * LATER;
      return Promise.resolve();
    },
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
          at: (payload as { enqueuedAt?: string }).enqueuedAt ?? null,
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
    line: (keys) => {
      for (const job of model.jobs) {
        const at = keys.indexOf(job.key ?? "");
        if (at >= 0 && job.attempts === 0 && job.lockedAt === null) job.runAt = LINE + 1000 * at;
      }
      return Promise.resolve();
    },
    dumpRollouts: () =>
      Promise.resolve({
        rollouts: model.rollouts.rollouts.map(({ options, state, stopped }) => ({ options, state, stopped })),
        plans: model.rollouts.plans.map((plan) => ({
          place: plan.place,
          approved_by: plan.approvedBy,
          approval: plan.approval,
          state: plan.state,
          stage: plan.stage,
          worker_id: plan.workerId,
          attempt: plan.attempt,
          summary: plan.summary,
          result: plan.result,
          rollback_id: plan.rollbackId,
          rollback: plan.rollback,
        })).sort((one, other) => one.place - other.place),
        journals: model.rollouts.journals.map(({ planId, text }) => ({ plan_id: planId, text })),
        jobs: model.jobs.map(({ key, attempts, maxAttempts, lockedBy }) => ({
          key,
          attempts,
          max_attempts: maxAttempts,
          locked_by: lockedBy,
        })).sort(byText),
      }),
  };
}

/** When jobs that are lined up are due, beginning with the first. */
const LINE = Date.parse("2026-11-01T00:00:00Z");

function byText(one: SqlRow, other: SqlRow): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

type Library = (...parts: readonly unknown[]) => Promise<SqlRow[]>;

/** Functions of the queue's library that it keeps for itself. */
async function library(file: string, name: string): Promise<Library> {
  const path = new URL(`./sql/${file}.js`, import.meta.resolve("graphile-worker")).href;
  return ((await import(path)) as Record<string, Library>)[name]!;
}

export async function realPlace(database: Database): Promise<Place & { end(): Promise<void> }> {
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
      const [job] = await getJobs(
        shared,
        withPgClient,
        { [SYNC_TASK]: () => {}, [PLAN_TASK]: () => {} },
        poolId,
        null,
        1,
      );
      return job as Taken | undefined;
    },
    fail: async (poolId, job) => {
      await failJobs(shared, withPgClient, poolId, [{ job, message: "failed" }]);
      await sql`
        UPDATE graphile_worker._private_jobs SET run_at = run_at + ${LATER} * interval '1 second'
        WHERE id = ${job.id} AND run_at > now()`;
    },
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
    line: async (keys) => {
      await sql`
        UPDATE graphile_worker._private_jobs
        SET run_at = ${new Date(LINE).toISOString()}::timestamptz
          + (array_position(string_to_array(${keys.join(",")}, ','), key) - 1) * interval '1 second'
        WHERE key = ANY (string_to_array(${keys.join(",")}, ',')) AND attempts = 0 AND locked_at IS NULL`;
    },
    dumpRollouts: async () => ({
      rollouts: await sql`SELECT options, state, stopped FROM rollouts`,
      plans: await sql`
        SELECT place, approved_by, approval, state, stage, worker_id, attempt, summary, result, rollback_id, rollback
        FROM rollout_plans ORDER BY place`,
      journals: await sql`SELECT plan_id, text FROM plan_journals ORDER BY id`,
      jobs: (await sql`SELECT key, attempts, max_attempts, locked_by FROM graphile_worker._private_jobs`)
        .sort(byText),
    }),
    end: async () => {
      await utils.release();
      await sql`DELETE FROM plan_journals`;
      await sql`DELETE FROM rollout_plans`;
      await sql`DELETE FROM rollouts`;
      await sql`DELETE FROM graphile_worker._private_jobs`;
      await sql`DELETE FROM workers`;
      await sql`DELETE FROM sync_leases`;
    },
  };
}
