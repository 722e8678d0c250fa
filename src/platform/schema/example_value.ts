import { isObject } from "../../base/json/fields_of.ts";
import type { ApiShapes } from "./api_shapes.ts";
import { checkValue, type Direction } from "./check_value.ts";
import { flatShape, mergeParts } from "./flat_shape.ts";
import type { SchemaNode } from "./schema_node.ts";

interface ExampleOptions {
  readonly full?: boolean;
  readonly direction?: Direction;
}

interface Making {
  readonly shapes: ApiShapes;
  readonly full: boolean;
  readonly direction: Direction;
  readonly name: string;
  readonly models: readonly string[];
}

const MAX_DEPTH = 12;

const PAGE_SIZE = /^(?:maxResults|pageSize|count|limit)$/;

export function exampleValue(
  shapes: ApiShapes,
  node: SchemaNode,
  { full = false, direction = "request" }: ExampleOptions = {},
): unknown {
  return make(node, { shapes, full, direction, name: "", models: [] }) ?? {};
}

function make(published: SchemaNode, making: Making): unknown {
  if (making.models.length > 2 * MAX_DEPTH) return undefined;
  const inside = published.ref === undefined
    ? making
    : { ...making, models: [...making.models, published.ref] };
  const resolved = making.shapes.resolve(published);
  const { node, unions } = mergeParts(making.shapes, resolved);
  const [fixed] = [node.const, ...node.enum ?? []].filter((value) => value !== undefined && value !== null);
  if (fixed !== undefined) return fixed;
  let made = own(node, inside);
  for (const union of unions) made = withAlternative(made, { whole: resolved, union }, inside);
  return made;
}

function withAlternative(
  made: unknown,
  { whole, union }: { whole: SchemaNode; union: SchemaNode },
  making: Making,
): unknown {
  const { shapes, direction } = making;
  const alternatives = [...union.oneOf ?? union.anyOf ?? []];
  // Those that lead back to where we are come last: one of them would be made of itself.
  alternatives.sort((a, b) => Number(leadsBack(a, making)) - Number(leadsBack(b, making)));
  let first: unknown;
  for (const one of alternatives) {
    const value = withDemands(joined(made, named(union, one, make(one, making))), { whole, one }, making);
    if (checkValue(shapes, whole, value, direction).length === 0) return value;
    first ??= value;
  }
  return first;
}

function withDemands(
  made: unknown,
  { whole, one }: { whole: SchemaNode; one: SchemaNode },
  making: Making,
): unknown {
  if (!isObject(made)) return made;
  const { fields } = flatShape(making.shapes, whole);
  const demanded = (making.shapes.resolve(one).required ?? []).filter((name) => !Object.hasOwn(made, name))
    .map((name) => [name, make(fields.get(name) ?? {}, { ...making, name })]);
  return demanded.length === 0 ? made : { ...made, ...Object.fromEntries(demanded) };
}

function joined(made: unknown, added: unknown): unknown {
  return isObject(made) && isObject(added) ? { ...made, ...added } : added ?? made;
}

function named({ discriminator }: SchemaNode, { ref }: SchemaNode, made: unknown): unknown {
  const [kind] = Object.entries(discriminator?.mapping ?? {}).find(([, model]) => model === ref) ?? [];
  if (discriminator === undefined || kind === undefined || typeof made !== "object" || made === null) {
    return made;
  }
  return { ...made, [discriminator.propertyName]: kind };
}

function own(node: SchemaNode, making: Making): unknown {
  const types = [node.type ?? []].flat();
  const type = types.find((one) => one !== "null") ?? (node.properties === undefined ? undefined : "object");
  switch (type) {
    case "object":
      return object(node, making);
    case "array":
      return list(node, making);
    case "string":
      return exampleText(node, making.name);
    case "boolean":
      return true;
    case "integer":
    case "number":
      return number(node, making.name);
    default:
      return undefined;
  }
}

function object(node: SchemaNode, making: Making): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties: others } = node;
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    if (making.direction === "request" ? field.readOnly : field.writeOnly) continue;
    if (!isRequired && (!making.full || field.deprecated || isTooDeep(field, making))) continue;
    made[name] = make(field, { ...making, name }) ?? "Example";
  }
  if (Object.keys(made).length === 0) Object.assign(made, oneField(properties, making));
  if (typeof others === "object" && Object.keys(made).length === 0 && (making.full || node.minProperties)) {
    if (!isTooDeep(others, making)) {
      made["example"] = make(others, { ...making, name: "example" }) ?? "Example";
    }
  }
  return made;
}

function oneField(
  properties: Readonly<Record<string, SchemaNode>>,
  making: Making,
): Record<string, unknown> {
  const open = Object.entries(properties).filter(([, field]) =>
    !(making.direction === "request" ? field.readOnly : field.writeOnly) && !isTooDeep(field, making)
  );
  const rank = ([name, { deprecated }]: [string, SchemaNode]): number =>
    deprecated ? 3 : /token|cursor/i.test(name) ? 2 : PAGE_SIZE.test(name) ? 0 : 1;
  for (const [name, field] of open.sort((a, b) => rank(a) - rank(b))) {
    const value = make(field, { ...making, name }) ?? "Example";
    if (!isObject(value) || Object.keys(value).length > 0) return { [name]: value };
  }
  return {};
}

function list(
  { items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: SchemaNode,
  making: Making,
): unknown[] {
  if (minItems === 0 && isTooDeep(items, making)) return [];
  const count = Math.min(Math.max(1, minItems), maxItems, 100);
  const made = Array.from({ length: count }, () => make(items, making) ?? "Example");
  return uniqueItems
    ? made.map((item, index) => index > 0 && typeof item === "string" ? `${item}${index}` : item)
    : made;
}

function number(
  { minimum, maximum, exclusiveMinimum, type, default: usual }: SchemaNode,
  name: string,
): number {
  if (typeof usual === "number") return usual;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const wanted = Math.max(PAGE_SIZE.test(name) ? 10 : 1, least ?? 1);
  const value = maximum !== undefined && wanted > maximum ? maximum : wanted;
  return type === "integer" ? Math.ceil(value) : value;
}

function isTooDeep({ ref, items }: SchemaNode, { models }: Making): boolean {
  const name = ref ?? items?.ref;
  return models.length > MAX_DEPTH || (name !== undefined && models.includes(name));
}

function leadsBack(published: SchemaNode, making: Making, depth = 0): boolean {
  if (published.ref !== undefined && making.models.includes(published.ref)) return true;
  if (depth > 4) return false;
  const node = making.shapes.resolve(published);
  const fields = (node.required ?? []).flatMap((name) => node.properties?.[name] ?? []);
  const items = node.items !== undefined && (node.minItems ?? 0) > 0 ? [node.items] : [];
  return [...fields, ...items, ...node.allOf ?? []].some((part) => leadsBack(part, making, depth + 1));
}

const FORMATS: Readonly<Record<string, string>> = {
  "date": "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  "uri": "https://example.com/",
  "url": "https://example.com/",
  "email": "user@example.com",
  "uuid": "00000000-0000-4000-8000-000000000000",
  "byte": "AAAA",
};

const CANDIDATES = [
  "Example",
  "1",
  "2026-01-31",
  "20260131",
  "2026-01-31T12:00:00Z",
  "00:00Z",
  "12:00",
  "US",
  "en_US",
  "B0EXAMPLE1",
  "a.b",
  "1/2026",
  "AAAA",
  "00000000-0000-4000-8000-000000000000",
  "example.png",
  "0".repeat(64),
  "51000000",
  "52000000",
  "4000000",
];

function exampleText(node: SchemaNode, name: string): string {
  const byFormat = node.format === undefined ? undefined : FORMATS[node.format];
  const candidates = [byFormat, byName(name), ...CANDIDATES].filter((text) => text !== undefined);
  const { pattern, minLength = 0, maxLength = Infinity } = node;
  const fitted = candidates.map((text) => text.padEnd(minLength, text).slice(0, maxLength));
  if (pattern === undefined) return fitted[0] ?? "";
  return fitted.find((text) => new RegExp(pattern).test(text)) ?? fitted[0] ?? "";
}

function byName(name: string): string | undefined {
  if (/asins?(?:List)?$/i.test(name)) return "B0EXAMPLE1";
  if (/ids?(?:List|Filter)?$/i.test(name)) return "123456789012345";
  if (/^(?:country|marketplace)(?:Code)?s?$/i.test(name)) return "US";
  if (/currency/i.test(name)) return "USD";
  if (/date(?:time)?$/i.test(name)) return "2026-01-31";
  return /url$/i.test(name) ? "https://example.com/" : undefined;
}
