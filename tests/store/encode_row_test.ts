import assert from "node:assert/strict";
import { test } from "node:test";
import { DayTally, encodeRow, encodeRows, type RowSource } from "../../src/store/model/encode_rows.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { reportLayout } from "../../src/store/mod.ts";

const layout = reportLayout("sp_campaigns");

function placed(field: string, value: string | number | null): unknown {
  const cells = encodeRow(layout, { date: "2026-09-01", campaignId: "1", [field]: value });
  const extra = cells.at(-1);
  return [
    cells[layout.columns.findIndex(({ name }) => name === field)],
    extra === null ? null : JSON.parse(String(extra)),
  ];
}

test("a text of digits becomes a number only where no digit can be lost", () => {
  assert.deepEqual(placed("cost", "1234567890.12345"), [1234567890.12345, null]);
  assert.deepEqual(placed("cost", "1234567890.123456"), [null, { cost: "1234567890.123456" }]);
  assert.deepEqual(placed("clicks", "9007199254740991"), [9007199254740991, null]);
  assert.deepEqual(placed("clicks", "9007199254740993"), [null, { clicks: "9007199254740993" }]);
  assert.deepEqual(placed("clicks", " "), [null, { clicks: " " }]);
});

test("a value that its column cannot hold is kept beside it, and one of digits in a column of text is text", () => {
  assert.deepEqual(placed("campaignName", 7), ["7", null]);
  assert.deepEqual(placed("clicks", 1.5), [null, { clicks: 1.5 }]);
  assert.deepEqual(placed("clicks", 9007199254740991), [9007199254740991, null]);
  assert.deepEqual(placed("clicks", 9007199254740992), [null, { clicks: 9007199254740992 }]);
  assert.deepEqual(placed("cost", 1.5), [1.5, null]);
  assert.deepEqual(placed("cost", "Infinity"), [null, { cost: "Infinity" }]);
  assert.deepEqual(placed("clicks", "many"), [null, { clicks: "many" }]);
  assert.deepEqual(placed("clicks", null), [null, null]);
  assert.deepEqual(placed("date", 20260901), ["", { date: 20260901 }]);
  assert.deepEqual(placed("newColumn", "x"), [undefined, { newColumn: "x" }]);
  assert.deepEqual(placed("newColumn", null), [undefined, { newColumn: null }]);
});

test("a key column that did not come is an empty text, any other is empty", () => {
  const cells = encodeRow(layout, { date: "2026-09-01" });
  assert.deepEqual(
    layout.columns.map(({ name }, index) => [name, cells[index]]).slice(0, 3),
    [["date", "2026-09-01"], ["campaignId", ""], [layout.columns[2]!.name, null]],
  );
  assert.deepEqual(cells.length, layout.columns.length + 1);
});

test("a text keeps no zero character and no half of a surrogate pair, which databases refuse", () => {
  assert.deepEqual(placed("campaignName", "a\0b\0"), ["a\uFFFDb\uFFFD", null]);
  assert.deepEqual(placed("campaignName", "a\uD83Db"), ["a\uFFFDb", null]);
  assert.deepEqual(placed("campaignName", "a\u{1F600}b"), ["a\u{1F600}b", null]);
});

test("rows are encoded one by one and in batches, and counted by day with their cost", async () => {
  const tally = new DayTally(layout);
  const range = { start: "2026-09-01", end: "2026-09-02" };
  const rows: (ReportRow | ReportRow[])[] = [
    { date: "2026-09-01", campaignId: "1", cost: 1.5 },
    [{ date: "2026-09-01", campaignId: "2", cost: "2" }, { date: "2026-09-02", campaignId: "1", cost: null }],
  ];
  const batches = await Array.fromAsync(encodeRows(rows, { layout, range, tally }));
  assert.deepEqual(batches.map(({ length }) => length), [1, 2]);
  assert.deepEqual(tally.on("2026-09-01"), { rows: 2, cost: 3.5 });
  assert.deepEqual(tally.on("2026-09-02"), { rows: 1, cost: 0 });
  assert.deepEqual(tally.on("2026-09-03"), { rows: 0, cost: 0 });
  const refused = (source: RowSource): Promise<void> =>
    assert.rejects(
      Array.fromAsync(encodeRows(source, { layout, range, tally })),
      /it is not a day within 2026-09-01/,
    );
  await refused([{ date: "2026-08-31" }]);
  await refused([[{ date: "2026-09-03" }]]);
  await refused([{ campaignId: "1" }]);
  await refused([{ date: 20260901 }]);
});

test("the cost of a report without such a column is 0", () => {
  const tally = new DayTally({ ...layout, columns: layout.columns.slice(0, 2) });
  tally.add("2026-09-01", ["2026-09-01", "1", 5]);
  assert.deepEqual(tally.on("2026-09-01"), { rows: 1, cost: 0 });
});
