import { type NextStage, nextStage, type Portion, type StagedPlan } from "../../account/rollout/stages.ts";
import type { Approval } from "../../plans/model/approval.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { isApproval } from "../../plans/model/override.ts";
import type { Database } from "../../store/postgres/database.ts";
import { retryWhileUnavailable } from "../../store/postgres/postgres_error.ts";
import type { Sql, SqlRow } from "../../store/tables/postgres_sql.ts";
import { LeaseLostError } from "../../store/queue/lease.ts";
import { MAX_ATTEMPTS, PLAN_TASK } from "../../store/queue/sync_job.ts";
import { QueueJournal } from "./queue_journal.ts";

/**
 * Progress of a plan on a queue: `open` — its stage has not come; `queued` — a worker may take it; `running` — a worker
 * applies it, or was cut off; `done`; `failed` — applied, and not every change is accepted; `unfinished` — cut off by
 * something that a retry did not overcome; `not_begun` — it could not be begun, and nothing was sent; `refused` — a
 * person said no.
 */
export type QueuedPlanState =
  | "open"
  | "queued"
  | "running"
  | "done"
  | "failed"
  | "unfinished"
  | "not_begun"
  | "refused";

/** How the plans of a rollout on a queue are applied. */
export interface QueuedRolloutOptions {
  /** Sizes of the stages. */
  readonly serial: readonly Portion[];
  /** Failed plans of a stage after which nothing more is begun when there are more. */
  readonly stopOnFailures: Portion;
  /** Refuse a plan when an entity has changed since it was made. */
  readonly checkDrift: boolean;
  /** Leave out what has changed. */
  readonly skipDrifted: boolean;
  /** Send also what the platform would refuse. */
  readonly sendAnyway: boolean;
}

export interface TakenPlan {
  /** Text of the plan file. */
  readonly text: string;
  /** Name of the approver, in words. */
  readonly approvedBy: string | undefined;
  /** A person's signed approval, as it came; whether it holds is for the worker to check. */
  readonly approval: Approval | undefined;
  /** Keys of the findings that were shown and accepted when it was put on the queue. */
  readonly accepted: readonly string[];
  /** How it is applied. */
  readonly options: QueuedRolloutOptions;
}

/** One attempt of a worker at a plan. Attempts of one job are numbered, and a later job has a greater id. */
export interface PlanAttempt {
  /** Unique to the attempt. */
  readonly workerId: string;
  /** Job of the queue; a job that replaces another has a greater number. */
  readonly jobId: string;
  /** Number of the attempt at the job, from 1. */
  readonly attempt: number;
}

/** Result of a worker for a plan. */
export interface PlanOutcome {
  /** Progress of the plan. */
  readonly state: Exclude<QueuedPlanState, "open" | "queued" | "running" | "refused">;
  /** Counts in words, or why it was not begun. */
  readonly summary: string;
  /** Text of the result file; `undefined` where nothing was sent. */
  readonly result?: string | undefined;
  /** The plan that undoes what was accepted. */
  readonly rollback?: { readonly id: string; readonly text: string } | undefined;
}

const OVER: ReadonlySet<string> = new Set(["done", "refused"]);
const FAILED: ReadonlySet<string> = new Set(["failed", "unfinished", "not_begun"]);

/**
 * Rollouts in the database of a queue. Whatever decides what is begun does so in one transaction that holds the row of the
 * rollout, and the jobs of what is begun are put on the queue in the same transaction.
 */
export class RolloutTable {
  readonly #database: Database;

  /** @param database The database of the queue. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Does a step while no other process decides about the rollout, again while the database is away. */
  locked<T>(rolloutId: string, step: (sql: Sql) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(() =>
      this.#database.transaction(async (sql) => {
        await sql`SELECT 1 FROM rollouts WHERE id = ${rolloutId} FOR UPDATE`;
        return await step(sql);
      })
    );
  }

  /**
   * Takes a plan for an attempt.
   *
   * @returns `undefined` when it is over, or its rollout was stopped before it was begun.
   * @throws {LeaseLostError} when a later attempt has taken it.
   */
  async take(planId: string, { workerId, jobId, attempt }: PlanAttempt): Promise<TakenPlan | undefined> {
    const rolloutId = await this.rolloutOf(planId);
    if (rolloutId === undefined) return undefined;
    return await this.locked(rolloutId, async (sql) => {
      const [row] = await sql`
        SELECT rollouts.state AS rollout_state, options, rollout_plans.state, plan, approved_by, approval,
          worker_id IS DISTINCT FROM ${workerId} AND (job_id, attempt) >= (${jobId}::bigint, ${attempt}::integer) AS overtaken
        FROM rollout_plans JOIN rollouts ON id = rollout_id WHERE plan_id = ${planId}`;
      if (row?.["overtaken"] === true) throw overtaken(planId);
      const state = String(row?.["state"]);
      const goesOn = row?.["rollout_state"] === "running" && state === "queued";
      // What was begun is finished, also after a stop: so it is on one machine.
      if (row === undefined || !(goesOn || state === "running")) {
        await sql`UPDATE rollout_plans SET state = 'open' WHERE plan_id = ${planId} AND state = 'queued'`;
        return undefined;
      }
      await sql`
        UPDATE rollout_plans SET state = 'running', worker_id = ${workerId}, job_id = ${jobId}::bigint,
          attempt = ${attempt}::integer, changed_at = now()
        WHERE plan_id = ${planId}`;
      return takenPlan(row);
    });
  }

  /**
   * Records the result of an attempt, and begins what comes next.
   *
   * @throws {LeaseLostError} when a later attempt has taken the plan.
   */
  async end(planId: string, { workerId }: PlanAttempt, outcome: PlanOutcome): Promise<void> {
    const { state, summary, result, rollback } = outcome;
    await this.#owned(planId, workerId, async (sql, rolloutId) => {
      await sql`
        UPDATE rollout_plans SET state = ${state}, summary = ${summary}, result = ${result ?? null},
          rollback_id = ${rollback?.id ?? null}, rollback = ${rollback?.text ?? null}, changed_at = now()
        WHERE plan_id = ${planId} AND state = 'running'`;
      await this.advance(sql, rolloutId);
    });
  }

  /**
   * Puts the plan of an attempt back on the queue, for another worker.
   *
   * @throws {LeaseLostError} when a later attempt has taken the plan.
   */
  async putBack(planId: string, { workerId }: PlanAttempt): Promise<void> {
    await this.#owned(planId, workerId, async (sql) => {
      await addJobs(sql, await sql`SELECT plan_id, profile_id FROM rollout_plans WHERE plan_id = ${planId}`);
    });
  }

  /** Gives begun plans that have no job, or only one that is not tried again, a new job; returns their ids. */
  async requeueStuck(): Promise<string[]> {
    const stuck = await stuckPlans(this.#database.sql);
    const requeued: string[] = [];
    for (const rolloutId of new Set(stuck.map(({ rollout_id }) => String(rollout_id)))) {
      await this.locked(rolloutId, async (sql) => {
        const plans = (await stuckPlans(sql)).filter(({ rollout_id }) => rollout_id === rolloutId);
        await addJobs(sql, plans);
        requeued.push(...plans.map(({ plan_id }) => String(plan_id)));
      });
    }
    return requeued;
  }

  /** Does a step while the attempt holds the plan. */
  async #owned(
    planId: string,
    workerId: string,
    step: (sql: Sql, rolloutId: string) => Promise<void>,
  ): Promise<void> {
    const rolloutId = await this.rolloutOf(planId);
    if (rolloutId === undefined) throw overtaken(planId);
    await this.locked(rolloutId, async (sql) => {
      const held = await sql`
        SELECT 1 FROM rollout_plans WHERE plan_id = ${planId} AND worker_id = ${workerId} FOR UPDATE`;
      if (held.length === 0) throw overtaken(planId);
      await step(sql, rolloutId);
    });
  }

  /** The one decision: puts the plans of the stage that is next on the queue, or writes down that the rollout is over. */
  async advance(sql: Sql, rolloutId: string): Promise<void> {
    const [row] = await sql`SELECT options, state FROM rollouts WHERE id = ${rolloutId}`;
    if (row?.["state"] !== "running") return;
    const plans = await sql`
      SELECT plan_id, profile_id, state FROM rollout_plans WHERE rollout_id = ${rolloutId} ORDER BY place`;
    const next: NextStage = nextStage(plans.map(staged), optionsOf(row));
    if (next.stopped !== undefined || next.open.length === 0) {
      await sql`
        UPDATE rollouts SET state = ${next.stopped === undefined ? "done" : "stopped"},
          stopped = ${next.stopped ?? null}, changed_at = now() WHERE id = ${rolloutId}`;
      return;
    }
    const begun = await sql`
      UPDATE rollout_plans SET state = 'queued', stage = ${next.stage}, changed_at = now()
      WHERE state = 'open' AND plan_id = ANY (string_to_array(${next.open.join(",")}, ','))
      RETURNING plan_id, profile_id`;
    await addJobs(sql, begun);
  }

  /**
   * Stops a rollout and takes its plans off the queue, those that were not begun without a trace; within
   * {@linkcode RolloutTable.locked}.
   *
   * @returns Ids of plans that a worker applies, in which case it is only stopped; else the journals of plans that were cut
   * off, by their ids.
   */
  async withdraw(
    sql: Sql,
    rolloutId: string,
  ): Promise<{ running: readonly string[]; cutOff: ReadonlyMap<string, string> }> {
    await sql`
      UPDATE rollouts SET state = ${"stopped"}, stopped = ${"It was taken off the queue"}, changed_at = now()
      WHERE id = ${rolloutId}`;
    const plans = await sql`
      SELECT plan_id, profile_id, state FROM rollout_plans WHERE rollout_id = ${rolloutId} ORDER BY place`;
    const running = plans.filter(({ state }) => state === "running").map(({ plan_id }) => String(plan_id));
    const cutOff = new Map<string, string>();
    if (running.length > 0) return { running, cutOff };
    for (const { plan_id, profile_id, state } of plans) {
      if (state === "failed" || OVER.has(String(state))) continue;
      const planId = String(plan_id);
      await sql`SELECT graphile_worker.remove_job(${jobKey(planId, profile_id)})`;
      // One that was cut off and put on the queue again is as open as one that was not begun.
      const journal = await new QueueJournal(sql, planId).begun();
      if (journal !== undefined) {
        cutOff.set(planId, journal);
        await sql`UPDATE rollout_plans SET state = 'unfinished', changed_at = now() WHERE plan_id = ${planId}`;
        continue;
      }
      await sql`DELETE FROM plan_journals WHERE plan_id = ${planId}`;
      await sql`DELETE FROM rollout_plans WHERE plan_id = ${planId}`;
    }
    return { running, cutOff };
  }

  /** Id of the rollout of a plan; `undefined` for one that is not on the queue. */
  async rolloutOf(planId: string): Promise<string | undefined> {
    const [row] = await this.#database.sql`SELECT rollout_id FROM rollout_plans WHERE plan_id = ${planId}`;
    return row === undefined ? undefined : String(row["rollout_id"]);
  }
}

/** Begun plans that no worker is going to take. */
function stuckPlans(sql: Sql): Promise<SqlRow[]> {
  return sql`
    SELECT plan_id, profile_id, rollout_id FROM rollout_plans
    WHERE state IN ('queued', 'running') AND NOT EXISTS (
      SELECT 1 FROM graphile_worker.jobs WHERE key = ${PLAN_TASK} || ':' || profile_id || ':' || plan_id
        AND (locked_at IS NOT NULL OR attempts < max_attempts)
    )`;
}

/** Puts jobs for plans on the queue. Each has a new id, also where a job with its key was given up. */
async function addJobs(sql: Sql, plans: readonly SqlRow[]): Promise<void> {
  for (const { plan_id: planId, profile_id: profileId } of plans) {
    const key = jobKey(planId, profileId);
    await sql`SELECT graphile_worker.remove_job(${key})`;
    await sql`
      SELECT graphile_worker.add_job(
        identifier => ${PLAN_TASK}, payload => ${JSON.stringify({ planId, profileId })}::json,
        job_key => ${key}, max_attempts => ${MAX_ATTEMPTS}::int)`;
  }
}

/** Key of the job of a plan on the queue. */
function jobKey(planId: unknown, profileId: unknown): string {
  return `${PLAN_TASK}:${profileId}:${planId}`;
}

function overtaken(planId: string): LeaseLostError {
  return new LeaseLostError(
    `Cannot continue plan ${planId}: this worker was silent for too long, so another attempt took over`,
  );
}

function staged(row: SqlRow): StagedPlan {
  const state = String(row["state"]);
  return {
    id: String(row["plan_id"]),
    state: OVER.has(state) ? "over" : FAILED.has(state) ? "failed" : "open",
  };
}

function optionsOf(row: SqlRow): QueuedRolloutOptions {
  return JSON.parse(String(row["options"]));
}

function takenPlan(row: SqlRow): TakenPlan {
  const approvedBy = row["approved_by"];
  const { approval, accepted } = fieldsOf(
    row["approval"] === null ? undefined : JSON.parse(String(row["approval"])),
  );
  return {
    text: String(row["plan"]),
    approvedBy: typeof approvedBy === "string" ? approvedBy : undefined,
    approval: isApproval(approval) ? approval : undefined,
    accepted: Array.isArray(accepted) ? accepted.map(String) : [],
    options: optionsOf(row),
  };
}
