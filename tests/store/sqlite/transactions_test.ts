import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { mock, test } from "node:test";
import { Transactions } from "../../../src/store/sqlite/transactions.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** A database with one table, and another connection to it, neither of which waits by itself. */
async function withDatabases(
  run: (database: DatabaseSync, other: DatabaseSync) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const [database, other] = [0, 1].map(() => new DatabaseSync(folder.file("a.sqlite"), { timeout: 0 })) as [
    DatabaseSync,
    DatabaseSync,
  ];
  database.exec("CREATE TABLE notes (note TEXT)");
  try {
    await run(database, other);
  } finally {
    database.close();
    other.close();
  }
}

function notes(database: DatabaseSync): unknown[] {
  return database.prepare("SELECT note FROM notes").all().map(({ note }) => note);
}

test("transactions run one after the other, and one that fails leaves nothing and does not stop the next", async () => {
  await withDatabases(async (database, other) => {
    const transactions = new Transactions(database, "a.sqlite");
    const note = (text: string): unknown => database.prepare("INSERT INTO notes VALUES (?)").run(text);
    const order: string[] = [];
    const slow = transactions.run(async () => {
      note("slow");
      await new Promise((done) => setTimeout(done, 5));
      order.push("slow");
      return 1;
    });
    const failing = transactions.run(() => {
      note("failing");
      order.push("failing");
      throw new Error("not this one");
    });
    const last = transactions.run(() => {
      note("last");
      order.push("last");
      return 2;
    });
    await assert.rejects(failing, /^Error: not this one$/);
    await transactions.idle();
    assert.deepEqual(order, ["slow", "failing", "last"]);
    assert.deepEqual(await Promise.all([slow, last]), [1, 2]);
    assert.deepEqual(notes(other), ["slow", "last"]);
  });
});

test("a transaction that the database ended by itself fails with what it says", async () => {
  await withDatabases(async (database) => {
    const transactions = new Transactions(database, "a.sqlite");
    const ended = transactions.run(() => {
      database.exec("ROLLBACK");
      throw new Error("ended");
    });
    await assert.rejects(ended, /^Error: ended$/);
    assert.equal(await transactions.run(() => 1), 1);
  });
});

test("another process's transaction is waited out, for two minutes at most", async () => {
  await withDatabases(async (database, other) => {
    const transactions = new Transactions(database, "a.sqlite");
    other.exec("BEGIN IMMEDIATE");
    const began = performance.now();
    let now = began;
    const clock = mock.method(performance, "now", () => now);
    try {
      const given = transactions.run(() => 1);
      await new Promise((done) => setTimeout(done, 1));
      now = began + 120_000;
      await new Promise((done) => setTimeout(done, 70));
      other.exec("ROLLBACK");
      assert.equal(await given, 1, "at two minutes it still waits");

      other.exec("BEGIN IMMEDIATE");
      const refused = transactions.run(() => 1);
      await new Promise((done) => setTimeout(done, 1));
      now += 120_001;
      await assert.rejects(refused, (error: Error) => {
        assert(error instanceof StoreError);
        assert.match(
          error.message,
          /^Cannot write to store "a\.sqlite": another process has held it for two minutes$/,
        );
        assert.match(String(error.cause), /locked/);
        return true;
      });
      other.exec("ROLLBACK");
    } finally {
      clock.mock.restore();
    }
  });
});

test("a database that cannot be written, or not locked for another reason, fails at once", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("a.sqlite");
  new DatabaseSync(path).close();
  const database = new DatabaseSync(path, { readOnly: true });
  const transactions = new Transactions(database, "a.sqlite");
  await assert.rejects(
    transactions.run(() => database.prepare("CREATE TABLE x (y)").run()),
    /Cannot use store "a\.sqlite": it is read-only/,
  );
  database.exec("BEGIN");
  await assert.rejects(
    transactions.run(() => 1),
    /^StoreError: Cannot use store "a\.sqlite": cannot start a transaction/,
  );
  database.close();
});

test("idle() is over when everything that was asked for before is done", async () => {
  await withDatabases(async (database) => {
    const transactions = new Transactions(database, "a.sqlite");
    let done = false;
    const run = transactions.run(async () => {
      await new Promise((go) => setTimeout(go, 5));
      done = true;
    });
    await transactions.idle();
    assert(done);
    await run;
  });
});
