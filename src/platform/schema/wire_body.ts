import type { ApiShapes } from "./api_shapes.ts";
import { type FlatShape, flatShape } from "./flat_shape.ts";
import type { OperationShape } from "./operation_shape.ts";
import type { SchemaNode } from "./schema_node.ts";

export interface WireWords {
  word(text: string): string;
  short(text: string): string;
}

const DIGITS = /^-?\d+$/;

/**
 * Uses the platform's own word where described, and sends digits as integers if the shape requires them. Returns a
 * copy.
 */
export function wireBody(shapes: ApiShapes, node: SchemaNode, value: unknown, words: WireWords): unknown {
  return converted(shapes, node, value, (flat, text) => {
    const isNumber = DIGITS.test(text) && !flat.types.has("string") &&
      (flat.types.has("integer") || flat.types.has("number"));
    return isNumber ? BigInt(text) : wireText(flat, text, words);
  }, words);
}

export function wordedBody(shapes: ApiShapes, node: SchemaNode, value: unknown, words: WireWords): unknown {
  if (!hasMarks(shapes, node)) return value;
  return converted(shapes, node, value, (flat, text) => wireText(flat, text, words), words);
}

function converted(
  shapes: ApiShapes,
  node: SchemaNode,
  value: unknown,
  text: (flat: FlatShape, text: string) => unknown,
  words: WireWords,
): unknown {
  const convert = (shape: SchemaNode, value: unknown): unknown => {
    const flat = flatShape(shapes, shape);
    if (typeof value === "string") return text(flat, value);
    return mapped(flat, value, { convert, rename: (name, field) => wireName(name, field, words) });
  };
  return convert(node, value);
}

const marked = new WeakMap<SchemaNode, boolean>();

function hasMarks(shapes: ApiShapes, node: SchemaNode, above = new Set<SchemaNode>()): boolean {
  const known = marked.get(node);
  if (known !== undefined) return known;
  const { fields, items, others, parts } = flatShape(shapes, node);
  if (parts.some((part) => above.has(part))) return false;
  const within = new Set([...above, ...parts]);
  const inner = [
    ...fields.values(),
    ...items === undefined ? [] : [items],
    ...others === undefined ? [] : [others],
  ];
  const found = parts.some(({ wordEnum, wordEnumShort }) => (wordEnum ?? wordEnumShort) !== undefined) ||
    [...fields.values()].some(({ word, wordShort }) => word || wordShort) ||
    inner.some((field) => hasMarks(shapes, field, within));
  // What was looked at inside of a circle is not known to its end.
  if (found || above.size === 0) marked.set(node, found);
  return found;
}

export function neutralBody(shapes: ApiShapes, node: SchemaNode, value: unknown, words: WireWords): unknown {
  if (!hasMarks(shapes, node)) return value;
  const convert = (shape: SchemaNode, value: unknown): unknown => {
    const flat = flatShape(shapes, shape);
    if (typeof value === "string") {
      return markedTexts(flat).find((text) => wireText(flat, text, words) === value) ?? value;
    }
    const neutral = new Map<string, string>();
    for (const [name, field] of flat.fields) {
      const wired = wireName(name, field, words);
      if (wired !== name) neutral.set(wired, name);
    }
    return mapped({ ...flat, fields: renamed(flat.fields, neutral) }, value, {
      convert,
      rename: (name) => neutral.get(name) ?? name,
    });
  };
  return convert(node, value);
}

function renamed(fields: FlatShape["fields"], neutral: ReadonlyMap<string, string>): FlatShape["fields"] {
  if (neutral.size === 0) return fields;
  const wired = Array.from(neutral, ([wire, name]): [string, SchemaNode] => [wire, fields.get(name) ?? {}]);
  return new Map([...fields, ...wired]);
}

function mapped(
  { fields, items, others }: FlatShape,
  value: unknown,
  { convert, rename }: {
    convert: (node: SchemaNode, value: unknown) => unknown;
    rename: (name: string, field: SchemaNode) => string;
  },
): unknown {
  if (Array.isArray(value)) {
    if (items === undefined) return value;
    const converted = value.map((item) => convert(items, item));
    return converted.some((item, index) => item !== value[index]) ? converted : value;
  }
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  let isChanged = false;
  const converted = Object.entries(value).map(([name, field]): [string, unknown] => {
    const shape = fields.get(name) ?? others;
    if (shape === undefined) return [name, field];
    const [newName, newField] = [rename(name, shape), convert(shape, field)];
    isChanged ||= newName !== name || newField !== field;
    return [newName, newField];
  });
  return isChanged ? Object.fromEntries(converted) : value;
}

function wireName(name: string, field: SchemaNode, words: WireWords): string {
  if (field.word) return words.word(name);
  return field.wordShort ? words.short(name) : name;
}

function wireText({ parts }: FlatShape, text: string, words: WireWords): string {
  for (const { wordEnum, wordEnumShort } of parts) {
    if (wordEnum?.includes(text)) return words.word(text);
    if (wordEnumShort?.includes(text)) return words.short(text);
  }
  return text;
}

function markedTexts({ parts }: FlatShape): string[] {
  return parts.flatMap(({ wordEnum = [], wordEnumShort = [] }) => [...wordEnum, ...wordEnumShort]);
}

type Value = string | number | boolean | readonly string[] | { readonly repeated: readonly string[] };

interface WireParameters {
  readonly params: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, string>>;
}

export function wireParameters(
  shapes: ApiShapes,
  { parameters }: OperationShape,
  { params, headers }: WireParameters,
  words: WireWords,
): WireParameters {
  const published = parameters.map((one) => ({
    ...one,
    name: one.in === "query" ? words.word(one.name) : one.name,
  }));
  const known = (place: "query" | "header", name: string) =>
    published.find((one) => one.in === place && one.name.toLowerCase() === name.toLowerCase())?.schema;
  return {
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        const schema = known("query", name);
        if (schema === undefined) return [name, value];
        const wired = wordedBody(shapes, schema, value, words) as Value;
        const isRepeated = schema.explode !== false &&
          [shapes.resolve(schema).type ?? []].flat().includes("array");
        return [name, isRepeated && Array.isArray(wired) ? { repeated: wired } : wired];
      }),
    ),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        known("header", name)?.wordShort ? words.short(name) : name,
        value,
      ]),
    ),
  };
}
