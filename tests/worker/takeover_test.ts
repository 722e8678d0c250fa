import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import type { QueueTask } from "../../src/store/queue/end_job.ts";
import { unlockJobs } from "../../src/store/queue/queue_utils.ts";
import { LeaseLostError, RolloutQueue, SyncQueue } from "../../src/automation/worker/mod.ts";
import { planTask } from "../../src/automation/worker/plan_task.ts";
import { QueueJournal } from "../../src/automation/worker/queue_journal.ts";
import { type PlanOutcome, RolloutTable } from "../../src/automation/worker/rollout_table.ts";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, type TestServer, testServer } from "../support/postgres.ts";
import { type QueueWorld, queueWorld, sent } from "./queue_world.ts";
import { until } from "../support/until.ts";

const DONE: PlanOutcome = { state: "done", summary: "1 succeeded" };
const [FROZEN, LATER] = [
  { workerId: "frozen", jobId: "1", attempt: 1 },
  { workerId: "later", jobId: "1", attempt: 2 },
];

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  interface Scene {
    readonly world: QueueWorld;
    readonly queue: RolloutQueue;
    readonly driver: PostgresDriver;
    readonly table: RolloutTable;
    readonly planId: string;
  }

  /** A rollout of one plan on the queue. */
  const scene = async (step: (scene: Scene) => Promise<void>): Promise<void> => {
    await using world = await queueWorld(server, { profiles: 1 });
    const queue = await RolloutQueue.open(world.address);
    const driver = await PostgresDriver.open(world.address);
    try {
      await queue.enqueue(world.rollout);
      const table = new RolloutTable(driver.database);
      await step({ world, queue, driver, table, planId: world.plans[0]!.id });
    } finally {
      await driver.close();
      await queue.close();
    }
  };

  const workUntilDone = ({ world, queue }: Scene) =>
    world.work(async () => (await queue.status(world.rollout))?.state === "done");

  test("a plan is taken by a later attempt alone, and ended, put back and written about by the one that holds it", () =>
    scene(async ({ table, driver, planId }) => {
      assert.ok(await table.take(planId, FROZEN));
      assert.ok(await table.take(planId, FROZEN), "the same, whose connection was lost");
      assert.ok(await table.take(planId, LATER));
      await assert.rejects(table.take(planId, FROZEN), LeaseLostError);
      await assert.rejects(table.take(planId, { ...FROZEN, attempt: 2 }), LeaseLostError, "an equal one");
      await assert.rejects(table.take(planId, { ...LATER, workerId: "other", jobId: "0" }), LeaseLostError);
      await assert.rejects(table.end(planId, FROZEN, DONE), LeaseLostError);
      await assert.rejects(table.putBack(planId, FROZEN), LeaseLostError);
      const journalOf = ({ workerId }: typeof LATER) =>
        new QueueJournal(driver.database.sql, planId, workerId);
      assert.equal(await journalOf(LATER).create("first\n"), true);
      await assert.rejects(journalOf(FROZEN).append("late\n"), LeaseLostError);
      await journalOf(LATER).append("second\n");
      assert.equal(await journalOf(LATER).read(), "first\nsecond\n");
      assert.ok(await table.take(planId, { workerId: "new", jobId: "2", attempt: 1 }), "a later job");
      await table.end(planId, { workerId: "new", jobId: "2", attempt: 1 }, DONE);
      await table.end(planId, { workerId: "new", jobId: "2", attempt: 1 }, DONE);
      assert.equal(await table.take(planId, { workerId: "last", jobId: "2", attempt: 2 }), undefined);
    }));

  test("the first line of a journal that is sent again while the first sending is under way is there once", () =>
    scene(async ({ table, driver, planId }) => {
      assert.ok(await table.take(planId, LATER));
      const { sql } = driver.database;
      const twice = (async (strings: TemplateStringsArray, ...values: never[]) => {
        if (!strings.join("").includes("INSERT INTO plan_journals")) return await sql(strings, ...values);
        // Both wait for the row of the plan, with what they saw before.
        let both: Promise<unknown> | undefined;
        await driver.database.transaction(async (other) => {
          await other`SELECT FROM rollout_plans WHERE plan_id = ${planId} FOR UPDATE`;
          both = Promise.all([sql(strings, ...values), sql(strings, ...values)]);
          both.catch(() => {});
          await until(async () => await waiting() === 2);
        });
        return await both;
      }) as unknown as typeof sql;
      const waiting = async (): Promise<number> => {
        const [row] = await sql`SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return Number(row!["n"]);
      };
      assert.equal(await new QueueJournal(twice, planId, LATER.workerId).create("first\n"), true);
      assert.equal(await new QueueJournal(sql, planId).read(), "first\n");
    }));

  test("a worker that was frozen while it took a plan fails when it wakes, for the queue deletes the jobs of those that do not", () =>
    scene(async ({ world, table, driver, planId }) => {
      assert.ok(await table.take(planId, LATER));
      const { profileId } = world.plans[0]!;
      const task: QueueTask = planTask({
        driver,
        ads: world.ads,
        workerId: () => "frozen",
        metrics: { add: () => {} },
        log: () => {},
        stop: new AbortController().signal,
        lost: () => new AbortController().signal,
      });
      const job = { id: "1", attempts: 1, max_attempts: 8, payload: { planId, profileId }, key: null };
      await assert.rejects(
        async () => await task(job.payload, { job } as unknown as Parameters<QueueTask>[1]),
        LeaseLostError,
      );
      assert.equal(sent(world), 0);
    }));

  test("a begun plan whose job is gone is shown, and put back by the next worker", () =>
    scene(async (one) => {
      const { table, driver: { database: { sql } }, planId } = one;
      await sql`SELECT graphile_worker.remove_job(key) FROM graphile_worker.jobs WHERE key IS NOT NULL`;
      assert.ok(await table.take(planId, LATER));
      const syncs = await SyncQueue.open(one.world.address);
      try {
        const [stuck, ...others] = (await syncs.status()).troubled;
        assert.deepEqual(others, []);
        assert.deepEqual([stuck!.report, stuck!.nextAt, stuck!.gaveUp], [planId, null, false]);
        assert.match(stuck!.problem, /has no job/);
        const log = await workUntilDone(one);
        assert.deepEqual(log.filter(({ event }) => event === "put_back").map(({ found }) => found), [[
          planId,
        ]]);
        assert.deepEqual((await syncs.status()).troubled, []);
      } finally {
        await syncs.close();
      }
      assert.equal(sent(one.world), 1);
    }));

  test("a plan that waits for a job of its own is not put back", () =>
    scene(async ({ table, driver: { database: { sql } } }) => {
      assert.deepEqual(await table.requeueStuck(), []);
      await sql`UPDATE graphile_worker._private_jobs SET attempts = 8, locked_at = now(), locked_by = 'someone'`;
      assert.deepEqual(await table.requeueStuck(), []);
      await sql`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL`;
      assert.equal((await table.requeueStuck()).length, 1, "it is not tried again");
      const [job, ...others] = await sql`SELECT attempts FROM graphile_worker.jobs WHERE key IS NOT NULL`;
      assert.deepEqual([job?.["attempts"], others], [0, []]);
    }));

  test("the deaths of workers do not count as attempts of a job, and are shown", () =>
    scene(async (one) => {
      const { database } = one.driver;
      const { sql } = database;
      for (let death = 0; death < 12; death++) {
        await sql`
          UPDATE graphile_worker._private_jobs SET attempts = attempts + 1, locked_at = now(), locked_by = 'dead'
          WHERE attempts < max_attempts`;
        await unlockJobs(database, ["dead"]);
      }
      const [job] = await sql`SELECT attempts, max_attempts, locked_at FROM graphile_worker.jobs`;
      assert.deepEqual(job, { attempts: 12, max_attempts: 20, locked_at: null });
      const syncs = await SyncQueue.open(one.world.address);
      try {
        const [shown] = (await syncs.status()).troubled;
        assert.match(shown!.problem, /^12 workers ended in the middle of it$/);
      } finally {
        await syncs.close();
      }
      await workUntilDone(one);
    }));
}
