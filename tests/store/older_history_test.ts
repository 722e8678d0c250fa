import assert from "node:assert/strict";
import { test } from "node:test";
import { reportLayout } from "../../src/store/model/report_layout.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { days, plain, T0, US } from "./contract/ground.ts";
import { makeOlderDatabase, makeOlderFile } from "./older_store.ts";

const HOUR = 3600_000;
const TABLE = "report_sp_placement";
const { columns } = reportLayout("sp_placement");
const KEPT = ["profile_id", ...columns.map(({ name }) => `"${name}"`), "extra", "repeat", "known_from"];

/** What a release that kept versions whole wrote when a row of a campaign changed. */
function changedAsBefore(
  campaignId: string,
  cost: number,
  at: number,
  { table }: { table: string },
): string[] {
  const where = `WHERE "campaignId" = '${campaignId}'`;
  return [
    `INSERT INTO ${table}_history (${KEPT.join(", ")}, known_to) SELECT ${
      KEPT.join(", ")
    }, ${at} FROM ${table} ${where}`,
    `UPDATE ${table} SET cost = ${cost}, known_from = ${at} ${where}`,
  ];
}

/** A store whose last release kept versions whole remembers them, and those that came since. */
async function tryOlderStore(
  open: (now: () => number) => Promise<Warehouse>,
  makeOld: (versions: (table: string) => string[]) => Promise<void>,
): Promise<void> {
  let now = T0;
  const what = { ...US, report: "sp_placement", ...days("2026-09-01") };
  const row = (campaignId: string, cost: number) => ({
    date: "2026-09-01",
    campaignId,
    placementClassification: "x",
    cost,
  });
  const first = await open(() => now);
  await first.replace(what, [row("1", 1), row("2", 5), row("3", 9)]);
  await first.close();
  await makeOld((table) => [
    ...changedAsBefore("1", 2, T0 + HOUR, { table }),
    ...changedAsBefore("1", 3, T0 + 2 * HOUR, { table }),
    ...changedAsBefore("2", 6, T0 + 2 * HOUR, { table }),
  ]);
  const store = await open(() => now);
  now = T0 + 3 * HOUR;
  await store.replace(what, [row("1", 4), row("2", 6), row("3", 9)]);
  now = T0 + 4 * HOUR;
  await store.replace(what, [row("2", 7), row("3", 9)]);
  now = T0 + 5 * HOUR;
  await store.replace(what, [row("1", 4), row("2", 7), row("3", 9)]);
  const expected = ["1:1 2:5 3:9", "1:2 2:5 3:9", "1:3 2:6 3:9", "1:4 2:6 3:9", "2:7 3:9", "1:4 2:7 3:9"];
  for (const [hours, text] of expected.entries()) {
    const { rows } = await store.query('SELECT "campaignId" AS id, cost FROM sp_placement ORDER BY 1', [], {
      asOf: new Date(T0 + (hours + 0.5) * HOUR).toISOString(),
    });
    assert.equal(rows.map(({ id, cost }) => `${id}:${cost}`).join(" "), text, `after ${hours} hours`);
  }
  const { rows } = await store.query(
    'SELECT "campaignId" AS id, count(*) AS versions FROM sp_placement_history GROUP BY 1 ORDER BY 1',
  );
  assert.deepEqual(plain(rows), [{ id: "1", versions: 5 }, { id: "2", versions: 3 }, {
    id: "3",
    versions: 1,
  }]);
  const before = new Date(T0 + 2.5 * HOUR).toISOString();
  assert.deepEqual(await store.pruneHistory(before), { sp_placement: 3 }, "whole versions are deleted too");
  await store.close();
}

test("SQLite: versions that an older release kept whole are shown beside the differences", async () => {
  const folder = await temporaryFolder();
  try {
    const path = folder.file("ads.sqlite");
    await tryOlderStore((now) => Warehouse.open(path, { now }), (versions) => {
      const old = makeOlderFile(path);
      const names = KEPT.slice(0, -1);
      old.exec(`CREATE TRIGGER ${TABLE}_closed BEFORE UPDATE ON ${TABLE} BEGIN
          INSERT OR REPLACE INTO ${TABLE}_history (${names.join(", ")}, known_from, known_to)
          VALUES (${names.map((name) => `OLD.${name}`).join(", ")}, OLD.known_from, NEW.known_from);
        END`);
      // The trigger keeps the version.
      for (const statement of versions(TABLE)) if (statement.startsWith("UPDATE")) old.exec(statement);
      old.close();
      return Promise.resolve();
    });
  } finally {
    await folder.remove();
  }
});

if (hasPostgres) {
  test("PostgreSQL: versions that an older release kept whole are shown beside the differences", async () => {
    const server = await testServer();
    try {
      const address = await makeDatabase(server);
      await tryOlderStore(
        (now) => Warehouse.open(address, { now }),
        (versions) =>
          withSql(address, async (sql) => {
            await makeOlderDatabase(sql);
            for (const statement of versions(`platform_ads.${TABLE}`)) await sql.text(statement);
          }),
      );
    } finally {
      await server.stop();
    }
  });
}
