import assert from "node:assert/strict";
import fc from "fast-check";
import { splitMessages } from "../../../src/store/stream/sources/split_messages.ts";

const CASES: readonly (readonly [what: string, text: string, bodies: string[]])[] = [
  ["lines", '{"a":1}\n\n{"b":2}\r\n', ['{"a":1}', '{"b":2}']],
  ["a byte order mark", '\uFEFF{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
  ["values in a row", '{"a":"}{"}{"b":{"c":2}} , {"d":3}', ['{"a":"}{"}', '{"b":{"c":2}}', '{"d":3}']],
  ["a list", '[{"a":1},{"b":2}]', ['[{"a":1},{"b":2}]']],
  ["a value over lines", '{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
  ["a line that is cut off", '{"a":1}\n{"b":\n{"c":3}', ['{"a":1}', '{"b":', '{"c":3}']],
  ["a first line that is cut off", '{"b":\n{"c":3}', ['{"b":', '{"c":3}']],
  ["what is not JSON", "hello\n}{", ["hello", "}{"]],
  ["nothing", " \n", []],
];

for (const [what, text, bodies] of CASES) {
  Deno.test(`messages are found in ${what}`, () => {
    assert.deepEqual([...splitMessages(text)].map(({ body }) => body), bodies);
  });
}

Deno.test("objects come out as they went in, one a line or in a row", () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });
  fc.assert(
    fc.property(objects, fc.constantFrom("\n", "\r\n", "", " ", ","), (values, between) => {
      const texts = values.map((value) => JSON.stringify(value));
      const found = [...splitMessages(texts.join(between))].map(({ body }) => JSON.parse(body));
      assert.deepEqual(found, texts.map((text) => JSON.parse(text)));
    }),
    { seed: 19, numRuns: 300 },
  );
});
