import { equal } from "../support/assert.ts";
import fc from "fast-check";
import { IdSet } from "../../src/internal/columns/id_set.ts";
import { NumberColumn, TextColumn } from "../../src/internal/columns/columns.ts";
import { anyText } from "../support/any_text.ts";

Deno.test("texts that are kept end to end come back as they were", () => {
  const text = fc.oneof(anyText({ maxLength: 5 }), fc.constant(""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), fc.integer({ min: 1, max: 700 }), (some, times) => {
      const all = Array.from({ length: times }, () => some).flat();
      const column = new TextColumn();
      for (const one of all) column.add(one);
      equal(column.length, all.length);
      all.forEach((one, at) => equal(column.at(at), one));
    }),
    { seed: 2, numRuns: 30 },
  );
});

Deno.test("numbers of a column come back as they were", () => {
  const column = new NumberColumn();
  for (let number = 0; number < 5000; number++) column.add(number * 800_000);
  for (let number = 0; number < 5000; number++) equal(column.at(number), number * 800_000);
});

Deno.test("a set of ids holds what a set of texts holds, whatever the ids look like", () => {
  const digits = fc.stringMatching(/^[0-9]{1,21}$/);
  const near = fc.integer({ min: 0, max: 300 }).map((number) =>
    `99999999999999${String(number).padStart(4, "0")}`
  );
  const id = fc.oneof(
    digits,
    near,
    fc.string({ maxLength: 4 }),
    fc.constantFrom("0", "00", "7", "07", "1e9"),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 4000 }), (ids) => {
      const own = new IdSet();
      const plain = new Set<string>();
      for (const one of ids) {
        equal(own.add(one), !plain.has(one), one);
        plain.add(one);
      }
    }),
    { seed: 3, numRuns: 40 },
  );
});
