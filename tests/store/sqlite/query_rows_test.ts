import assert from "node:assert/strict";
import { test } from "node:test";
import { queryRows } from "../../../src/store/sqlite/query_rows.ts";
import { QueryError } from "../../../src/store/model/store_error.ts";

type Rows = Parameters<typeof queryRows>[0];

function values(rows: Rows, sql: string, params: (string | number)[] = []): unknown[][] {
  return queryRows(rows, sql, { params, maxRows: 100 }).rows.map((row) => Object.values(row));
}

test("queryRows() asks rows in memory by SQL; texts stay texts, lists and objects are JSON", () => {
  const rows = [
    { id: "007", cost: 1.5, on: true, off: false, tags: ["a"], more: { b: null }, none: null },
    { id: "8", cost: 2, 'odd " name': "x" },
  ];
  assert.deepEqual(values(rows, "SELECT * FROM rows ORDER BY cost"), [
    ["007", 1.5, 1, 0, '["a"]', '{"b":null}', null, null],
    ["8", 2, null, null, null, null, null, "x"],
  ]);
  assert.deepEqual(values(rows, "SELECT sum(cost) FROM rows WHERE id <> ?", ["8"]), [[1.5]]);
  const { rows: some, truncated } = queryRows(rows, "SELECT id FROM rows", { params: [], maxRows: 1 });
  assert.deepEqual([some.length, truncated], [1, true]);
});

test("queryRows() takes names that differ in case for one column, and names with zero characters and quotes", () => {
  assert.deepEqual(values([{ Cost: 1 }, { cost: 2 }], "SELECT Cost FROM rows"), [[1], [null]]);
  const named = queryRows([{ 'a"b\0': 5 }], "SELECT * FROM rows", { params: [], maxRows: 9 });
  assert.deepEqual(named.columns, ['a"b']);
  assert.deepEqual(values([{ "a\0": 1, a: 2 }], "SELECT * FROM rows"), [[1]]);
});

test("queryRows() has a table also without rows or columns, and 500 columns at most", () => {
  assert.deepEqual(values([], "SELECT count(*) FROM rows"), [[0]]);
  assert.deepEqual(values([{}], "SELECT count(*) FROM rows"), [[0]]);
  const wide = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`c${index}`, index]));
  const { columns } = queryRows([wide], "SELECT * FROM rows", { params: [], maxRows: 1 });
  assert.deepEqual([columns.length, columns.at(-1)], [500, "c499"]);
});

test("queryRows() refuses what does not read", () => {
  for (const sql of ["DELETE FROM rows", "SELECT nothing FROM rows", "", "SELECT 1; SELECT 2"]) {
    assert.throws(() => queryRows([{ a: 1 }], sql, { params: [], maxRows: 1 }), QueryError, sql);
  }
});
