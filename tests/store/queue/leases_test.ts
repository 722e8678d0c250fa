import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { Lease, LeaseLostError } from "../../../src/store/queue/lease.ts";
import { jobCounts, queueStatus } from "../../../src/store/queue/queue_status.ts";
import { WorkerList } from "../../../src/store/queue/worker_list.ts";
import { isDue, runSchedules } from "../../../src/store/queue/run_schedules.ts";
import { jobKey, syncJobSpec } from "../../../src/store/queue/sync_job.ts";
import { awaitDatabase } from "../../../src/store/queue/worker.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { fakeSql } from "./fake_sql.ts";

const SUBJECT = { profileId: "1", report: "sp_placement" };
const HELD = [{}];

Deno.test("a lease is held by one living worker, and who is not listed holds none", async () => {
  const taken = fakeSql({ "INSERT INTO sync_leases": HELD, "SELECT 1 FROM workers": HELD });
  const lease = await Lease.take(taken.sql, "w", SUBJECT);
  ok(lease !== undefined);
  deepEqual(taken.sent[0]?.values, ["1", "sp_placement", "w"]);
  await lease.release();
  match(taken.sent.at(-1)?.text ?? "", /^DELETE FROM sync_leases/);
  deepEqual(taken.sent.map(({ values }) => values.toSorted().join()), Array(3).fill("1,sp_placement,w"));
  equal(await Lease.take(fakeSql({}).sql, "w", SUBJECT), undefined);
  await rejects(
    Lease.take(fakeSql({ "INSERT INTO sync_leases": HELD }).sql, "w", SUBJECT),
    (error: Error) => error instanceof LeaseLostError && /sp_placement of profile "1"/.test(error.message),
  );
});

Deno.test("a lease can be checked on the connection of a transaction", async () => {
  const { sql } = fakeSql({ "INSERT INTO sync_leases": HELD, "SELECT 1 FROM workers": HELD });
  const lease = await Lease.take(sql, "w", SUBJECT);
  await lease?.check();
  await rejects(lease!.check(fakeSql().sql), LeaseLostError);
});

Deno.test("a worker has a new name each time it joins, and learns whether its sign of life came in time", async () => {
  const { sql, sent } = fakeSql({
    "UPDATE workers": (statement) => statement.values[1] === "working" ? HELD : [],
  });
  const list = new WorkerList(sql, { processName: "p", seconds: 30 });
  equal(list.id, "");
  await list.join("pool");
  equal(list.id, "p.1");
  deepEqual([sent[0]?.values[0], sent[0]?.values[1], sent[0]?.values.at(-1)], ["p.1", "pool", 30]);
  equal(await list.beat({ state: "working", rows: 7, poolId: "other" }), true);
  deepEqual(sent[1]?.values, [30, "working", 7, "other", "p.1"]);
  equal(await list.beat({ state: "draining", rows: 7, poolId: "other" }), false);
  await list.join("pool");
  equal(list.id, "p.2");
  sent.length = 0;
  await list.leave();
  deepEqual(sent.map(({ text }) => text), [
    "DELETE FROM sync_leases WHERE worker_id = $1",
    "DELETE FROM workers WHERE id = $1",
  ]);
});

Deno.test("the dead are disconnected, taken off the list, and what they were at is named", async () => {
  const { sql, sent } = fakeSql({
    "SELECT id FROM workers WHERE expires_at < now() FOR UPDATE": [{ id: "a.1", pool_id: "pool-a" }],
    "SELECT id FROM workers": [{ id: "a.1" }, { id: "b.2" }],
    "SELECT DISTINCT locked_by": [{ locked_by: "pool-x" }],
    "SELECT profile_id, report": [{ profile_id: 1, report: "sp_placement" }],
  });
  const list = new WorkerList(sql, { processName: "p", seconds: 30 });
  deepEqual(await list.expireDeadWorkers(), {
    ids: ["a.1"],
    pools: ["pool-a", "pool-x"],
    left: [SUBJECT],
  });
  const ended = sent.filter(({ text }) => text.includes("pg_terminate_backend")).map(({ values }) => values);
  equal(ended.length, 2);
  ok(ended.every(([application], at) => String(application).includes(at === 0 ? "a" : "b")));
  ok(
    !ended.some(([application]) => String(application).includes(".1")),
    "by the process, not by its place on the list",
  );
  deepEqual(ended.map(([, id]) => id), ["a.1", "b.2"]);
});

Deno.test("where nobody is silent nobody is disconnected or taken off the list", async () => {
  const { sql, sent } = fakeSql();
  const list = new WorkerList(sql, { processName: "p", seconds: 30 });
  deepEqual(await list.expireDeadWorkers(), { ids: [], pools: [], left: [] });
  deepEqual(sent.map(({ text }) => text.slice(0, 22)), ["SELECT id FROM workers", "SELECT DISTINCT locked"]);
});

Deno.test("jobs are counted by state, and a state without jobs is 0", async () => {
  const { sql } = fakeSql({
    "graphile_worker.jobs": [{ state: "running", jobs: "3" }, { state: "gave_up", jobs: 1 }],
  });
  deepEqual(await jobCounts(sql), { waiting: 0, running: 3, retrying: 0, gave_up: 1 });
  deepEqual(await jobCounts(fakeSql().sql), { waiting: 0, running: 0, retrying: 0, gave_up: 0 });
});

Deno.test("the state of the queue has jobs that failed, workers, schedules and rollouts", async () => {
  const failed = {
    key: "platform_ads_sync:1:sp_placement:x",
    attempts: "8",
    run_at: "2026",
    last_error: "no",
  };
  const rollout = {
    id: "r",
    note: null,
    state: "running",
    stopped: "too many",
    plan_state: "done",
    plans: "2",
  };
  const { sql } = fakeSql({
    "last_error FROM": [{ ...failed, gave_up: true }, { ...failed, gave_up: false }],
    "FROM workers": [{
      id: 1,
      host: "h",
      process_id: "7",
      started_at: "2026",
      state: "working",
      rows: "9",
      reports: "2",
    }],
    "FROM schedules": [{ id: "s", cron: "* * * * *", selection: '{"profileIds":null,"reports":["a"]}' }],
    "FROM rollouts": [rollout, { ...rollout, plan_state: "waiting", plans: 5 }, {
      ...rollout,
      id: "q",
      note: "why",
      stopped: "by hand",
    }],
  });
  const { troubled, workers, schedules, rollouts, jobs } = await queueStatus(sql);
  const job = { profileId: "1", report: "sp_placement", attempts: 8, problem: "no" };
  deepEqual(troubled, [{ ...job, gaveUp: true, nextAt: null }, { ...job, gaveUp: false, nextAt: "2026" }]);
  deepEqual(workers, [{
    id: "1",
    host: "h",
    processId: 7,
    startedAt: "2026",
    state: "working",
    reports: 2,
    rows: 9,
  }]);
  deepEqual(schedules, [{ id: "s", cron: "* * * * *", selection: { profileIds: null, reports: ["a"] } }]);
  deepEqual(rollouts, [
    { id: "r", note: null, state: "running", stopped: "too many", plans: { done: 2, waiting: 5 } },
    { id: "q", note: "why", state: "running", stopped: "by hand", plans: { done: 2 } },
  ]);
  equal(jobs.waiting, 0);
});

Deno.test("a job is named by what it asks for: other days stand beside it", () => {
  const job = { profileId: "1", report: "sp_placement" } as const;
  equal(jobKey(job), "platform_ads_sync:1:sp_placement");
  equal(jobKey({ ...job, start: "2026-11-01" }), "platform_ads_sync:1:sp_placement:2026-11-01..");
  equal(jobKey({ ...job, end: "2026-11-02" }), "platform_ads_sync:1:sp_placement:..2026-11-02");
  equal(jobKey({ ...job, restateDays: 0 }), "platform_ads_sync:1:sp_placement:restate=0");
  equal(jobKey({ ...job, reporting: 1 }), "platform_ads_sync:1:sp_placement:reporting=1");
  equal(jobKey({ ...job, acceptShrink: true }), "platform_ads_sync:1:sp_placement:accept-shrink");
  equal(jobKey({ ...job, acceptShrink: false }), "platform_ads_sync:1:sp_placement");
  equal(syncJobSpec({ ...job, countryCode: "US", enqueuedAt: "" }).maxAttempts, 8);
});

Deno.test("a schedule puts its jobs on the queue in its minute, for the profiles there are then", async () => {
  const profiles = [{ profileId: "1", countryCode: "US" }, { profileId: "2", countryCode: "DE" }];
  const payloads: Readonly<Record<string, unknown>>[] = [];
  const due = async (selection: object, cron = "15 5 * * *"): Promise<string[]> => {
    const { sql } = fakeSql({ "FROM schedules": [{ id: "s", cron, selection: JSON.stringify(selection) }] });
    const keys: string[] = [];
    payloads.length = 0;
    const log: WorkerLogRecord[] = [];
    const ads = {
      profiles: ({ refresh }: { refresh: boolean }) => Promise.resolve(refresh ? profiles : []),
    };
    const task = runSchedules({ sql, ads: ads as never, log: (record) => log.push(record) });
    const helpers = {
      addJobs: (jobs: readonly { jobKey: string; payload: Readonly<Record<string, unknown>> }[]) => {
        payloads.push(...jobs.map(({ payload }) => payload));
        return Promise.resolve(keys.push(...jobs.map(({ jobKey }) => jobKey)));
      },
    };
    await task({ _cron: { ts: "2026-11-20T05:15:00Z" } }, helpers as never);
    deepEqual(
      log.map(({ event, level, schedule, jobs }) => [event, level, schedule, jobs]),
      keys.length === 0 ? [] : [["schedule_due", "info", "s", keys.length]],
    );
    return keys;
  };
  const selection = { profileIds: null, reports: ["sp_placement"] };
  deepEqual(await due(selection), ["platform_ads_sync:1:sp_placement", "platform_ads_sync:2:sp_placement"]);
  deepEqual(await due(selection, "16 5 * * *"), []);
  deepEqual(await due({ ...selection, profileIds: ["2"], restateDays: 3 }), [
    "platform_ads_sync:2:sp_placement:restate=3",
  ]);
  deepEqual(await due({ ...selection, reports: [], profileIds: ["1"], entities: true }), [
    "platform_ads_sync:1:entities",
  ]);
  deepEqual(
    await due({ ...selection, reports: [], profileIds: ["1"], hours: true, months: true, reporting: 1 }),
    ["platform_ads_sync:1:hours", "platform_ads_sync:1:months"],
  );
  ok(payloads.every((payload) => !("reporting" in payload)));
  await due({ ...selection, profileIds: ["1"], entities: true, entitySource: "export" });
  deepEqual(payloads.map(({ report, entitySource }) => [report, entitySource]), [
    ["sp_placement", undefined],
    ["entities", "export"],
  ]);
  await due({ ...selection, profileIds: ["1"], entities: true });
  ok(payloads.every((payload) => !("entitySource" in payload)));
  deepEqual(await due({ ...selection, reports: [], profileIds: ["1"], drift: { ignore: ["sp.keywords"] } }), [
    "platform_ads_drift:1:drift",
  ]);
  deepEqual(payloads[0]?.["ignore"], ["sp.keywords"]);
});

Deno.test("a schedule is due in the minute that all of its five parts name, in UTC", () => {
  const time = new Date("2026-11-20T05:15:42Z"); // A Friday.
  for (const cron of ["15 5 20 11 5", "* * * * *", "*/5 * * * *", "* * * 11 *", "* * * * 5"]) {
    equal(isDue(cron, time), true, cron);
  }
  for (const cron of ["16 * * * *", "* 6 * * *", "* * 21 * *", "* * * 10 *", "* * * 12 *", "* * * * 4"]) {
    equal(isDue(cron, time), false, cron);
  }
});

Deno.test("whoever waits for the database goes on with its first response, or after ten minutes", async () => {
  const { now } = performance;
  const { setTimeout: set } = globalThis;
  const delays: number[] = [];
  let tries = 0;
  const { sql } = fakeSql();
  const answeringAt = (first: number): typeof sql =>
    Object.assign(() => ++tries < first ? Promise.reject(new Error("away")) : Promise.resolve([]), {
      text: sql.text,
    });
  globalThis.setTimeout = ((run: () => void, delay: number) => {
    delays.push(delay);
    return set(run, 0);
  }) as typeof set;
  try {
    await awaitDatabase(answeringAt(2));
    equal(tries, 2);
    deepEqual(delays, [500]);
    for (const [last, expected] of [[599_999, 2], [600_000, 1]] as const) {
      tries = 0;
      const clock = [5000, 5000, 5000 + last];
      performance.now = () => clock.shift() ?? 700_000;
      await awaitDatabase(answeringAt(99));
      equal(tries, expected, `${last}`);
    }
  } finally {
    performance.now = now;
    globalThis.setTimeout = set;
  }
});
