import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import { QueryConnection } from "../../../src/store/sqlite/query_connection.ts";
import type { QueryResult } from "../../../src/store/model/store_driver.ts";
import { QueryError } from "../../../src/store/model/store_error.ts";

function connection(): QueryConnection {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (n INTEGER PRIMARY KEY, name TEXT); CREATE INDEX by_name ON t (name)");
  database.exec("INSERT INTO t VALUES (1, 'a'), (9007199254740991, 'b'), (9007199254740993, 'c')");
  return new QueryConnection(database);
}

function run(sql: string, maxRows = 10, params: (string | number)[] = []): QueryResult {
  return connection().run(sql, { params, maxRows });
}

test("a result keeps every digit, the names of its columns, and says whether there is more", () => {
  const { columns, rows, truncated } = run("SELECT n, name AS other FROM t ORDER BY n");
  assert.deepEqual(columns, ["n", "other"]);
  assert.deepEqual(rows.map(({ n }) => n), [1, 9007199254740991, "9007199254740993"]);
  assert.equal(truncated, false);
  assert.deepEqual([run("SELECT n FROM t", 2).rows.length, run("SELECT n FROM t", 2).truncated], [2, true]);
  assert.equal(run("SELECT n FROM t", 3).truncated, false);
  assert.equal(run("SELECT n FROM t", Infinity).rows.length, 3);
});

test("a query is ended by SQLite after one row more than is wanted, and EXPLAIN is left as it is", () => {
  const database = new DatabaseSync(":memory:");
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => (prepared.push(sql), prepare(sql));
  const queries = new QueryConnection(database);
  for (
    const [sql, maxRows, ends] of [
      [
        "SELECT 1 AS n",
        2,
        '\n) LIMIT 3) WHERE platform_ads_within_bounds(coalesce(octet_length("n"), 0), ' +
        "(typeof(\"n\") = 'blob'))",
      ],
      ["SELECT 1", Infinity, "\n)"],
      ["EXPLAIN SELECT 1", 2, "EXPLAIN SELECT 1"],
    ] as const
  ) {
    queries.run(sql, { params: [], maxRows });
    assert(prepared.at(-1)?.endsWith(ends), prepared.at(-1));
  }
});

test("a query may list tables, columns and indexes, explain, recurse and call functions", () => {
  const reading = [
    "PRAGMA table_list",
    "PRAGMA table_info(t)",
    "PRAGMA TABLE_XINFO(t)",
    "PRAGMA index_list(t)",
    "PRAGMA index_info(by_name)",
    "PRAGMA index_xinfo(by_name)",
    "EXPLAIN SELECT n FROM t",
    "-- a note\n/* and another */ ; EXPLAIN QUERY PLAN SELECT n FROM t;",
    "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT i FROM r",
    "SELECT upper(name) FROM t",
    "; ; SELECT n FROM t ; -- the end",
    "VALUES (1)",
  ];
  for (const sql of reading) assert(run(sql, 100).rows.length > 0, sql);
});

test("everything but reading one statement is refused, with why", () => {
  const refused: [sql: string, why: RegExp][] = [
    ["", /there is no statement in it$/],
    [" ; -- nothing\n /* at all", /there is no statement in it$/],
    ["SELECT '\0'", /there is a NUL character in it$/],
    ["SELECT 1; SELECT 2", /there is more than one statement in it\. Run them one by one$/],
    ["BEGIN", /not authorized|does not read/],
    ["VACUUM", /it is not a query\. A query only reads/],
    ["DELETE FROM t", /not authorized\. A query only reads: SELECT, WITH/],
    ["PRAGMA user_version", /not authorized\. A query only reads/],
    ["PRAGMA table_list(t) = 3", /syntax error$/],
    ["SELECT load_extension('x')", /not authorized/],
    ["SELECT LOAD_EXTENSION('x')", /not authorized/],
    ["SELECT fts3_tokenizer('simple')", /not authorized|no such function/],
    ["SELECT missing FROM t", /no such column: missing$/],
    ["SELECT n FROM t WHERE n = ?", /it has 1 placeholder, and 0 values are given$/],
    ["SELECT abs(-9223372036854775808)", /integer overflow$/],
  ];
  for (const [sql, why] of refused) {
    assert.throws(() => run(sql), (error: Error) => {
      assert(error instanceof QueryError, sql);
      assert.match(error.message, /^Cannot run the query: /);
      assert.match(error.message, why, sql);
      return true;
    });
  }
});

test("a text of 64 MiB is the longest that a query may make, where the runtime can bound it", () => {
  if (!("limits" in new DatabaseSync(":memory:"))) return;
  assert.equal(run("SELECT length(zeroblob(67108864)) AS n").rows[0]?.["n"], 67_108_864);
  assert.throws(() => run("SELECT zeroblob(67108865)"), /too big/);
});

test("a result is bounded by its bytes as well, counted before they leave SQLite", () => {
  const numbers = "WITH RECURSIVE many(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM many WHERE n < 5000)";
  assert.throws(
    () => run(`${numbers} SELECT n, hex(zeroblob(1000000)) AS text FROM many`, 5000),
    /its rows hold more than 64 MiB\. Select fewer columns or rows/,
  );
  const wide = Array.from({ length: 1500 }, (_, at) => `${at} AS c${at}`).join(", ");
  assert.equal(run(`SELECT ${wide}`).columns.length, 1500);
  // Rows that are sorted but not returned are not counted.
  const sorted = `${numbers} SELECT n, hex(zeroblob(10000)) AS text FROM many ORDER BY n DESC`;
  assert.deepEqual(run(sorted, 1).rows.map(({ n }) => n), [5000]);
  const named = run('SELECT 1 AS "a""b", 2 AS a, 3 AS a');
  assert.deepEqual(named.columns, ['a"b', "a", "a:1"]);
});

test("bytes are refused with what to select in their place", () => {
  assert.throws(() => run("SELECT x'00ff' AS bytes"), /it returns binary data.*Select hex\(\.\.\.\)/);
  assert.equal(run("SELECT hex(x'00ff') AS text").rows[0]?.["text"], "00FF");
});

test("a statement that does not read is refused also after one that did", () => {
  const one = connection();
  one.run("SELECT 1", { params: [], maxRows: 1 });
  assert.throws(() => one.run("BEGIN", { params: [], maxRows: 1 }), QueryError);
  assert.throws(
    () => one.run("VACUUM", { params: [], maxRows: 1 }),
    /it is not a query\. A query only reads/,
  );
});

test("a runtime whose SQLite cannot refuse to write runs no query", () => {
  assert.throws(() => new QueryConnection({} as DatabaseSync), (error: Error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /they need Deno or Node 24, whose SQLite can refuse to write$/);
    return true;
  });
});

test("a statement that SQLite lets call functions, but that neither selects nor lists, is refused", () => {
  let decide: (action: number, first: string | null, second: string | null) => number;
  const database = {
    function: (): void => {},
    setAuthorizer: (given: typeof decide): void => void (decide = given),
    prepare: (sourceSQL: string): unknown => {
      assert.equal(decide(31, null, "abs"), 0, "SQLite goes on");
      return { sourceSQL };
    },
  };
  // Runtimes that have no limits run queries too.
  const queries = new QueryConnection(database as unknown as DatabaseSync);
  assert.throws(
    () => queries.run("CALL abs(1)", { params: [], maxRows: 1 }),
    /it is not a query\. A query only/,
  );
});

test("views are seen by their own statement alone, whether it ends, fails at a row or is refused", () => {
  const queries = connection();
  const views = [
    { name: "t", sql: "SELECT n + 1 AS n, 'not json' AS name FROM main.t" },
    { name: "twice", sql: "SELECT n * 2 AS n, name FROM t" },
  ];
  const first = (sql: string, given: typeof views = []): unknown =>
    queries.run(sql, { params: [], maxRows: 10, views: given }).rows[0]?.["n"];
  for (let time = 0; time < 2; time++) {
    assert.equal(first("SELECT n FROM twice ORDER BY n", views), 4);
    assert.throws(() => first("SELECT json(name) AS n FROM twice", views), QueryError);
    assert.throws(() => first("SELECT n FROM nowhere", views), QueryError);
    assert.throws(() => first("CREATE TEMP VIEW mine AS SELECT 1 AS n", views), QueryError);
    assert.throws(() => first("DROP VIEW temp.t", views), QueryError);
    assert.equal(first("SELECT n FROM t ORDER BY n"), 1);
    assert.throws(() => first("SELECT n FROM twice"), QueryError);
  }
});

test("columns of any name are those that a statement around has, and counted", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (n INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a')");
  const around = (sql: string): string[] =>
    database.prepare(`SELECT * FROM (${sql})`).columns().map(({ name }) => name);
  const lists = [
    ...["n, name", "n, n", "n, N", "*, *", "rowid, _rowid_, oid", "n + 1, count(*), 'a', 1, NULL"],
    ...["TRUE, false", "n AS true", 'n AS "a b", n AS "a""b", n AS ""', "t.n, [name], `name` AS other"],
    ...["max(n) AS n, *", "(SELECT n FROM t), current_date, x'00' IS NULL"],
  ];
  const statements = [...lists.map((list) => `SELECT ${list} FROM t`), "VALUES (1, 2)"];
  const expected = statements.map(around);
  const queries = new QueryConnection(database);
  for (const [at, sql] of statements.entries()) {
    assert.deepEqual(queries.run(sql, { params: [], maxRows: 5 }).columns, expected[at], sql);
  }
});
