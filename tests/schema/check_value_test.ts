import assert from "node:assert/strict";
import { ApiShapes, expandNode, type ShortNode } from "../../src/platform/schema/api_shapes.ts";
import { checkValue, type Direction } from "../../src/platform/schema/check_value.ts";
import { findingText } from "../../src/platform/schema/schema_error.ts";

const models: Record<string, ShortNode> = {
  Budget: { "amount!": "n<1..1000>", "type!": "=DAILY|LIFETIME" },
  Base: { name: "s<1..10>", state: "=ENABLED|PAUSED" },
  Named: { "": { allOf: ["@Base", { "": { required: ["name"] } }] } },
  Either: { "": { oneOf: [{ "asin!": "s" }, { "sku!": "s", size: "i" }] } },
  Kind: {
    "": {
      oneOf: ["@Cat", "@Dog"],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
    },
  },
  Cat: { "kind!": "s", "lives!": "i" },
  Dog: { "kind!": "s", "breed!": "s" },
  Tree: { children: ["@Tree"], label: "s" },
  Older: { "": { allOf: [{ state: "=A|B" }, { state: "=C" }] } },
};
const shapes = new ApiShapes({ format: 1, api: "test", models, errors: [], operations: {} });

function found(short: ShortNode, value: unknown, direction?: Direction): string[] {
  return checkValue(shapes, expandNode(short), value, direction).map(findingText);
}

const CASES: readonly [what: string, short: ShortNode, value: unknown, ...findings: string[]][] = [
  ["a value that fits", "@Budget", { amount: 5, type: "DAILY" }],
  [
    "an unknown field, with the nearest name",
    "@Budget",
    { amout: 5, amount: 5, type: "DAILY" },
    'amout: unknown field. Did you mean "amount"?',
  ],
  ["a missing field", "@Budget", { type: "DAILY" }, 'body: the field "amount" is required and missing'],
  ["a wrong type", { bid: "n" }, { bid: "1.5" }, 'bid: is the text "1.5", expected a number'],
  ["a text of digits in place of an integer", { id: "i" }, { id: "123456789012345678901" }],
  ["a bigint in place of an integer", { id: "i" }, { id: 12n }],
  ["a number in place of a text", { id: "s" }, { id: 12 }, "id: is the number 12, expected text"],
  ["null where none is allowed", { name: "s" }, { name: null }, "name: is null, expected text"],
  ["null where it is allowed", { name: { "": { type: ["string", "null"] } } }, { name: null }],
  [
    "a value past its limit",
    "@Budget",
    { amount: 2000, type: "DAILY" },
    "amount: 2000 is above the greatest value 1000",
  ],
  [
    "a text that is too long",
    "@Base",
    { name: "12345678901" },
    "name: has 11 characters, expected at most 10",
  ],
  ["characters outside of the basic plane, counted one by one", "@Base", { name: "😀😀😀😀😀😀😀😀😀😀" }],
  [
    "a value that is not allowed",
    "@Base",
    { state: "PASUED" },
    'state: "PASUED" is not allowed, expected one of ENABLED, PAUSED',
  ],
  ["too many items", ["s", 1, 2], ["a", "b", "c"], "body: has 3 items, expected at most 2"],
  ["an item of a list", [["@Base"]], [[{ nme: "x" }]], '[0][0].nme: unknown field. Did you mean "name"?'],
  ["a field of a part", "@Named", { name: "x", state: "PAUSED" }],
  [
    "a field that a part requires",
    "@Named",
    { state: "PAUSED" },
    'body: the field "name" is required and missing',
  ],
  ["an alternative", "@Either", { sku: "x", size: 3 }],
  [
    "no alternative: the nearest one is reported",
    "@Either",
    { sku: "x", sizee: 3 },
    'sizee: unknown field. Did you mean "size"?',
  ],
  [
    "an alternative told apart by a field",
    "@Kind",
    { kind: "dog" },
    'body: the field "breed" is required and missing',
  ],
  [
    "a shape that holds itself",
    "@Tree",
    { children: [{ children: [{ lable: "x" }] }] },
    'children[0].children[0].lable: unknown field. Did you mean "label"?',
  ],
  ["a field that two parts describe, as either says", "@Older", { state: "A" }],
  [
    "fields of a map",
    { "": { type: "object", additionalProperties: "i" } },
    { a: 1, b: true },
    "b: is true, expected an integer",
  ],
  ["any field where others are allowed", { "": { additionalProperties: true }, name: "s" }, { other: 1 }],
  ["a date", { day: "s:date" }, { day: "01/02/2026" }, 'day: "01/02/2026" is not a date'],
  [
    "a pattern",
    { hour: { "": { type: "string", pattern: "^\\d\\d:00$" } } },
    { hour: "9" },
    'hour: "9" does not match ^\\d\\d:00$',
  ],
  ["undefined fields, which are not sent", "@Base", { name: undefined, other: undefined }],
];

for (const [what, short, value, ...findings] of CASES) {
  Deno.test(`checkValue() of ${what}`, () => assert.deepEqual(found(short, value), findings));
}

Deno.test("what only responses hold is required of responses alone", () => {
  const short: ShortNode = { "id!": { "": { type: "string", readOnly: true } } };
  assert.deepEqual(found(short, {}), []);
  assert.deepEqual(found(short, {}, "response"), ['body: the field "id" is required and missing']);
});

Deno.test("text of the caller cannot move the terminal's cursor", () => {
  const [finding] = found("@Base", { "na\u001b[31mme": 1 });
  assert.ok(finding !== undefined && !finding.includes("\u001b"), finding);
});

Deno.test("at most 50 findings are collected", () => {
  const value = Array.from({ length: 500 }, () => ({ oops: 1 }));
  assert.equal(found(["@Base"], value).length, 50);
});
