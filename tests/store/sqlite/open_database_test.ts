import assert from "node:assert/strict";
import { readdir, readFile, symlink, unlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import { openDatabase, readingAddress } from "../../../src/store/sqlite/open_database.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../../../src/store/sqlite/schema.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** A file with such marks, and a table where one is wanted. */
function makeFile(path: string, marks: { id?: number; version?: number; table?: boolean }): string {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA application_id = ${marks.id ?? 0}; PRAGMA user_version = ${marks.version ?? 0}`);
  if (marks.table ?? true) database.exec("CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES ('x')");
  database.close();
  return path;
}

function refusal(path: string, kind: new (...args: never[]) => Error = ConfigurationError): string {
  let refused: unknown;
  assert.throws(() => openDatabase(path, path), (error) => (refused = error, true));
  assert(refused instanceof kind, String(refused));
  assert(refused.message.startsWith(`Cannot open store "${path}": `), refused.message);
  return refused.message.slice(`Cannot open store "${path}": `.length);
}

test("a store is opened that is new, empty, of this program, or a database in which nothing is yet", async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file("empty"), "");
  const paths = [
    folder.file("new"),
    folder.file("empty"),
    makeFile(folder.file("bare"), { table: false, version: SCHEMA_VERSION + 1 }),
    makeFile(folder.file("own"), { id: APPLICATION_ID, version: SCHEMA_VERSION }),
    makeFile(folder.file("older"), { id: APPLICATION_ID, version: 0 }),
  ];
  for (const path of paths) {
    const database = openDatabase(path, path);
    const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
    // What waits for other processes is elsewhere: SQLite itself does not.
    assert.deepEqual(["synchronous", "cache_size", "busy_timeout", "foreign_keys"].map(pragma), [
      1,
      -6000,
      0,
      0,
    ], path);
    database.exec("CREATE TABLE written (x)");
    database.close();
  }
  const sized = new DatabaseSync(folder.file("new"));
  assert.equal(sized.prepare("PRAGMA page_size").get()?.["page_size"], 8192);
  sized.close();
});

test("a store is marked as one, and opening it again writes nothing", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await (await SqliteDriver.open(path)).close();
  const made = await readFile(path);
  assert.equal(made.toString("latin1", 68, 72), "PADS", "where SQLite keeps the id of the application");
  await (await SqliteDriver.open(path)).close();
  assert(made.equals(await readFile(path)));
});

test("a store of an older release that cannot be written is refused", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await (await SqliteDriver.open(path)).close();
  const old = new DatabaseSync(path);
  old.exec(`DROP TABLE stream_objects; PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
  old.close();
  await symlink(folder.file("no/such/file"), `${path}-shm`);
  const why = "an older release made it. Open it once with write access";
  await assert.rejects(SqliteDriver.open(path), { message: `Cannot open store "${path}": ${why}` });
});

test("what is no store is refused by what it is, and stays as it is", async () => {
  await using folder = await temporaryFolder();
  assert.match(refusal(folder.path), /^it is a folder\. Name a file in it, for example ads\.sqlite$/);
  assert.match(refusal("/dev/null"), /^it is not a file$/);
  assert.match(refusal(makeFile(folder.file("other"), {})), /^it is an SQLite file of another program$/);
  const newer = makeFile(folder.file("newer"), { id: APPLICATION_ID, version: SCHEMA_VERSION + 1 });
  const version = `version ${
    SCHEMA_VERSION + 1
  }, made by a newer release; this program supports ${SCHEMA_VERSION}`;
  assert.equal(refusal(newer), `its schema is ${version}. Update the program`);
  assert.match(refusal(folder.file("no/such/folder")), /^unable to open database file/);
  await writeFile(folder.file("text"), "These are notes. ".repeat(100));
  assert.match(refusal(folder.file("text")), /^it is not an SQLite file$/);
  // The list of tables is not what it should be.
  const bytes = await readFile(makeFile(folder.file("damaged"), { id: APPLICATION_ID, version: 1 }));
  bytes.fill(0xff, 100, 4000);
  await writeFile(folder.file("damaged"), bytes);
  assert.match(refusal(folder.file("damaged"), StoreError), /^the file is damaged$/);
});

test("a store whose tables cannot be made is not opened", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("half");
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE profiles (profile_id TEXT)`);
  database.close();
  await assert.rejects(SqliteDriver.open(path), /profiles already exists/);
  assert.deepEqual(await readdir(folder.path), ["half"], "and nothing is left open");
});

test("a store is read by its path, and looking for it makes no file", async () => {
  await using folder = await temporaryFolder();
  const path = makeFile(folder.file("a b.sqlite"), { id: APPLICATION_ID, version: SCHEMA_VERSION });
  assert.equal(readingAddress(path), path);
  assert.equal(readingAddress("relative/new.sqlite"), resolve("relative/new.sqlite"));
  assert.equal(readingAddress(folder.file("new.sqlite")), folder.file("new.sqlite"));
  assert.equal(readingAddress(folder.path), folder.path);
  await writeFile(folder.file("text"), "These are notes. ".repeat(100));
  assert.equal(
    readingAddress(folder.file("text")),
    folder.file("text"),
    "refused when it is opened for writing",
  );
  assert.deepEqual((await readdir(folder.path)).sort(), ["a b.sqlite", "text"]);
});

test("a store that no file can be made beside is read by an address that makes none, unless rows are missing in it", async () => {
  await using folder = await temporaryFolder();
  const path = makeFile(folder.file("a b.sqlite"), { id: APPLICATION_ID, version: SCHEMA_VERSION });
  const logged = new DatabaseSync(path);
  logged.exec("PRAGMA journal_mode = WAL");
  logged.close();
  // SQLite fails in the same way as on a read-only file system, where there is no log, or an empty one.
  for (const missing of ["wal", "shm"]) {
    await symlink(folder.file("no/such/file"), `${path}-${missing}`);
    const address = readingAddress(path);
    assert(address instanceof URL);
    assert.match(address.href, /^file:\/\/\/.*a%20b\.sqlite\?immutable=1$/);
    const database = openDatabase(path, address);
    assert.equal(database.prepare("SELECT note FROM notes").get()?.["note"], "x");
    assert.throws(() => database.prepare("DELETE FROM notes").run(), /readonly/);
    database.close();
    if (missing === "wal") await unlink(`${path}-wal`);
  }
  await writeFile(`${path}-wal`, "x");
  assert.throws(() => readingAddress(path), (error: Error) => {
    assert(error instanceof ConfigurationError);
    const why = `its last rows are in "${path}-wal". Open it once with write access`;
    assert.equal(error.message, `Cannot open store "${path}": ${why}`);
    assert.match(String(error.cause), /unable to open database file/);
    return true;
  });
});
