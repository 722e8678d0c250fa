import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/catalog.ts";
import { onWire } from "../../src/platform/connection/platform.ts";
import type { ApiShapes } from "../../src/platform/schema/api_shapes.ts";
import { flatShape } from "../../src/platform/schema/flat_shape.ts";
import { loadApiShapes } from "../../src/platform/schema/load_api_shapes.ts";
import type { SchemaNode } from "../../src/platform/schema/schema_node.ts";
import { neutralBody, wireBody, wordedBody } from "../../src/platform/schema/wire_body.ts";

const WORDS = {
  word: (text: string): string => onWire(text, "acme"),
  short: (text: string): string => onWire(text, "acm"),
};

interface Place {
  /** A value that holds nothing but the place. */
  readonly neutral: unknown;
  /** The same on the wire. */
  readonly wire: unknown;
}

/** Every name and every value of a shape that is published with the platform's own word. */
function placesOf(shapes: ApiShapes, node: SchemaNode, above: readonly SchemaNode[] = []): Place[] {
  const { fields, items, parts } = flatShape(shapes, node);
  if (above.length > 12 || parts.some((part) => above.includes(part))) return [];
  const within = [...above, ...parts];
  const values = parts.flatMap(({ wordEnum = [], wordEnumShort = [] }) => [
    ...wordEnum.map((text) => ({ neutral: text, wire: WORDS.word(text) })),
    ...wordEnumShort.map((text) => ({ neutral: text, wire: WORDS.short(text) })),
  ]);
  const inItems = items === undefined ? [] : placesOf(shapes, items, within).map(({ neutral, wire }) => ({
    neutral: ["", neutral],
    wire: ["", wire],
  }));
  const inFields = [...fields].flatMap(([name, field]) => {
    const wired = field.word ? WORDS.word(name) : field.wordShort ? WORDS.short(name) : name;
    const inner = placesOf(shapes, field, within);
    if (wired !== name && inner.length === 0) inner.push({ neutral: true, wire: true });
    return inner.map(({ neutral, wire }) => ({
      neutral: { [name]: neutral, other: "PLATFORM platform" },
      wire: { [wired]: wire, other: "PLATFORM platform" },
    }));
  });
  return [...values, ...inItems, ...inFields];
}

Deno.test("every published place with the platform's own word has it on the wire, and the neutral word once read", async () => {
  let checked = 0;
  for (const { api, operationId } of await catalog.operations()) {
    const shapes = await loadApiShapes(api);
    const shape = shapes?.operation(operationId);
    if (shapes === undefined || shape === undefined) continue;
    const bodies = Object.values(shape.body ?? {});
    const responses = Object.values(shape.responses).flatMap((types) => Object.values(types));
    for (const node of [...bodies, ...responses]) {
      for (const { neutral, wire } of placesOf(shapes, node)) {
        const where = `${api}:${operationId} ${JSON.stringify(neutral)}`;
        assert.notDeepEqual(neutral, wire, where);
        if (bodies.includes(node)) {
          assert.deepEqual(wireBody(shapes, node, neutral, WORDS), wire, where);
          assert.deepEqual(wordedBody(shapes, node, neutral, WORDS), wire, where);
        }
        assert.deepEqual(neutralBody(shapes, node, wire, WORDS), neutral, where);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 500, `${checked} places`);
});
