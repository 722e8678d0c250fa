import {
  hasSucceeded,
  isOnlyLeftOut,
  type NextStage,
  nextStage,
  type Portion,
  type StagedPlan,
} from "../../account/rollout/stages.ts";
import type { Approval } from "../../plans/model/approval.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { type Finding, isApproval, isFinding } from "../../plans/model/finding.ts";
import type { Database } from "../../store/postgres/database.ts";
import { retryWhileUnavailable } from "../../store/postgres/postgres_error.ts";
import type { Sql, SqlRow } from "../../store/tables/postgres_sql.ts";
import { LeaseLostError } from "../../store/queue/lease.ts";
import { MAX_ATTEMPTS, PLAN_TASK } from "../../store/queue/sync_job.ts";
import { QueueJournal } from "./queue_journal.ts";

/**
 * Progress of a plan on a queue: `open` — its stage has not started; `queued` — ready for a worker; `running` — a
 * worker is applying it, or was interrupted; `done`; `failed` — applied, but not every change was accepted;
 * `unfinished` — interrupted by a problem that retries did not resolve; `not_begun` — it could not be started, and
 * nothing was sent; `refused` — a person refused it.
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

export interface QueuedRolloutOptions {
  readonly serial: readonly Portion[];
  readonly stopOnFailures: Portion;
  readonly checkDrift: boolean;
  readonly skipDrifted: boolean;
  readonly sendAnyway: boolean;
}

export interface TakenPlan {
  readonly text: string;
  readonly approvedBy: string | undefined;
  /** Approval of the plan, unverified; the worker checks it. */
  readonly approval: Approval | undefined;
  readonly accepted: readonly string[];
  /** Positions of the changes that were shown as left out; `undefined` if this worker's review decides. */
  readonly leftOut: readonly number[] | undefined;
  /** Findings on calls that plans of known folders put back, which are not sent. */
  readonly putBack: readonly Finding[];
  readonly options: QueuedRolloutOptions;
}

export interface PlanAttempt {
  readonly workerId: string;
  /** Id of the job, which increases with each replacement job. */
  readonly jobId: string;
  readonly attempt: number;
}

export interface PlanOutcome {
  readonly state: Exclude<QueuedPlanState, "open" | "queued" | "running" | "refused">;
  readonly summary: string;
  readonly result?: string | undefined;
  readonly rollback?: { readonly id: string; readonly text: string } | undefined;
}

const OVER: ReadonlySet<string> = new Set(["done", "refused"]);
const FAILED: ReadonlySet<string> = new Set(["failed", "unfinished", "not_begun"]);

/**
 * The tables of rollouts. Every scheduling decision locks the rollout's row in one transaction, which also enqueues
 * the jobs.
 */
export class RolloutTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  locked<T>(rolloutId: string, step: (sql: Sql) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(() =>
      this.#database.transaction(async (sql) => {
        await sql`SELECT 1 FROM rollouts WHERE id = ${rolloutId} FOR UPDATE`;
        return await step(sql);
      })
    );
  }

  /**
   * @returns `undefined` when the plan is finished, or its rollout stopped before it began.
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

  async putBack(planId: string, { workerId }: PlanAttempt): Promise<void> {
    await this.#owned(planId, workerId, async (sql) => {
      await addJobs(sql, await sql`SELECT plan_id, profile_id FROM rollout_plans WHERE plan_id = ${planId}`);
    });
  }

  /** Requeues running plans that have no runnable job left, and returns their ids. */
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

  async advance(sql: Sql, rolloutId: string): Promise<void> {
    const [row] = await sql`SELECT options, state FROM rollouts WHERE id = ${rolloutId}`;
    if (row?.["state"] !== "running") return;
    const plans = await sql`
      SELECT plan_id, profile_id, state, CASE WHEN state = 'failed' THEN result END AS result
      FROM rollout_plans WHERE rollout_id = ${rolloutId} ORDER BY place`;
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
   * Removes a rollout from the queue. Must run inside {@linkcode RolloutTable.locked}.
   *
   * @returns Ids of plans that a worker is applying, in which case the rollout is only stopped; otherwise the journals
   * of interrupted plans by id.
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

  async rolloutOf(planId: string): Promise<string | undefined> {
    const [row] = await this.#database.sql`SELECT rollout_id FROM rollout_plans WHERE plan_id = ${planId}`;
    return row === undefined ? undefined : String(row["rollout_id"]);
  }
}

function stuckPlans(sql: Sql): Promise<SqlRow[]> {
  return sql`
    SELECT plan_id, profile_id, rollout_id FROM rollout_plans
    WHERE state IN ('queued', 'running') AND NOT EXISTS (
      SELECT 1 FROM graphile_worker.jobs WHERE key = ${PLAN_TASK} || ':' || profile_id || ':' || plan_id
        AND (locked_at IS NOT NULL OR attempts < max_attempts)
    )`;
}

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

function jobKey(planId: unknown, profileId: unknown): string {
  return `${PLAN_TASK}:${profileId}:${planId}`;
}

function overtaken(planId: string): LeaseLostError {
  return new LeaseLostError(
    `Cannot continue plan ${planId}: this worker was silent for too long, so another attempt took over`,
  );
}

function staged(row: SqlRow): StagedPlan {
  const { state: found, result } = row;
  const state = String(found);
  const onlyLeftOut = typeof result === "string" && isOnlyLeftOut(JSON.parse(result));
  return {
    id: String(row["plan_id"]),
    state: OVER.has(state) || hasSucceeded({ state, onlyLeftOut })
      ? "over"
      : FAILED.has(state)
      ? "failed"
      : "open",
  };
}

function optionsOf(row: SqlRow): QueuedRolloutOptions {
  return JSON.parse(String(row["options"]));
}

function takenPlan(row: SqlRow): TakenPlan {
  const approvedBy = row["approved_by"];
  const { approval, accepted, left_out: leftOut, put_back: putBack } = fieldsOf(
    row["approval"] === null ? undefined : JSON.parse(String(row["approval"])),
  );
  return {
    text: String(row["plan"]),
    approvedBy: typeof approvedBy === "string" ? approvedBy : undefined,
    approval: isApproval(approval) ? approval : undefined,
    accepted: Array.isArray(accepted) ? accepted.map(String) : [],
    // Without the key, an earlier release has put the plan here, and nobody knows what was shown.
    leftOut: leftOut === null ? undefined : Array.isArray(leftOut) ? leftOut.map(Number) : [],
    putBack: Array.isArray(putBack) ? putBack.filter(isFinding) : [],
    options: optionsOf(row),
  };
}
