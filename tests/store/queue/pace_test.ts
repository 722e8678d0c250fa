import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import type { Database } from "../../../src/store/postgres/database.ts";
import { jobCounts } from "../../../src/store/queue/queue_status.ts";
import { credentialKey } from "../../../src/store/queue/credential_key.ts";
import { PostgresPaceStore } from "../../../src/store/queue/postgres_pace_store.ts";
import { serveMetrics } from "../../../src/store/queue/metrics_server.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";
import { newPaceState, type PaceState } from "../../../src/platform/transport/pacer/pace_store.ts";
import { fakeSql } from "./fake_sql.ts";

/** A database with one row of paces, whose clock is far from this machine's. */
function databaseOf(clock: number) {
  const kept = {
    state: newPaceState(),
    transactions: 0,
    problem: undefined as Error | undefined,
    isClosed: false,
  };
  const { sql, sent } = fakeSql({
    "INSERT INTO paces": () => [{ state: JSON.stringify(kept.state), now: String(clock) }],
    "UPDATE paces": ({ values }) => {
      if (kept.problem !== undefined) throw kept.problem;
      kept.state = JSON.parse(String(values[0])) as PaceState;
      return [];
    },
  });
  const database = {
    transaction: async (work: (session: typeof sql) => Promise<unknown>) => {
      kept.transactions += 1;
      return await work(sql);
    },
    close: () => {
      kept.isClosed = true;
      return Promise.resolve();
    },
  } as unknown as Database;
  return { database, kept, sent };
}

Deno.test("changes of one moment are made in one transaction, by the clock of the database", async () => {
  const { database, kept, sent } = databaseOf(5_000_000);
  const store = new PostgresPaceStore(database);
  equal(store.isShared, true);
  store.join("key");
  const nows = await Promise.all([
    store.update((state, now) => {
      state.pausedUntil = 7;
      return now;
    }),
    store.update((state, now) => [state.pausedUntil, now]),
  ]);
  deepEqual(nows, [5_000_000, [7, 5_000_000]]);
  equal(kept.transactions, 1);
  equal(kept.state.pausedUntil, 7);
  ok(sent.filter(({ text }) => text.includes("paces")).every(({ values }) => values.includes("key")));
  equal(
    sent.filter(({ text }) => /lock_timeout = 2000;.*transaction_session_timeout = 2000/.test(text)).length,
    1,
  );
  await store.update(() => {});
  equal(kept.transactions, 2);
  await store.close();
  equal(kept.isClosed, false, "the database is another's");
});

Deno.test("until an account is named, and where the database is away, a process keeps its own pace by one clock", async () => {
  const { database, kept } = databaseOf(5_000_000);
  const problems: unknown[] = [];
  const store = new PostgresPaceStore(database, { onProblem: (error) => problems.push(error) });
  const first = await store.update((state, now) => {
    state.pausedUntil = 7;
    return now;
  });
  ok(Math.abs(first - Date.now()) < 60_000, `${first}`);
  equal(kept.transactions, 0);
  store.join("key");
  equal(await store.update((state) => state.pausedUntil), 0, "the shared state counts");
  kept.problem = new Error("away");
  let runs = 0;
  const [paused, now] = await store.update((state, now) => {
    runs += 1;
    state.pausedUntil += 1;
    return [state.pausedUntil, now] as const;
  });
  deepEqual(
    [paused, runs, problems.length],
    [1, 2, 1],
    "a change that was not kept is made anew, on what was known last",
  );
  ok(now >= 5_000_000 && now < 5_060_000, `the database's clock goes on: ${now}`);
  await store.update((state) => {
    state.pausedUntil += 4;
  });
  equal(await store.update((state) => state.pausedUntil), 5);
  equal(kept.state.pausedUntil, 0);
  kept.problem = undefined;
  equal(
    await store.update((state) => state.pausedUntil),
    4,
    "a change without an answer is made where it counts",
  );
  await new PostgresPaceStore(databaseOf(0).database).update(() => {});
});

Deno.test("a store that is closed ends what is under way first", async () => {
  const { database } = databaseOf(5_000_000);
  const ended: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { transaction } = database;
  Object.assign(database, {
    transaction: async (work: Parameters<typeof transaction>[0]) => {
      await promise;
      return await transaction(work);
    },
  });
  const store = new PostgresPaceStore(database);
  store.join("key");
  const updated = store.update(() => {}).then(() => ended.push("updated"));
  const closed = store.close().then(() => ended.push("closed"));
  resolve();
  await Promise.all([updated, closed]);
  deepEqual(ended, ["updated", "closed"]);
});

Deno.test("a process of its own pace goes by the clock of its machine, however long that has run", async () => {
  const { now } = performance;
  performance.now = () => 10 ** 9;
  try {
    const store = new PostgresPaceStore(databaseOf(0).database);
    const told = await store.update((_state, now) => now);
    ok(Math.abs(told - Date.now()) < 60_000, `${told}`);
  } finally {
    performance.now = now;
  }
});

Deno.test("workers of an account meet under the same key, whatever their version", () => {
  equal(credentialKey("client"), "758a3d094a03a5bb104ace4915445083");
});

Deno.test("where the database is away its clock goes on by the steady one of this machine", async () => {
  const { now } = performance;
  let steady = 1000;
  performance.now = () => steady;
  try {
    const { database, kept } = databaseOf(5_000_000);
    const store = new PostgresPaceStore(database);
    store.join("key");
    await store.update(() => {});
    equal(kept.transactions, 1);
    Object.assign(database, { transaction: () => Promise.reject(new Error("away")) });
    steady = 1500;
    equal(await store.update((_state, now) => now), 5_000_500);
  } finally {
    performance.now = now;
  }
});

Deno.test("a counter begins at 0, and metrics without a value are there all the same, but for those of paces", () => {
  const metrics = new WorkerMetrics();
  const jobs = { waiting: 1, running: 0, retrying: 0, gave_up: 0 };
  const lines = (): string[] => metrics.text({ jobs, workers: 2, paces: [] }).split("\n");
  equal(metrics.rows, 0);
  ok(lines().includes("platform_ads_rows_stored_total 0"));
  ok(lines().includes("platform_ads_plans_total 0"));
  ok(!lines().some((line) => line.startsWith("platform_ads_pace_") && !line.startsWith("#")));
  metrics.add("platform_ads_rows_stored_total", 5);
  metrics.add("platform_ads_rows_stored_total", 6);
  equal(metrics.rows, 11);
  ok(lines().includes("platform_ads_rows_stored_total 11"));
  equal(lines().filter((line) => /^platform_ads_jobs\{/.test(line)).length, 4);
  equal(lines().filter((line) => line === "platform_ads_jobs 0").length, 0);
});

Deno.test("requests of the client are counted", () => {
  const metrics = new WorkerMetrics();
  const event = { method: "GET", url: "https://x", seconds: 1 } as const;
  for (const status of [200, 429, 429]) metrics.heard({ ...event, kind: "response", status });
  metrics.heard({ ...event, kind: "wait", seconds: 2.5 });
  const jobs = { waiting: 0, running: 0, retrying: 0, gave_up: 0 };
  const lines = metrics.text({ jobs, workers: 1, paces: [] }).split("\n");
  for (
    const line of [
      'platform_ads_requests_total{status="200"} 1',
      'platform_ads_requests_total{status="429"} 2',
      "platform_ads_throttled_total 2",
      "platform_ads_wait_seconds_total 2.5",
    ]
  ) ok(lines.includes(line), line);
});

Deno.test("a server of metrics that is closed waits for nobody", async () => {
  const asked = Promise.withResolvers<void>();
  const server = await serveMetrics(() => {
    asked.resolve();
    return new Promise(() => {});
  }, { host: "127.0.0.1", port: 0 });
  const refused = rejects(fetch(server.url));
  await asked.promise;
  await server.close();
  await refused;
});

Deno.test("metrics are served until the server is closed, and what is away says so", async () => {
  let problem: Error | undefined;
  const server = await serveMetrics(
    () => problem === undefined ? Promise.resolve("jobs 3\n") : Promise.reject(problem),
    { host: "127.0.0.1", port: 0 },
  );
  const root = server.url.replace("/metrics", "");
  const get = async (path: string): Promise<unknown[]> => {
    const response = await fetch(`${root}${path}`);
    return [response.status, await response.text(), response.headers.get("content-type")];
  };
  const type = "text/plain; version=0.0.4; charset=utf-8";
  try {
    ok(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/.test(server.url));
    deepEqual(await get("/metrics?x=1"), [200, "jobs 3\n", type]);
    deepEqual(await get("/healthz"), [200, "ok\n", type]);
    deepEqual(await get("/"), [404, "Expected /metrics or /health\n", type]);
    problem = new Error("The database is away");
    deepEqual(await get("/healthz"), [503, "The database is away\n", type]);
    const { port } = new URL(server.url);
    await rejects(serveMetrics(() => Promise.resolve(""), { host: "127.0.0.1", port: Number(port) }));
  } finally {
    await server.close();
  }
  await rejects(fetch(server.url));
  const six = await serveMetrics(() => Promise.resolve(""), { host: "::1", port: 0 }).catch(() => undefined);
  if (six !== undefined) {
    ok(six.url.startsWith("http://[::1]:"), six.url);
    await six.close();
  }
});

Deno.test("counts of jobs are asked for by the tasks of this queue alone", async () => {
  const { sql, sent } = fakeSql();
  await jobCounts(sql);
  deepEqual(sent[0]?.values, ["platform_ads_sync,platform_ads_plan,platform_ads_drift"]);
});
