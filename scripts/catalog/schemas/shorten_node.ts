import { isDeepStrictEqual } from "node:util";
import { expandNode, type ShortNode, type ShortObject } from "../../../src/platform/schema/api_shapes.ts";
import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";

const LETTERS: Readonly<Record<string, string>> = {
  string: "s",
  integer: "i",
  number: "n",
  boolean: "b",
  object: "o",
};

/**
 * Writes a shape in its short form; the inverse of `expandNode`.
 *
 * @throws {Error} when the shape cannot be read back, as one with a field named with a `!` at its end.
 */
export function shortenNode(node: SchemaNode): ShortNode {
  const short = simple(node) ?? list(node) ?? object(node);
  return short;
}

/** Throws when a shape that was shortened does not expand to what it was. */
export function ensureLossless(node: SchemaNode, short: ShortNode): void {
  const again = expandNode(short);
  if (!isDeepStrictEqual(again, node)) {
    throw new Error(`Cannot shorten a schema: ${JSON.stringify(node)} would read ${JSON.stringify(again)}`);
  }
}

function simple(node: SchemaNode): string | undefined {
  const { ref, type, enum: values, format, ...rest } = node;
  const { minLength, maxLength, minimum, maximum, ...others } = rest;
  if (Object.keys(others).length > 0) return undefined;
  const plain = Object.keys(rest).length === 0 && format === undefined;
  if (ref !== undefined) return plain && type === undefined && values === undefined ? `@${ref}` : undefined;
  if (values !== undefined) return plain && type === "string" ? texts(values) : undefined;
  if (type === undefined) return plain ? "*" : undefined;
  const letter = typeof type === "string" ? LETTERS[type] : undefined;
  if (letter === undefined || format?.includes("<")) return undefined;
  const isText = letter === "s";
  const [low, high] = isText ? [minLength, maxLength] : [minimum, maximum];
  const odd = isText ? [minimum, maximum] : [minLength, maxLength];
  if (odd.some((limit) => limit !== undefined)) return undefined;
  const range = low === undefined && high === undefined ? "" : `<${low ?? ""}..${high ?? ""}>`;
  return `${letter}${format === undefined ? "" : `:${format}`}${range}`;
}

function texts(values: readonly unknown[]): string | undefined {
  const isPlain = values.length > 0 &&
    values.every((value) => typeof value === "string" && !value.includes("|"));
  return isPlain ? `=${values.join("|")}` : undefined;
}

function list(node: SchemaNode): ShortNode | undefined {
  const { type, items, minItems, maxItems, ...rest } = node;
  if (type !== "array" || items === undefined || Object.keys(rest).length > 0) return undefined;
  const short = shortenNode(items);
  if (maxItems !== undefined) return [short, minItems ?? null, maxItems];
  return minItems === undefined ? [short] : [short, minItems];
}

function object(node: SchemaNode): ShortObject {
  const { properties = {}, required = [], type, ...rest } = node;
  const names = Object.keys(properties);
  const marked = required.every((name) => names.includes(name)) && names.length > 0;
  const short: Record<string, ShortObject[string]> = {};
  const keywords: Record<string, unknown> = {};
  if (names.length === 0 ? type !== undefined : type !== "object") keywords["type"] = type ?? "";
  if (!marked && required.length > 0) keywords["required"] = required;
  for (const [name, value] of Object.entries(rest)) keywords[name] = keyword(name, value);
  if (Object.keys(keywords).length > 0) short[""] = keywords;
  for (const [name, value] of Object.entries(properties)) {
    short[marked && required.includes(name) ? `${name}!` : name] = shortenNode(value);
  }
  return short;
}

function keyword(name: string, value: unknown): unknown {
  if (name === "items" || name === "not") return shortenNode(value as SchemaNode);
  if (name === "additionalProperties" && typeof value !== "boolean") return shortenNode(value as SchemaNode);
  if (name === "oneOf" || name === "anyOf" || name === "allOf") {
    return (value as SchemaNode[]).map(shortenNode);
  }
  return value;
}
