import type { AddJobsJobSpec, JobHelpers } from "graphile-worker";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ShrinkError } from "../../../src/store/model/store_error.ts";
import { SyncResult } from "../../../src/store/sync/sync_result.ts";
import type { JobRunner } from "../../../src/store/queue/run_job.ts";
import { syncTask } from "../../../src/store/queue/sync_task.ts";
import { jobLog, type WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";

const JOB = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  enqueuedAt: "2026-11-20T05:15:00.000Z",
} as const;

/** Runs the task once, with what the job comes to, and tells what was logged and put back. */
async function runOnce(
  run: (signal: AbortSignal) => Promise<SyncResult | undefined>,
  options: { attempts?: number; stop?: AbortController } = {},
): Promise<{ log: WorkerLogRecord[]; back: AddJobsJobSpec[]; error: Error | undefined }> {
  const log: WorkerLogRecord[] = [];
  const back: AddJobsJobSpec[] = [];
  const task = syncTask({
    runner: {
      run: (_job: unknown, { signal }: { signal: AbortSignal }) => run(signal),
    } as unknown as JobRunner,
    heartbeat: { lost: new AbortController().signal },
    metrics: new WorkerMetrics(),
    log: jobLog((record) => log.push(record), { worker: "w" }),
    stop: (options.stop ?? new AbortController()).signal,
    lease: 60,
  });
  const helpers = {
    job: { id: "7", attempts: options.attempts ?? 1, max_attempts: 8 },
  } as unknown as JobHelpers;
  const error = await task(JOB, helpers).then((next) => {
    if (next !== undefined) back.push(next);
    return undefined;
  }, (error) => error as Error);
  return { log, back, error };
}

test("a job that is done is logged with its id, attempt, profile and report", async () => {
  const { log, error } = await runOnce(() =>
    Promise.resolve(new SyncResult({ outcomes: [], stopped: false }))
  );
  assert.equal(error, undefined);
  assert.deepEqual(log.map(({ event }) => event), ["job_taken", "job_ended"]);
  const { level, outcome, job, attempt, profile_id, report, worker } = log[1]!;
  assert.deepEqual([level, outcome, job, attempt, profile_id, report, worker], [
    "info",
    "done",
    "7",
    1,
    "1",
    "sp_placement",
    "w",
  ]);
});

test("a job that fails goes back to the queue as failed, and the last time it is given up, loudly", async () => {
  const fail = (): Promise<undefined> => Promise.reject(new Error("no luck"));
  const first = await runOnce(fail);
  assert.equal(first.error?.message, "no luck");
  assert.deepEqual([first.log.at(-1)!.level, first.log.at(-1)!["outcome"]], ["warn", "failed"]);
  const last = await runOnce(fail, { attempts: 8 });
  assert.equal(last.error?.message, "no luck");
  assert.deepEqual([last.log.at(-1)!.level, last.log.at(-1)!["outcome"]], ["error", "gave_up"]);
});

test("a job whose report was held back is not tried again, and is told loudly", async () => {
  const error = new ShrinkError("Held back 3 days", []);
  const { profileId, countryCode, report } = JOB;
  const held = {
    profileId,
    countryCode,
    report,
    start: "2026-09-01",
    end: "2026-09-03",
    reportId: "r",
    state: "held",
    resumed: false,
    rows: 0,
    error,
  } as const;
  const ended = await runOnce(() => Promise.resolve(new SyncResult({ outcomes: [held], stopped: false })));
  assert.equal(ended.error, undefined);
  const { level, outcome, error: why } = ended.log.at(-1)!;
  assert.deepEqual([level, outcome, why], ["error", "held", "Held back 3 days"]);
});

test("a job that another worker is at is looked at again after its lease", async () => {
  const began = Date.now();
  const { back, error, log } = await runOnce(() => Promise.resolve(undefined));
  assert.equal(error, undefined);
  assert.equal(log.at(-1)!["outcome"], "postponed");
  assert.equal(back[0]!.jobKey, "platform_ads_sync:1:sp_placement");
  assert(back[0]!.runAt!.getTime() >= began + 60_000);
});

test("a job that does not end while the worker drains is put back at once, and costs no attempt", async () => {
  const stop = new AbortController();
  const { back, error, log } = await runOnce((signal) => {
    stop.abort(new Error("draining"));
    return Promise.reject(signal.reason);
  }, { stop });
  assert.equal(error, undefined);
  assert.equal(log.at(-1)!["outcome"], "put_back");
  assert.equal(back.length, 1);
});
