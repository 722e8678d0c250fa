import type { SchemaNode } from "../../../platform/schema/schema_node.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Random } from "../../core/random.ts";
import type { ApiShapes } from "./api_shapes.ts";
import { checkValue, hasOnlyKnownFields, matches, typesOf } from "./check_value.ts";

interface ValueSource {
  readonly shapes: ApiShapes;
  readonly random: Random;
  readonly now: number;
  readonly facts: JsonObject;
  /** Items of result lists, one per entry; other lists get one or two made-up items. */
  readonly items?: readonly JsonObject[] | undefined;
}

const MAX_DEPTH = 7;
const ID = /I[dD]s?$|(?:^|_)ids?$/;

/** Lists of failures stay empty. */
const FAILURES = /^(error|errors|failed|failures?|.*ErrorResults?|partialSuccess|warnings?|violations?)$/i;

/** Makes a value; equal sources give equal values. */
export function makeValue(node: SchemaNode, source: ValueSource, name = "", depth = 0): Json {
  const shape = flattened(source.shapes.resolve(node), source.shapes);
  const fact = source.facts[name];
  const isUsable = fact !== undefined && checkValue(fact, shape, source.shapes) === undefined &&
    hasOnlyKnownFields(fact, shape, source.shapes);
  if (isUsable) return fact;
  if (shape.const !== undefined) return plain(shape.const);
  const first = shape.enum?.find((value) => value !== null && isUsual(value)) ?? shape.enum?.[0];
  if (first !== undefined) return plain(first);
  const union = shape.oneOf ?? shape.anyOf;
  if (union !== undefined) return makeUnion(union, shape, source, name, depth);
  switch (typesOf(shape).find((type) => type !== "null") ?? (shape.properties ? "object" : undefined)) {
    case "array":
      return makeList(shape, source, name, depth);
    case "object":
      return makeObject(shape, source, depth);
    case "boolean":
      return source.random.chance(0.5);
    case "integer":
      return makeNumber(shape, source, name, true);
    case "number":
      return makeNumber(shape, source, name, false);
    case "string":
      return sampleText(shape, name, source);
    default:
      return typesOf(shape).includes("null") ? null : {};
  }
}

function makeUnion(
  union: readonly SchemaNode[],
  shape: SchemaNode,
  source: ValueSource,
  name: string,
  depth: number,
): Json {
  const { oneOf: _, anyOf: __, ...rest } = shape;
  let made: Json | undefined;
  for (const part of union) {
    const merged = merge(rest, source.shapes.resolve(part), source.shapes);
    const bounded = depth > MAX_DEPTH ? { ...merged, properties: requiredOnly(merged) } : merged;
    const value = makeValue(bounded, source, name, depth + 1);
    if (checkValue(value, shape, source.shapes) === undefined) return value;
    made ??= value;
  }
  return made ?? {};
}

function requiredOnly({ properties = {}, required = [] }: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name)));
}

function makeList(shape: SchemaNode, source: ValueSource, name: string, depth: number): Json {
  const { items = {}, minItems = 0, maxItems = Infinity } = shape;
  if (FAILURES.test(name) && minItems === 0) return [];
  const isObjects = isObjectShape(items, source.shapes);
  if (source.items !== undefined && isObjects && depth <= 2) {
    const count = Math.min(Math.max(source.items.length, minItems), maxItems);
    return Array.from({ length: count }, (_, index) => {
      const item = source.items?.[index] ?? {};
      const { items: __, ...rest } = source;
      return makeValue(items, { ...rest, facts: { ...source.facts, ...item, index } }, "", depth + 1);
    });
  }
  const wanted = depth > MAX_DEPTH ? 0 : isObjects ? 2 : 1;
  const count = Math.min(Math.max(wanted, minItems), maxItems);
  const values: Json[] = [];
  for (let tries = 0; values.length < count && tries < count * 10; tries++) {
    const value = makeValue(items, source, name.replace(/s$/, ""), depth + 1);
    const isTwice = shape.uniqueItems &&
      values.some((each) => JSON.stringify(each) === JSON.stringify(value));
    if (!isTwice) values.push(value);
  }
  return values;
}

function makeObject(shape: SchemaNode, source: ValueSource, depth: number): Json {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = shape;
  const names = Object.keys(properties).filter((name) =>
    required.includes(name) ||
    (depth < MAX_DEPTH && !isPageToken(name) && properties[name]?.writeOnly !== true)
  );
  const value: JsonObject = {};
  for (const name of names) {
    const field = properties[name] ?? {};
    if (!required.includes(name) && isRecursive(field, source.shapes) && depth > 2) continue;
    const nested = source.facts[name];
    const inner = isObject(nested) ? { ...source, facts: { ...source.facts, ...nested } } : source;
    value[name] = makeValue(field, inner, name, depth + 1);
  }
  for (let index = Object.keys(value).length; index < minProperties; index++) {
    const node = typeof additionalProperties === "object"
      ? additionalProperties
      : { type: "string" as const };
    value[`key${index + 1}`] = makeValue(node, source, "", depth + 1);
  }
  return value;
}

function makeNumber(shape: SchemaNode, { random }: ValueSource, name: string, whole: boolean): number {
  const {
    minimum = 0,
    maximum = Infinity,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf = whole || ID.test(name) ? 1 : 0.01,
  } = shape;
  const low = exclusiveMinimum === undefined ? minimum : Math.max(minimum, exclusiveMinimum + multipleOf);
  const high = exclusiveMaximum === undefined ? maximum : Math.min(maximum, exclusiveMaximum - multipleOf);
  const usual = ID.test(name) ? random.integer(1e11, 9e11) : random.integer(1, 100);
  const start = Math.ceil(Number((low / multipleOf).toFixed(6)));
  const end = Math.min(start + usual, Math.floor(Number((Math.min(high, 9e15) / multipleOf).toFixed(6))));
  return Number((Math.max(start, end) * multipleOf).toFixed(6));
}

function flattened(shape: SchemaNode, shapes: ApiShapes): SchemaNode {
  const { allOf, ...rest } = shape;
  if (allOf === undefined) return shape;
  return allOf.reduce<SchemaNode>((whole, part) => merge(whole, shapes.resolve(part), shapes), rest);
}

function merge(a: SchemaNode, part: SchemaNode, shapes: ApiShapes): SchemaNode {
  const b = flattened(shapes.resolve(part), shapes);
  const properties: Record<string, SchemaNode> = { ...a.properties };
  for (const [name, field] of Object.entries(b.properties ?? {})) {
    const known = properties[name];
    properties[name] = known === undefined ? field : merge(shapes.resolve(known), field, shapes);
  }
  const required = [...new Set([...a.required ?? [], ...b.required ?? []])];
  const both = a.enum && b.enum ? a.enum.filter((value) => b.enum?.includes(value)) : undefined;
  // Some descriptions mean a second enumeration as further values, which leaves none that both have.
  const values = both?.length === 0 ? b.enum : both ?? b.enum ?? a.enum;
  return {
    ...a,
    ...b,
    ...(values === undefined ? {} : { enum: values }),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function isObjectShape(node: SchemaNode, shapes: ApiShapes): boolean {
  const shape = flattened(shapes.resolve(node), shapes);
  return shape.properties !== undefined || typesOf(shape).includes("object") ||
    [...shape.oneOf ?? [], ...shape.anyOf ?? []].some((part) => isObjectShape(part, shapes));
}

/** Recursive fields are omitted below a certain depth. */
function isRecursive(node: SchemaNode, shapes: ApiShapes): boolean {
  const shape = shapes.resolve(node);
  return node.ref !== undefined && JSON.stringify(shape).includes(`"${node.ref}"`);
}

function isPageToken(name: string): boolean {
  return /^(next|previous)(Token|Cursor)$|^cursor$/i.test(name);
}

function isUsual(value: unknown): boolean {
  return !/ARCHIVED|FAIL|ERROR|REJECT|DELETED|OTHER/i.test(String(value));
}

function plain(value: unknown): Json {
  return typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value as Json;
}

const HEX = "0123456789abcdef";

const PLAIN = [
  "sample",
  "Sample1234",
  "2026-09-30",
  "12:00Z",
  "12:00",
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "US",
  "en-US",
  "51000001",
  "52000001",
  "4000001",
  "1/2026",
  "a.b",
  "1",
  "photo.jpg",
  "/2026-09-30/",
  "ZGVtbw==",
  "[a-z}-AZ]",
  "0".repeat(64),
];

export function sampleText(
  shape: SchemaNode,
  name: string,
  { random, now }: { random: Random; now: number },
): string {
  const { minLength = 0, maxLength = Infinity, pattern, format } = shape;
  const candidates = [...byFormat(format, { random, now }), ...byName(name, { random, now }), ...PLAIN];
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || matches(pattern, text));
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  const stretched = candidates.map((text) => text.padEnd(minLength, "x").slice(0, maxLength)).find(fits);
  return stretched ?? "x".repeat(Math.min(maxLength, Math.max(minLength, 1)));
}

function byFormat(format: string | undefined, { random, now }: { random: Random; now: number }): string[] {
  const moment = new Date(now - random.integer(0, 30) * 86_400_000).toISOString();
  switch (format) {
    case "date-time":
      return [moment];
    case "date":
      return [moment.slice(0, 10)];
    case "uuid":
      return [uuid(random)];
    case "uri":
      return ["https://files.example/item"];
    case "byte":
      return ["ZGVtbw=="];
    default:
      return [];
  }
}

function byName(name: string, { random, now }: { random: Random; now: number }): string[] {
  const lower = name.toLowerCase();
  const day = new Date(now).toISOString().slice(0, 10);
  // A successful response says so.
  if (lower === "code") return ["SUCCESS"];
  if (/^asins?$|asin$/.test(lower)) return [`B0${letters(random, 8)}`];
  if (/ids?$/.test(lower)) {
    return [digits(random, 12), uuid(random), `A${letters(random, 9)}`, `a${digits(random, 5)}`];
  }
  if (/url|uri|link/.test(lower)) return [`https://files.example/${digits(random, 6)}`];
  if (/email/.test(lower)) return ["someone@example.com"];
  if (/currency/.test(lower)) return ["USD"];
  if (/country|marketplace/.test(lower)) return ["US"];
  if (/locale|language/.test(lower)) return ["en_US"];
  if (/timezone/.test(lower)) return ["America/Los_Angeles"];
  if (/date|time|at$/.test(lower)) return [new Date(now).toISOString(), day];
  if (/name|title/.test(lower)) return [`Sample ${letters(random, 4)}`];
  if (/token/.test(lower)) return [];
  return [];
}

function uuid(random: Random): string {
  const hex = (count: number) => Array.from({ length: count }, () => HEX[random.integer(0, 15)]).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function digits(random: Random, count: number): string {
  return String(random.integer(10 ** (count - 1), 10 ** count - 1));
}

function letters(random: Random, count: number): string {
  const all = "BCDFGHJKLMNPQRSTVWXZ0123456789";
  return Array.from({ length: count }, () => all[random.integer(0, all.length - 1)]).join("");
}
