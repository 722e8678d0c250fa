import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cell } from "../../../src/store/model/encode_rows.ts";
import { copyText } from "../../../src/store/postgres/write_rows.ts";

async function* batches(...some: Cell[][][]): AsyncGenerator<Cell[][]> {
  yield* some;
}

test("rows become lines of COPY, numbered, with what COPY reads otherwise written out", async () => {
  const seen: Cell[][] = [];
  const rows: Cell[][] = [["2026-09-01", "tab\t and \\ and\nline\r", null, 1.5], ["", "plain", "\\N", 0]];
  const pieces = await Array.fromAsync(copyText(
    { profileId: "1\t2", knownFrom: 77, from: 5 },
    batches([rows[0]!], [], [rows[1]!]),
    (cells) => seen.push([...cells]),
  ));
  assert.deepEqual(pieces, [
    "1\\t2\t2026-09-01\ttab\\t and \\\\ and\\nline\\r\t\\N\t1.5\t5\t77\n" +
    "1\\t2\t\tplain\t\\\\N\t0\t6\t77\n",
  ]);
  assert.deepEqual(seen, rows);
  assert.deepEqual(await Array.fromAsync(copyText({ profileId: "1", knownFrom: 0, from: 0 }, batches())), []);
});

test("a piece is sent once it has 128 KiB, and each row is in one piece", async () => {
  // With "1", the number and the time, each line has 64 KiB.
  const line = (number: number): string => `1\t${"x".repeat(65_536 - 7)}\t${number}\t9\n`;
  const rows = Array.from({ length: 5 }, (): Cell[] => ["x".repeat(65_536 - 7)]);
  const pieces = await Array.fromAsync(copyText({ profileId: "1", knownFrom: 9, from: 0 }, batches(rows)));
  assert.equal(line(0).length, 65_536);
  assert.deepEqual(pieces.map(({ length }) => length), [131_072, 131_072, 65_536]);
  assert.equal(pieces.join(""), [0, 1, 2, 3, 4].map(line).join(""));
});
