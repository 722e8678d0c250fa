import { isObject } from "../../../base/json/fields_of.ts";
import * as z from "zod";

const INJECTED: readonly string[] = ["security_context", "toolCallId", "sessionId", "chatInput"];

type Schema = z.core.$ZodType;

/**
 * Tolerates clients that fill unset arguments, send JSON as text, or add arguments. For an optional argument, `null`
 * and empty values mean unset, and so do `0` and `false` if the schema rejects them. Text rejected by the schema is
 * parsed as JSON if that fits. Everything else is left to the schema.
 */
export function tolerantArguments(args: unknown, input: z.ZodObject): unknown {
  const given = tolerant(args ?? {}, input);
  if (!isObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !INJECTED.includes(name) || Object.hasOwn(input.shape, name)),
  );
}

function tolerant(value: unknown, schema: Schema): unknown {
  const { inner } = unwrapped(schema);
  const given = typeof value === "string" ? parsed(value, schema) : value;
  if (inner instanceof z.ZodObject && isObject(given)) {
    const fields = Object.entries(given).flatMap(([name, field]): [string, unknown][] => {
      const wanted: Schema | undefined = Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined;
      if (wanted === undefined) return [[name, field]];
      const read = tolerant(field, wanted);
      return isUnset(read, wanted) ? [] : [[name, read]];
    });
    return Object.fromEntries(fields);
  }
  if (inner instanceof z.ZodArray && Array.isArray(given)) {
    return given.map((item) => tolerant(item, inner.element));
  }
  return given;
}

function parsed(text: string, schema: Schema): unknown {
  if (z.safeParse(schema, text).success) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === "string" || value === null) return text;
  const { inner } = unwrapped(schema);
  const isWanted = Array.isArray(value)
    ? inner instanceof z.ZodArray
    : isObject(value)
    ? inner instanceof z.ZodObject || inner instanceof z.ZodRecord
    : false;
  return isWanted || z.safeParse(schema, value).success ? value : text;
}

function isUnset(value: unknown, schema: Schema): boolean {
  const { inner, isOptional } = unwrapped(schema);
  if (!isOptional) return false;
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return true;
  if (value === 0 || value === false) return !z.safeParse(schema, value).success;
  if (!isObject(value) || Object.keys(value).length > 0) return false;
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord || !z.safeParse(schema, value).success;
}

function unwrapped(schema: Schema): { readonly inner: Schema; readonly isOptional: boolean } {
  let inner = schema;
  let isOptional = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    isOptional ||= !(inner instanceof z.ZodNullable);
    inner = inner.unwrap();
  }
  return { inner, isOptional };
}
