import type { ApiShapes } from "./api_shapes.ts";
import { eitherOf } from "./merge_parts.ts";
import type { SchemaNode, SchemaType } from "./schema_node.ts";

export interface FlatShape {
  readonly fields: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  readonly items: SchemaNode | undefined;
  readonly others: SchemaNode | undefined;
  readonly types: ReadonlySet<SchemaType>;
  readonly parts: readonly SchemaNode[];
}

const known = new WeakMap<SchemaNode, FlatShape>();

export function flatShape(shapes: ApiShapes, node: SchemaNode): FlatShape {
  let flat = known.get(node);
  if (flat === undefined) known.set(node, flat = flatten(shapes, node));
  return flat;
}

function flatten(shapes: ApiShapes, node: SchemaNode): FlatShape {
  const parts: SchemaNode[] = [];
  const required = new Set<string>();
  collect(shapes, node, { parts, required, isCertain: true });
  const fields = new Map<string, SchemaNode>();
  const items: SchemaNode[] = [];
  const others: SchemaNode[] = [];
  const types = new Set<SchemaType>();
  for (const part of parts) {
    for (const type of [part.type ?? []].flat()) types.add(type);
    if (part.items !== undefined) items.push(part.items);
    if (typeof part.additionalProperties === "object") others.push(part.additionalProperties);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const present = fields.get(name);
      fields.set(name, present === undefined ? field : eitherOf([present, field]));
    }
  }
  return { fields, required, items: one(items), others: one(others), types, parts };
}

function collect(
  shapes: ApiShapes,
  node: SchemaNode,
  found: { parts: SchemaNode[]; required: Set<string>; isCertain: boolean },
): void {
  const shape = shapes.resolve(node);
  if (found.parts.includes(shape)) return;
  found.parts.push(shape);
  if (found.isCertain) { for (const name of shape.required ?? []) found.required.add(name); }
  for (const part of shape.allOf ?? []) collect(shapes, part, found);
  for (const part of [...shape.oneOf ?? [], ...shape.anyOf ?? []]) {
    collect(shapes, part, { ...found, isCertain: false });
  }
}

function one(nodes: readonly SchemaNode[]): SchemaNode | undefined {
  return nodes.length === 0 ? undefined : eitherOf(nodes);
}
