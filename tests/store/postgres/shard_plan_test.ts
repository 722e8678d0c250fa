import assert from "node:assert/strict";
import { test } from "node:test";
import { REPORT_PRESET_NAMES } from "../../../src/client/reports/requests/presets.ts";
import { namedReport } from "../../../src/client/reports/requests/named_report.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { shardPlan } from "../../../src/store/postgres/shard_plan.ts";
import { layoutOf } from "../../../src/store/model/report_layout.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { after, before } from "../../support/hooks.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer, withSql } from "../../support/postgres.ts";

/** Tables whose rows belong to a profile. */
const SHARDED =
  /\b(?:profiles|pulls|days|day_hashes|report_requests|entities|entities_history|entity_pulls|report_s[pbd]_\w+)\b/;

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test("shard-plan distributes every table with rows of profiles, and each has the key in its primary key", async () => {
    const address = await makeDatabase(server);
    await (await Warehouse.open(address)).close();
    const keys = await withSql(address, (sql) =>
      sql`
      SELECT c.relname AS table, string_agg(a.attname::text, ' ') AS key
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'platform_ads'
      JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY c.relname, i.indexrelid`);
    const plan = shardPlan(8).join("\n");
    const sharded = keys.filter(({ table }) => SHARDED.test(String(table)));
    assert.equal(
      sharded.length,
      2 * REPORT_PRESET_NAMES.length + 8 + 1,
      "reports with history, eight others, one further unique index",
    );
    for (const { table, key } of sharded) {
      assert(String(key).split(" ").includes("profile_id"), `the keys of ${table} hold profile_id`);
      assert.match(plan, new RegExp(`create_distributed_table\\('platform_ads\\.${table}', 'profile_id'`));
    }
    for (const name of REPORT_PRESET_NAMES) {
      assert(plan.includes(`report_${name}_changes', 'profile_id'`), name);
    }
    assert.throws(() => shardPlan(0), RangeError);
  });

  test("shard-plan distributes the tables of typed reports that a store holds, and each once", async () => {
    const address = await makeDatabase(server);
    const driver = await PostgresDriver.open(address);
    await driver.addReport(layoutOf(await namedReport("sdCampaigns:matchedTarget")));
    await driver.close();
    const statement = shardPlan(8).at(-1)!;
    const distributed = await withSql(address, async (sql) => {
      // In place of the extension, which spreads tables over machines: one that writes down what it is asked for.
      await sql`CREATE TABLE pg_dist_partition (logicalrelid regclass)`;
      await sql`
        CREATE FUNCTION create_distributed_table(name regclass, by_column text, colocate_with text) RETURNS text
        LANGUAGE sql AS 'INSERT INTO pg_dist_partition VALUES (name) RETURNING name::text'`;
      const twice = [...await sql.text(statement), ...await sql.text(statement)];
      return twice.map((row) => Object.values(row)[0]).sort();
    });
    assert.deepEqual(distributed, [
      "platform_ads.rows_sd_campaigns_by_matched_target",
      "platform_ads.rows_sd_campaigns_by_matched_target_changes",
      "platform_ads.rows_sd_campaigns_by_matched_target_history",
    ]);
  });

  test("every statement that the store sends about rows of profiles carries the key", async () => {
    const address = await makeDatabase(server);
    const sent: string[] = [];
    const opened = await PostgresDriver.open(address);
    await opened.close();
    const driver = await PostgresDriver.open(address, { onStatement: (sql) => sent.push(sql) });
    sent.length = 0;
    const store = new Warehouse(driver);
    const pull = {
      profileId: "1",
      countryCode: "US",
      report: "sp_placement",
      start: "2026-09-01",
      end: "2026-09-01",
      ledgerId: "a",
    };
    await driver.openLedger(ENTRY);
    await driver.putLedger({ ...ENTRY, state: "building" });
    await driver.ledger({ profileId: "1", unfinished: true });
    await store.replace(pull, [{ date: "2026-09-01", campaignId: "1" }]);
    await store.replace(pull, [{ date: "2026-09-01", campaignId: "1", cost: 2 }]);
    await Array.fromAsync(store.rows("sp_placement", { profileId: "1" }));
    await driver.coveredRanges({ profileId: "1" });
    await driver.close();
    const about = sent.map(flat).filter((sql) =>
      /^(?:select|insert|update|delete|copy|declare|with)\b/i.test(sql)
    )
      .filter((sql) => SHARDED.test(sql) && !sql.includes("information_schema"));
    assert(about.length >= 10, about.join("\n"));
    for (const sql of about) {
      assert.match(
        sql,
        /profile_id = \$\d|insert into \w+ \(profile_id|copy \w+ \(profile_id/i,
        `carries the key: ${sql}`,
      );
    }
  });
}

const ENTRY = {
  id: "a",
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  start: "2026-09-01",
  end: "2026-09-01",
  configuration: { adProduct: "SPONSORED_PRODUCTS", reportTypeId: "spCampaigns", groupBy: [], columns: [] },
  fingerprint: "f",
  state: "asking",
  reportId: null,
  askedAt: "2026-09-02T00:00:00.000Z",
  changedAt: "2026-09-02T00:00:00.000Z",
  rows: null,
  problem: null,
} as const;

function flat(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}
