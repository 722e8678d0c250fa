import type { AddJobsJobSpec, JobHelpers } from "graphile-worker";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import type { EntityOutcome } from "../../../src/store/model/entity_pull.ts";
import { ShrinkError } from "../../../src/store/model/store_error.ts";
import type { SyncOutcome } from "../../../src/store/sync/sync_result.ts";
import { SyncResult } from "../../../src/store/sync/sync_result.ts";
import type { SyncProgress } from "../../../src/store/sync/sync_options.ts";
import { LeaseLostError } from "../../../src/store/queue/lease.ts";
import type { JobRunner } from "../../../src/store/queue/run_job.ts";
import { syncTask } from "../../../src/store/queue/sync_task.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";

const JOB = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  enqueuedAt: "2026-11-20T05:15:00Z",
} as const;

type Run = (
  options: { signal: AbortSignal; onProgress: (progress: SyncProgress) => void },
) => Promise<SyncResult | undefined>;

async function runOnce(
  run: Run,
  options: { attempts?: number; stop?: AbortController; lost?: AbortController } = {},
) {
  const { attempts = 1, stop = new AbortController(), lost = new AbortController() } = options;
  const log: WorkerLogRecord[] = [];
  const back: AddJobsJobSpec[] = [];
  const metrics = new WorkerMetrics();
  const task = syncTask({
    runner: { run: (_job: unknown, parts: Parameters<Run>[0]) => run(parts) } as unknown as JobRunner,
    heartbeat: { lost: lost.signal },
    metrics,
    log: (record) => log.push(record),
    stop: stop.signal,
    lease: 60,
  });
  const helpers = {
    job: { id: "7", attempts, max_attempts: 8 },
  } as unknown as JobHelpers;
  const error = await task(JOB, helpers).then((next) => {
    if (next !== undefined) back.push(next);
    return undefined;
  }, (error) => error as Error);
  const jobs = { waiting: 0, running: 0, retrying: 0, gave_up: 0 };
  const counted = metrics.text({ jobs, workers: 0, paces: [] }).split("\n").filter((line) =>
    /\{outcome=|rows_stored_total [1-9]/.test(line)
  );
  return { log, back, error, last: log.at(-1)!, counted };
}

const OUTCOME = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  start: "2026-09-01",
  end: "2026-09-03",
  reportId: "r",
  resumed: false,
  rows: 5,
} as const;
const done = { ...OUTCOME, state: "stored" } as unknown as SyncOutcome;
const held = {
  ...OUTCOME,
  state: "held",
  rows: 0,
  error: new ShrinkError("Held back 3 days", []),
} as unknown as SyncOutcome;
const failed = {
  ...OUTCOME,
  state: "failed",
  rows: 0,
  error: new Error("no luck"),
} as unknown as SyncOutcome;
const resultOf = (...outcomes: SyncOutcome[]): Run => () =>
  Promise.resolve(new SyncResult({ outcomes, stopped: false }));

Deno.test("a job that is done says how many reports and rows, and counts them", async () => {
  const { last, counted } = await runOnce(resultOf(done, done));
  deepEqual([last.level, last["outcome"], last["reports"], last["rows"], "error" in last], [
    "info",
    "done",
    2,
    10,
    false,
  ]);
  ok(Number(last["seconds"]) >= 0 && Number(last["seconds"]) < 60);
  deepEqual(counted, [
    'platform_ads_jobs_run_total{outcome="done"} 1',
    'platform_ads_reports_total{outcome="stored"} 2',
    "platform_ads_rows_stored_total 10",
  ]);
});

Deno.test("a job that brought entities up to date says how many, and which kinds an export told", async () => {
  const kinds = [["sp.keywords", "export", 5], ["sp.targets", "list", 2]] as const;
  const entities = kinds.map(([kind, source, entities]) =>
    ({ kind, source, entities, state: "stored" }) as unknown as EntityOutcome
  );
  const { last } = await runOnce(() =>
    Promise.resolve(new SyncResult({ outcomes: [], entities, stopped: false }))
  );
  deepEqual([last["outcome"], last["entities"], last["by_export"]], ["done", 7, ["sp.keywords"]]);
  const none = (await runOnce(resultOf(done))).last;
  equal("entities" in none || "by_export" in none, false);
});

Deno.test("the time that a job took is logged in seconds", async () => {
  const { now } = performance;
  const clock = [10_000, 12_345.6];
  performance.now = () => clock.shift() ?? 99_000;
  try {
    equal((await runOnce(resultOf(done))).last["seconds"], 2.346);
  } finally {
    performance.now = now;
  }
});

Deno.test("a job with a report that failed is tried again, also where another was held back", async () => {
  const { error, last } = await runOnce(resultOf(held, failed));
  ok(error !== undefined);
  deepEqual([last.level, last["outcome"], last["error"]], ["warn", "failed", error.message]);
  equal((await runOnce(resultOf(held))).error, undefined);
});

Deno.test("a job is given up with its eighth attempt, and not with its seventh", async () => {
  equal((await runOnce(resultOf(failed), { attempts: 7 })).last["outcome"], "failed");
  const { last, error } = await runOnce(resultOf(failed), { attempts: 8 });
  deepEqual([last["outcome"], last.level, error === undefined], ["gave_up", "error", false]);
});

Deno.test("a worker that was taken for dead puts nothing back, for another has the job", async () => {
  const [stop, lost] = [new AbortController(), new AbortController()];
  const run: Run = ({ signal }) => {
    stop.abort(new Error("draining"));
    lost.abort(new LeaseLostError("taken for dead"));
    return Promise.reject(signal.reason);
  };
  const { back, error } = await runOnce(run, { stop, lost });
  deepEqual(back, []);
  ok(error !== undefined);
});

Deno.test("a job that is put back or postponed keeps all its attempts, and says so", async () => {
  const stop = new AbortController();
  const began = Date.now();
  const drained = await runOnce(({ signal }) => {
    stop.abort(new Error("draining"));
    return Promise.reject(signal.reason);
  }, { stop });
  deepEqual([drained.last["outcome"], drained.last.level, drained.back[0]?.maxAttempts], [
    "put_back",
    "info",
    8,
  ]);
  equal(drained.back[0]!.runAt, undefined, "at once");
  const postponed = await runOnce(() => Promise.resolve(undefined));
  deepEqual([postponed.last["outcome"], postponed.last.level], ["postponed", "info"]);
  const wait = postponed.back[0]!.runAt!.getTime() - began;
  ok(wait >= 60_000 && wait < 120_000, `${wait}`);
  const { now } = Date;
  Date.now = () => began;
  try {
    equal((await runOnce(() => Promise.resolve(undefined))).back[0]!.runAt!.getTime(), began + 60_000);
  } finally {
    Date.now = now;
  }
});

Deno.test("what happens to a report is logged, problems as warnings, waiting and storing not at all", async () => {
  const kinds = ["created", "waiting", "storing", "stored", "held", "failed", "throttled"] as const;
  const { log } = await runOnce(({ onProgress }) => {
    for (const kind of kinds) {
      onProgress(
        {
          kind,
          start: "a",
          end: "b",
          reportId: "r",
          status: "S",
          seconds: 2,
          rows: 3,
        } as unknown as SyncProgress,
      );
    }
    return resultOf()({} as never);
  });
  deepEqual(log.slice(1, -1).map(({ level, event }) => `${level} ${event}`), [
    "info report_created",
    "info report_stored",
    "warn report_held",
    "warn report_failed",
    "warn report_throttled",
  ]);
  deepEqual(log[1], {
    level: "info",
    event: "report_created",
    start: "a",
    end: "b",
    report_id: "r",
    status: "S",
    seconds: 2,
    rows: 3,
  });
  equal(log[0]?.event, "job_taken");
});
