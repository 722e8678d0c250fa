import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../src/store/postgres/connection.ts";
import { credentialKey } from "../../../src/store/queue/credential_key.ts";
import { Lease, LeaseLostError } from "../../../src/store/queue/lease.ts";
import { isDue } from "../../../src/store/queue/run_schedules.ts";
import { SyncQueue } from "../../../src/store/queue/sync_queue.ts";
import { WorkerList } from "../../../src/store/queue/worker_list.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";
import { after, before } from "../../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../../support/postgres.ts";

test("a schedule is due in its minute, in UTC", () => {
  const at = new Date("2026-11-20T05:15:30Z");
  assert(isDue("15 5 * * *", at));
  assert(isDue("*/5 * * * 5", at));
  assert(!isDue("16 5 * * *", at));
  assert(!isDue("15 5 * * 1", at));
});

test("the key of a credential holds nothing of the client id, and is the same everywhere", () => {
  const key = credentialKey("application.client.0123456789");
  assert.match(key, /^[0-9a-f]{32}$/);
  assert.equal(key, credentialKey("application.client.0123456789"));
  assert.notEqual(key, credentialKey("application.client.0123456788"));
});

test("metrics are Prometheus text: every one is there, labels are escaped", () => {
  const metrics = new WorkerMetrics();
  metrics.heard({ kind: "response", method: "POST", url: "https://x.example", status: 429, seconds: 1 });
  metrics.heard({ kind: "wait", method: "POST", url: "https://x.example", seconds: 2.5 });
  metrics.add("platform_ads_jobs_run_total", 1, { outcome: 'do"ne\\' });
  const jobs = { waiting: 3, running: 1, retrying: 0, gave_up: 2 };
  const text = metrics.text({
    jobs,
    workers: 4,
    paces: [
      { host: "https://x.example", group: "sp reads", rate: 4.5, limit: 5, waiting: 7, busy: 1 },
      { host: "https://x.example", group: "history", rate: undefined, limit: undefined, waiting: 0, busy: 0 },
    ],
  });
  for (
    const line of [
      'platform_ads_jobs{state="gave_up"} 2',
      "platform_ads_workers 4",
      'platform_ads_pace_rate{host="https://x.example",group="sp reads"} 4.5',
      'platform_ads_pace_limit{host="https://x.example",group="sp reads"} 5',
      'platform_ads_pace_waiting{host="https://x.example",group="sp reads"} 7',
      'platform_ads_pace_waiting{host="https://x.example",group="history"} 0',
      'platform_ads_requests_total{status="429"} 1',
      "platform_ads_throttled_total 1",
      "platform_ads_wait_seconds_total 2.5",
      "platform_ads_rows_stored_total 0",
      'platform_ads_jobs_run_total{outcome="do\\"ne\\\\"} 1',
    ]
  ) assert(text.split("\n").includes(line), line);
});

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test("one living worker holds a lease; a dead one's is taken over, and it cannot write any more", async () => {
    const address = await makeStore(server);
    const queue = await SyncQueue.open(address);
    const database = connect(address);
    const subject = { profileId: "1", report: "sp_placement" };
    const frozen = new WorkerList(database.sql, { processName: "frozen", seconds: 0 });
    const other = new WorkerList(database.sql, { processName: "other", seconds: 60 });
    await frozen.join("pool-1");
    await other.join("pool-2");
    const held = (await Lease.take(database.sql, frozen.id, subject))!;
    assert.equal(await Lease.take(database.sql, other.id, subject), undefined, "the first one holds it");
    await held.check();
    const { ids, pools, left } = await other.expireDeadWorkers();
    assert.deepEqual([ids, pools, left], [["frozen.1"], ["pool-1"], [subject]]);
    assert.equal(await frozen.beat({ state: "working", rows: 0, poolId: "pool-1" }), false);
    await assert.rejects(held.check(), LeaseLostError);
    const taken = (await Lease.take(database.sql, other.id, subject))!;
    await taken.check();
    await held.release();
    await taken.check();
    await database.close();
    await queue.close();
  });

  test("a job is on the queue once, however often it is put there; schedules come and go", async () => {
    const queue = await SyncQueue.open(await makeStore(server));
    const profiles = [{ profileId: "1", countryCode: "US" }, { profileId: "2", countryCode: "DE" }];
    assert.equal(
      await queue.enqueue({ profiles, reports: ["sp_placement", "sp-placement", "sb_campaigns"] }),
      4,
    );
    await queue.enqueue({ profiles });
    assert.deepEqual((await queue.status()).jobs, { waiting: 8, running: 0, retrying: 0, gave_up: 0 });
    const selection = { profileIds: null, reports: ["sp_placement"] };
    await assert.rejects(queue.schedule(selection, "at noon"), RangeError);
    await queue.schedule(selection, "15 5 * * *");
    await queue.schedule(selection, "30 6 * * *");
    assert.deepEqual((await queue.status()).schedules.map(({ cron }) => cron), ["30 6 * * *"]);
    await queue.schedule(selection, null);
    assert.deepEqual((await queue.status()).schedules, []);
    await queue.close();
  });
}
