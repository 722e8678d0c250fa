import type { AddJobsJobSpec } from "graphile-worker";
import { z } from "zod";
import { accountDrift } from "../../account/diff/account_drift.ts";
import type { DriftEntry } from "../../account/diff/drift_entry.ts";
import { PlanStore } from "../../plans/store/plan_store.ts";
import { retryWhileUnavailable } from "../../store/postgres/postgres_error.ts";
import type { QueueTask } from "../../store/queue/end_job.ts";
import { DRIFT_TASK, driftJobSpec } from "../../store/queue/sync_job.ts";
import type { WorkerTaskParts } from "../../store/queue/worker.ts";
import { inJob } from "../../store/queue/worker_log.ts";
import { Warehouse } from "../../store/warehouse/warehouse.ts";
import { type DriftRun, lastRuns, putRun } from "./drift_runs.ts";
import { type AppliedPlanData, type AppliedPlanSource, beganAt } from "../../account/diff/plan_record.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { openAttempt } from "../../plans/apply/journal_reading.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { appliedRecord } from "../../plans/store/applied_record.ts";
import type { Sql } from "../../store/tables/postgres_sql.ts";

interface DriftTaskParts extends WorkerTaskParts {
  readonly planFolders: readonly string[];
}

const Job = z.object({
  profileId: z.string(),
  countryCode: z.string(),
  ignore: z.array(z.string()),
  enqueuedAt: z.string(),
});

const FIRST = 24 * 3_600_000;
/** Milliseconds of overlap with the previous run, because the platform reports changes with a delay. */
const OVERLAP = 30 * 60_000;
/** Retention of the platform's history, in milliseconds. */
const HISTORY = 89 * 24 * 3_600_000;

export function driftTask(parts: DriftTaskParts): QueueTask {
  const { driver, ads, metrics, log, stop } = parts;
  return (payload, helpers) => {
    const job = Job.parse(payload);
    const { profileId, countryCode, ignore } = job;
    const fields = {
      job: helpers.job.id,
      attempt: helpers.job.attempts,
      profile_id: profileId,
      task: DRIFT_TASK,
    };
    const signal = AbortSignal.any([stop, parts.lost()]);
    const finish = (outcome: string, more: Record<string, unknown> = {}): void => {
      metrics.add("platform_ads_jobs_run_total", 1, { outcome });
      log({ level: outcome === "failed" ? "warn" : "info", event: "drift_ended", outcome, ...more });
    };
    const run = async (): Promise<AddJobsJobSpec | void> => {
      log({ level: "info", event: "job_taken" });
      try {
        const { sql } = driver.database;
        const now = ads.transport.now();
        const [before] = await lastRuns(sql, [profileId]);
        const drift = await accountDrift(ads.profileFrom(profileId, countryCode), {
          since: sinceOf(before, now),
          plans: [queuePlans(sql), ...parts.planFolders.map((folder) => PlanStore.open(folder))],
          store: new Warehouse(driver),
          ignore,
          signal,
        });
        const known = new Set(before?.entries.map(keyOf));
        const entries = drift.entries.filter((entry) => !known.has(keyOf(entry)));
        const found: DriftRun = {
          profileId,
          countryCode,
          ranAt: new Date(now).toISOString(),
          since: before?.ranAt ?? drift.since,
          entries,
          isOurs: entries.every(({ by }) => by === "plan"),
        };
        await retryWhileUnavailable(() => putRun(sql, found));
        const counts = Map.groupBy(entries, ({ by }) => by);
        for (const [by, own] of counts) metrics.add("platform_ads_drift_changes_total", own.length, { by });
        finish("done", { changes: entries.length, by_others: counts.get("other")?.length ?? 0 });
      } catch (error) {
        if (stop.aborted && !parts.lost().aborted) {
          finish("put_back");
          return driftJobSpec(job);
        }
        finish("failed", { error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    };
    return inJob(fields, run);
  };
}

function sinceOf(before: DriftRun | undefined, now: number): number {
  const start = before === undefined ? now - FIRST : Date.parse(before.ranAt) - OVERLAP;
  return Math.max(start, now - HISTORY);
}

function keyOf({ at, id, kind, change, after }: DriftEntry): string {
  return JSON.stringify([at, id, kind, change, after]);
}

function queuePlans(sql: Sql): AppliedPlanSource {
  return {
    appliedPlans: async (profileId) => {
      const rows = await sql`
        SELECT plan, result,
          (SELECT string_agg(text, '' ORDER BY id) FROM plan_journals WHERE plan_id = rollout_plans.plan_id) AS journal
        FROM rollout_plans WHERE profile_id = ${profileId}
          AND EXISTS (SELECT FROM plan_journals WHERE plan_id = rollout_plans.plan_id)`;
      return rows.flatMap(({ plan, result, journal }): AppliedPlanData[] => {
        const attempt = openAttempt(String(journal));
        if (attempt === undefined) return [];
        return [{
          plan: ChangePlan.fromJson(String(plan)),
          record: typeof result === "string" ? appliedRecord(fieldsOf(JSON.parse(result))) : undefined,
          beganAt: beganAt(attempt.text) ?? "",
        }];
      });
    },
  };
}
