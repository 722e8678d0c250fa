import { equal, match, ok, rejects } from "../support/assert.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { long } from "../support/long.ts";
import { until } from "../support/until.ts";

/** The tool server as it is started again for a query, with little memory so that little is enough to exceed it. */
const program = {
  command: Deno.execPath(),
  args: [
    "run",
    "--quiet",
    "-A",
    "--v8-flags=--max-old-space-size=96",
    new URL("../../mcp.ts", import.meta.url).href,
  ],
};

if (hasPostgres) {
  long();
  Deno.test("a value of PostgreSQL that is larger than the memory ends its query, not the server", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    const store = new StoreAccess(address, { program });
    const asked = { params: [], maxRows: 10, signal: new AbortController().signal };
    try {
      await rejects(
        store.query({ ...asked, sql: "SELECT 1 AS one" }),
        /which does not exist\. Run grantReader\(\) as a superuser/,
      );
      await using warehouse = await Warehouse.open(address);
      await warehouse.grantReader();
      equal((await store.query({ ...asked, sql: "SELECT 1 AS one" })).rows[0]!["one"], 1);
      await rejects(
        store.query({
          ...asked,
          maxRows: 100_000,
          sql: "SELECT repeat('ä', 10000) AS text FROM generate_series(1, 50000)",
        }),
        (error: Error) => {
          match(error.message, /^Cannot run the query: /);
          return error.name === "QueryError";
        },
      );
      equal((await store.query({ ...asked, sql: "SELECT 2 AS two" })).rows[0]!["two"], 2);
      await rejects(
        store.query({ ...asked, sql: "SELECT pg_read_file('/etc/passwd')" }),
        /it may not call pg_read_file/,
      );
    } finally {
      await store.close();
      await server.stop();
    }
  });

  long();
  Deno.test("PostgreSQL stops working on a query whose caller has given up", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    const store = new StoreAccess(address, { program });
    const stop = new AbortController();
    try {
      await using warehouse = await Warehouse.open(address);
      await warehouse.grantReader();
      const sql =
        "SELECT count(*) AS n FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b";
      const asked = store.query({ sql, params: [], maxRows: 10, signal: stop.signal });
      asked.catch(() => {});
      const count = async (): Promise<number> =>
        await withSql(address, async (database) => {
          const [found] = await database.text(
            "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'FETCH %'",
          );
          return Number(found?.["n"]);
        });
      await until(async () => await count() === 1);
      stop.abort();
      const stopped = performance.now();
      await rejects(asked, /abort/i);
      await until(async () => await count() === 0);
      // It would go on for the minute that a query may take.
      ok(performance.now() - stopped < 45_000);
    } finally {
      stop.abort();
      await store.close();
      await server.stop();
    }
  });
}
