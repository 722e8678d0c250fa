import assert from "node:assert/strict";
import { test } from "node:test";
import { placeholderProblem } from "../../../src/store/sqlite/query_connection.ts";

test("the values that are given must be as many as the placeholders of the statement", () => {
  const counted: [sql: string, wanted: number][] = [
    ["SELECT 1", 0],
    ["SELECT ?, ?", 2],
    ["SELECT ?2, ?1", 2],
    ["SELECT ?3", 3],
    ["SELECT ?2, ?", 3],
    ["SELECT ?1, ?1", 1],
    ["SELECT '?', '''?', \"?\", `?`, [?], ? -- ?\n/* ? */", 1],
    ["SELECT ? /* never closed ?", 1],
  ];
  for (const [sql, wanted] of counted) {
    assert.equal(placeholderProblem(sql, wanted), undefined, sql);
    const more = wanted + 1;
    assert.equal(
      placeholderProblem(sql, more),
      `it has ${wanted} placeholder${wanted === 1 ? "" : "s"}, and ${more} value${
        more === 1 ? " is" : "s are"
      } given`,
      sql,
    );
  }
  assert.equal(placeholderProblem("SELECT ?", 0), "it has 1 placeholder, and 0 values are given");
});

test("a placeholder with a name is refused by its name", () => {
  for (const name of [":day", "@day", "$day"]) {
    assert.equal(
      placeholderProblem(`SELECT ${name}`, 1),
      `the placeholder ${name} has a name. Write ? and give the values in order`,
    );
  }
  assert.equal(placeholderProblem("SELECT ':day'", 0), undefined);
});
