import assert from "node:assert/strict";
import { test } from "node:test";
import { namedReport } from "../../../src/client/reports/requests/named_report.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import { PostgresDriver, type PostgresOptions } from "../../../src/store/postgres/postgres_driver.ts";
import { codeOf } from "../../../src/store/postgres/postgres_error.ts";
import type { Sql } from "../../../src/store/tables/postgres_sql.ts";
import { underMigrationLock } from "../../../src/store/postgres/schema.ts";
import { layoutOf } from "../../../src/store/model/report_layout.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { after, before } from "../../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer, withSql } from "../../support/postgres.ts";
import { entry } from "../contract/ground.ts";

const WHAT = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  start: "2026-08-31",
  end: "2026-09-01",
};
const ROWS = [{ date: "2026-08-31", campaignId: "1" }, { date: "2026-09-01", campaignId: "1" }];

if (hasPostgres) {
  let server: TestServer;
  let address = "";
  before(async () => {
    server = await testServer();
    address = await makeStore(server);
  });
  after(() => server.stop());

  /** Does work with a store, and gives the statements that it sent. */
  const statements = async (
    work: (store: Warehouse, driver: PostgresDriver) => Promise<unknown>,
    { at = address, ...options }: PostgresOptions & { readonly at?: string } = {},
  ): Promise<string[]> => {
    const sent: string[] = [];
    const driver = await PostgresDriver.open(at, {
      ...options,
      onStatement: (sql) => sent.push(sql.trim()),
    });
    try {
      await work(new Warehouse(driver), driver);
    } finally {
      await driver.close();
    }
    return sent;
  };

  const changing = (sent: readonly string[]): string[] =>
    sent.filter((sql) => /^(?:CREATE|ALTER|DROP)\b/.test(sql));

  test("PostgreSQL: a store that is as this release makes it is opened without changing anything", async () => {
    assert.deepEqual(changing(await statements(() => Promise.resolve())), []);
  });

  test("PostgreSQL: a report of a published type is added once, and found by the next that opens the store", async () => {
    const at = await makeStore(server);
    const layout = layoutOf(await namedReport("sdCampaigns:matchedTarget"));
    const added = await statements(async (_, driver) => {
      await driver.addReport(layout);
      await driver.addReport(layout);
      assert(driver.layouts.some(({ report }) => report === layout.report));
    }, { at });
    const made = added.filter((sql) => sql.startsWith("CREATE TABLE")).map((sql) => sql.split(/\s/)[2]);
    assert(made.includes(layout.table), made.join());
    assert.equal(new Set(made).size, made.length, "the second call makes nothing");
    const again = await statements((_, driver) => {
      assert(driver.layouts.some(({ report }) => report === layout.report));
      return driver.addReport(layout);
    }, { at });
    assert.deepEqual(changing(again), []);
  });

  test("PostgreSQL: the months of a pull are made once, and looked for once by each process", async () => {
    const at = await makeStore(server);
    const looks = async (): Promise<[looks: number, made: number]> => {
      const sent = await statements(async (store) => {
        await store.replace(WHAT, ROWS);
        await store.replace(WHAT, ROWS);
      }, { at });
      return [
        sent.filter((sql) => sql.includes("pg_inherits")).length,
        sent.filter((sql) => /^CREATE TABLE report_sp_placement/.test(sql)).length,
      ];
    };
    const [first, made] = await looks();
    assert(made >= 4, "two months of the rows and of their history");
    assert.equal(first, 2 * made, "looked for once more under the lock before they are made");
    assert.deepEqual(await looks(), [made, 0]);
  });

  test("PostgreSQL: reading rows, to the end or not, leaves its connection fit for the next work", async () => {
    await statements(async (store) => {
      await store.replace(WHAT, ROWS);
      for (let round = 0; round < 3; round++) {
        assert.equal((await Array.fromAsync(store.rows("sp_placement"))).length, 2);
        for await (const row of store.rows("sp_placement")) {
          assert.equal(row.date, "2026-08-31");
          break;
        }
      }
      await store.replace(WHAT, ROWS.slice(1));
      assert.equal((await Array.fromAsync(store.rows("sp_placement"))).length, 1);
      await assert.rejects(
        store.replace({ ...WHAT, profileId: "2" }, [{ date: "2026-10-01" }]),
        RangeError,
      );
      assert.equal((await store.coverage()).length, 1, "what failed is undone on the one connection");
    }, { max: 1, at: await makeStore(server) });
  });

  test("PostgreSQL: many rows are read in parts, none of them lost", async () => {
    const many = Array.from(
      { length: 4001 },
      (_, index) => ({ date: "2026-09-01", campaignId: String(index) }),
    );
    const sent = await statements(async (store) => {
      await store.replace({ ...WHAT, profileId: "3" }, many);
      const found = await Array.fromAsync(store.rows("sp_placement", { profileId: "3" }));
      assert.equal(new Set(found.map(({ campaignId }) => campaignId)).size, 4001);
    });
    assert.equal(sent.filter((sql) => sql.startsWith("FETCH 250")).length, 18);
    assert(sent.some((sql) => sql.startsWith("COPY ")), "what is copied is told too");
  });

  test("PostgreSQL: the next part of many rows is asked for while one is read, and no more of them", async () => {
    const many = Array.from(
      { length: 1001 },
      (_, index) => ({ date: "2026-09-01", campaignId: String(index) }),
    );
    const sent: string[] = [];
    const driver = await PostgresDriver.open(address, { onStatement: (sql) => sent.push(sql.trim()) });
    await using store = new Warehouse(driver);
    await store.replace({ ...WHAT, profileId: "7" }, many);
    const asked = (): number => sent.filter((sql) => sql.startsWith("FETCH")).length;
    const places: number[] = [];
    let count = 0;
    for await (const _ of store.rows("sp_placement", { profileId: "7" })) {
      if (count++ % 250 === 0) places.push(asked());
    }
    assert.deepEqual([count, places], [1001, [2, 3, 4, 5, 6]]);
  });

  test("PostgreSQL: rows whose reading the server cuts off are no short success", async () => {
    const many = Array.from(
      { length: 2001 },
      (_, index) => ({ date: "2026-09-01", campaignId: String(index) }),
    );
    await statements(async (store) => {
      await store.replace({ ...WHAT, profileId: "6" }, many);
      const read = async (): Promise<void> => {
        let ended = false;
        for await (const _ of store.rows("sp_placement", { profileId: "6" })) {
          if (ended) continue;
          ended = true;
          await withSql(address, async (sql) => {
            const cut = await sql`
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND query LIKE 'FETCH%' AND pid <> pg_backend_pid()`;
            assert.equal(cut.length, 1);
          });
        }
      };
      await assert.rejects(read(), (error: Error) => {
        assert(error instanceof StoreError, String(error));
        assert.match(error.message, /^Cannot use store .*connection/);
        return true;
      });
    });
  });

  test("PostgreSQL: one after the other works under the lock of migrations, also after one that failed", async () => {
    const databases = [connect(address), connect(address)] as const;
    const order: string[] = [];
    const entered = Promise.withResolvers<void>();
    const first = underMigrationLock(databases[0], async () => {
      entered.resolve();
      await new Promise((done) => setTimeout(done, 50));
      order.push("first");
      throw new Error("not this one");
    });
    await entered.promise;
    const second = underMigrationLock(databases[1], () => Promise.resolve(order.push("second")));
    await assert.rejects(first, /^Error: not this one$/);
    assert.equal(await second, 2);
    assert.deepEqual(order, ["first", "second"]);
    await Promise.all(databases.map((database) => database.close()));
  });

  test("PostgreSQL: days that nothing is stored of are copied as they come, and those that come again are not read", async () => {
    const what = { ...WHAT, profileId: crypto.randomUUID() };
    const sentBy = (rows: typeof ROWS): Promise<string[]> => statements((store) => store.replace(what, rows));
    const reads = (sent: readonly string[]): number =>
      sent.filter((sql) => /^SELECT[^]*"campaignId"[^]* FROM (?:report_sp_placement|fresh)\b/.test(sql))
        .length;
    const first = await sentBy(ROWS);
    assert(first.some((sql) => sql.startsWith("COPY report_sp_placement ")));
    assert(!first.some((sql) => sql.includes("fresh")), "and not compared");
    const again = await sentBy(ROWS);
    assert(again.some((sql) => sql.startsWith("COPY fresh ")));
    assert.equal(reads(again), 0);
    assert(!again.some((sql) => sql.includes("'vanished'")), "nothing is sent about rows that vanished");
    await withSql(address, (sql) =>
      sql`UPDATE platform_ads.day_hashes SET hashes = ''
        WHERE profile_id = ${what.profileId} AND date = '2026-09-01'`);
    assert.equal(reads(await sentBy(ROWS)), 1, "a day whose hashes do not fit its rows is read");
    assert.equal(reads(await sentBy(ROWS)), 0, "and has hashes that fit from then on");
    assert.equal(reads(await sentBy(ROWS.slice(1))), 1, "a row that did not come is looked for");
  });

  test("PostgreSQL: a day that another program changed is right again after two pulls", async () => {
    const rows = ["1", "2", "3"].map((campaignId) => ({ date: "2026-09-01", campaignId, cost: 2 }));
    await statements(async (store) => {
      const replace = (cost: number): Promise<number> =>
        store.replace({ ...WHAT, profileId: "5" }, rows.map((row) => ({ ...row, cost })));
      await replace(2);
      await withSql(
        address,
        (sql) =>
          sql`UPDATE platform_ads.report_sp_placement SET cost = 9 WHERE profile_id = '5' AND "campaignId" = '2'`,
      );
      await replace(3);
      await replace(3);
      const found = await Array.fromAsync(store.rows("sp_placement", { profileId: "5" }));
      assert.deepEqual(found.map(({ campaignId, cost }) => [campaignId, cost]), [["1", 3], ["2", 3], [
        "3",
        3,
      ]]);
    });
  });

  test("PostgreSQL: what a guard does not let through is not written", async () => {
    const profileId = crypto.randomUUID();
    const own = entry({ id: profileId, profileId });
    await statements(async (_, driver) => {
      const guarded = driver.guarded(() => Promise.reject(new Error("not yours any more")));
      await assert.rejects(guarded.putLedger(own), /not yours any more/);
      assert.deepEqual(await driver.ledger({ profileId }), []);
      const seen: string[] = [];
      const passing = driver.guarded((sql) => sql`SELECT 1`.then(() => void seen.push("asked")));
      await passing.putLedger(own);
      assert.deepEqual(seen, ["asked"]);
      assert.equal((await driver.ledger({ profileId })).length, 1);
    });
  });

  test("PostgreSQL: queries run one at a time, on a connection of their own", async () => {
    await statements(async (store) => {
      const pid = async (): Promise<unknown> =>
        (await store.query("SELECT pg_backend_pid() AS pid, pg_sleep(0.01)")).rows[0]?.["pid"];
      const [one, other] = await Promise.all([pid(), pid()]);
      assert.equal(one, other);
    });
  });

  test("PostgreSQL: a connection that the server ends fails the work that has it, and nobody else", async () => {
    const [database, other] = [connect(address, { max: 1 }), connect(address, { max: 1 })];
    let heard: Promise<unknown> | undefined;
    database.pool.on("connect", (client) => void (heard = new Promise((done) => client.once("end", done))));
    const end = async (sql: Sql): Promise<void> => {
      const [row] = await sql`SELECT pg_backend_pid() AS pid`;
      await other.sql`SELECT pg_terminate_backend(${Number(row?.["pid"])})`;
      await heard;
    };
    const cut = database.withSession(async (sql) => {
      await end(sql);
      await sql`SELECT 1`;
    });
    await assert.rejects(cut, (error) => ["57P01", "CONNECTION_CLOSED"].includes(String(codeOf(error))));
    await end(database.sql);
    assert.deepEqual(await database.sql`SELECT 1 AS n`, [{ n: 1 }]);
    await Promise.all([database.close(), other.close()]);
  });

  test("PostgreSQL: a store is closed although a query still runs on it", async () => {
    const database = connect(address);
    const begun = new Promise((done) => database.pool.once("acquire", done));
    const slow = database.sql`SELECT pg_sleep(3600)`;
    const failed = assert.rejects(slow);
    await begun;
    await Promise.all([database.close(), database.close()]);
    await failed;
  });
}
