import assert from "node:assert/strict";
import fc from "fast-check";
import { MessageSplitter } from "../../../src/store/stream/message_splitter.ts";

/** The messages of a text that comes in pieces of so many characters, as `line:body`. */
function split(text: string, size = Infinity): string[] {
  const splitter = new MessageSplitter();
  const found = [];
  for (let at = 0; at < text.length; at += size) found.push(...splitter.push(text.slice(at, at + size)));
  return [...found, ...splitter.end()].map(({ line, body }) => `${line}:${body}`);
}

const CASES: readonly (readonly [what: string, text: string, bodies: string[]])[] = [
  ["lines", '{"a":1}\n\n{"b":2}\r\n', ['1:{"a":1}', '3:{"b":2}']],
  ["a byte order mark", '\uFEFF{"a":1}\n{"b":2}', ['1:{"a":1}', '2:{"b":2}']],
  ["values in a row", '{"a":"}{"}{"b":{"c":2}} , {"d":3}', ['1:{"a":"}{"}', '1:{"b":{"c":2}}', '1:{"d":3}']],
  ["strings with marks", '{"a":"\\"}\\\\"}\n{"b":2}', ['1:{"a":"\\"}\\\\"}', '2:{"b":2}']],
  ["a list", '[{"a":1},{"b":[2]}]', ['1:{"a":1}', '1:{"b":[2]}']],
  [
    "a list over lines",
    '[\n  {\n    "a": [\n      {"b": 1},\n{"b": 2}\n]\n  },\n{"c":3}\n]\n{"d":4}',
    ['2:{\n    "a": [\n      {"b": 1},\n{"b": 2}\n]\n  }', '8:{"c":3}', '10:{"d":4}'],
  ],
  ["a list after another", '[{"a":1}]\n[{"b":2}]', ['1:{"a":1}', '2:{"b":2}']],
  ["a value over lines", '{\n  "a": 1\n}\n', ['1:{\n  "a": 1\n}']],
  ["a line that is cut off", '{"a":1}\n{"b":\n{"c":3}', ['1:{"a":1}', '2:{"b":', '3:{"c":3}']],
  ["a first line that is cut off", '{"b":\n{"c":3}', ['1:{"b":', '2:{"c":3}']],
  ["a line cut off within a string", '{"b":"x\\\n{"c":3}', ['1:{"b":"x\\', '2:{"c":3}']],
  ["a line cut off within a string that it does not escape", '{"b":"x\n{"c":3}', ['1:{"b":"x', '2:{"c":3}']],
  ["a line cut off after a comma", '{"a":1,\n{"b":2}', ['1:{"a":1,', '2:{"b":2}']],
  ["a line cut off within a list", '{"a":[1\n{"b":2}', ['1:{"a":[1', '2:{"b":2}']],
  ["a list in a list", '[[\n{"a":1}\n]]', ['1:[\n{"a":1}\n]']],
  [
    "a row parted by space",
    '\uFEFF{"a":1}\r{"b":2}\t{"c":3}{"d":4}',
    ['1:{"a":1}', '1:{"b":2}', '1:{"c":3}', '1:{"d":4}'],
  ],
  ["a list that is cut off", '[{"a":1},{"b"\n[{"c":3}]', ['1:{"a":1}', '1:{"b"', '2:[{"c":3}]']],
  ["a last line that is cut off", '{"a":1}\n{"b":"', ['1:{"a":1}', '2:{"b":"']],
  ["what is not JSON", "hello\n}{\n {a:1}", ["1:hello", "2:}{", "3:{a:1}"]],
  ["nothing", " \n", []],
];

for (const [what, text, bodies] of CASES) {
  Deno.test(`messages are found in ${what}, in pieces of any size`, () => {
    for (const size of [Infinity, 1, 2, 3, 7]) assert.deepEqual(split(text, size), bodies, `size ${size}`);
  });
}

Deno.test("objects come out as they went in, one a line, in a row, indented or in a list, in pieces of any size", () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });
  const forms = fc.constantFrom("\n", "\r\n", "", " ", ",", "indented", "list", "indented list");
  fc.assert(
    fc.property(objects, forms, fc.integer({ min: 1, max: 60 }), (values, form, size) => {
      const text = form.endsWith("list")
        ? JSON.stringify(values, null, form === "list" ? 0 : 2)
        : form === "indented"
        ? values.map((value) => JSON.stringify(value, null, 2)).join("\n")
        : values.map((value) => JSON.stringify(value)).join(form);
      const found = split(text, size).map((each) => JSON.parse(each.slice(each.indexOf(":") + 1)));
      assert.deepEqual(found, JSON.parse(JSON.stringify(values)));
    }),
    { seed: 19, numRuns: 150 },
  );
});

Deno.test("a text without end and without messages is handed over in parts, and the lines after it are found", () => {
  for (const begin of ["x", '{"a":"', '{"a":[']) {
    const splitter = new MessageSplitter();
    let parts = splitter.push(begin).length;
    for (let count = 0; count < 40; count++) parts += splitter.push("1".repeat(100_000)).length;
    assert(parts >= 3, `${parts} parts`);
    assert.deepEqual(splitter.push('\n{"b":2}').at(-1), { line: 2, body: '{"b":2}' });
  }
});

Deno.test("a message has a million characters at most, and what is longer comes in parts of which nothing is lost", () => {
  const most = 2 ** 20;
  const whole = `{"a":"${"1".repeat(most - '{"a":""}'.length)}"}`;
  assert.deepEqual(split(`${whole}{"b":2}{"c":3}\n`), [`1:${whole}`, '1:{"b":2}', '1:{"c":3}']);
  const long = whole.replace("1", "11");
  assert.deepEqual(split(long), [`1:${long.slice(0, most)}`, "1:}"]);
  const longer = `{"a":[${"1".repeat(most - '{"a":['.length)}{"b":2},{"b":3}]}`;
  assert.deepEqual(split(`{"a":1}\n${longer}\n{"c":3}`), [
    '1:{"a":1}',
    `2:${longer.slice(0, most)}`,
    `2:${longer.slice(most)}`,
    '3:{"c":3}',
  ]);
});
