import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformAds } from "../../../src/client/platform_ads.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import type { Sql } from "../../../src/store/tables/postgres_sql.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { LeaseLostError } from "../../../src/store/queue/lease.ts";
import { serveMetrics } from "../../../src/store/queue/metrics_server.ts";
import { JobRunner } from "../../../src/store/queue/run_job.ts";
import { SyncQueue } from "../../../src/store/queue/sync_queue.ts";
import { runWorker, type WorkerOptions } from "../../../src/store/queue/worker.ts";
import { WorkerList } from "../../../src/store/queue/worker_list.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { after, before } from "../../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";

const REPORTS = ["sp_campaigns", "sp_placement", "sp_ad_groups", "sp_targeting", "sp_search_terms"];

if (hasPostgres) {
  let server: TestServer;
  let emulator: Emulator;
  before(async () => {
    server = await testServer();
    emulator = await Emulator.start({ quirks: { reportSeconds: 0 } });
  });
  after(async () => {
    await emulator.stop();
    await server.stop();
  });

  /** A queue with some jobs, which end one after the other, and a worker that runs while `watch` does. */
  const withWorker = async (
    watch: (world: { queue: SyncQueue; sql: Sql; log: WorkerLogRecord[] }) => Promise<void>,
    options: {
      prepare?: (sql: Sql) => PromiseLike<unknown>;
      lease?: number;
      onReady?: WorkerOptions["onReady"];
    } = {},
  ): Promise<void> => {
    const address = await makeStore(server);
    const queue = await SyncQueue.open(address);
    const database = connect(address, { max: 1 });
    const { sql } = database;
    await options.prepare?.(sql);
    const { record } = emulator.state.profiles()[0]!;
    await queue.enqueue({ profiles: [record], reports: REPORTS, ...yesterday() });
    const log: WorkerLogRecord[] = [];
    const stop = new AbortController();
    const running = runWorker(address, {
      connect: (parts) =>
        new PlatformAds(emulator.credentials, { platform: emulator.platform, fetch: oneByOne(), ...parts }),
      concurrency: REPORTS.length,
      lease: options.lease,
      poll: 0.05,
      signal: stop.signal,
      log: (record) => log.push(record),
      onReady: options.onReady,
    });
    try {
      await Promise.race([watch({ queue, sql, log }), running.then(() => assert.fail("The worker ended"))]);
    } finally {
      stop.abort();
      await running;
      await database.close();
      await queue.close();
    }
  };

  const allDone = async (queue: SyncQueue): Promise<void> => {
    await until(async () => {
      const { jobs } = await queue.status();
      return jobs.waiting + jobs.running + jobs.retrying === 0;
    });
  };

  test("a worker whose queue cannot write down how a job ended takes jobs again, and the job is not lost", async () => {
    await withWorker(async ({ queue, log }) => {
      await allDone(queue);
      const events = log.map(({ event }) => event);
      assert(events.includes("job_not_ended"), events.join());
      assert(events.includes("queue_lost"), events.join());
      assert.equal(events.filter((event) => event === "report_stored").length, REPORTS.length);
      assert(events.filter((event) => event === "job_taken").length > REPORTS.length, "one was taken again");
    }, {
      lease: 1,
      prepare: (sql) =>
        sql.text(`
          CREATE SEQUENCE public.ended;
          CREATE FUNCTION public.end_late() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('public.ended') = 1 THEN RAISE EXCEPTION 'the connection was lost'; END IF;
              RETURN OLD;
            END $$;
          CREATE TRIGGER end_late BEFORE DELETE ON graphile_worker._private_jobs
            FOR EACH ROW EXECUTE FUNCTION public.end_late();
          CREATE SEQUENCE public.failed;
          CREATE FUNCTION public.fail_late() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('public.failed') = 1 THEN RAISE EXCEPTION 'the connection was lost'; END IF;
              RETURN NEW;
            END $$;
          CREATE TRIGGER fail_late BEFORE UPDATE ON graphile_worker._private_jobs
            FOR EACH ROW WHEN (OLD.locked_at IS NOT NULL AND NEW.locked_at IS NULL)
            EXECUTE FUNCTION public.fail_late()`),
    });
  });

  test("metrics of a worker can be fetched over HTTP, and its health while the database answers", async () => {
    const ready = Promise.withResolvers<() => Promise<string>>();
    await withWorker(async ({ queue }) => {
      await allDone(queue);
      let broken = false;
      const metrics = await ready.promise;
      const text = (): Promise<string> => broken ? Promise.reject(new Error("It is away")) : metrics();
      const server = await serveMetrics(text, { host: "127.0.0.1", port: 0 });
      try {
        assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
        const response = await fetch(server.url);
        assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
        const lines = (await response.text()).split("\n");
        for (
          const line of [
            'platform_ads_jobs{state="waiting"} 0',
            "platform_ads_workers 1",
            'platform_ads_jobs_run_total{outcome="done"} 5',
            'platform_ads_reports_total{outcome="stored"} 5',
          ]
        ) assert(lines.includes(line), `${line} in ${lines.join("\n")}`);
        const rows = lines.find((line) => line.startsWith("platform_ads_rows_stored_total "));
        assert(Number(rows!.split(" ")[1]) > 0, rows);

        const look = async (path: string): Promise<[number, string]> => {
          const answer = await fetch(new URL(path, server.url));
          return [answer.status, await answer.text()];
        };
        assert.deepEqual(await look("/healthz"), [200, "ok\n"]);
        assert.equal((await look("/elsewhere"))[0], 404);
        broken = true;
        assert.deepEqual(await look("/healthz"), [503, "It is away\n"]);
        assert.equal((await look("/metrics"))[0], 503);
      } finally {
        await server.close();
      }
    }, { onReady: ready.resolve });
  });

  test("a job creates a report once, and stores nothing once its worker was taken for dead", async () => {
    const driver = await PostgresDriver.open(await makeStore(server));
    try {
      const list = new WorkerList(driver.database.sql, { processName: "one", seconds: 60 });
      await list.join("pool");
      let creates = 0;
      let onFile: () => PromiseLike<unknown> = () => Promise.resolve();
      const ads = new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        fetch: async (input, init) => {
          const { pathname } = new URL(String(input));
          if (pathname.startsWith("/files/")) await onFile();
          if (init?.method === "POST" && pathname.endsWith("/reporting/reports")) creates++;
          return await fetch(input, init);
        },
      });
      const runner = new JobRunner({ driver, ads, workerId: () => list.id, poll: 0.05 });
      const { profileId, countryCode } = emulator.state.profiles()[0]!.record;
      const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
      const enqueuedAt = new Date().toISOString();
      const job = {
        profileId,
        countryCode,
        report: "sp_campaigns",
        start: day,
        end: day,
        enqueuedAt,
      } as const;
      const options = { signal: new AbortController().signal, onProgress: () => {} };

      onFile = () => driver.database.sql`DELETE FROM workers`;
      await assert.rejects(runner.run(job, options), LeaseLostError);
      assert.deepEqual(await driver.coveredRanges(), []);
      assert.equal(creates, 1);

      onFile = () => Promise.resolve();
      await list.join("pool");
      const result = await runner.run(job, options);
      assert.deepEqual(result!.outcomes.map(({ state, resumed }) => ({ state, resumed })), [
        { state: "stored", resumed: true },
      ]);
      assert.equal(creates, 1, "the report that was being built is taken up");
    } finally {
      await driver.close();
    }
  });
}

/** Lets each further report file come a little later. */
function oneByOne(): typeof fetch {
  let files = 0;
  return async (input, init) => {
    if (new URL(String(input)).pathname.startsWith("/files/")) {
      await new Promise((done) => setTimeout(done, 150 * files++));
    }
    return await fetch(input, init);
  };
}

function yesterday(): { start: string; end: string } {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  return { start: day, end: day };
}
