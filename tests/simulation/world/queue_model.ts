import type { AddJobsJobSpec } from "graphile-worker";
import type { SqlRow, SqlValue, Statement } from "../../../src/store/tables/postgres_sql.ts";
import { ROLLOUT_STATEMENTS, rolloutLocks, RolloutTables, type RowLock } from "./rollout_model.ts";

/** A job of the queue, with the columns that decide who gets it. Times are milliseconds since the epoch. */
export interface ModelJob {
  readonly id: number;
  key: string | null;
  task: string;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  revision: number;
  runAt: number;
  lockedBy: string | null;
  lockedAt: number | null;
  updatedAt: number;
}

const DEAD_DAYS = 30 * 24 * 3600_000;
/** Milliseconds after which a lock of a job holds no more where the job is removed. */
const FORGOTTEN_LOCK = 4 * 3600_000;
const text = (value: SqlValue | undefined): string => String(value);
const listed = (value: SqlValue | undefined): string[] => text(value).split(",");

/**
 * The tables that workers decide by, in place of PostgreSQL: jobs as the queue's library keeps them, living workers and
 * leases, and rollouts. It understands the statements of src/store/queue and src/automation/worker alone;
 * queue_model_test.ts and rollout_model_test.ts hold it against a real server.
 */
export class QueueModel {
  jobs: ModelJob[] = [];
  readonly workers = new Map<string, { poolId: string; expiresAt: number }>();
  readonly leases = new Map<string, { profileId: string; report: string; workerId: string }>();
  readonly rollouts = new RolloutTables();
  readonly #now: () => number;
  #lastId = 0;

  /** @param now The clock of the database, in milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Puts jobs on the queue as the library does. */
  addJobs(specs: readonly AddJobsJobSpec[]): void {
    const now = this.#now();
    for (const { identifier, payload, jobKey = null, maxAttempts = 25, runAt } of specs) {
      const before = jobKey === null ? undefined : this.jobs.find(({ key }) => key === jobKey);
      const isAvailable = before?.lockedBy === null && before.attempts < before.maxAttempts;
      if (before !== undefined && !isAvailable) {
        Object.assign(before, { key: null, attempts: before.maxAttempts, updatedAt: now });
      }
      const asked = {
        payload,
        maxAttempts,
        runAt: runAt?.getTime() ?? now,
        task: identifier,
        attempts: 0,
        updatedAt: now,
      };
      if (before !== undefined && isAvailable) {
        Object.assign(before, asked, { revision: before.revision + 1 });
      } else {
        const id = ++this.#lastId;
        this.jobs.push({ id, key: jobKey, revision: 0, lockedBy: null, lockedAt: null, ...asked });
      }
    }
  }

  /** Gives a pool the job that has waited longest; `undefined` where none is due. */
  take(poolId: string): ModelJob | undefined {
    const now = this.#now();
    const [job] = this.jobs
      .filter((one) => one.lockedBy === null && one.attempts < one.maxAttempts && one.runAt <= now)
      .sort((one, other) => one.runAt - other.runAt);
    if (job === undefined) return undefined;
    Object.assign(job, { attempts: job.attempts + 1, lockedBy: poolId, lockedAt: now });
    return { ...job };
  }

  /** Records that an attempt failed, where its pool still has the job. */
  fail(poolId: string, id: number): void {
    const job = this.jobs.find((one) => one.id === id && one.lockedBy === poolId);
    if (job === undefined) return;
    const runAt = Math.max(this.#now(), job.runAt) + 1000 * Math.exp(Math.min(job.attempts, 10));
    Object.assign(job, { runAt, lockedBy: null, lockedAt: null });
  }

  /** Deletes a job, whoever has it. */
  complete(id: number): void {
    this.jobs = this.jobs.filter((job) => job.id !== id);
  }

  /** Removes the job of a key; one that somebody has is not tried again. */
  remove(jobKey: string): void {
    const now = this.#now();
    const job = this.jobs.find(({ key }) => key === jobKey);
    if (job === undefined) return;
    if (job.lockedAt === null || job.lockedAt < now - FORGOTTEN_LOCK) this.complete(job.id);
    else Object.assign(job, { key: null, attempts: job.maxAttempts, updatedAt: now });
  }

  /** Rows that a statement locks: `share` keeps others from taking a worker off the list, or changing a plan. */
  locksOf(statement: Statement): RowLock[] {
    const { text: sql, values } = statement;
    const name = `worker ${values[0]}`;
    if (sql.includes("FOR KEY SHARE OF workers")) return [{ name, mode: "share" }];
    if (/^DELETE FROM workers WHERE id = /.test(sql)) return [{ name, mode: "own" }];
    return rolloutLocks(statement);
  }

  /**
   * Runs a statement.
   *
   * @param statement Its text in one line.
   * @param shared Workers whose rows others have locked.
   * @throws {Error} for one that it does not know.
   */
  run({ text: sql, values }: Statement, shared: ReadonlySet<string> = new Set()): SqlRow[] {
    const about = Object.entries(ROLLOUT_STATEMENTS).find(([part]) => sql.includes(part))?.[1];
    if (about !== undefined) return about(this.rollouts, values, this.jobs);
    const run = Object.entries(STATEMENTS).find(([part]) => sql.includes(part))?.[1];
    if (run === undefined) throw new Error(`The model of the queue does not know: ${sql}`);
    return run(this, values, { now: this.#now(), shared });
  }

  /** Jobs of pools that are unlocked, without a change of anything else. */
  unlock(pools: readonly string[]): void {
    for (const job of this.jobs) {
      if (pools.includes(job.lockedBy ?? "")) Object.assign(job, { lockedBy: null, lockedAt: null });
    }
  }
}

type Run = (
  model: QueueModel,
  values: readonly SqlValue[],
  at: { readonly now: number; readonly shared: ReadonlySet<string> },
) => SqlRow[];

/** The statements of the queue, by a part of their text. The first that fits is the one. */
const STATEMENTS: Readonly<Record<string, Run>> = {
  "clock_timestamp()": (_model, _values, { now }) => [{ now }],

  "INSERT INTO sync_leases": ({ leases, workers }, [profileId, report, workerId]) => {
    const key = `${profileId} ${report}`;
    const held = leases.get(key);
    if (held !== undefined && held.workerId !== workerId && workers.has(held.workerId)) return [];
    leases.set(key, { profileId: text(profileId), report: text(report), workerId: text(workerId) });
    return [{ worker_id: workerId }];
  },
  "FOR KEY SHARE OF workers": ({ leases, workers }, [workerId, profileId, report]) =>
    workers.has(text(workerId)) && leases.get(`${profileId} ${report}`)?.workerId === workerId ? [{}] : [],
  "DELETE FROM sync_leases WHERE profile_id": ({ leases }, [profileId, report, workerId]) => {
    const key = `${profileId} ${report}`;
    if (leases.get(key)?.workerId === workerId) leases.delete(key);
    return [];
  },
  "DELETE FROM sync_leases WHERE worker_id": ({ leases }, [workerId]) => {
    for (const [key, lease] of leases) if (lease.workerId === workerId) leases.delete(key);
    return [];
  },
  "SELECT profile_id, report FROM sync_leases": ({ leases }, [ids]) =>
    [...leases.values()].filter(({ workerId }) => listed(ids).includes(workerId))
      .map(({ profileId, report }) => ({ profile_id: profileId, report })),

  "INSERT INTO workers": ({ workers }, [id, poolId, _host, _process, seconds], { now }) => {
    workers.set(text(id), { poolId: text(poolId), expiresAt: now + 1000 * Number(seconds) });
    return [];
  },
  "UPDATE workers SET expires_at": ({ workers }, [seconds, _state, _rows, poolId, id], { now }) => {
    if (!workers.has(text(id))) return [];
    workers.set(text(id), { poolId: text(poolId), expiresAt: now + 1000 * Number(seconds) });
    return [{ id }];
  },
  "DELETE FROM workers WHERE id =": ({ workers }, [id]) => {
    workers.delete(text(id));
    return [];
  },
  // The server that runs the model ends their transactions.
  "pg_terminate_backend": () => [],
  "DELETE FROM workers WHERE id IN": ({ workers }, _values, { now, shared }) => {
    const dead = [...workers].filter(([id, { expiresAt }]) => expiresAt < now && !shared.has(id));
    for (const [id] of dead) workers.delete(id);
    return dead.map(([id, { poolId }]) => ({ id, pool_id: poolId }));
  },
  "SELECT id FROM workers WHERE expires_at < now()": ({ workers }, _values, { now }) =>
    [...workers].filter(([, { expiresAt }]) => expiresAt < now).map(([id]) => ({ id })),
  "SELECT DISTINCT locked_by": ({ jobs, workers }, [tasks, seconds], { now }) => {
    const living = new Set([...workers.values()].map(({ poolId }) => poolId));
    const orphaned = jobs.filter(({ task, lockedAt, lockedBy }) =>
      listed(tasks).includes(task) && lockedAt !== null && lockedAt < now - 1000 * Number(seconds) &&
      !living.has(lockedBy!)
    );
    return [...new Set(orphaned.map(({ lockedBy }) => lockedBy))].map((locked_by) => ({ locked_by }));
  },

  "DELETE FROM graphile_worker._private_jobs": (model, [id, attempts, revision]) => {
    const job = model.jobs.find((one) =>
      one.id === Number(id) && one.lockedBy !== null &&
      (one.key === null || one.attempts === Number(attempts) && one.revision === Number(revision))
    );
    if (job === undefined) return [];
    model.complete(job.id);
    return [{ key: job.key }];
  },
  "graphile_worker.add_job(": (model, [identifier, payload, jobKey, maxAttempts, runAt]) => {
    model.addJobs([{
      identifier: text(identifier),
      payload: JSON.parse(text(payload)),
      ...(typeof jobKey === "string" ? { jobKey } : {}),
      ...(typeof maxAttempts === "number" ? { maxAttempts } : {}),
      ...(typeof runAt === "string" ? { runAt: new Date(runAt) } : {}),
    }]);
    return [];
  },
  "graphile_worker.remove_job(": (model, [jobKey]) => {
    model.remove(text(jobKey));
    return [];
  },
  "SET max_attempts = least(max_attempts + 1": ({ jobs }, [pools]) => {
    for (const job of jobs) {
      if (job.key !== null && listed(pools).includes(job.lockedBy ?? "")) job.maxAttempts++;
    }
    return [];
  },
  "force_unlock_workers": (model, [pools]) => {
    model.unlock(listed(pools));
    return [];
  },
  "graphile_worker.complete_jobs(": (model, [tasks], { now }) => {
    const dead = model.jobs.filter(({ task, key, lockedBy, attempts, maxAttempts, updatedAt }) =>
      listed(tasks).includes(task) && lockedBy === null && attempts >= maxAttempts &&
      (key === null || updatedAt < now - DEAD_DAYS)
    );
    for (const { id } of dead) model.complete(id);
    return [];
  },
};
