import assert from "node:assert/strict";
import { SCHEMA_CORRECTIONS } from "../../catalog/schema_corrections.ts";
import { correctSchemas } from "../../scripts/catalog/schemas/correct_schemas.ts";
import { parseSchemaListing } from "../../scripts/catalog/schemas/schema_listing.ts";
import { catalog } from "../../src/platform/catalog/mod.ts";
import type { ApiShapes } from "../../src/platform/schema/api_shapes.ts";
import { checkValue } from "../../src/platform/schema/check_value.ts";
import { exampleValue } from "../../src/platform/schema/example_value.ts";
import { findingText } from "../../src/platform/schema/schema_error.ts";
import { loadApiShapes } from "../../src/platform/schema/load_api_shapes.ts";
import type { SchemaNode } from "../../src/platform/schema/schema_node.ts";
import { SCHEMA_FILES } from "../../src/platform/schema/schema_files.js";

async function apis(): Promise<ApiShapes[]> {
  const loaded = await Promise.all(Object.keys(SCHEMA_FILES).map(loadApiShapes));
  return loaded.filter((shapes) => shapes !== undefined);
}

Deno.test("906 operations are described, and each of them is in the catalog", async () => {
  const ids = new Set((await catalog.operations()).map(({ id }) => id));
  const described = (await apis()).flatMap((shapes) =>
    shapes.operationNames.map((name) => `${shapes.api}:${name}`)
  );
  assert.deepEqual(described.filter((id) => !ids.has(id)), []);
  assert.ok(described.length >= 906, `${described.length}`);
});

Deno.test("every model that a shape refers to is there", async () => {
  for (const shapes of await apis()) {
    for (const name of shapes.operationNames) {
      const shape = shapes.operation(name)!;
      const nodes = [
        ...shape.parameters.map(({ schema }) => schema),
        ...Object.values(shape.body ?? {}),
        ...Object.values(shape.responses).flatMap((types) => Object.values(types)),
        ...Object.values(shape.errors),
      ];
      for (const node of nodes) visit(shapes, node, new Set());
    }
  }
});

function visit(shapes: ApiShapes, node: SchemaNode, seen: Set<SchemaNode>): void {
  const shape = shapes.resolve(node);
  if (seen.has(shape)) return;
  seen.add(shape);
  const parts = [shape.items, shape.not, ...shape.allOf ?? [], ...shape.oneOf ?? [], ...shape.anyOf ?? []];
  for (const part of [...parts, ...Object.values(shape.properties ?? {})]) {
    if (part) visit(shapes, part, seen);
  }
}

Deno.test("the query parameters and headers that are described are those of the catalog", async () => {
  for (const operation of await catalog.operations()) {
    const shape = (await loadApiShapes(operation.api))?.operation(operation.operationId);
    for (const { name, in: place, required } of shape?.parameters ?? []) {
      if (place === "path") continue;
      const listed = operation[place === "query" ? "query" : "headers"];
      const found = listed.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase());
      assert.equal(found?.required, required, `${operation.id} ${name}`);
    }
  }
});

Deno.test("the smallest and the full example of every body, response and error fit what is published", async () => {
  let count = 0;
  const wrong: string[] = [];
  for (const shapes of await apis()) {
    for (const name of shapes.operationNames) {
      for (const { node, direction } of bodiesOf(shapes, name)) {
        for (const full of [false, true]) {
          const example = exampleValue(shapes, node, { full, direction });
          const findings = checkValue(shapes, node, example, direction);
          count++;
          if (findings.length > 0) {
            wrong.push(`${shapes.api}:${name} ${findings.map(findingText).join("; ")}`);
          }
        }
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 15_000, `${count}`);
});

function bodiesOf(
  shapes: ApiShapes,
  name: string,
): { node: SchemaNode; direction: "request" | "response" }[] {
  const { body = {}, responses, errors } = shapes.operation(name)!;
  const received = [
    ...Object.values(responses).flatMap((types) => Object.values(types)),
    ...Object.values(errors),
  ];
  return [
    ...Object.values(body).map((node) => ({ node, direction: "request" as const })),
    ...received.map((node) => ({ node, direction: "response" as const })),
  ];
}

Deno.test("every API that is described has its types in the index that the package exports", async () => {
  const index = await Deno.readTextFile(new URL(import.meta.resolve("@platform/ads/schemas")));
  const listed = Array.from(
    index.matchAll(/^export type \* as (\w+) from "\.\/(\w+)\.ts";$/gm),
    ([, namespace, file]) => [namespace, file],
  );
  const apis = Object.keys(SCHEMA_FILES).sort();
  assert.deepEqual(listed.map(([, file]) => file), apis.map((api) => api.replaceAll("-", "_")));
  assert.equal(new Set(listed.map(([namespace]) => namespace)).size, apis.length);
});

Deno.test("every correction of a schema says why, and still changes the published shape", async () => {
  const listing = await Deno.readTextFile(new URL("../../catalog/listing/schemas.tsv", import.meta.url));
  assert.deepEqual(correctSchemas(parseSchemaListing(listing), SCHEMA_CORRECTIONS).obsolete, []);
  for (const { api, at, reason } of SCHEMA_CORRECTIONS) {
    assert.ok(reason.length > 20, `${api} ${at.join("/")}`);
  }
});
