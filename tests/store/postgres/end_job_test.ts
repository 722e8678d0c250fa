import assert from "node:assert/strict";
import { test } from "node:test";
import type { AddJobsJobSpec, JobHelpers } from "graphile-worker";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import type { Sql, SqlRow } from "../../../src/store/tables/postgres_sql.ts";
import { taskListOf } from "../../../src/store/queue/end_job.ts";
import { LeaseLostError } from "../../../src/store/queue/lease.ts";
import { queueUtils } from "../../../src/store/queue/queue_utils.ts";
import { syncJobSpec } from "../../../src/store/queue/sync_job.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { after, before } from "../../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../../support/postgres.ts";

const FIRST = "2026-11-25T05:15:00.000Z";
const SECOND = "2026-11-26T05:15:00.000Z";

/** A job as it is put on the queue. */
const jobOf = (enqueuedAt: string): AddJobsJobSpec =>
  syncJobSpec({ profileId: "1", countryCode: "US", report: "sp_placement", enqueuedAt });

/** Things that happen to the job of a worker that is taken for dead. */
const EVENTS = {
  unlocked: (sql) => sql`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL`,
  retaken: (sql) => sql`UPDATE graphile_worker._private_jobs SET locked_by = 'b', attempts = attempts + 1`,
} satisfies Record<string, (sql: Sql) => Promise<unknown>>;

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  interface End {
    /** The jobs that are on the queue afterwards. */
    readonly left: SqlRow[];
    /** Error of the attempt. */
    readonly error: unknown;
    readonly log: readonly WorkerLogRecord[];
    readonly answers: number;
  }

  /** Runs a first attempt of a job, during which something happens, and tells what is on the queue then. */
  const attempt = async (
    meanwhile: (sql: Sql, enqueueAnew: () => Promise<void>) => Promise<unknown>,
    next?: AddJobsJobSpec,
  ): Promise<End> => {
    const driver = await PostgresDriver.open(await makeStore(server));
    const utils = await queueUtils(driver.database);
    const { sql } = driver.database;
    const log: WorkerLogRecord[] = [];
    let answers = 0;
    try {
      await utils.addJobs([jobOf(FIRST)]);
      const [job] = await sql`
        UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'a', attempts = 1 RETURNING id, revision`;
      const work = async (): Promise<AddJobsJobSpec | void> => {
        await meanwhile(sql, async () => void await utils.addJobs([jobOf(SECOND)]));
        return next;
      };
      const list = taskListOf({ work }, {
        database: driver.database,
        log: (record) => log.push(record),
        databaseAnswers: () => Promise.resolve(void answers++),
      });
      const helpers = {
        job: { id: String(job!["id"]), attempts: 1, revision: job!["revision"] },
      } as unknown as JobHelpers;
      const error = await Promise.resolve(list["work"]!({}, helpers)).then(() => undefined, (error) => error);
      const left = await sql`
        SELECT payload->>'enqueuedAt' AS at, attempts, locked_by, run_at > now() + interval '1 minute' AS later, key
        FROM graphile_worker._private_jobs ORDER BY id`;
      return { left, error, log, answers };
    } finally {
      await utils.release();
      await driver.close();
    }
  };

  const key = "platform_ads_sync:1:sp_placement";
  const later: AddJobsJobSpec = { ...jobOf(FIRST), runAt: new Date(Date.now() + 3_600_000) };

  test("PostgreSQL: the job of an attempt is gone when it ends, once the database responds", async () => {
    const { left, error, log, answers } = await attempt(() => Promise.resolve());
    assert.deepEqual([left, error, log, answers], [[], undefined, [], 1]);
  });

  test("PostgreSQL: a job that is put off is on the queue once, as a new one", async () => {
    const { left, error } = await attempt(() => Promise.resolve(), later);
    assert.equal(error, undefined);
    assert.deepEqual(left, [{ at: FIRST, attempts: 0, locked_by: null, later: true, key }]);
  });

  for (const [name, happens] of Object.entries(EVENTS)) {
    for (const next of [undefined, later]) {
      test(`PostgreSQL: an attempt leaves a job alone that was ${name} meanwhile${next ? ", also when it puts it off" : ""}`, async () => {
        const { left, error, log } = await attempt(happens, next);
        assert.ok(error instanceof LeaseLostError, String(error));
        const attempts = name === "retaken" ? 2 : 1;
        const locked_by = name === "retaken" ? "b" : null;
        assert.deepEqual(left, [{ at: FIRST, attempts, locked_by, later: false, key }]);
        assert.deepEqual(log.map(({ level, event, attempt }) => [level, event, attempt]), [[
          "warn",
          "job_not_ended",
          1,
        ]]);
      });
    }
  }

  test("PostgreSQL: a job that was asked for anew while it ran stays, and is not put off to what was asked first", async () => {
    for (const next of [undefined, later]) {
      const { left, error } = await attempt((_sql, anew) => anew(), next);
      assert.equal(error, undefined);
      assert.deepEqual(left, [{ at: SECOND, attempts: 0, locked_by: null, later: false, key }]);
    }
  });

  test("PostgreSQL: a job that was asked for anew after its worker was taken for dead stays, also once it is at work again", async () => {
    for (const retaken of [false, true]) {
      const { left, error } = await attempt(async (sql, anew) => {
        await EVENTS.unlocked(sql);
        await anew();
        if (retaken) {
          await sql`UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'a', attempts = 1`;
        }
      });
      assert.ok(error instanceof LeaseLostError);
      assert.deepEqual(left.map(({ at }) => at), [SECOND]);
    }
  });
}
