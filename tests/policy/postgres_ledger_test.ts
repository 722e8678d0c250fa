import { equal, rejects } from "../support/assert.ts";
import { PostgresLedger } from "../../src/store/postgres/postgres_ledger.ts";
import { connect } from "../../src/store/postgres/connection.ts";
import {
  hasPostgres,
  makeDatabase,
  noConnections,
  type TestServer,
  testServer,
  withSql,
} from "../support/postgres.ts";
import type { DayEntry } from "../../src/plans/state/day_ledger.ts";
import { ENTRY as LEDGER_ENTRY, ledgerContract } from "./ledger_contract.ts";

if (hasPostgres) {
  let server: TestServer;
  Deno.test.beforeAll(async () => {
    server = await testServer();
  });
  Deno.test.afterAll(() => server.stop());

  ledgerContract("PostgreSQL", async (step) => {
    const address = await makeDatabase(server);
    await step(() => new PostgresLedger(address));
  });

  Deno.test("PostgreSQL: a damaged line refuses, and says of which day", async () => {
    const address = await makeDatabase(server);
    const ledger = new PostgresLedger(address);
    const place = { profileId: "1", day: "2026-11-18" };
    await ledger.totals(place);
    const database = connect(address);
    for (const damaged of ["{cut off", '{"spent": 5}']) {
      await database.sql`DELETE FROM platform_ads_policy.days`;
      await database.sql`
        INSERT INTO platform_ads_policy.days (profile_id, day, entry) VALUES ('1', '2026-11-18', ${damaged})`;
      await rejects(ledger.totals(place), /platform_ads_policy\.days for profile 1 on 2026-11-18 is damaged/);
    }
    await database.close();
    // A step closes its connection.
    await withSql(address, noConnections);
  });

  Deno.test("PostgreSQL: a program that stands still in the middle of a step reserves nothing and holds up no other", async () => {
    const address = await makeDatabase(server);
    const place = { profileId: "1", day: "2026-11-18" };
    const others = new PostgresLedger(address);
    await others.totals(place);
    const decide = (): DayEntry => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      return LEDGER_ENTRY;
    };
    const frozen = new PostgresLedger(address, { idleSeconds: 0.2 });
    await rejects(frozen.reserve(place, { key: "a", resumes: false, decide }));
    equal((await others.totals(place)).changes, 0);
  });

  Deno.test("PostgreSQL: a database that cannot be reached refuses", async () => {
    const ledger = new PostgresLedger("postgres://nobody:none@127.0.0.1:1/none");
    await rejects(ledger.totals({ profileId: "1", day: "2026-11-18" }));
  });
}
