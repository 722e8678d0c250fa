import assert from "node:assert/strict";
import { readdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import { SCHEMA_VERSION } from "../../../src/store/sqlite/schema.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary_folder.ts";
import { entry } from "../contract/ground.ts";

function folderTest(what: string, run: (folder: TemporaryFolder) => Promise<void>): void {
  test(what, async () => {
    const folder = await temporaryFolder();
    try {
      await run(folder);
    } finally {
      await folder.remove();
    }
  });
}

const WHAT = {
  profileId: "1",
  countryCode: "US",
  report: "sp_campaigns",
  start: "2026-09-01",
  end: "2026-09-01",
};
const ROW = { date: "2026-09-01", campaignId: "1", cost: 2 };

const refused: [what: string, make: (folder: TemporaryFolder) => Promise<string>, why: RegExp][] = [
  ["a folder", (folder) => Promise.resolve(folder.path), /it is a folder\. Name a file in it/],
  ["an empty path", () => Promise.resolve(""), /its path is empty/],
  ["another kind of address", () => Promise.resolve("mysql://x"), /by a "mysql" address/],
  [
    "a path in a folder that is not there",
    (folder) => Promise.resolve(folder.file("no/such.sqlite")),
    /unable to open/,
  ],
  ["a text file", async (folder) => {
    await writeFile(
      folder.file("notes.txt"),
      "These are notes, a good deal longer than a hundred characters. ".repeat(20),
    );
    return folder.file("notes.txt");
  }, /it is not an SQLite file/],
  ["another program's SQLite file", (folder) => {
    const other = new DatabaseSync(folder.file("other.sqlite"));
    other.exec("CREATE TABLE bookmarks (url TEXT)");
    other.close();
    return Promise.resolve(folder.file("other.sqlite"));
  }, /it is an SQLite file of another program/],
  ["a store of a newer release", async (folder) => {
    await (await SqliteDriver.open(folder.file("new.sqlite"))).close();
    const newer = new DatabaseSync(folder.file("new.sqlite"));
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    newer.close();
    return folder.file("new.sqlite");
  }, new RegExp(`its schema is version ${SCHEMA_VERSION + 1}, made by a newer release.*Update the program`)],
];

for (const [what, make, why] of refused) {
  folderTest(`Warehouse.open() refuses ${what}, and leaves it as it is`, async (folder) => {
    const path = await make(folder);
    const before = await readFile(path).catch(() => undefined);
    await assert.rejects(Warehouse.open(path), (error: Error) => {
      assert(error instanceof ConfigurationError, `${error.name}: ${error.message}`);
      assert.match(error.message, /^Cannot open (?:a )?store/);
      assert.match(error.message, why);
      return true;
    });
    assert.deepEqual(await readFile(path).catch(() => undefined), before);
  });
}

folderTest(
  "Warehouse.open() makes a store, takes an empty file for a new one, and opens it again",
  async (folder) => {
    await writeFile(folder.file("empty.sqlite"), "");
    for (const path of [folder.file("new.sqlite"), folder.file("empty.sqlite")]) {
      const store = await Warehouse.open(path);
      assert.equal(store.location, path);
      await store.replace(WHAT, [ROW]);
      await store.close();
      const again = await Warehouse.open(path);
      assert.equal((await again.coverage())[0]!.rows, 1);
      await again.close();
    }
  },
);

folderTest("Warehouse.open() by many at once makes one store", async (folder) => {
  const stores = await Promise.all(
    Array.from({ length: 6 }, () => Warehouse.open(folder.file("ads.sqlite"))),
  );
  await Promise.all(stores.map((store, i) => store.replace({ ...WHAT, profileId: String(i) }, [ROW])));
  assert.equal((await stores[0]!.coverage()).length, 6);
  for (const store of stores) await store.close();
});

folderTest("a store of an older release gains the columns that its presets have gained", async (folder) => {
  const path = folder.file("ads.sqlite");
  const store = await Warehouse.open(path);
  await store.replace(WHAT, [ROW]);
  await store.close();
  const old = new DatabaseSync(path);
  for (const { name } of old.prepare("SELECT name FROM sqlite_master WHERE type = 'view'").all()) {
    old.exec(`DROP VIEW ${name}`);
  }
  old.exec("ALTER TABLE report_sp_campaigns DROP COLUMN sales14d");
  old.exec("ALTER TABLE report_sp_campaigns_changes DROP COLUMN sales14d");
  old.exec("CREATE VIEW sp_campaigns AS SELECT profile_id, date FROM report_sp_campaigns");
  old.exec("ALTER TABLE stream_sp_traffic DROP COLUMN clicks");
  // It kept whole versions by triggers.
  old.exec(
    "CREATE TRIGGER report_sp_campaigns_closed BEFORE UPDATE ON report_sp_campaigns BEGIN SELECT RAISE(FAIL, 'old'); END",
  );
  old.close();
  const again = await Warehouse.open(path);
  const rows = [];
  for await (const row of again.rows("sp_campaigns")) rows.push(row);
  assert.deepEqual(rows.map(({ cost, sales14d }) => [cost, sales14d]), [[2, null]]);
  await again.replace(WHAT, [{ ...ROW, sales14d: 7.5 }]);
  assert.equal((await again.query("SELECT sum(sales14d) AS s FROM sp_campaigns")).rows[0]!["s"], 7.5);
  const versions = await again.query("SELECT cost, sales14d FROM sp_campaigns_history ORDER BY known_from");
  assert.deepEqual(versions.rows.map(({ cost, sales14d }) => [cost, sales14d]), [[2, null], [2, 7.5]]);
  assert.deepEqual((await again.query("SELECT * FROM sb_targeting")).rows, []);
  assert.deepEqual((await again.query("SELECT clicks FROM stream_sp_traffic")).rows, []);
  await again.close();
});

folderTest("a store of the first release keeps its rows, and remembers from then on", async (folder) => {
  const path = folder.file("ads.sqlite");
  const store = await Warehouse.open(path);
  await store.replace(WHAT, [ROW]);
  await store.close();
  const old = new DatabaseSync(path);
  for (const { name, type } of old.prepare("SELECT name, type FROM sqlite_master").all()) {
    if (type === "trigger" || type === "view") old.exec(`DROP ${type} ${name}`);
  }
  old.exec(
    "DROP TABLE entities; DROP TABLE entities_history; DROP TABLE entity_pulls; DROP TABLE maturity; DROP TABLE day_hashes; DROP TABLE row_numbers; " +
      "DROP TABLE months; DROP TABLE month_pulls; DROP TABLE workflow_versions; DROP TABLE workflow_runs; " +
      "DROP TABLE workflow_rows; DROP TABLE workflow_views",
  );
  const ofStream = "SELECT name FROM sqlite_master WHERE name GLOB 'stream_*' AND type = 'table'";
  for (const { name } of old.prepare(ofStream).all()) old.exec(`DROP TABLE ${name}`);
  for (
    const { name } of old.prepare(
      "SELECT name FROM sqlite_master WHERE name LIKE 'report_s%' AND type = 'table'",
    ).all()
  ) {
    if (/_(?:history|changes)$/.test(String(name))) old.exec(`DROP TABLE ${name}`);
    else old.exec(`ALTER TABLE ${name} DROP COLUMN known_from; ALTER TABLE ${name} DROP COLUMN ref`);
  }
  old.exec(
    "ALTER TABLE days DROP COLUMN reporting; ALTER TABLE days DROP COLUMN reporting_since; " +
      "ALTER TABLE days DROP COLUMN made_at; ALTER TABLE days DROP COLUMN first_pulled_at; PRAGMA user_version = 1",
  );
  old.close();

  const again = await Warehouse.open(path);
  assert.deepEqual((await again.query("SELECT * FROM performance_hourly")).rows, []);
  const cost = async (asOf?: string): Promise<unknown> =>
    (await again.query("SELECT sum(cost) AS cost FROM sp_campaigns", [], { asOf })).rows[0]?.["cost"];
  assert.deepEqual([await cost(), await cost("2020-01-01")], [2, 2], "known for as long as anybody can tell");
  const before = new Date(Date.now() - 60_000).toISOString();
  await again.replace(WHAT, [{ ...ROW, cost: 3 }]);
  assert.deepEqual([await cost(), await cost(before)], [3, 2]);
  await again.close();
});

folderTest("query() lists tables and columns by PRAGMA, and runs no other", async (folder) => {
  await using store = await Warehouse.open(folder.file("ads.sqlite"));
  const tables = await store.query("PRAGMA table_list");
  assert(tables.rows.some(({ name }) => name === "sp_keywords"));
  const columns = await store.query("PRAGMA table_info(sp_placement);");
  assert(columns.rows.some(({ name, type }) => name === "cost" && type === "REAL"));
  assert((await store.query("SELECT name FROM pragma_table_info('days')")).rows.length > 5);
  for (const sql of ["PRAGMA user_version = 9", "PRAGMA journal_mode", "PRAGMA writable_schema = 1"]) {
    await assert.rejects(store.query(sql), /not authorized/, sql);
  }
  await assert.rejects(store.query("PRAGMA table_list; SELECT 1"), /more than one statement/);
});

folderTest("a full disk is told in plain words, and leaves everything as it was", async (folder) => {
  const path = folder.file("ads.sqlite");
  const first = await Warehouse.open(path);
  await first.replace(WHAT, [ROW]);
  await first.close();
  const driver = await SqliteDriver.open(path, { maxPages: 60 });
  const store = new Warehouse(driver);
  const many = Array.from(
    { length: 20_000 },
    (_, i) => ({ ...ROW, campaignId: String(i), campaignName: "x".repeat(90) }),
  );
  await assert.rejects(store.replace(WHAT, many), (error: Error) => {
    assert(error instanceof StoreError);
    assert.match(error.message, /the disk is full\. Stored data is unchanged; free space/);
    return true;
  });
  assert.equal((await store.coverage())[0]!.rows, 1);
  await store.replace(WHAT, [ROW, { ...ROW, campaignId: "2" }]);
  assert.equal((await store.coverage())[0]!.rows, 2);
  await store.close();
});

folderTest("a file that lost its end is damaged, and is told so", async (folder) => {
  const path = folder.file("ads.sqlite");
  const store = await Warehouse.open(path);
  const many = Array.from(
    { length: 20_000 },
    (_, i) => ({ ...ROW, campaignId: String(i), campaignName: "x".repeat(90) }),
  );
  await store.replace(WHAT, many);
  await store.close();
  await truncate(path, 600_000);
  const damaged = await Warehouse.open(path).catch((error: Error) => error);
  if (damaged instanceof Error) {
    assert.match(damaged.message, /damaged/);
    return;
  }
  await assert.rejects(async () => {
    for await (const _ of damaged.rows("sp_campaigns")) { /* every row is looked at */ }
  }, /damaged|malformed/);
  await damaged.close();
});

folderTest("a store can be read while another process holds it for writing", async (folder) => {
  const path = folder.file("ads.sqlite");
  const store = await Warehouse.open(path);
  await store.replace(WHAT, [ROW]);
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  assert.equal((await store.coverage()).length, 1);
  assert.equal((await store.query("SELECT count(*) AS n FROM sp_campaigns")).rows[0]!["n"], 1);
  const writing = store.replace(WHAT, []);
  await new Promise((done) => setTimeout(done, 120));
  other.exec("ROLLBACK");
  other.close();
  assert.equal(await writing, 0, "the writer has waited without blocking this process");
  await store.close();
});

const forbidden = [
  "ATTACH DATABASE '/tmp/other.sqlite' AS other",
  "DETACH main",
  "PRAGMA user_version = 7",
  "PRAGMA writable_schema = 1",
  "PRAGMA user_version",
  "SELECT load_extension('evil')",
  "SELECT * FROM pragma_database_list",
  "VACUUM INTO '/tmp/copy-of-a-store.sqlite'",
  "REINDEX",
  "ANALYZE",
  "SAVEPOINT x",
  "EXPLAIN DELETE FROM days",
  "/* SELECT */ DELETE FROM days",
  "SELECT 1 AS x; ATTACH DATABASE '/tmp/other.sqlite' AS other",
  "SELECT zeroblob(1000000000)",
];
folderTest("query() is refused by SQLite itself for everything but reading", async (folder) => {
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  await store.replace(WHAT, [ROW]);
  for (const sql of forbidden) {
    await assert.rejects(store.query(sql), /^QueryError: Cannot run the query: /, sql);
  }
  for (
    const sql of ["EXPLAIN QUERY PLAN SELECT * FROM sp_campaigns", "VALUES (1)", "; SELECT 1", "SELECT 1;;"]
  ) {
    assert((await store.query(sql)).rows.length >= 1, sql);
  }
  const failing = store.query(
    "SELECT abs(-9223372036854775807 - value) AS x FROM (SELECT 0 AS value UNION ALL SELECT 1)",
  );
  await assert.rejects(failing, /integer overflow/, "a row that cannot be computed is no short success");
  await store.close();
});

folderTest("a store that no file can be made beside is read, and writing it is refused", async (folder) => {
  const path = folder.file("ads.sqlite");
  const full = await Warehouse.open(path);
  await full.replace(WHAT, [ROW]);
  await full.close();
  // SQLite fails in the same way as on a read-only file system.
  await symlink(folder.file("no/such/file"), `${path}-shm`);
  assert.throws(() => new DatabaseSync(path).exec("SELECT 1 FROM sqlite_master"), /unable to open/);
  const store = await Warehouse.open(path);
  assert.equal((await store.coverage()).length, 1);
  const { rows } = await store.query("SELECT count(*) AS n FROM sp_campaigns");
  assert.deepEqual(rows.map((row) => ({ ...row })), [{ n: 1 }]);
  assert.equal((await Array.fromAsync(store.rows("sp_campaigns"))).length, 1);
  await assert.rejects(store.replace(WHAT, [ROW]), /it is read-only/);
  await store.close();
});

folderTest(
  "a day that another program changed is read as a whole, and is right again after two pulls",
  async (folder) => {
    const path = folder.file("ads.sqlite");
    const rows = ["1", "2", "3"].map((campaignId) => ({ ...ROW, campaignId }));
    const replaced = async (): Promise<unknown[]> => {
      const store = await Warehouse.open(path);
      await store.replace(WHAT, rows.map((row) => ({ ...row, cost: 3 })));
      const found = await store.query('SELECT "campaignId", cost FROM sp_campaigns ORDER BY 1, 2');
      await store.close();
      return found.rows.map(({ campaignId, cost }) => `${campaignId} ${cost}`);
    };
    const store = await Warehouse.open(path);
    await store.replace(WHAT, rows);
    await store.close();
    const other = new DatabaseSync(path);
    other.exec("UPDATE report_sp_campaigns SET cost = 9 WHERE campaignId = '2'");
    other.close();
    await replaced();
    assert.deepEqual(await replaced(), ["1 3", "2 3", "3 3"]);
  },
);

folderTest("a store that is closed is one file again, however it was used", async (folder) => {
  const path = folder.file("ads.sqlite");
  for (let opened = 0; opened < 2; opened++) {
    const store = await Warehouse.open(path);
    await store.replace(WHAT, [ROW]);
    assert.equal((await store.coverage()).length, 1);
    await store.query("SELECT 1 FROM sp_campaigns");
    await store.query("SELECT 1 FROM sp_campaigns", [], { asOf: "2026-09-02" });
    for await (const _ of store.rows("sp_campaigns")) break;
    await store.close();
    assert.deepEqual(await readdir(folder.path), ["ads.sqlite"]);
  }
});

folderTest("what is read shows what was asked to be written before", async (folder) => {
  const driver = await SqliteDriver.open(folder.file("ads.sqlite"));
  const store = new Warehouse(driver);
  const account = {
    advertiserId: "E",
    marketplaceId: "M",
    profileId: "1",
    countryCode: "US",
    timeZone: "UTC",
  };
  const counts: readonly (readonly [string, () => Promise<readonly unknown[]>])[] = [
    ["rows", () => Array.fromAsync(store.rows("sp_campaigns"))],
    ["query", async () => (await store.query("SELECT 1 FROM sp_campaigns")).rows],
    ["coveredRanges", () => driver.coveredRanges()],
    ["profiles", () => driver.profiles()],
    ["accounts", () => driver.stream.accounts()],
    ["ledger", () => driver.ledger()],
  ];
  for (const [index, [name, read]] of counts.entries()) {
    const others = (await read()).length;
    const profileId = String(index);
    const written = [
      store.replace({ ...WHAT, profileId }, [ROW]),
      driver.putLedger(entry({ id: profileId, profileId })),
      driver.stream.putAccounts([{ ...account, profileId, advertiserId: profileId }]),
    ];
    assert.equal((await read()).length, others + 1, name);
    await Promise.all(written);
  }
  const last = store.replace({ ...WHAT, profileId: "last" }, [ROW]);
  await driver.close();
  assert.equal(await last, 1, "and closing waits for it too");
});
