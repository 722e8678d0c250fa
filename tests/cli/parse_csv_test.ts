import assert from "node:assert/strict";
import fc from "fast-check";
import { csvText } from "../../src/base/text/csv_text.js";
import { parseCsv } from "../../src/interfaces/cli/shell/input/parse_csv.ts";

/** Texts that CSV has to quote, and texts that it has not; none that a reader would take for a guarded formula. */
const CELL = fc.string({ unit: fc.constantFrom(..."ab;,|\t\n\"' é日".split("")), maxLength: 8 })
  .map((text) => text.trim()).filter((text) => !text.startsWith("'"));

Deno.test("what is written as CSV is read back, in blocks of any size", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 1e6 }), CELL, CELL), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 60 }),
      (rows, block) => {
        const lines = rows.map(([id, ...cells]) => [String(id), ...cells]);
        const text = csvText([["id", "name", "note"], ...lines], { isRaw: true });
        const { records, names } = parseCsv({ text, name: "the file" }, { block });
        assert.deepEqual(names, ["id", "name", "note"]);
        const expected = lines.map(([id, name, note], at) => ({
          where: `row ${at + 2}`,
          values: { id, name, note },
        }));
        assert.deepEqual([...records], expected);
        assert.deepEqual([...records], expected, "and once more");
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

const ENDS: [name: string, text: string][] = [
  ["\\n", "id,name\n1,a\n2,b\n"],
  ["\\r\\n", "id,name\r\n1,a\r\n2,b"],
  ["\\r", "id,name\r1,a\r2,b\r"],
  ["mixed", 'id,name\r\n1,"a"\r\n2,b\n'],
  ["empty lines", "id,name\n\n1,a\n,\n2,b\n\n"],
];
for (const [name, text] of ENDS) {
  Deno.test(`line ends of any kind end a row: ${name}`, () => {
    for (const block of [1, 5, 1000]) {
      const { records } = parseCsv({ text, name: "the file" }, { block });
      assert.deepEqual(Array.from(records, ({ values }) => values), [{ id: "1", name: "a" }, {
        id: "2",
        name: "b",
      }]);
    }
  });
}

Deno.test("a row that is wrong is named wherever its block begins", () => {
  const good = Array.from({ length: 50 }, (_, at) => `${at},x`).join("\n");
  for (const block of [10, 100, 10_000]) {
    const read = (text: string) => () => [
      ...parseCsv({ text: `id,name\n${good}\n${text}`, name: "it" }, { block }).records,
    ];
    assert.deepEqual(read("1,2,3\n50,y\n")().slice(-2), [
      { where: "row 52", values: {}, problem: "it has 3 cells, and the header has 2" },
      { where: "row 53", values: { id: "50", name: "y" } },
    ]);
    assert.throws(read('50,y\n51,"open\n52,z\n'), /row 53 has a quotation mark that is never closed/);
  }
});
