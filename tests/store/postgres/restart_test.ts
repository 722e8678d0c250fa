import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDay } from "../../../src/base/time/calendar.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { makeDatabase, postgresPrograms, startCluster } from "../../support/postgres.ts";
import { ReportHost } from "../../support/report_host.ts";
import { longFile } from "../../support/long.ts";

longFile();

const RESTARTS = 10;
const ROWS_A_DAY = 200;
const REPORTS = ["sp_campaigns", "sp_placement", "sp_targeting"];

if (postgresPrograms() !== undefined) {
  test("a sync during which the database is restarted ten times stores every row of its reports once", async () => {
    const server = await startCluster();
    const host = new ReportHost();
    host.rows = ({ startDate: start, endDate: end }) =>
      [...eachDay({ start, end })].flatMap((date) =>
        Array.from(
          { length: ROWS_A_DAY },
          (_, i) => ({ date, campaignId: String(i), keywordId: String(i), cost: i }),
        )
      );
    let restarts = 0;
    let restarting: Promise<void> = Promise.resolve();
    host.intervene = async ({ url }) => {
      if (url.hostname !== "files.test" || restarts === RESTARTS) return undefined;
      restarts++;
      // The file is stored while the server goes; one restart at a time.
      const before = restarting;
      restarting = before.then(() => server.restart());
      await before;
      return undefined;
    };
    const store = new Warehouse(await PostgresDriver.open(await makeDatabase(server)), {
      now: () => host.now,
    });
    try {
      const result = await store.sync(host.client(), { reports: REPORTS, concurrency: 2 });
      await restarting;
      assert(result.ok, result.summary());
      assert.equal(restarts, RESTARTS);
      assert.equal(
        new Set(host.reports.map(({ reportId }) => reportId)).size,
        12,
        "nothing was requested twice",
      );
      const expected = 94 * ROWS_A_DAY;
      for (const report of REPORTS) {
        const key = report === "sp_targeting" ? "keywordId" : "campaignId";
        const { rows } = await store.query(
          `SELECT count(*) AS rows, count(DISTINCT date) AS days, count(DISTINCT (date, "${key}")) AS keys FROM ${report}`,
        );
        assert.deepEqual(rows, [{ rows: expected, days: 94, keys: expected }], report);
      }
      const coverage = (await store.coverage()).map(({ days, rows }) => [days, rows]);
      assert.deepEqual(coverage, Array(3).fill([94, expected]));
    } finally {
      await restarting.catch(() => {});
      await store.close();
      await server.stop();
    }
  });
}
