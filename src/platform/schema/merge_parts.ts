import type { ApiShapes } from "./api_shapes.ts";
import type { SchemaNode } from "./schema_node.ts";

export interface MergedShape {
  readonly node: SchemaNode;
  readonly unions: readonly SchemaNode[];
}

const known = new WeakMap<SchemaNode, MergedShape>();

export function mergeParts(shapes: ApiShapes, node: SchemaNode): MergedShape {
  let found = known.get(node);
  if (found === undefined) known.set(node, found = merge(shapes, node));
  return found;
}

function merge(shapes: ApiShapes, node: SchemaNode): MergedShape {
  const parts = partsOf(shapes, node, []);
  const unions = parts.filter(({ oneOf, anyOf }) => oneOf !== undefined || anyOf !== undefined);
  const fields = new Map<string, SchemaNode[]>();
  const required = new Set<string>();
  for (const part of parts) {
    for (const name of part.required ?? []) required.add(name);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      fields.set(name, [...fields.get(name) ?? [], field]);
    }
  }
  const { allOf: _, oneOf: _one, anyOf: _any, ...merged } = Object.assign({}, ...parts.toReversed());
  return {
    node: {
      ...merged,
      ...(fields.size > 0 && {
        properties: Object.fromEntries(Array.from(fields, ([name, nodes]) => [name, eitherOf(nodes)])),
      }),
      ...(required.size > 0 && { required: [...required] }),
    },
    unions,
  };
}

function partsOf(shapes: ApiShapes, node: SchemaNode, found: SchemaNode[]): SchemaNode[] {
  const shape = shapes.resolve(node);
  if (found.includes(shape)) return found;
  found.push(shape);
  for (const part of shape.allOf ?? []) partsOf(shapes, part, found);
  return found;
}

export function eitherOf(nodes: readonly SchemaNode[]): SchemaNode {
  const [only = {}] = nodes;
  if (nodes.length < 2) return only;
  const word = nodes.some((node) => node.word);
  const wordShort = nodes.some((node) => node.wordShort);
  return { anyOf: nodes, ...(word && { word }), ...(wordShort && { wordShort }) };
}
