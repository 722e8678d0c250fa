import assert from "node:assert/strict";
import { test } from "node:test";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer, withSql } from "../support/postgres.ts";
import { emulated } from "./support/emulated.ts";
import { REPORT_PRESET_NAMES } from "../../src/client/reports/requests/presets.ts";
import { runCli } from "./support/run_cli.ts";

test("commands of the queue refuse a store that has none, before anything is sent", async () => {
  await using world = await emulated();
  for (const args of [["worker"], ["store", "status"], ["sync", "-m", "US", "--enqueue"]]) {
    const { code, stderr } = await runCli([...args, "--store", "ads.sqlite"], { env: world.env });
    assert.deepEqual([args, code], [args, 2]);
    assert.match(stderr, /it lives in a PostgreSQL store/);
  }
  assert.deepEqual(world.emulator.requests(), []);
  const { code, stderr } = await runCli([
    "auto",
    "worker",
    "--store",
    "postgres://x/y",
    "--metrics",
    "9464",
  ], {
    env: world.env,
  });
  assert.equal(code, 2);
  assert.match(stderr, /not HOST:PORT/);
});

test("store shard-plan prints one statement a line, all by the profile", async () => {
  const { code, stdout } = await runCli(["store", "shard-plan", "--shards", "8"]);
  assert.equal(code, 0);
  const lines = stdout.trim().split("\n");
  const own = lines.filter((line) =>
    !/EXTENSION|create_reference_table\('platform_ads\.maturity'\)|relname LIKE 'rows/.test(line)
  );
  assert.ok(own.length > 2 * REPORT_PRESET_NAMES.length);
  assert.equal(lines.length, own.length + 3);
  assert.equal(new Set(own).size, own.length);
  for (const line of own) {
    assert.match(line, /^SELECT create_distributed_table\('platform_ads\.\w+', 'profile_id', .*\);$/);
  }
});

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test("sync --enqueue and --cron leave the work to workers, and store status tells what became of it", async () => {
    await using world = await emulated();
    const address = await makeDatabase(server);
    const env = { ...world.env, PLATFORM_ADS_STORE: address };
    const put = await runCli(["sync", "--all-profiles", "--enqueue", "--json"], { env });
    assert.deepEqual([put.code, JSON.parse(put.stdout)], [0, { jobs: 32 }], put.stderr);

    assert.equal((await runCli(["sync", "--all-profiles", "--cron", "61 * * * *"], { env })).code, 2);
    assert.equal((await runCli(["sync", "--all-profiles", "--cron", "15 5 * * *"], { env })).code, 0);
    const status = await runCli(["store", "status", "--json"], { env });
    const { jobs, schedules, workers } = JSON.parse(status.stdout);
    assert.deepEqual(jobs, { waiting: 32, running: 0, retrying: 0, gave_up: 0 });
    assert.deepEqual([schedules.length, schedules[0].cron, schedules[0].profile_ids], [
      1,
      "15 5 * * *",
      null,
    ]);
    assert.deepEqual([status.code, workers], [0, []]);

    await withSql(address, (sql) =>
      sql`
      UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'No luck'
      WHERE id = (SELECT min(id) FROM graphile_worker._private_jobs)`);
    const troubled = await runCli(["store", "status"], { env });
    assert.equal(troubled.code, 3, "a job that was given up is a failure");
    assert.match(troubled.stdout, /31 waiting, 0 running, 0 retrying, 1 given up/);
    assert.match(troubled.stdout, /given up: sp_\w+ of \d+ after 8 attempts: No luck/);

    const again = await runCli(["sync", "--all-profiles", "--enqueue"], { env });
    assert.equal(again.code, 0);
    const backfill = ["sync", "-m", "US", "--enqueue", "--start", "-60", "--end", "-30"];
    assert.equal((await runCli(backfill, { env })).code, 0);
    assert.equal((await runCli(["sync", "-m", "US", "--enqueue"], { env })).code, 0);
    const waiting = JSON.parse((await runCli(["store", "status", "--json"], { env })).stdout).jobs.waiting;
    assert.equal(waiting, 32 + 3, "a sync without days does not take the place of a backfill that waits");
    assert.equal((await runCli(["sync", "--all-profiles", "--cron", "off"], { env })).code, 0);
    const after = JSON.parse((await runCli(["store", "status", "--json"], { env })).stdout);
    assert.deepEqual([after.jobs.waiting, after.jobs.gave_up, after.schedules], [35, 0, []]);
  });
}
