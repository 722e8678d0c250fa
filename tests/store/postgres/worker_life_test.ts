import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import process from "node:process";
import { test } from "node:test";
import { PlatformAds } from "../../../src/client/platform_ads.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import type { Sql } from "../../../src/store/tables/postgres_sql.ts";
import { credentialKey } from "../../../src/store/queue/credential_key.ts";
import { PostgresPaceStore } from "../../../src/store/queue/postgres_pace_store.ts";
import { SyncQueue } from "../../../src/store/queue/sync_queue.ts";
import {
  type QueueWorkerOptions,
  runWorker,
  type WorkerClientOptions,
  type WorkerTaskParts,
} from "../../../src/store/queue/worker.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import { after, before } from "../../support/hooks.ts";
import {
  hasPostgres,
  makeStore,
  noConnections,
  type TestServer,
  testServer,
} from "../../support/postgres.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import { until } from "../../support/until.ts";

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  interface Life {
    readonly sql: Sql;
    readonly log: WorkerLogRecord[];
    readonly stop: AbortController;
    readonly abort: AbortController;
    readonly running: Promise<void>;
  }

  const events = (log: readonly WorkerLogRecord[]): string[] => log.map(({ event }) => event);

  /** A worker of a platform that nobody asks, until the step is over. */
  const live = async (
    options: Partial<QueueWorkerOptions>,
    step: (life: Life) => Promise<void>,
  ): Promise<void> => {
    const address = await makeStore(server);
    const database = connect(address, { max: 1 });
    const log: WorkerLogRecord[] = [];
    const [stop, abort] = [new AbortController(), new AbortController()];
    const running = runWorker(address, {
      connect: (parts) =>
        new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform("http://127.0.0.1:1"), ...parts }),
      signal: stop.signal,
      abort: abort.signal,
      log: (record) => log.push(record),
      ...options,
    });
    running.catch(() => {});
    try {
      await step({ sql: database.sql, log, stop, abort, running });
    } finally {
      stop.abort();
      abort.abort();
      await running.catch(() => {});
      await database.close();
    }
  };

  test("PostgreSQL: a worker takes four jobs at a time, is alive for a minute, and leaves the list when it ends", async () => {
    let metrics: (() => Promise<string>) | undefined;
    let parts: WorkerTaskParts | undefined;
    const tasks = (given: WorkerTaskParts) => {
      parts = given;
      return {};
    };
    const { setTimeout: set } = globalThis;
    const delays: unknown[] = [];
    globalThis.setTimeout = ((run: () => void, delay: number) => {
      delays.push(delay);
      return set(run, delay);
    }) as typeof set;
    let first: Promise<string> | undefined;
    const onReady = (text: () => Promise<string>): void => {
      metrics = text;
      first = text();
    };
    await live({ onReady, tasks }, async ({ sql, log, stop, running }) => {
      await until(() => events(log).includes("joined"));
      match(await first!, /^platform_ads_jobs\{state="waiting"\} 0$/m, "before the queue was ever used");
      equal(parts!.driver.database.pool.options.max, 19, "three connections a job, and seven besides");
      const { concurrency, level, worker, store } = log.find(({ event }) => event === "worker_started")!;
      deepEqual([concurrency, level], [4, "info"]);
      match(String(worker), /^[0-9a-f-]{13}$/);
      ok(!String(store).includes("@"), String(store));
      // now() is when the transaction began: a sign of life given just after it may expire a little past the minute.
      const [row] = await sql`
        SELECT extract(epoch FROM expires_at - now())::double precision AS seconds, state FROM workers`;
      ok(Number(row?.["seconds"]) > 30 && Number(row?.["seconds"]) < 61, String(row?.["seconds"]));
      match(await metrics!(), /^platform_ads_workers 1$/m);
      const [names] =
        await sql`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = ${`platform-ads worker ${
          String(worker)
        }`}`;
      ok(Number(names?.["n"]) > 0);
      stop.abort();
      await running;
      deepEqual(events(log).slice(-2), ["worker_draining", "worker_stopped"]);
      equal(log.at(-1)?.["rows"], 0);
      equal((await sql`SELECT id FROM workers`).length, 0);
      ok(delays.includes(15_000), "a sign of life four times a minute");
      ok(delays.includes(20_000), "twenty seconds to drain");
    }).finally(() => globalThis.setTimeout = set);
  });

  test("PostgreSQL: a worker that drains lets its jobs end, until it is told to give them up", async () => {
    const ended: string[] = [];
    let parts: WorkerTaskParts | undefined;
    const tasks = (given: WorkerTaskParts) => {
      parts = given;
      return {
        hold: async () => {
          ended.push("began");
          await new Promise((done) => given.stop.addEventListener("abort", done));
          ended.push(String((given.stop.reason as Error).name));
        },
      };
    };
    await live({ tasks, concurrency: 1, drain: 600 }, async ({ sql, log, stop, abort, running }) => {
      await until(() => events(log).includes("joined"));
      match(parts!.workerId(), /\.1$/);
      equal(parts!.lost().aborted, false);
      await sql`SELECT graphile_worker.add_job('hold')`;
      await until(() => ended.length === 1);
      stop.abort();
      await until(() => events(log).includes("worker_draining"));
      const [row] = await sql`SELECT state FROM workers`;
      ok(row?.["state"] === "working" || row?.["state"] === "draining");
      deepEqual(ended, ["began"]);
      abort.abort();
      await until(() => ended.length === 2);
      await running;
      deepEqual(ended, ["began", "AbortError"]);
    });
  });

  test("PostgreSQL: what a worker's client does is logged and counted, at the pace of its account", async () => {
    let client: WorkerClientOptions | undefined;
    let metrics: (() => Promise<string>) | undefined;
    const connect = (given: WorkerClientOptions): PlatformAds => {
      client = given;
      const platform = stubPlatform("http://127.0.0.1:1");
      const fetch = (): Promise<Response> =>
        Promise.resolve(Response.json({ access_token: "t", token_type: "bearer", expires_in: 3600 }));
      return new PlatformAds(STUB_CREDENTIALS, { platform, fetch, ...given });
    };
    await live({ connect, onReady: (text) => metrics = text }, async ({ sql, log }) => {
      await until(() => events(log).includes("joined"));
      equal(client!.priority, "bulk");
      client!.onEvent({ kind: "response", method: "GET", url: "https://x/y", status: 418, seconds: 1 });
      const { level, status } = log.find(({ event }) => event === "request")!;
      deepEqual([level, status], ["warn", 418]);
      match(await metrics!(), /^platform_ads_requests_total\{status="418"\} 1$/m);
      await connect(client!).profileFrom("1", "US").request("GET", "/v2/profiles");
      deepEqual((await sql`SELECT credential FROM paces`).map(({ credential }) => credential), [
        credentialKey(STUB_CREDENTIALS.clientId),
      ]);
    });
  });

  test("PostgreSQL: a worker whose seconds of draining are over gives its jobs up by itself", async () => {
    const begun = Promise.withResolvers<void>();
    let ended = false;
    const tasks = ({ stop }: WorkerTaskParts) => ({
      hold: async () => {
        begun.resolve();
        await new Promise((done) => stop.addEventListener("abort", done));
        ended = true;
      },
    });
    await live({ tasks, concurrency: 1, drain: 0.2 }, async ({ sql, log, stop, running }) => {
      await until(() => events(log).includes("joined"));
      await sql`SELECT graphile_worker.add_job('hold')`;
      await begun.promise;
      stop.abort();
      await running;
      equal(ended, true);
    });
  });

  test("PostgreSQL: a worker that cannot connect to the platform ends with why, and leaves nothing open", async () => {
    const refused = (): never => {
      throw new Error("no such login");
    };
    await live({ connect: refused }, async ({ log, running, sql }) => {
      await rejects(running, /no such login/);
      deepEqual(events(log), ["worker_stopped"]);
      equal((await sql`SELECT id FROM workers`).length, 0);
      await noConnections(sql);
    });
  });

  test("PostgreSQL: a pace store closes the database that it opened", async () => {
    const problems: unknown[] = [];
    const store = await PostgresPaceStore.open(await makeStore(server), "client", {
      onProblem: (error) => problems.push(error),
    });
    await store.update(() => {});
    equal(problems.length, 0);
    await store.close();
    await store.update(() => {});
    equal(problems.length, 1);
  });

  test("PostgreSQL: what a newer release has changed is not used, and no connection stays open", async () => {
    const address = await makeStore(server);
    const database = connect(address, { max: 1 });
    const { sql } = database;
    try {
      const queue = await SyncQueue.open(address);
      await queue.close();
      for (const use of [() => queue.enqueue({ profiles: [] }), () => queue.status()]) await rejects(use());
      await rejects(queue.enqueueDrift({ profiles: [] }));
      await sql`INSERT INTO graphile_worker.migrations (id, breaking) VALUES (999999, true)`;
      await rejects(SyncQueue.open(address), /breaking migration/);
      // The library of the queue sets it, and the files after this one share the process.
      process.exitCode = undefined;
      await noConnections(sql);
      await sql`UPDATE schema_version SET version = 99999`;
      await rejects(PostgresPaceStore.open(address, "client"), {
        name: "StoreError",
        message: /newer release/,
      });
      await noConnections(sql);
    } finally {
      await database.close();
    }
  });

  test("PostgreSQL: jobs are put on the queue with what they ask for, and a schedule that is none is refused", async () => {
    const address = await makeStore(server);
    const queue = await SyncQueue.open(address);
    const database = connect(address, { max: 1 });
    const { sql } = database;
    const profiles = [{ profileId: "1", countryCode: "US" }, { profileId: "2", countryCode: "DE" }];
    try {
      equal(await queue.enqueue({ profiles }), 6);
      equal(await queue.enqueue({ profiles, reports: [], entities: true }), 2);
      equal(
        await queue.enqueue({
          ...{ profiles: profiles.slice(0, 1), reports: [], hours: true, months: true },
          start: "2026-11-01",
        }),
        2,
      );
      equal(await queue.enqueueDrift({ profiles, ignore: ["sp.product_ads"] }), 2);
      equal(
        await queue.enqueue({
          profiles: profiles.slice(1),
          reports: ["sp_placement", "sp_placement"],
          start: "2026-11-01",
          end: "2026-11-02",
          acceptShrink: true,
        }),
        1,
      );
      const rows = await sql`
        SELECT key, payload, max_attempts FROM graphile_worker._private_jobs ORDER BY key COLLATE "C"`;
      const jobs = rows.map(({ key, payload }) => {
        const { profileId, report, ignore, enqueuedAt, acceptShrink = false } = JSON.parse(String(payload));
        ok(Math.abs(Date.parse(enqueuedAt) - Date.now()) < 60_000);
        return [key, profileId, report ?? ignore, acceptShrink];
      });
      const sync = "platform_ads_sync";
      deepEqual(jobs, [
        ["platform_ads_drift:1:drift", "1", ["sp.product_ads"], false],
        ["platform_ads_drift:2:drift", "2", ["sp.product_ads"], false],
        ...["1", "2"].flatMap((id) =>
          [
            "entities",
            ...id === "1" ? ["hours", "months"] : [],
            "sp_placement",
            ...id === "2" ? ["backfill"] : [],
            "sp_search_terms",
            "sp_targeting",
          ]
            .map((report) =>
              report === "backfill"
                ? [
                  `${sync}:${id}:sp_placement:2026-11-01..2026-11-02:accept-shrink`,
                  id,
                  "sp_placement",
                  true,
                ]
                : [
                  `${sync}:${id}:${report}${/hours|months/.test(report) ? ":2026-11-01.." : ""}`,
                  id,
                  report,
                  false,
                ]
            )
        ),
      ]);
      ok(rows.every((row) => row["max_attempts"] === 8));
      const selection = { profileIds: null, reports: ["sp_placement"] };
      await rejects(queue.schedule(selection, "often"), {
        name: "RangeError",
        message: /^Cannot use "often" as a schedule: it is not minute, hour, day, month and weekday/,
      });
      await queue.schedule(selection, "15 5 * * *");
      await queue.schedule(selection, "16 5 * * *");
      const { schedules } = await queue.status();
      deepEqual(schedules.map(({ cron }) => cron), ["16 5 * * *"]);
      match(schedules[0]?.id ?? "", /^[0-9a-f]{12}$/);
      await queue.schedule(selection, null);
      equal((await queue.status()).schedules.length, 0);
    } finally {
      await database.close();
      await queue.close();
    }
    await rejects(SyncQueue.open(address.replace(/\/[^/]*$/, "/none_of_that_name")), /none_of_that_name/);
  });
}
