import type { SchemaNode, SchemaType } from "../../../platform/schema/schema_node.ts";
import { isObject } from "../../core/json.ts";
import type { ApiShapes } from "./api_shapes.ts";

export function checkValue(
  value: unknown,
  node: SchemaNode,
  shapes: ApiShapes,
  path = "body",
): string | undefined {
  const shape = shapes.resolve(node);
  const types = typesOf(shape);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return `${path} must be ${types.join(" or ")}`;
  }
  if (shape.enum !== undefined && !shape.enum.some((each) => each === value)) {
    return `${path} must be one of ${shape.enum.join(", ")}`;
  }
  if (shape.const !== undefined && shape.const !== value) return `${path} must be ${String(shape.const)}`;
  return checkUnions(value, shape, shapes, path) ??
    (typeof value === "string"
      ? checkText(value, shape, path)
      : typeof value === "number" || typeof value === "bigint"
      ? checkNumber(Number(value), shape, path)
      : Array.isArray(value)
      ? checkList(value, shape, shapes, path)
      : isObject(value)
      ? checkFields(value, shape, shapes, path)
      : undefined);
}

export function hasOnlyKnownFields(value: unknown, node: SchemaNode, shapes: ApiShapes): boolean {
  if (typeof value !== "object" || value === null) return true;
  const shape = shapes.resolve(node);
  const parts = [...shape.allOf ?? [], ...shape.oneOf ?? [], ...shape.anyOf ?? []];
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items !== undefined) return value.every((each) => hasOnlyKnownFields(each, items, shapes));
    return parts.some((part) => hasOnlyKnownFields(value, part, shapes));
  }
  const fields = fieldsOf(shape, shapes);
  if (fields === undefined) return true;
  return Object.entries(value).every(([name, part]) => {
    const field = fields.get(name);
    return field !== undefined && hasOnlyKnownFields(part, field, shapes);
  });
}

function fieldsOf(node: SchemaNode, shapes: ApiShapes): Map<string, SchemaNode> | undefined {
  const shape = shapes.resolve(node);
  const parts = [...shape.allOf ?? [], ...shape.oneOf ?? [], ...shape.anyOf ?? []];
  if (shape.additionalProperties !== undefined && shape.additionalProperties !== false) return undefined;
  if (shape.properties === undefined && parts.length === 0) return undefined;
  const fields = new Map(Object.entries(shape.properties ?? {}));
  for (const part of parts) {
    for (const [name, field] of fieldsOf(part, shapes) ?? []) if (!fields.has(name)) fields.set(name, field);
  }
  return fields;
}

export function typesOf({ type }: SchemaNode): readonly SchemaType[] {
  return type === undefined ? [] : typeof type === "string" ? [type] : type;
}

function isOfType(value: unknown, type: SchemaType): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return typeof value === "bigint" || typeof value === "number";
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
  }
}

function checkUnions(value: unknown, shape: SchemaNode, shapes: ApiShapes, path: string): string | undefined {
  for (const part of shape.allOf ?? []) {
    const problem = checkValue(value, part, shapes, path);
    if (problem !== undefined) return problem;
  }
  for (const parts of [shape.oneOf, shape.anyOf]) {
    if (parts === undefined || parts.length === 0) continue;
    const problems = parts.map((part) => checkValue(value, part, shapes, path));
    if (!problems.includes(undefined)) return problems[0];
  }
  if (shape.not !== undefined && checkValue(value, shape.not, shapes, path) === undefined) {
    return `${path} is not allowed`;
  }
  return undefined;
}

function checkText(
  value: string,
  { minLength = 0, maxLength = Infinity, pattern }: SchemaNode,
  path: string,
): string | undefined {
  if (value.length < minLength || value.length > maxLength) {
    return `${path} must have ${minLength} to ${maxLength} characters`;
  }
  return pattern === undefined || matches(pattern, value) ? undefined : `${path} must match ${pattern}`;
}

/** Invalid patterns match everything. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

function checkNumber(value: number, shape: SchemaNode, path: string): string | undefined {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
  } = shape;
  if (value < minimum || value > maximum || value <= exclusiveMinimum || value >= exclusiveMaximum) {
    return `${path} must be from ${Math.max(minimum, exclusiveMinimum)} to ${
      Math.min(maximum, exclusiveMaximum)
    }`;
  }
  const { multipleOf } = shape;
  if (multipleOf === undefined) return undefined;
  const times = value / multipleOf;
  return Math.abs(times - Math.round(times)) < 1e-6
    ? undefined
    : `${path} must be a multiple of ${multipleOf}`;
}

function checkList(
  values: readonly unknown[],
  shape: SchemaNode,
  shapes: ApiShapes,
  path: string,
): string | undefined {
  const { minItems = 0, maxItems = Infinity, items, uniqueItems } = shape;
  if (values.length < minItems || values.length > maxItems) {
    return `${path} must have ${minItems} to ${maxItems} items`;
  }
  if (uniqueItems && new Set(values.map((each) => JSON.stringify(each))).size < values.length) {
    return `${path} must not hold an item twice`;
  }
  if (items === undefined) return undefined;
  for (const [index, value] of values.entries()) {
    const problem = checkValue(value, items, shapes, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkFields(
  value: Readonly<Record<string, unknown>>,
  shape: SchemaNode,
  shapes: ApiShapes,
  path: string,
): string | undefined {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = shape;
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return `${path}.${missing} is required`;
  if (Object.keys(value).length < minProperties) return `${path} must have ${minProperties} fields or more`;
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined && additionalProperties === false) return `${path}.${name} is not known`;
    const node = field ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const problem = node && checkValue(part, node, shapes, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
