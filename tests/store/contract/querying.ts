import assert from "node:assert/strict";
import { QueryError } from "../../../src/store/model/store_error.ts";
import { type AddTest, daily, days, DE, everything, plain, US } from "./ground.ts";

/** Queries read, and only read. */
export function querying(it: AddTest, name: string): void {
  it("query() reads views by the name of the preset, with placeholders", async ({ store }) => {
    const range: [string, string] = ["2026-09-01", "2026-09-03"];
    for (const [who, cost] of [[US, 1], [DE, 10]] as const) {
      await store.replace(
        { ...who, report: "sp_targeting", ...days(...range) },
        daily(range, { keywordId: "7", cost }),
      );
    }
    const { columns, rows, truncated } = await store.query(
      `SELECT country_code, profile_id, "keywordId", sum(cost) AS total FROM sp_targeting
       WHERE date >= ${name.startsWith("PostgreSQL") ? "$1" : "?"} GROUP BY 1, 2, 3 ORDER BY 1`,
      ["2026-09-02"],
    );
    assert.deepEqual(columns, ["country_code", "profile_id", "keywordId", "total"]);
    assert.deepEqual(plain(rows), [
      { country_code: "DE", profile_id: "2002", keywordId: "7", total: 20 },
      { country_code: "US", profile_id: "1001", keywordId: "7", total: 2 },
    ]);
    assert.equal(truncated, false);
  });

  it("columns of views are in snake_case, and the platform's names are still understood", async ({ store }) => {
    await store.replace(
      { ...US, report: "sp_targeting", ...days("2026-09-01") },
      daily(["2026-09-01"], { keywordId: "7", keyword: "Shoes", matchType: "EXACT", cost: 1, sales14d: 3 }),
    );
    const now = await store.query("SELECT keyword_id, match_type, sales_14d FROM sp_targeting");
    assert.deepEqual(plain(now.rows), [{ keyword_id: "7", match_type: "EXACT", sales_14d: 3 }]);
    const before = await store.query(
      'SELECT t."keywordId", t.sales14d FROM sp_targeting AS t WHERE "matchType" = \'EXACT\'',
    );
    assert.deepEqual(plain(before.rows), [{ keywordId: "7", sales14d: 3 }]);
    assert.deepEqual(before.columns, ["keywordId", "sales14d"]);
    const { columns } = await store.query("SELECT * FROM sp_keywords_history");
    assert.deepEqual(columns.filter((column) => /[A-Z]/.test(column)), []);
    const unknown = store.query("SELECT keyword_idd FROM sp_targeting");
    await assert.rejects(unknown, /keyword_id\b/);
  });

  it("query() keeps columns of one name apart", async ({ store }) => {
    const { columns, rows } = await store.query("SELECT 1 AS x, 2 AS x, 3 AS y, 4 AS x");
    assert.deepEqual(plain(rows), [{ x: 1, "x:1": 2, y: 3, "x:2": 4 }]);
    assert.deepEqual(columns, ["x", "x:1", "y", "x:2"]);
  });

  it("query() refuses a statement whose placeholders lack values, rather than to find other rows", async ({ store }) => {
    const mark = (number: number): string => name.startsWith("PostgreSQL") ? `$${number}` : "?";
    const two = `SELECT * FROM days WHERE report = ${mark(1)} AND profile_id = ${mark(2)} -- really?`;
    for (const params of [[], ["x"], ["x", "y", "z"]]) {
      await assert.rejects(store.query(two, params), QueryError, String(params.length));
    }
    assert.equal((await store.query(two, ["what?", "y"])).rows.length, 0);
    const quoted = await store.query(`SELECT '?' AS "what?", 1 AS n /* ? */`);
    assert.deepEqual(plain(quoted.rows), [{ "what?": "?", n: 1 }]);
  });

  it("query() keeps to its bound and says so, and keeps every digit", async ({ store }) => {
    const many =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000) SELECT i FROM n";
    const { rows, truncated } = await store.query(many);
    assert.equal(rows.length, 10_000);
    assert.equal(truncated, true);
    const three = await store.query("SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3;", [], {
      maxRows: 3,
    });
    assert.deepEqual([three.rows.length, three.truncated], [3, false]);
    const two = await store.query("SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3", [], { maxRows: 2 });
    assert.deepEqual([two.rows.length, two.truncated], [2, true]);
    const long = await store.query(
      "SELECT 9007199254740993 AS long, 9007199254740991 AS short, -9007199254740993 AS low",
    );
    assert.deepEqual(plain(long.rows), [
      { long: "9007199254740993", short: 9007199254740991, low: "-9007199254740993" },
    ]);
    assert.throws(() => store.query("SELECT 1", [], { maxRows: 0 }), RangeError);
  });

  const forbidden = [
    "WITH x AS (SELECT 1) DELETE FROM days",
    "DELETE FROM report_sp_placement",
    "INSERT INTO profiles VALUES ('1', 'US')",
    "UPDATE days SET rows = 0",
    "DROP TABLE days",
    "CREATE TABLE evil (a text)",
    "CREATE TEMPORARY TABLE evil (a text)",
    "ALTER TABLE days ADD COLUMN evil text",
    "BEGIN",
    "COMMIT",
    "SELECT 1; DELETE FROM days",
    "SELECT 1; SELECT 2",
    "VACUUM",
    "SELEC 1",
    "SELECT * FROM no_such_report",
    "SELECT 1) UNION ALL SELECT * FROM (SELECT 2",
    "",
    "  -- nothing here",
    ";",
    "SELECT '\0'",
  ];
  it("query() refuses everything that is not one statement that reads, and changes nothing", async ({ store }) => {
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, daily(["2026-09-01"], {}));
    const before = await everything(store);
    for (const sql of forbidden) {
      await assert.rejects(store.query(sql), (error: Error) => {
        assert(error instanceof QueryError, `${sql}: ${error.name} ${error.message}`);
        assert.match(error.message, /^Cannot run the query: /);
        return true;
      }, sql);
    }
    assert.deepEqual(await everything(store), before);
    assert.equal((await store.query("SELECT count(*) AS n FROM sp_placement -- ; fine")).rows[0]!["n"], 1);
  });
}
