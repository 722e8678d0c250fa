import { deepEqual } from "../support/assert.ts";
import { mergeOrdered } from "../../src/client/insights/read_history.ts";

async function* sequence(
  numbers: readonly number[],
  { read, ended }: { read: number[]; ended: number[] },
): AsyncGenerator<number, void, undefined> {
  try {
    for (const number of numbers) {
      read.push(number);
      yield await Promise.resolve(number);
    }
  } finally {
    ended.push(numbers.length);
  }
}

const before = (a: number, b: number): boolean => a < b;

Deno.test("ordered sequences become one, each read only as far as it must be", async () => {
  const read: number[] = [];
  const ended: number[] = [];
  const parts = [[1, 4, 9], [2, 3], [], [5]].map((numbers) => sequence(numbers, { read, ended }));
  const merged: number[] = [];
  for await (const number of mergeOrdered(parts, { before })) {
    merged.push(number);
    if (number === 3) break;
  }
  deepEqual(merged, [1, 2, 3]);
  deepEqual(read, [1, 2, 5, 4, 3]);
  deepEqual(ended.toSorted(), [0, 1, 2, 3], "whoever stops early leaves nothing open");
});

Deno.test("equals keep the order of their sequences", async () => {
  const log = { read: [], ended: [] };
  const parts = [[1, 1], [1, 2]].map((numbers) => sequence(numbers, log));
  deepEqual(await Array.fromAsync(mergeOrdered(parts, { before })), [1, 1, 1, 2]);
});
