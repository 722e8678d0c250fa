import { after, before } from "../../support/hooks.ts";
import { long } from "../../support/long.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../src/store/postgres/connection.ts";
import { migrate } from "../../../src/store/postgres/schema.ts";
import { PostgresPaceStore } from "../../../src/store/queue/postgres_pace_store.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../../support/postgres.ts";
import { paceStoreContract } from "../../transport/pacer/pace_store_contract.ts";
import { sharePace } from "../../transport/pacer/process_refusals.ts";

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  paceStoreContract("a database", async () => {
    const address = await makeStore(server);
    const stores = [
      await PostgresPaceStore.open(address, "client"),
      await PostgresPaceStore.open(address, "client"),
    ] as const;
    return {
      stores,
      close: async () => {
        for (const store of stores) await store.close();
      },
    };
  });

  test("accounts do not share a pace, and no client id is kept", async () => {
    const address = await makeStore(server);
    const [one, other] = [
      await PostgresPaceStore.open(address, "client-one"),
      await PostgresPaceStore.open(address, "client-two"),
    ];
    await one.update((state) => state.pausedUntil = 5);
    assert.equal(await other.update((state) => state.pausedUntil), 0);
    const database = connect(address);
    const rows = await database.sql`SELECT credential FROM paces`;
    assert.equal(rows.length, 2);
    assert(rows.every(({ credential }) => /^[0-9a-f]{32}$/.test(String(credential))));
    for (const closing of [one, other, database]) await closing.close();
  });

  test("a process that is stopped in the middle of a change holds up the others for two seconds at most", async () => {
    const address = await makeStore(server);
    const database = connect(address);
    await migrate(database);
    const problems: unknown[] = [];
    const store = await PostgresPaceStore.open(address, "client", {
      onProblem: (error) => problems.push(error),
    });
    await store.update((state) => state.pausedUntil = 5);
    await database.transaction(async (sql) => {
      await sql`SELECT state FROM paces FOR UPDATE`;
      assert.equal(await store.update((state) => state.pausedUntil), 5, "what was known last");
      await store.update((state) => void (state.pausedUntil = 6));
    });
    assert.equal(await store.update((state) => state.pausedUntil), 6, "made again where it is shared");
    assert.equal(problems.length, 2);
    await database.close();
    await store.close();
  });

  test("where the database is away each process keeps its own pace", async () => {
    const problems: unknown[] = [];
    const address = await makeStore(server);
    const database = connect(address);
    await migrate(database);
    const store = new PostgresPaceStore(database, { onProblem: (error) => problems.push(error) });
    store.join("key");
    await store.update((state) => state.pausedUntil = 7);
    await database.close();
    assert.equal(await store.update((state) => state.pausedUntil), 7);
    assert.equal(problems.length, 1);
  });

  long();
  test("four processes that name one database are refused about as often as one, and all of their work is done", () =>
    sharePace(() => makeStore(server)));
}
