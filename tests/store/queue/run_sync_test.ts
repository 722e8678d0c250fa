import { deepEqual, equal, ok } from "../../support/assert.ts";
import type { PlatformAdsOptions } from "../../../mod.ts";
import type { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { JobRunner } from "../../../src/store/queue/run_job.ts";
import type { SyncJob } from "../../../src/store/queue/sync_job.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import type { SyncResult } from "../../../src/store/sync/sync_result.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { fakeSql } from "./fake_sql.ts";
import { long } from "../../support/long.ts";

const DAY = { start: "2026-09-28", end: "2026-09-28" };

interface World extends Emulated {
  readonly store: Warehouse;
  /** How often it was made sure that the lease holds. */
  checks(): number;
  run(job: Partial<SyncJob>): Promise<SyncResult | undefined>;
}

/** A runner of jobs of the seller in the United States, whose store is a file and whose leases always hold. */
async function world(
  { poll, behind = 0, ...options }: {
    poll?: number;
    /** Milliseconds by which the clock of the database is behind that of the worker. */
    behind?: number;
    reportSeconds?: number;
    client?: Partial<PlatformAdsOptions>;
  } = {},
): Promise<World> {
  const { reportSeconds = 0, client = {} } = options;
  const base = await emulated({ emulator: { quirks: { reportSeconds } }, client });
  const folder = await temporaryFolder();
  const sqlite = await SqliteDriver.open(folder.file("ads.sqlite"));
  const { sql, sent } = fakeSql({
    "INSERT INTO sync_leases": [{}],
    "SELECT 1 FROM workers": [{}],
    "clock_timestamp()": () => [{ now: Date.now() - behind }],
  });
  // What a worker's store has besides: leases, and writing under their guard.
  const driver = Object.assign(sqlite, {
    database: { sql },
    guarded: () => driver,
  }) as unknown as PostgresDriver;
  const runner = new JobRunner({ driver, ads: base.ads, workerId: () => "w", poll });
  const { profileId, countryCode } = base.us;
  const job = { profileId, countryCode, report: "sp_campaigns", enqueuedAt: "2026-09-30T11:00:00Z" } as const;
  return Object.assign(base, {
    store: new Warehouse(sqlite),
    checks: () => sent.filter(({ text }) => text.startsWith("SELECT 1 FROM workers")).length,
    run: (more: Partial<SyncJob>) =>
      runner.run({ ...job, ...more }, { signal: new AbortController().signal, onProgress: () => {} }),
    [Symbol.asyncDispose]: async () => {
      await sqlite.close();
      await folder.remove();
      await base.emulator.stop();
    },
  });
}

Deno.test("a job brings one report up to date, also in a store of another account, and its lease is checked to the end", async () => {
  await using at = await world();
  const other = { profileId: "9", countryCode: "US", report: "sp_campaigns", ...DAY } as const;
  await at.store.replace(other, [{ date: DAY.start, campaignId: "1", clicks: 1 }]);
  const result = await at.run(DAY);
  deepEqual(result?.outcomes.map(({ report, state }) => [report, state]), [["sp_campaigns", "stored"]]);
  deepEqual(result?.entities, []);
  equal(at.asked().filter((path) => path === "POST /reporting/reports").length, 1);
  equal(at.checks(), 3, "when it is taken, before the report is created, and at the end");
  deepEqual((await at.run(DAY))?.outcomes, [], "what was pulled since the job was put on the queue is fresh");
});

Deno.test("a job of the new reports stores its days, which version 3 does not keep any more", async () => {
  await using at = await world();
  const days = { start: "2025-09-01", end: "2025-09-03" };
  const result = await at.run({ ...days, reporting: 1 });
  deepEqual(result?.outcomes.map(({ report, state }) => [report, state]), [["sp_campaigns", "stored"]]);
  const asked = at.asked().filter((path) => path.endsWith("reports"));
  deepEqual([...new Set(asked)], ["POST /adsApi/v1/create/reports", "POST /adsApi/v1/retrieve/reports"]);
  const { rows } = await at.store.query("SELECT date, reporting, rows > 0 AS filled FROM days ORDER BY date");
  deepEqual(
    rows.map(({ date, reporting, filled }) => [date, reporting, Number(filled)]),
    ["2025-09-01", "2025-09-02", "2025-09-03"].map((date) => [date, 1, 1]),
  );
  deepEqual((await at.run({ ...days, reporting: 1 }))?.outcomes, [], "what the job has done is fresh");
});

Deno.test("a job of entities brings them up to date and no report, and no page that is read asks for the lease", async () => {
  await using at = await world();
  const result = await at.run({ report: "entities", entitySource: "list" });
  deepEqual(result?.outcomes, []);
  ok(result.entities.length > 5 && result.entities.every(({ source }) => source === "list"));
  equal(at.asked().includes("POST /reporting/reports"), false);
  equal(at.checks(), 2);
});

long();
Deno.test("a job of hours or months stores them and no report", async () => {
  await using at = await world();
  const hours = await at.run({ report: "hours", ...DAY });
  deepEqual(hours?.outcomes.map(({ report, state, start }) => [report, state, start]), [
    ["hours", "stored", DAY.start],
  ]);
  const months = await at.run({ report: "months", start: "2026-08-01" });
  deepEqual(months?.outcomes.map(({ report, state, start, end }) => [report, state, start, end]), [
    ["months", "stored", "2026-08-01", "2026-08-31"],
  ]);
  deepEqual([hours, months].map((result) => result?.entities), [[], []]);
  const { rows } = await at.store.query(
    `SELECT (SELECT count(*) FROM performance_monthly) > 10 AS months,
      (SELECT count(DISTINCT hour) FROM sp_traffic_hourly) AS hours`,
  );
  deepEqual(rows.map(Object.values), [[1, 24]]);
});

Deno.test("looks at a report are as far apart as a worker was told at first, and four times as far at last", async () => {
  for (const [poll, first, last] of [[2, 2, 8], [undefined, 5, 60]] as const) {
    const slept: number[] = [];
    let built = (): void => {};
    const sleep = (seconds: number): Promise<void> => {
      slept.push(seconds);
      if (slept.length === 12) built();
      return Promise.resolve();
    };
    await using at = await world({
      ...(poll === undefined ? {} : { poll }),
      reportSeconds: 60,
      client: { sleep },
    });
    built = () => at.emulator.advance(60);
    equal((await at.run(DAY))?.outcomes[0]?.state, "stored");
    deepEqual([slept[0], slept.at(-1)], [first, last]);
  }
});

Deno.test("a worker whose clock is ahead does not take for fresh what was stored before the job was put on the queue", async () => {
  const behind = 3 * 3_600_000;
  await using at = await world({ behind });
  equal((await at.run(DAY))?.outcomes.length, 1);
  const later = new Date(Date.now() - behind + 60_000).toISOString();
  equal((await at.run({ ...DAY, enqueuedAt: later }))?.outcomes.length, 1);
});
