import assert from "node:assert/strict";
import { Warehouse } from "../../../src/store/warehouse.ts";
import { hasPostgres, makeDatabase, testServer } from "../../support/postgres.ts";
import { runCli } from "../../cli/support/run_cli.ts";

if (hasPostgres) {
  Deno.test("once a reader is granted, queries read the reports as its role and nothing else of the store", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    try {
      const rows = async (sql: string, asOf?: string): Promise<unknown> => {
        await using store = await Warehouse.open(address);
        return (await store.query(sql, [], asOf === undefined ? {} : { asOf })).rows;
      };
      const role =
        "SELECT current_user = session_user AS own, current_user = 'platform_ads_reader' AS reader";
      assert.deepEqual(await rows(role), [{ own: true, reader: false }]);
      assert.deepEqual(await rows("SELECT count(*)::int AS n FROM schedules"), [{ n: 0 }]);

      const granted = await runCli(["store", "grant-reader", "--store", address]);
      assert.deepEqual([granted.code, granted.stderr], [
        0,
        "Queries run as the role platform_ads_reader now\n",
      ]);
      assert.deepEqual(await rows(role), [{ own: false, reader: true }]);
      for (const asOf of [undefined, "2026-11-01"]) {
        assert.deepEqual(await rows("SELECT count(*)::int AS n FROM sp_campaigns", asOf), [{ n: 0 }]);
        assert.deepEqual(await rows("SELECT count(*)::int AS n FROM sp_placement", asOf), [{ n: 0 }]);
      }
      for (const table of ["schedules", "workers", "pg_authid"]) {
        await assert.rejects(
          rows(`SELECT * FROM ${table}`),
          /Cannot run the query: permission denied/,
          table,
        );
      }
      await assert.rejects(rows("SELECT set_config('role', 'none', false)"), /it may not call set_config/);
      // A second time changes nothing, and what writes still writes.
      const again = await runCli(["store", "grant-reader", "--store", address]);
      assert.deepEqual(again.code, 0, again.stderr);

      const other = await makeDatabase(server);
      await using store = await Warehouse.open(other);
      assert.deepEqual(
        (await store.query(role)).rows,
        [{ own: true, reader: false }],
        "another database of the same server goes on as before",
      );
    } finally {
      await server.stop();
    }
  });
}

Deno.test("a store in a file has no reader to grant, and the statements can be printed for an administrator", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await Warehouse.open(`${folder}/ads.sqlite`);
    await assert.rejects(store.grantReader(), /Cannot grant a reader in .*: SQLite has no roles/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const { stdout } = await runCli(["store", "grant-reader", "--print"]);
  assert.match(stdout, /CREATE ROLE platform_ads_reader NOLOGIN/);
  assert.match(stdout, /REVOKE ALL ON platform_ads\.workers/);
});
