import { equal } from "../support/assert.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { checkBroughtUpToDate, fillStore, killedBefore } from "./support/old_store.ts";
import { amount } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

/** Tables of the first release, besides those of reports. */
const FIRST = ["profiles", "pulls", "days", "report_requests", "schema_version"];

/** Makes a store as the first release made it. */
async function makeOldStore(address: string): Promise<void> {
  await fillStore(address);
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
      ALTER TABLE days DROP COLUMN made_at, DROP COLUMN first_pulled_at,
        DROP COLUMN reporting, DROP COLUMN reporting_since;
      ALTER TABLE schema_version DROP COLUMN views;
      DROP SEQUENCE row_numbers;
      UPDATE schema_version SET version = 1`);
  });
}

const PROGRAM = "./killed_postgres_migration.ts";

if (hasPostgres) {
  Deno.test("a migration of PostgreSQL that is killed at any step leaves the old store, which the next one brings up to date", async () => {
    const server = await testServer();
    try {
      const old = await makeDatabase(server);
      await makeOldStore(old);
      const copy = (): Promise<string> => makeDatabase(server, old);
      const { code, statements } = await killedBefore(PROGRAM, await copy(), 0);
      equal(code, 0);
      const step = Math.ceil(statements / amount(4, 20));
      for (let number = 1; number <= statements; number += number < 2 ? 1 : step) {
        const address = await copy();
        equal(
          (await killedBefore(PROGRAM, address, number)).code,
          137,
          `killed before ${number} of ${statements}`,
        );
        const [left] = await withSql(address, (sql) => sql`SELECT version FROM platform_ads.schema_version`);
        equal(left?.["version"], 1, `all or nothing, before ${number} of ${statements}`);
        await checkBroughtUpToDate(address);
      }
    } finally {
      await server.stop();
    }
  });
}
