import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { encodeRow } from "../../src/store/encode_row.ts";
import { reportLayout } from "../../src/store/mod.ts";

const layout = reportLayout("sp_campaigns");

function placed(field: string, value: string): unknown {
  const cells = encodeRow(layout, { date: "2026-09-01", campaignId: "1", [field]: value });
  const extra = cells.at(-1);
  return [
    cells[layout.columns.findIndex(({ name }) => name === field)],
    extra === null ? null : JSON.parse(String(extra)),
  ];
}

test("a text of digits becomes a number only where no digit can be lost", () => {
  deepEqual(placed("cost", "1234567890.12345"), [1234567890.12345, null]);
  deepEqual(placed("cost", "1234567890.123456"), [null, { cost: "1234567890.123456" }]);
  deepEqual(placed("clicks", "9007199254740991"), [9007199254740991, null]);
  deepEqual(placed("clicks", "9007199254740993"), [null, { clicks: "9007199254740993" }]);
  deepEqual(placed("clicks", " "), [null, { clicks: " " }]);
});
