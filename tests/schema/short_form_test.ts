import assert from "node:assert/strict";
import fc from "fast-check";
import { ensureLossless, shortenNode } from "../../scripts/catalog/schemas/shorten_node.ts";
import { ApiShapes, expandNode } from "../../src/platform/schema/api_shapes.ts";
import { checkedApi, SCHEMA_FORMAT } from "../../src/platform/schema/load_api_shapes.ts";
import type { SchemaNode } from "../../src/platform/schema/schema_node.ts";

for (
  const [short, node] of [
    ["*", {}],
    ["@Campaign", { ref: "Campaign" }],
    ["=A|B", { type: "string", enum: ["A", "B"] }],
    ["s:date<1..20>", { type: "string", format: "date", minLength: 1, maxLength: 20 }],
    ["n<0.02..>", { type: "number", minimum: 0.02 }],
    [["s", 1, 5], { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 }],
    [{ "id!": "s", bid: "n" }, {
      type: "object",
      properties: { id: { type: "string" }, bid: { type: "number" } },
      required: ["id"],
    }],
    [{ "": { type: ["string", "null"] } }, { type: ["string", "null"] }],
  ] as const
) {
  Deno.test(`the short form ${JSON.stringify(short)} is read and written`, () => {
    assert.deepEqual(expandNode(short), node);
    assert.deepEqual(shortenNode(node), short);
  });
}

const PLAIN = { noNullPrototype: true };

const { node } = fc.letrec<{ node: SchemaNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constant<SchemaNode>({}),
    fc.record({ ref: fc.stringMatching(/^[A-Z]\w*$/) }, { noNullPrototype: true }),
    fc.record(
      { type: fc.constant("string" as const), enum: fc.uniqueArray(fc.string(), { minLength: 1 }) },
      PLAIN,
    ),
    fc.record({
      type: fc.constantFrom("string" as const, "integer" as const, "number" as const),
      minimum: fc.integer(),
      maxLength: fc.nat(),
      format: fc.constantFrom("date", "int64", "a<b"),
      readOnly: fc.boolean(),
    }, { requiredKeys: ["type"], noNullPrototype: true }),
    fc.record({
      type: fc.constant("array" as const),
      items: tie("node"),
      minItems: fc.nat(),
      maxItems: fc.nat(),
      uniqueItems: fc.boolean(),
    }, { requiredKeys: ["type", "items"], noNullPrototype: true }),
    fc.dictionary(fc.stringMatching(/^\w+$/), tie("node"), { minKeys: 1, noNullPrototype: true }).map((
      properties,
    ): SchemaNode => ({
      type: "object",
      properties,
      required: Object.keys(properties).slice(0, 2),
    })),
    fc.record({ oneOf: fc.array(tie("node"), { minLength: 1 }) }, PLAIN),
    fc.record({ type: fc.constant("object" as const), additionalProperties: tie("node") }, PLAIN),
  ),
}));

Deno.test("every shape reads back from its short form as it was", () => {
  fc.assert(fc.property(node, (shape) => ensureLossless(shape, shortenNode(shape))), { seed: 16 });
});

Deno.test("a text that is no short form is refused", () => {
  assert.throws(() => expandNode("x:date"), { name: "SyntaxError", message: /"x:date"/ });
});

Deno.test("a schema file of a newer format is refused with what to do", () => {
  const data = { format: SCHEMA_FORMAT + 1, api: "a", models: {}, errors: [], operations: {} };
  assert.throws(() => checkedApi(data, "a"), {
    name: "ConfigurationError",
    message: /have format 2, and this version reads 1\. Update the package/,
  });
});

for (
  const data of [undefined, "text", {}, { format: 1, api: "b", models: {}, errors: [], operations: {} }, {
    format: 1,
    api: "a",
  }]
) {
  Deno.test(`a damaged schema file is refused with what to do: ${JSON.stringify(data)}`, () => {
    assert.throws(() => checkedApi(data, "a"), {
      name: "ConfigurationError",
      message: /the schemas of "a": the file is damaged\. Install the package again/,
    });
  });
}

Deno.test("a model that is missing is named", () => {
  const shapes = new ApiShapes({ format: 1, api: "a", models: {}, errors: [], operations: {} });
  assert.throws(() => shapes.model("Campaign"), {
    name: "RangeError",
    message: /"a": the model "Campaign" is missing/,
  });
});
