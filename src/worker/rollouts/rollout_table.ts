import { type NextStage, nextStage, type Portion, type StagedPlan } from "../../account/rollout/stages.ts";
import type { Approval } from "../../plans/approval.ts";
import { isApproval } from "../../plans/override.ts";
import type { Database } from "../../store/postgres/database.ts";
import { retryWhileUnavailable } from "../../store/postgres/retry_while_unavailable.ts";
import type { Sql, SqlRow } from "../../store/postgres/sql.ts";
import { MAX_ATTEMPTS, PLAN_TASK } from "../../store/queue/sync_job.ts";

/**
 * How far a plan of a queue got: `open` — its stage has not come; `queued` — a worker may take it; `running` — a worker
 * applies it, or was cut off; `done`; `failed` — applied, and not every change is accepted; `unfinished` — cut off by
 * something that trying again did not overcome; `not_begun` — it could not be begun, and nothing was sent; `refused` — a
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

/** A plan that a worker has taken. */
export interface TakenPlan {
  /** Text of the plan file. */
  readonly text: string;
  /** Who approved it, in words. */
  readonly approvedBy: string | undefined;
  /** A person's signed approval, as it came; whether it holds is for the worker to check. */
  readonly approval: Approval | undefined;
  /** How it is applied. */
  readonly options: QueuedRolloutOptions;
}

/** What a worker did of a plan. */
export interface PlanOutcome {
  /** How far it got. */
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
   * Takes a plan for a worker.
   *
   * @returns `undefined` when it is over, or its rollout was stopped before it was begun.
   */
  async take(planId: string, workerId: string): Promise<TakenPlan | undefined> {
    const rolloutId = await this.rolloutOf(planId);
    if (rolloutId === undefined) return undefined;
    return await this.locked(rolloutId, async (sql) => {
      const [row] = await sql`
        SELECT rollouts.state AS rollout_state, options, rollout_plans.state, plan, approved_by, approval
        FROM rollout_plans JOIN rollouts ON id = rollout_id WHERE plan_id = ${planId}`;
      const state = String(row?.["state"]);
      const goesOn = row?.["rollout_state"] === "running" && state === "queued";
      // What was begun is finished, also after a stop: so it is on one machine.
      if (row === undefined || !(goesOn || state === "running")) {
        await sql`UPDATE rollout_plans SET state = 'open' WHERE plan_id = ${planId} AND state = 'queued'`;
        return undefined;
      }
      await sql`
        UPDATE rollout_plans SET state = 'running', worker_id = ${workerId}, changed_at = now()
        WHERE plan_id = ${planId}`;
      return takenPlan(row);
    });
  }

  /**
   * Writes down what a worker did of a plan, and begins what comes next.
   *
   * @returns false when another worker has the plan by now, and decides.
   */
  async end(planId: string, workerId: string, outcome: PlanOutcome): Promise<boolean> {
    const rolloutId = await this.rolloutOf(planId);
    if (rolloutId === undefined) return false;
    const { state, summary, result, rollback } = outcome;
    return await this.locked(rolloutId, async (sql) => {
      const ended = await sql`
        UPDATE rollout_plans SET state = ${state}, summary = ${summary}, result = ${result ?? null},
          rollback_id = ${rollback?.id ?? null}, rollback = ${rollback?.text ?? null}, changed_at = now()
        WHERE plan_id = ${planId} AND worker_id = ${workerId} AND state = 'running' RETURNING plan_id`;
      if (ended.length > 0) await this.advance(sql, rolloutId);
      return ended.length > 0;
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
    for (const { plan_id: planId, profile_id: profileId } of begun) {
      await sql`
        SELECT graphile_worker.add_job(
          identifier => ${PLAN_TASK}, payload => ${JSON.stringify({ planId, profileId })}::json,
          job_key => ${`${PLAN_TASK}:${profileId}:${planId}`}, max_attempts => ${MAX_ATTEMPTS}::int)`;
    }
  }

  /** Id of the rollout of a plan; `undefined` for one that is not on the queue. */
  async rolloutOf(planId: string): Promise<string | undefined> {
    const [row] = await this.#database.sql`SELECT rollout_id FROM rollout_plans WHERE plan_id = ${planId}`;
    return row === undefined ? undefined : String(row["rollout_id"]);
  }
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
  const approval: unknown = row["approval"] === null ? undefined : JSON.parse(String(row["approval"]));
  return {
    text: String(row["plan"]),
    approvedBy: typeof approvedBy === "string" ? approvedBy : undefined,
    approval: isApproval(approval) ? approval : undefined,
    options: optionsOf(row),
  };
}
