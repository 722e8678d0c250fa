import type { ApiShapes } from "./api_shapes.ts";
import type { SchemaNode, SchemaType } from "./schema_node.ts";

export interface MergedShape {
  readonly node: SchemaNode;
  readonly unions: readonly SchemaNode[];
}

const knownMerged = new WeakMap<SchemaNode, MergedShape>();

export function mergeParts(shapes: ApiShapes, node: SchemaNode): MergedShape {
  let found = knownMerged.get(node);
  if (found === undefined) knownMerged.set(node, found = merge(shapes, node));
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

export interface FlatShape {
  readonly fields: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  readonly items: SchemaNode | undefined;
  readonly others: SchemaNode | undefined;
  readonly types: ReadonlySet<SchemaType>;
  readonly parts: readonly SchemaNode[];
}

const knownFlat = new WeakMap<SchemaNode, FlatShape>();

export function flatShape(shapes: ApiShapes, node: SchemaNode): FlatShape {
  let flat = knownFlat.get(node);
  if (flat === undefined) knownFlat.set(node, flat = flatten(shapes, node));
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
