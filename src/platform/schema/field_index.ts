import type { ApiShapes } from "./api_shapes.ts";
import { flatShape } from "./flat_shape.ts";
import { loadApiShapes } from "./load_api_shapes.ts";
import type { SchemaNode } from "./schema_node.ts";

export type FieldIndex = ReadonlyMap<string, ReadonlySet<string>>;

let index: Promise<FieldIndex> | undefined;

/** Reads the field names of every described operation: about 0.2 s on first use. */
export function fieldIndex(): Promise<FieldIndex> {
  index ??= read();
  return index;
}

async function read(): Promise<FieldIndex> {
  const { SCHEMA_FILES } = await import("./schema_files.js");
  const apis = await Promise.all(Object.keys(SCHEMA_FILES).map(loadApiShapes));
  const fields = new Map<string, ReadonlySet<string>>();
  for (const shapes of apis) {
    for (const name of shapes?.operationNames ?? []) {
      const shape = shapes?.operation(name);
      if (shapes === undefined || shape === undefined) continue;
      const names = new Set(
        shape.parameters.filter((one) => one.in !== "header").map((one) => one.name.toLowerCase()),
      );
      for (const node of Object.values(shape.body ?? {})) collect(shapes, node, { names, seen: new Set() });
      fields.set(`${shapes.api}:${name}`, names);
    }
  }
  return fields;
}

function collect(
  shapes: ApiShapes,
  node: SchemaNode,
  found: { names: Set<string>; seen: Set<SchemaNode> },
): void {
  const { fields, items, others, parts: [first = node] } = flatShape(shapes, node);
  if (found.seen.has(first)) return;
  found.seen.add(first);
  for (const [name, field] of fields) {
    found.names.add(name.toLowerCase());
    collect(shapes, field, found);
  }
  for (const inner of [items, others]) if (inner !== undefined) collect(shapes, inner, found);
}
