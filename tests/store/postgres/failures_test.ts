import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import { codeOf } from "../../../src/store/postgres/postgres_error.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { QueryError, StoreError } from "../../../src/store/model/store_error.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { after, before } from "../../support/hooks.ts";
import {
  hasPostgres,
  makeDatabase,
  makeStore,
  noConnections,
  type TestServer,
  testServer,
  withSql,
} from "../../support/postgres.ts";

const PULL = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  start: "2026-08-31",
  end: "2026-09-01",
};
const ROWS: ReportRow[] = [{ date: "2026-08-31", campaignId: "1" }, { date: "2026-09-01", campaignId: "1" }];

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test("PostgreSQL: a wrong password, user, database, host or port is told in plain words, without the password", async () => {
    const address = await makeDatabase(server);
    const wrong: [change: (url: URL) => void, kind: new (...args: never[]) => Error, words: RegExp][] = [
      [(url) => url.password = "hunter22", ConfigurationError, /refuses the password/],
      [(url) => url.pathname = "/nowhere", ConfigurationError, /no such database/],
      [(url) => url.port = "1", StoreError, /no server responds there/],
      [(url) => url.hostname = "no-such-host.invalid", ConfigurationError, /host is not known/],
    ];
    for (const [change, kind, words] of wrong) {
      const url = new URL(address);
      change(url);
      await assert.rejects(Warehouse.open(url.href), (error: Error) => {
        assert(error instanceof kind, `${error.name}: ${error.message}`);
        assert.match(error.message, words);
        assert(!error.message.includes(url.password), "the password is not told");
        return true;
      });
    }
    await assert.rejects(Warehouse.open("postgres://"), ConfigurationError);
  });

  test("PostgreSQL: a server that is away is tried again, however often it did not answer", async () => {
    const address = new URL(await makeDatabase(server));
    address.port = "1";
    const database = connect(address.href, { max: 2 });
    for (let attempt = 0; attempt < 5; attempt++) {
      await assert.rejects(database.sql`SELECT 1`, (error) => codeOf(error) === "ECONNREFUSED");
    }
    await database.close();
  });

  test("PostgreSQL: a user without rights, and a server that only reads, are told apart", async () => {
    const address = await makeDatabase(server);
    await withSql(address, async (sql) => {
      await sql`DROP ROLE IF EXISTS nobody_special`;
      await sql`CREATE ROLE nobody_special LOGIN PASSWORD 'secret-word'`;
    });
    const url = new URL(address);
    url.username = "nobody_special";
    url.password = "secret-word";
    await assert.rejects(Warehouse.open(url.href), /this user lacks rights/);
    const store = await Warehouse.open(address);
    await withSql(
      address,
      (sql) =>
        sql.text(
          `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET default_transaction_read_only = on`,
        ),
    );
    const replica = await Warehouse.open(address);
    await assert.rejects(replica.replace(PULL, ROWS), (error: Error) => {
      assert(error instanceof StoreError);
      assert.match(error.message, /is read-only: it is a replica/);
      return true;
    });
    assert.deepEqual(await replica.coverage(), [], "and reading works");
    await replica.close();
    await store.close();
  });

  test("PostgreSQL: a connection that is lost in the middle of COPY leaves everything as it was", async () => {
    const address = await makeStore(server);
    const store = await Warehouse.open(address);
    await store.replace(PULL, ROWS);
    const before = await store.coverage();
    async function* cut(): AsyncGenerator<ReportRow[]> {
      for (let piece = 0; piece < 200; piece++) {
        yield Array.from({ length: 500 }, (_, i) => ({ date: "2026-09-01", campaignId: `${piece}-${i}` }));
        if (piece === 50) await endCopies(address);
        await new Promise((done) => setTimeout(done, 0));
      }
    }
    // Rows of days that are not stored yet are copied as they come.
    await assert.rejects(store.replace({ ...PULL, profileId: "99" }, cut()), (error: Error) => {
      assert(error instanceof StoreError, `${error.name}: ${error.message}`);
      assert.match(error.message, /connection/);
      return true;
    });
    assert.deepEqual(await store.coverage(), before);
    const { rows } = await store.query("SELECT count(*) AS n FROM sp_placement");
    assert.deepEqual(rows, [{ n: 2 }]);
    assert.equal(await store.replace(PULL, ROWS), 2, "the next pull goes through a new connection");
    await store.close();
  });

  test("PostgreSQL: ten processes that open an empty database at once make its tables once", async () => {
    const address = await makeDatabase(server);
    const stores = await Promise.all(Array.from({ length: 10 }, () => Warehouse.open(address)));
    await Promise.all(stores.map((store, i) => store.replace({ ...PULL, profileId: String(i) }, ROWS)));
    assert.equal((await stores[0]!.coverage()).length, 10);
    await Promise.all(stores.map((store) => store.close()));
    await withSql(address, async (sql) => {
      const versions = await sql`SELECT version FROM platform_ads.schema_version`;
      assert.equal(versions.length, 1);
      const months = await sql`
        SELECT relname FROM pg_class WHERE relname LIKE 'report_sp_placement_____\\___' AND relkind = 'r' ORDER BY 1`;
      assert.deepEqual(months.map(({ relname }) => relname), [
        "report_sp_placement_2026_08",
        "report_sp_placement_2026_09",
      ]);
    });
  });

  test("PostgreSQL: a store of an older release keeps its rows, and remembers from then on", async () => {
    const address = await makeStore(server);
    const first = await Warehouse.open(address);
    await first.replace(PULL, ROWS);
    await first.close();
    await withSql(address, async (sql) => {
      const tables = await sql`
        SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname = 'platform_ads' AND relkind = 'p'`;
      for (const name of tables.map(({ relname }) => `platform_ads.${relname}`)) {
        if (/_(?:history|changes)$/.test(name)) await sql.text(`DROP TABLE ${name} CASCADE`);
      }
      for (const name of tables.map(({ relname }) => `platform_ads.${relname}`)) {
        if (/_(?:history|changes)$/.test(name)) continue;
        await sql.text(`ALTER TABLE ${name} DROP COLUMN known_from, DROP COLUMN ref`);
      }
      await sql`DROP SEQUENCE platform_ads.row_numbers`;
      const own = (names: string): string =>
        names.split(" ").map((name) => `platform_ads.${name}`).join(", ");
      const ofStream = await sql`
        SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname = 'platform_ads' AND relkind = 'r' AND relname LIKE 'stream\\_%'`;
      for (const { relname } of ofStream) await sql.text(`DROP TABLE platform_ads.${relname} CASCADE`);
      const later =
        "workflow_versions workflow_runs workflow_rows workflow_views months month_pulls day_hashes entities entities_history entity_pulls maturity paces rollouts rollout_plans plan_journals drift_runs";
      await sql.text(`DROP TABLE ${own(later)} CASCADE`);
      await sql.text(
        "ALTER TABLE platform_ads.days DROP COLUMN made_at CASCADE, DROP COLUMN first_pulled_at CASCADE, " +
          "DROP COLUMN reporting CASCADE, DROP COLUMN reporting_since CASCADE",
      );
      await sql.text("ALTER TABLE platform_ads.schema_version DROP COLUMN views");
      await sql.text("UPDATE platform_ads.schema_version SET version = 2");
    });
    const again = await Warehouse.open(address);
    const count = async (asOf?: string): Promise<unknown> =>
      (await again.query("SELECT count(cost) AS n FROM sp_placement", [], { asOf })).rows[0]?.["n"];
    assert.deepEqual([await count(), await count("2020-01-01")], [0, 0]);
    assert.equal(
      (await again.query("SELECT 1 FROM sp_placement", [], { asOf: "2020-01-01" })).rows.length,
      2,
    );
    const before = new Date(Date.now() - 60_000).toISOString();
    await again.replace(PULL, ROWS.map((row) => ({ ...row, cost: 1 })));
    assert.deepEqual([await count(), await count(before)], [2, 0]);
    await again.close();
  });

  test("PostgreSQL: a store of a newer release is left alone", async () => {
    const address = await makeStore(server);
    await (await Warehouse.open(address)).close();
    await withSql(address, (sql) => sql`UPDATE platform_ads.schema_version SET version = 999`);
    await assert.rejects(Warehouse.open(address), /newer release/);
    await withSql(address, noConnections);
  });

  test("PostgreSQL: a query that takes too long is ended, and leaves nothing behind in its session", async () => {
    const address = await makeStore(server);
    const driver = await PostgresDriver.open(address, { queryTimeout: 50 });
    const store = new Warehouse(driver);
    await assert.rejects(store.query("SELECT pg_sleep(20)"), (error: Error) => {
      assert(error instanceof QueryError);
      assert.match(error.message, /took longer than 0.05 s/);
      return true;
    });
    await assert.rejects(store.query("SELECT pg_advisory_lock(7)"), /it may not call pg_advisory_lock/);
    const { rows } = await store.query(
      "SELECT current_setting('search_path') AS path, (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' " +
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS n",
    );
    assert.deepEqual(rows, [{ path: "platform_ads", n: 0 }]);
    await store.close();
  });

  test("PostgreSQL: what the server suggests for a query that fails is told", async () => {
    const store = await Warehouse.open(await makeStore(server));
    await assert.rejects(store.query("SELECT adProduct FROM stream_campaigns"), (error: Error) => {
      assert(error instanceof QueryError, error.message);
      assert.match(
        error.message,
        /column "adproduct" does not exist\. Perhaps you meant .*adProduct"\. Names .*: "adProduct"$/,
      );
      return true;
    });
    await store.close();
  });

  test("PostgreSQL: a query cannot do what taking its transaction back would not undo", async () => {
    const address = await makeStore(server);
    const store = await Warehouse.open(address);
    await withSql(address, (sql) => sql`CREATE SEQUENCE platform_ads.tally`);
    for (const sql of ["SELECT nextval('tally')", "EXPLAIN ANALYZE DELETE FROM days"]) {
      await assert.rejects(store.query(sql), (error: Error) => {
        assert(error instanceof QueryError, error.message);
        assert.match(error.message, /read-only transaction/);
        return true;
      });
    }
    await store.close();
  });

  test("PostgreSQL: of two that replace the same days at once, one waits for the other", async () => {
    const address = await makeStore(server);
    const [one, other] = [await Warehouse.open(address), await Warehouse.open(address)];
    await one.replace(PULL, ROWS);
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    async function* slowly(): AsyncGenerator<ReportRow> {
      yield { date: "2026-08-31", campaignId: "slow 1" };
      began.resolve();
      await goOn.promise;
      yield { date: "2026-08-31", campaignId: "slow 2" };
    }
    const first = one.replace(PULL, slowly());
    await began.promise;
    const second = other.replace(PULL, [{ date: "2026-08-31", campaignId: "quick" }]);
    setTimeout(goOn.resolve, 200);
    assert.deepEqual(await Promise.all([first, second]), [2, 1]);
    const { rows } = await one.query(`SELECT "campaignId" FROM sp_placement`);
    assert.deepEqual(rows, [{ campaignId: "quick" }]);
    await Promise.all([one.close(), other.close()]);
  });
}

/** Ends every connection that copies, as a server does that is shut down. */
async function endCopies(address: string): Promise<void> {
  await withSql(address, async (sql) => {
    const ended = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query ILIKE 'copy %' AND pid <> pg_backend_pid()`;
    assert(ended.length > 0, "there was a COPY to end");
  });
}
