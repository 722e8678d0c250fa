import { equal, match, rejects } from "../support/assert.ts";
import { StoreAccess } from "../../src/interfaces/mcp/store/store_access.ts";
import { Warehouse } from "../../src/store/warehouse.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";

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
  Deno.test("a value of PostgreSQL that is larger than the memory ends its query, not the server", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    const store = new StoreAccess(address, { program });
    const asked = { params: [], maxRows: 10, signal: new AbortController().signal };
    try {
      await rejects(
        store.query({ ...asked, sql: "SELECT 1 AS one" }),
        /which does not exist\. Run adsctl store grant-reader/,
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
}
