import assert from "node:assert/strict";
import { test } from "node:test";
import { numberedPlaceholders } from "../../../src/store/postgres/ad_hoc_query.ts";

test("placeholders are numbered in order, outside of texts, names and comments", () => {
  const turned: [sql: string, numbered: string][] = [
    ["SELECT ?, ?", "SELECT $1, $2"],
    [`SELECT '?', '''?', "?", ? -- ?\n/* ? */, ?`, `SELECT '?', '''?', "?", $1 -- ?\n/* ? */, $2`],
    ["SELECT $$ ? $$, $tag$ ? $$ ? $tag$, ?", "SELECT $$ ? $$, $tag$ ? $$ ? $tag$, $1"],
    ["SELECT $1, data ? 'key'", "SELECT $1, data ? 'key'"],
    ["SELECT data ? $1", "SELECT data ? $1"],
    ["SELECT '$1', ?", "SELECT '$1', $1"],
  ];
  for (const [sql, numbered] of turned) assert.equal(numberedPlaceholders(sql, 2), numbered);
});

test("a statement that comes without values stays as it is, also with an operator of JSON", () => {
  assert.equal(numberedPlaceholders("SELECT data ? 'key'", 0), "SELECT data ? 'key'");
  assert.equal(numberedPlaceholders("SELECT ?", 1), "SELECT $1");
});
