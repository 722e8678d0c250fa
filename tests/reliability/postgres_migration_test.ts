import { deepEqual, equal } from "../support/assert.ts";
import { fileURLToPath } from "node:url";
import { Warehouse } from "../../src/store/warehouse.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { amount } from "./support/size.ts";

const WHAT = {
  profileId: "1",
  countryCode: "US",
  report: "sp_campaigns",
  start: "2026-09-01",
  end: "2026-09-01",
};
const ROW = { date: "2026-09-01", campaignId: "1", cost: 2 };
/** Tables of the first release, besides those of reports. */
const FIRST = ["profiles", "pulls", "days", "report_requests", "schema_version"];

/** Makes a store as the first release made it. */
async function makeOldStore(address: string): Promise<void> {
  const store = await Warehouse.open(address);
  await store.replace(WHAT, [ROW, { ...ROW, campaignId: "2" }]);
  await store.close();
  await withSql(address, async (sql) => {
    await sql`SET search_path TO platform_ads`;
    const of = async (kinds: string): Promise<string[]> => {
      const found = await sql.text(
        `SELECT relname FROM pg_class WHERE relnamespace = 'platform_ads'::regnamespace AND NOT relispartition
         AND relkind IN (${kinds})`,
      );
      return found.map(({ relname }) => String(relname));
    };
    for (const view of await of("'v'")) await sql.text(`DROP VIEW IF EXISTS ${view} CASCADE`);
    for (const table of await of("'r', 'p'")) {
      const isReport = table.startsWith("report_s") && !/_(?:history|changes)$/.test(table);
      if (isReport) await sql.text(`ALTER TABLE ${table} DROP COLUMN known_from, DROP COLUMN ref`);
      else if (!FIRST.includes(table)) await sql.text(`DROP TABLE ${table} CASCADE`);
    }
    await sql.text(`
      ALTER TABLE days DROP COLUMN made_at, DROP COLUMN first_pulled_at;
      ALTER TABLE schema_version DROP COLUMN views;
      DROP SEQUENCE row_numbers;
      UPDATE schema_version SET version = 1`);
  });
}

async function killedBefore(address: string, number: number): Promise<{ code: number; statements: number }> {
  const program = fileURLToPath(new URL("support/killed_postgres_migration.ts", import.meta.url));
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", program, address, String(number)],
    stderr: "null",
  }).output();
  return { code, statements: Number(new TextDecoder().decode(stdout)) };
}

if (hasPostgres) {
  Deno.test("a migration of PostgreSQL that is killed at any step leaves the old store, which the next one brings up to date", async () => {
    const server = await testServer();
    try {
      const old = await makeDatabase(server);
      await makeOldStore(old);
      const copy = (): Promise<string> => makeDatabase(server, old);
      const { code, statements } = await killedBefore(await copy(), 0);
      equal(code, 0);
      const step = Math.ceil(statements / amount(4, 20));
      for (let number = 1; number <= statements; number += number < 2 ? 1 : step) {
        const address = await copy();
        equal((await killedBefore(address, number)).code, 137, `killed before ${number} of ${statements}`);
        const [left] = await withSql(address, (sql) => sql`SELECT version FROM platform_ads.schema_version`);
        equal(left?.["version"], 1, `all or nothing, before ${number} of ${statements}`);
        const store = await Warehouse.open(address);
        const { rows } = await store.query("SELECT sum(cost) AS cost FROM sp_campaigns", [], {
          asOf: "2020-01-01",
        });
        deepEqual(rows.map(({ cost }) => cost), [4]);
        await store.replace(WHAT, [{ ...ROW, cost: 3 }]);
        equal((await store.query("SELECT * FROM sp_campaigns_history")).rows.length, 3);
        await store.close();
      }
    } finally {
      await server.stop();
    }
  });
}
