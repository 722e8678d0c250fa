import assert from "node:assert/strict";
import { test } from "node:test";
import { monthsOf } from "../../../src/store/postgres/partitions.ts";
import { resultTypes, sqlOver, type Statement } from "../../../src/store/tables/postgres_sql.ts";

test("a template becomes a text with numbered places, its values apart", async () => {
  const sent: Statement[] = [];
  const sql = sqlOver((statement) => {
    sent.push(statement);
    return Promise.resolve([]);
  });
  await sql`SELECT ${1}, ${"two"} WHERE ${null}`;
  await sql`SELECT 1`;
  await sql.text("SELECT $1", [5]);
  await sql.text("SELECT 2");
  assert.deepEqual(sent.map(({ text, values }) => [text, [...values]]), [
    ["SELECT $1, $2 WHERE $3", [1, "two", null]],
    ["SELECT 1", []],
    ["SELECT $1", [5]],
    ["SELECT 2", []],
  ]);
});

test("results keep every digit; days and JSON are text, times are ISO 8601", () => {
  const types = resultTypes(() => (text) => `other ${text}`);
  const read = (type: number, text: string): unknown =>
    (types.getTypeParser(type) as (text: string) => unknown)(text);
  const [INT8, JSON_, DATE, TIMESTAMP, TIMESTAMPTZ, NUMERIC, JSONB, TEXT] = [
    20,
    114,
    1082,
    1114,
    1184,
    1700,
    3802,
    25,
  ];
  assert.equal(read(INT8, "9007199254740991"), 9007199254740991);
  assert.equal(read(INT8, "9007199254740993"), "9007199254740993");
  assert.equal(read(NUMERIC, "-12"), -12);
  assert.equal(read(NUMERIC, "9007199254740993"), "9007199254740993");
  assert.equal(read(NUMERIC, "0.25"), 0.25);
  assert.equal(read(JSON_, "[1]"), "[1]");
  assert.equal(read(JSONB, "[1]"), "[1]");
  assert.equal(read(DATE, "2026-09-01"), "2026-09-01");
  assert.equal(read(TIMESTAMP, "2026-09-01 10:00:00"), "2026-09-01 10:00:00");
  assert.equal(read(TIMESTAMPTZ, "2026-09-01 10:00:00.5+00"), "2026-09-01T10:00:00.500Z");
  assert.equal(read(TIMESTAMPTZ, "2026-09-01 10:00:00+05:30"), "2026-09-01T04:30:00.000Z");
  assert.equal(read(TIMESTAMPTZ, "infinity"), "infinity");
  assert.equal(read(TEXT, "x"), "other x");
});

test("the months of a range follow each other over the ends of years", () => {
  assert.deepEqual(monthsOf({ start: "2026-11-30", end: "2027-02-01" }), [
    "2026-11",
    "2026-12",
    "2027-01",
    "2027-02",
  ]);
  assert.deepEqual(monthsOf({ start: "2026-09-01", end: "2026-09-30" }), ["2026-09"]);
  assert.deepEqual(monthsOf({ start: "2026-09-30", end: "2026-09-01" }), ["2026-09"]);
  assert.deepEqual(monthsOf({ start: "0999-12-31", end: "1000-01-01" }), ["0999-12", "1000-01"]);
});
