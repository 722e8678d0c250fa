import type { AddJobsJobSpec, JobHelpers } from "graphile-worker";
import type { SyncProgress } from "../sync/sync_options.ts";
import type { SyncResult } from "../sync/sync_result.ts";
import type { QueueTask } from "./end_job.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { type SyncJob, syncJobSpec } from "./sync_job.ts";
import type { JobRunner } from "./run_job.ts";
import { inJob, type LogSink } from "./worker_log.ts";
import type { WorkerMetrics } from "./worker_metrics.ts";

interface SyncTaskParts {
  readonly runner: JobRunner;
  readonly heartbeat: Pick<Heartbeat, "lost">;
  readonly metrics: WorkerMetrics;
  readonly log: LogSink;
  readonly stop: AbortSignal;
  readonly lease: number;
}

export function syncTask(parts: SyncTaskParts): QueueTask {
  return (payload, helpers) => {
    const job = payload as SyncJob;
    const { id, attempts } = helpers.job;
    const fields = { job: id, attempt: attempts, profile_id: job.profileId, report: job.report };
    return inJob(fields, () => runTask(job, helpers, parts));
  };
}

async function runTask(
  job: SyncJob,
  helpers: Pick<JobHelpers, "job">,
  parts: SyncTaskParts,
): Promise<AddJobsJobSpec | void> {
  const { runner, heartbeat, metrics, log, stop } = parts;
  const began = performance.now();
  const signal = AbortSignal.any([stop, heartbeat.lost]);
  const finish = (outcome: string, more: Record<string, unknown> = {}): void => {
    metrics.add("platform_ads_jobs_run_total", 1, { outcome });
    const seconds = Math.round(performance.now() - began) / 1000;
    const level = outcome === "gave_up" || outcome === "held"
      ? "error"
      : outcome === "failed"
      ? "warn"
      : "info";
    log({ level, event: "job_ended", outcome, seconds, ...more });
  };

  log({ level: "info", event: "job_taken" });
  try {
    const result = await runner.run(job, {
      signal,
      onProgress: (progress) => logProgress(log, progress),
      onWarning: (warning) => log({ level: "warn", event: "sync_warning", warning }),
    });
    if (result === undefined) {
      finish("postponed");
      return { ...syncJobSpec(job), runAt: new Date(Date.now() + parts.lease * 1000) };
    }
    count(result, metrics);
    const troubled = [...result.failures, ...result.entityFailures];
    const held = troubled.filter(({ state }) => state === "held");
    if (held.length < troubled.length) result.raiseForErrors();
    // Another try would come to the same: a person decides.
    const problem = held[0]?.error?.message;
    finish(problem === undefined ? "done" : "held", {
      reports: result.outcomes.length,
      rows: result.rows,
      ...(result.entities.length === 0 ? {} : {
        entities: result.entities.reduce((sum, { entities }) => sum + entities, 0),
        by_export: result.entities.filter(({ source }) => source === "export").map(({ kind }) => kind),
      }),
      ...(problem === undefined ? {} : { error: problem }),
    });
  } catch (error) {
    if (stop.aborted && !heartbeat.lost.aborted) {
      finish("put_back");
      return syncJobSpec(job);
    }
    const gaveUp = helpers.job.attempts >= helpers.job.max_attempts;
    finish(gaveUp ? "gave_up" : "failed", { error: (error as Error).message });
    throw error;
  }
}

function count(result: SyncResult, metrics: WorkerMetrics): void {
  metrics.add("platform_ads_rows_stored_total", result.rows);
  for (const { state } of result.outcomes) metrics.add("platform_ads_reports_total", 1, { outcome: state });
}

function logProgress(log: LogSink, progress: SyncProgress): void {
  const { kind, start, end, reportId, status, seconds, rows } = progress;
  if (kind === "waiting" || kind === "storing") return;
  const level = ["held", "failed", "throttled"].includes(kind) ? "warn" : "info";
  log({ level, event: `report_${kind}`, start, end, report_id: reportId, status, seconds, rows });
}
