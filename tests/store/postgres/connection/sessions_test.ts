import type { PoolClient } from "pg";
import { Database } from "../../../../src/store/postgres/database.ts";
import { deepEqual } from "../../../support/assert.ts";

/** A session on a connection that notes what it is asked for and finds this. */
function sessionOn(found: unknown) {
  const asked: Record<string, unknown>[] = [];
  const told: string[] = [];
  const database = new Database({ client: {}, max: 1, onStatement: (sql) => void told.push(sql) });
  const client = {
    query: (query: Record<string, unknown>): unknown => {
      asked.push(query);
      return Promise.resolve(found);
    },
  } as unknown as PoolClient;
  return { session: database.session(client), asked, told };
}

Deno.test("every statement of a session is told before it is sent, also what copies and what finds lists", async () => {
  const { session, told } = sessionOn({ rows: [], fields: [] });
  await session`SELECT ${1}`;
  await session.text("SELECT 2");
  await session.lists({ text: "SELECT 3", values: [] });
  session.copyIn("COPY x FROM STDIN");
  deepEqual(told, ["SELECT $1", "SELECT 2", "SELECT 3", "COPY x FROM STDIN"]);
});

Deno.test("rows are found as objects, or as lists beside the names of their columns", async () => {
  const { session } = sessionOn({ rows: [{ x: 1 }] });
  deepEqual(await session.text("SELECT 1 AS x"), [{ x: 1 }]);
  const several = sessionOn([{ rows: [{ x: 1 }] }, { rows: [] }]);
  deepEqual(await several.session.text("SELECT 1; SELECT 2"), [], "several statements have no rows");
  const lists = sessionOn({ rows: [[1, 2]], fields: [{ name: "x" }, { name: "x" }] });
  deepEqual(await lists.session.lists({ text: "SELECT 1, 2", values: ["v"] }), {
    columns: ["x", "x"],
    rows: [[1, 2]],
  });
  const [{ rowMode, queryMode, values }] = lists.asked as [Record<string, unknown>];
  deepEqual({ rowMode, queryMode, values }, { rowMode: "array", queryMode: "extended", values: ["v"] });
});
