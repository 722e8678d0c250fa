import { deepEqual, equal } from "../support/assert.ts";
import fc from "fast-check";
import { splitJsonList } from "../../src/base/json/split_json_list.ts";

/** Splits a text that comes in pieces of such lengths. */
function split(text: string, lengths: readonly number[]): { items: unknown[]; rest: unknown } {
  const items: unknown[] = [];
  const parts = splitJsonList("changes", (item) => items.push(JSON.parse(item)));
  for (let at = 0, piece = 0; at < text.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    parts.add(text.slice(at, at + length));
    at += length;
  }
  return { items, rest: JSON.parse(parts.rest()) };
}

Deno.test("the items of a list come out of JSON one by one, however it is written and cut", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  const values = fc.dictionary(fc.oneof(fc.string(), fc.constant("changes")), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(values, fc.array(fc.jsonValue({ maxDepth: 3 })), lengths, fc.integer({ min: 0, max: 2 }), (
      before,
      changes,
      pieces,
      indent,
    ) => {
      const { changes: _, ...others } = before;
      const whole = { a: others, ...others, changes, z: { changes: [1], text: '"changes": [' } };
      const { items, rest } = split(JSON.stringify(whole, null, indent), pieces);
      deepEqual(items, JSON.parse(JSON.stringify(changes)));
      deepEqual(rest, JSON.parse(JSON.stringify({ ...whole, changes: [] })));
    }),
    { seed: 4, numRuns: 300 },
  );
});

Deno.test("JSON that is malformed stays malformed when it is split", () => {
  const good = '{"id": "1", "changes": [{"a": [1, 2]}, {"b": "],"}], "missing": []}';
  for (let length = 0; length < good.length; length++) {
    let isBad = false;
    try {
      split(good.slice(0, length), [3]);
    } catch (error) {
      isBad = error instanceof SyntaxError;
    }
    equal(isBad, true, good.slice(0, length));
  }
  for (const changes of ["[,]", "[{},]", "[{}{}]", "[{}", "[}]", "[{]"]) {
    let isBad = false;
    try {
      split(`{"changes": ${changes}}`, [100]);
    } catch (error) {
      isBad = error instanceof SyntaxError;
    }
    equal(isBad, true, changes);
  }
});
