import { isObject } from "../../base/json/fields_of.ts";
import { nearest } from "../../base/text/nearest.ts";
import type { FindingCode } from "./schema_error.ts";
import type { SchemaNode, SchemaType } from "./schema_node.ts";

export interface Problem {
  readonly code: FindingCode;
  readonly problem: () => string;
}

const DIGITS = /^-?\d+$/;
const FORMATS: Readonly<Record<string, RegExp>> = {
  "date": /^\d{4}-\d{2}-\d{2}$/,
  "date-time": /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i,
};

export function typeProblem(node: SchemaNode, value: unknown, isId: () => boolean): Problem | undefined {
  const { type } = node;
  if (type === undefined) {
    const isRefused = value === null && node.properties !== undefined;
    return isRefused ? wrongType("an object", value) : undefined;
  }
  const isOne = typeof type === "string"
    ? hasType(type, value, isId)
    : type.some((one) => hasType(one, value, isId));
  if (isOne || (value === null && node.enum?.includes(null))) return undefined;
  const wanted = typeof type === "string" ? [type] : type;
  return wrongType(wanted.map((one) => TYPE_WORDS[one]).join(" or "), value);
}

const TYPE_WORDS: Readonly<Record<SchemaType, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "text",
};

function wrongType(wanted: string, value: unknown): Problem {
  return { code: "wrong-type", problem: () => `is ${valueWord(value)}, expected ${wanted}` };
}

function valueWord(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `the text ${shown(value)}`;
  return typeof value === "number" ? `the number ${value}` : String(value);
}

/** Digits as text count as a number for ids and above 2^53; those are read as text and sent as bare numbers. */
function hasType(type: SchemaType, value: unknown, isId: () => boolean): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value) || typeof value === "bigint" ||
        (typeof value === "string" && isExact(value, isId));
    case "number":
      return Number.isFinite(value) || typeof value === "bigint" ||
        (typeof value === "string" && isExact(value, isId));
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
  }
}

function isExact(text: string, isId: () => boolean): boolean {
  return DIGITS.test(text) && (!Number.isSafeInteger(Number(text)) || isId());
}

export function checkScalar(node: SchemaNode, value: unknown): Problem | undefined {
  if (value === null) return undefined;
  if (node.enum !== undefined && !isIn(node.enum, value)) {
    return notAllowed(node.enum, value);
  }
  if (node.const !== undefined && node.const !== value) return notAllowed([node.const], value);
  if (typeof value === "string") return textProblem(node, value);
  if (typeof value === "number" || typeof value === "bigint") return numberProblem(node, value);
  if (Array.isArray(value)) return countProblem(value.length, "item", node.minItems, node.maxItems);
  if (typeof value === "object") {
    const { minProperties, maxProperties } = node;
    if (minProperties === undefined && maxProperties === undefined) return undefined;
    return countProblem(Object.keys(value).length, "field", minProperties, maxProperties);
  }
  return undefined;
}

function isIn(allowed: readonly unknown[], value: unknown): boolean {
  if (allowed.includes(value) || typeof value !== "string") return allowed.includes(value);
  const parts = value.includes(",") ? listedValues(allowed) : undefined;
  return parts !== undefined && splitList(value).every((part) => parts.includes(part));
}

export function listedValues(values: readonly unknown[]): string[] | undefined {
  const texts = values.filter((value) => typeof value === "string");
  const parts = [...new Set(texts.flatMap(splitList))];
  return texts.some((text) => text.includes(",")) && parts.every((part) => texts.includes(part))
    ? parts
    : undefined;
}

function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

function hintOfMany(allowed: readonly unknown[], value: unknown, listed: string): string {
  const texts = allowed.filter((one) => typeof one === "string");
  const meant = typeof value === "string" ? nearest(value, texts) : undefined;
  return meant === undefined
    ? `expected one of ${listed} and ${allowed.length - 12} more`
    : `expected one of ${allowed.length} values. Did you mean "${meant}"?`;
}

function notAllowed(published: readonly unknown[], value: unknown): Problem {
  const problem = (): string => {
    const allowed = listedValues(published) ?? published;
    const listed = allowed.slice(0, 12).map((one) => String(one)).join(", ");
    const hint = allowed.length <= 12
      ? `expected ${allowed.length === 1 ? "" : "one of "}${listed}`
      : hintOfMany(allowed, value, listed);
    return `${typeof value === "string" ? shown(value) : String(value)} is not allowed, ${hint}`;
  };
  return { code: "not-allowed", problem };
}

function textProblem(
  { minLength, maxLength, pattern, format, type }: SchemaNode,
  value: string,
): Problem | undefined {
  if (type !== "string" && type !== undefined && !type.includes("string")) return undefined;
  if (minLength !== undefined || maxLength !== undefined) {
    // Characters are counted only where the UTF-16 length does not settle it.
    const isClose = value.length < (minLength ?? 0) * 2 || value.length > (maxLength ?? Infinity);
    const problem = isClose ? countProblem([...value].length, "character", minLength, maxLength) : undefined;
    if (problem !== undefined) return problem;
  }
  if (pattern !== undefined && !expression(pattern).test(value)) {
    return { code: "wrong-format", problem: () => `${shown(value)} does not match ${pattern}` };
  }
  const shape = format === undefined ? undefined : FORMATS[format];
  if (shape !== undefined && !shape.test(value)) {
    return { code: "wrong-format", problem: () => `${shown(value)} is not a ${format}` };
  }
  return undefined;
}

function numberProblem(node: SchemaNode, value: number | bigint): Problem | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  if (minimum !== undefined && value < minimum) return range(value, `below the least value ${minimum}`);
  if (maximum !== undefined && value > maximum) return range(value, `above the greatest value ${maximum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return range(value, `not above ${exclusiveMinimum}`);
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return range(value, `not below ${exclusiveMaximum}`);
  }
  return undefined;
}

function range(value: number | bigint, limit: string): Problem {
  return { code: "out-of-range", problem: () => `${value} is ${limit}` };
}

function countProblem(count: number, noun: string, min = 0, max = Infinity): Problem | undefined {
  if (count >= min && count <= max) return undefined;
  const wanted = count < min ? `at least ${min}` : `at most ${max}`;
  return {
    code: "out-of-range",
    problem: () => `has ${count} ${noun}${count === 1 ? "" : "s"}, expected ${wanted}`,
  };
}

const expressions = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  let found = expressions.get(pattern);
  if (found === undefined) {
    try {
      found = new RegExp(pattern, "u");
    } catch {
      found = new RegExp(pattern);
    }
    expressions.set(pattern, found);
  }
  return found;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
