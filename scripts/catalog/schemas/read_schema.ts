import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";
import { neutralise } from "../neutral_words.ts";
import { type Node, nodeOf } from "../resolve_ref.ts";

/** Keywords that mean the same in a description and in a shape. */
const KEPT = [
  "format",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
];
const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

/** A shape out of a schema of a description, in neutral words; marks tell where the platform's own word stands. */
export function readSchema(schema: unknown, words: readonly string[]): SchemaNode {
  const node = nodeOf(schema);
  if (typeof node["$ref"] === "string") return { ref: neutralise(modelName(node["$ref"]), words) };
  const read = (value: unknown): SchemaNode => readSchema(value, words);
  const shape: Record<string, unknown> = {};
  const type = typeOf(node);
  if (type !== undefined) shape["type"] = type;
  for (const name of KEPT) if (node[name] !== undefined && node[name] !== false) shape[name] = node[name];
  if (node["type"] === "file") shape["format"] = "binary";
  if (node["items"] !== undefined) shape["items"] = read(node["items"]);
  if (node["not"] !== undefined) shape["not"] = read(node["not"]);
  for (const name of ["oneOf", "anyOf", "allOf"]) {
    const list = node[name];
    if (Array.isArray(list)) shape[name] = list.map(read);
  }
  const { additionalProperties: others } = node;
  if (others !== undefined) {
    shape["additionalProperties"] = typeof others === "boolean" ? others : read(others);
  }
  return {
    ...shape,
    ...limits(node),
    ...fields(node, words),
    ...values(node, words),
    ...discriminator(node["discriminator"], words),
  };
}

function modelName(ref: string): string {
  return decodeURIComponent(ref.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function typeOf(node: Node): unknown {
  const { type, nullable } = node;
  if (type === "file") return "string";
  if (Array.isArray(type)) return type;
  if (typeof type !== "string" || !TYPES.includes(type)) return undefined;
  return nullable === true ? [type, "null"] : type;
}

/** Version 3.0 says by `true` that a limit itself is not allowed, 2020-12 by the limit. */
function limits(node: Node): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (
    const [limit, exclusive] of [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const
  ) {
    const isExcluded = node[exclusive] === true;
    if (typeof node[exclusive] === "number") found[exclusive] = node[exclusive];
    if (node[limit] !== undefined) found[isExcluded ? exclusive : limit] = node[limit];
  }
  return found;
}

function fields(node: Node, words: readonly string[]): Record<string, unknown> {
  if (node["properties"] === undefined) return {};
  const properties: Record<string, SchemaNode> = {};
  for (const [published, field] of Object.entries(nodeOf(node["properties"]))) {
    const name = neutralise(published, words);
    properties[name] = { ...readSchema(field, words), ...(name === published ? {} : { word: true }) };
  }
  const wanted = Array.isArray(node["required"]) ? node["required"] : [];
  const required = wanted.map((name) => neutralise(String(name), words)).filter((name) =>
    Object.hasOwn(properties, name)
  );
  return { properties, ...(required.length === 0 ? {} : { required: required.sort() }) };
}

function values(node: Node, words: readonly string[]): Record<string, unknown> {
  const neutral = (value: unknown): unknown => typeof value === "string" ? neutralise(value, words) : value;
  const found: Record<string, unknown> = {};
  const list = Array.isArray(node["enum"]) ? node["enum"] : [];
  if (list.length > 0) found["enum"] = list.map(neutral).sort();
  if (node["const"] !== undefined) found["const"] = neutral(node["const"]);
  const marked = [...list, node["const"]].filter((value) => neutral(value) !== value).map(neutral);
  if (marked.length > 0) found["wordEnum"] = marked.sort();
  return found;
}

function discriminator(value: unknown, words: readonly string[]): Record<string, unknown> {
  const { propertyName, mapping } = nodeOf(value);
  if (typeof propertyName !== "string") return {};
  const named = Object.entries(nodeOf(mapping)).map(([key, ref]) => [
    neutralise(key, words),
    neutralise(modelName(String(ref)), words),
  ]);
  return {
    discriminator: {
      propertyName: neutralise(propertyName, words),
      ...(named.length === 0 ? {} : { mapping: Object.fromEntries(named) }),
    },
  };
}
