import type { JobHelpers } from "graphile-worker";
import { z } from "zod";
import { AuthError } from "../../errors.ts";
import { ApprovalError } from "../../plans/model/plan_errors.ts";
import { ChangePlan, type PlanResult } from "../../plans/change_plan/change_plan.ts";
import { leftOutOf } from "../../plans/apply/prepare_sending.ts";
import type { Finding } from "../../plans/model/finding.ts";
import { resumePlan } from "../../plans/change_plan/resume_plan.ts";
import type { Approval } from "../../plans/model/approval.ts";
import { checkApproval } from "../../plans/review/approval.ts";
import { ask } from "../../plans/review/ask.ts";
import { judge } from "../../plans/review/judge.ts";
import { resultText } from "../../plans/store/write_result.ts";
import { isAway } from "../../store/postgres/postgres_error.ts";
import type { QueueTask } from "../../store/queue/end_job.ts";
import { LeaseLostError } from "../../store/queue/lease.ts";
import { triesOf } from "../../store/queue/sync_job.ts";
import type { WorkerTaskParts } from "../../store/queue/worker.ts";
import { inJob } from "../../store/queue/worker_log.ts";
import { QueueJournal } from "./queue_journal.ts";
import { type PlanAttempt, type PlanOutcome, RolloutTable, type TakenPlan } from "./rollout_table.ts";

interface PlanTaskParts extends WorkerTaskParts {
  /** Path of the public key for approval signatures. Without it, no approval is valid. */
  readonly approvalKey?: string | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Number of attempts to resume an interrupted plan before it counts as failed. */
const MAX_TRIES = 5;

const PlanJob = z.object({ planId: z.string(), profileId: z.string() });

/** Creates the task that applies a plan. It resumes an interrupted plan from its journal, so nothing is sent twice. */
export function planTask(parts: PlanTaskParts): QueueTask {
  return (payload, helpers) => {
    const { planId, profileId } = PlanJob.parse(payload);
    const fields = {
      job: helpers.job.id,
      attempt: helpers.job.attempts,
      profile_id: profileId,
      plan: planId,
    };
    return inJob(fields, () => new PlanRun(planId, helpers, parts).run());
  };
}

class PlanRun {
  readonly #planId: string;
  readonly #helpers: Pick<JobHelpers, "job">;
  readonly #parts: PlanTaskParts;
  readonly #table: RolloutTable;
  readonly #journal: QueueJournal;
  readonly #attempt: PlanAttempt;
  readonly #lost: AbortSignal;

  constructor(planId: string, helpers: Pick<JobHelpers, "job">, parts: PlanTaskParts) {
    this.#planId = planId;
    this.#helpers = helpers;
    this.#parts = parts;
    this.#table = new RolloutTable(parts.driver.database);
    const { id: jobId, attempts: attempt } = helpers.job;
    // Two attempts of one worker are two.
    this.#attempt = { workerId: `${parts.workerId()} ${crypto.randomUUID().slice(0, 8)}`, jobId, attempt };
    this.#journal = new QueueJournal(parts.driver.database.sql, planId, this.#attempt.workerId);
    this.#lost = parts.lost();
  }

  async run(): Promise<void> {
    const { log } = this.#parts;
    log({ level: "info", event: "job_taken" });
    const taken = await this.#table.take(this.#planId, this.#attempt);
    if (taken === undefined) return this.#told("passed_over");
    let outcome: PlanOutcome;
    try {
      outcome = outcomeOf(await this.#send(taken), this.#parts.now ?? Date.now);
    } catch (error) {
      if (await this.#putBack(error)) return;
      const summary = error instanceof Error ? error.message : String(error);
      // Thrown, and not returned: nothing was done by this run. An earlier one may have done something.
      outcome = { state: await this.#journal.begun() !== undefined ? "unfinished" : "not_begun", summary };
    }
    if (outcome.state === "unfinished" && triesOf(this.#helpers.job) < MAX_TRIES) {
      this.#told("cut_off", { error: outcome.summary });
      throw new Error(outcome.summary);
    }
    await this.#table.end(this.#planId, this.#attempt, outcome);
    this.#told(outcome.state, outcome.state === "done" ? {} : { error: outcome.summary });
  }

  async #send(
    { text, approvedBy, approval, accepted, leftOut, putBack, options }: TakenPlan,
  ): Promise<PlanResult> {
    const { ads, stop, log } = this.#parts;
    const plan = ChangePlan.fromJson(text);
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    const signal = AbortSignal.any([stop, this.#lost]);
    const isBegun = await this.#journal.begun() !== undefined;
    const found = isBegun
      ? await resumePlan(plan, client, { journal: this.#journal, lookOnly: true, signal })
      : undefined;
    const { checkDrift, skipDrifted, sendAnyway } = options;
    const review = await judge(plan, client, { found, putBack, checkDrift, skipDrifted, sendAnyway, signal });
    const consent = await ask(review, {
      by: approvedBy ?? "nobody",
      may: approvedBy === undefined ? "nothing" : "warnings",
      accepted,
      ...(approval === undefined ? {} : { given: () => this.#checkApproval(plan, approval) }),
    });
    // What the person was shown as left out stays out, also where the account has moved back since.
    const known = new Set(leftOutOf(consent.reviewed));
    const shownOut = (leftOut ?? []).filter((at) => !known.has(at)).map((change): Finding => ({
      code: plan.changes[change]?.op === "call" ? "PUT_BACK" : "DRIFTED",
      ...{
        level: "note",
        change,
        refused: true,
        message: "it was shown as left out when the plan was agreed to",
      },
    }));
    const reviewed = [...consent.reviewed, ...shownOut];
    const settings = { ...options, ...consent, reviewed, leftOut, signal };
    const result = isBegun
      ? await resumePlan(plan, client, {
        ...settings,
        journal: this.#journal,
        onWait: (seconds) => log({ level: "info", event: "settles", seconds }),
      })
      : await plan.apply(client, { ...settings, journal: this.#journal });
    // What was cut off by the end of this worker is another's to finish.
    signal.throwIfAborted();
    if (result.stoppedBy !== undefined && isAway(result.stoppedBy)) throw result.stoppedBy;
    return result;
  }

  async #checkApproval(plan: ChangePlan, approval: Approval): Promise<Approval> {
    const { approvalKey, now } = this.#parts;
    if (approvalKey === undefined) {
      throw new ApprovalError("This worker has no key to check the approval with", "missing");
    }
    return await checkApproval(plan, approval, {
      publicKey: approvalKey,
      ...(now === undefined ? {} : { now }),
    });
  }

  /**
   * Returns true if the job was returned to the queue; throws errors that a retry may fix.
   *
   * @throws when login fails or the database is unavailable, until attempts are exhausted.
   */
  async #putBack(error: unknown): Promise<boolean> {
    const { job } = this.#helpers;
    if (this.#lost.aborted || error instanceof LeaseLostError) throw error;
    if (this.#parts.stop.aborted) {
      await this.#table.putBack(this.#planId, this.#attempt);
      this.#told("put_back");
      return true;
    }
    if ((error instanceof AuthError || isAway(error)) && job.attempts < job.max_attempts) throw error;
    return false;
  }

  #told(outcome: string, more: Record<string, unknown> = {}): void {
    const { log, metrics } = this.#parts;
    metrics.add("platform_ads_jobs_run_total", 1, { outcome });
    metrics.add("platform_ads_plans_total", 1, { outcome });
    const level = outcome === "done" || outcome === "passed_over" || outcome === "put_back" ? "info" : "warn";
    log({ level, event: "plan_ended", outcome, ...more });
  }
}

function outcomeOf(result: PlanResult, now: () => number): PlanOutcome {
  const { rollback, text } = resultText(result, now);
  const isCutOff = result.changes.some(({ outcome, error }) =>
    outcome === "unknown" || error?.code === "NOT_SENT"
  );
  return {
    state: result.ok ? "done" : isCutOff ? "unfinished" : "failed",
    summary: result.summary(),
    result: text(undefined),
    rollback: rollback && { id: rollback.id, text: rollback.toJson() },
  };
}
