import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { CsvRows } from "../../src/client/reports/file/csv_rows.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";

test("rows of CSV are the same wherever its bytes are cut", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "ä", '"', ",", "\n", "\r", " ", "€") })
    .filter((text) => !text.endsWith("\r") && !/\r(?!\n)/.test(text));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      (lines, size) => {
        const quoted = (text: string): string =>
          /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const text = ["campaignName,adGroupName", ...lines.map((cells) => cells.map(quoted).join(","))].join(
          "\n",
        );
        const bytes = Buffer.from(text);
        const reader = new CsvRows();
        const rows: ReportRow[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          rows.push(
            ...reader.push(bytes.subarray(at, at + size)),
          );
        }
        rows.push(...reader.end());
        const expected = lines.filter((cells) => cells.some((each) => each !== ""))
          .map(([a, b]) => ({ campaignName: a || null, adGroupName: b || null }));
        assert.deepEqual(rows, expected);
      },
    ),
    { seed: 20261122, numRuns: 300 },
  );
});
