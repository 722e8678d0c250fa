import { test } from "node:test";
import { deepEqual } from "../support/assert.ts";
import { insertRows, type StoreSql, where } from "../../src/store/tables/store_sql.ts";

test("where() joins the conditions that have a value, and is true where none has", () => {
  deepEqual(where({ "a = ?": "x", "b = ?": undefined, "c IS NOT DISTINCT FROM ?": null }), {
    text: "a = ? AND c IS NOT DISTINCT FROM ?",
    values: ["x", null],
  });
  deepEqual(where({ "a = ?": undefined }), { text: "true", values: [] });
});

test("insertRows() sends a thousand rows at a time, nothing for none, and counts what comes back", async () => {
  const sent: [text: string, values: number][] = [];
  const sql: StoreSql = {
    dialect: "SQLite",
    run: (text, values = []) => {
      sent.push([text.slice(0, 40), values.length]);
      return Promise.resolve([{ id: 1 }, { id: 2 }]);
    },
  };
  const rows = Array.from({ length: 1001 }, (_, at) => [at, "x"]);
  deepEqual(await insertRows(sql, { into: "t (a, b)", after: "RETURNING a" }, rows), 4);
  deepEqual(sent, [["INSERT INTO t (a, b) VALUES (?, ?), (?, ", 2000], [
    "INSERT INTO t (a, b) VALUES (?, ?) RETUR",
    2,
  ]]);
  deepEqual(await insertRows(sql, { into: "t (a, b)" }, []), 0);
  deepEqual(sent.length, 2);
});
