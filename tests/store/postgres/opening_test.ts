import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { namedReport } from "../../../src/reports/named_report.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import { PostgresDriver, type PostgresOptions } from "../../../src/store/postgres/postgres_driver.ts";
import { underMigrationLock } from "../../../src/store/postgres/schema.ts";
import { layoutOf } from "../../../src/store/report_layout.ts";
import { Warehouse } from "../../../src/store/warehouse.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer } from "../../support/postgres.ts";

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
    address = await makeDatabase(server);
    await (await PostgresDriver.open(address)).close();
  });
  after(() => server.stop());

  /** Does work with a store, and gives the statements that it sent. */
  const statements = async (
    work: (store: Warehouse, driver: PostgresDriver) => Promise<unknown>,
    options: PostgresOptions = {},
  ): Promise<string[]> => {
    const sent: string[] = [];
    const driver = await PostgresDriver.open(address, {
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
    const layout = layoutOf(await namedReport("sdCampaigns:matchedTarget"));
    const added = await statements(async (_, driver) => {
      await driver.addReport(layout);
      await driver.addReport(layout);
      assert(driver.layouts.some(({ report }) => report === layout.report));
    });
    const made = added.filter((sql) => sql.startsWith("CREATE TABLE")).map((sql) => sql.split(/\s/)[2]);
    assert(made.includes(layout.table), made.join());
    assert.equal(new Set(made).size, made.length, "the second call makes nothing");
    const again = await statements((_, driver) => {
      assert(driver.layouts.some(({ report }) => report === layout.report));
      return driver.addReport(layout);
    });
    assert.deepEqual(changing(again), []);
  });

  test("PostgreSQL: the months of a pull are made once, and looked for once by each process", async () => {
    const looks = async (): Promise<[looks: number, made: number]> => {
      const sent = await statements(async (store) => {
        await store.replace(WHAT, ROWS);
        await store.replace(WHAT, ROWS);
      });
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
    }, { max: 1 });
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
    assert.equal(sent.filter((sql) => sql.startsWith("FETCH 2000")).length, 4);
    assert(sent.some((sql) => sql.startsWith("COPY ")), "what is copied is told too");
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

  test("PostgreSQL: a store is closed within seconds although a query still runs on it", async () => {
    const database = connect(address);
    const slow = database.sql`SELECT pg_sleep(60)`;
    const failed = assert.rejects(slow);
    await new Promise((done) => setTimeout(done, 20));
    const began = performance.now();
    await Promise.all([database.close(), database.close()]);
    await failed;
    assert(performance.now() - began < 30_000);
  });
}
