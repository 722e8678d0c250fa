/** A JSON value; an integer past 2^53 - 1 is a `bigint`, so that no digit is lost. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

/** A JSON object with any fields. */
export interface JsonObject {
  /** A field of the object; fields that are `undefined` are not written. */
  [key: string]: Json | undefined;
}

interface ReviverContext {
  readonly source?: string;
}

type SourceReviver = (key: string, value: unknown, context: ReviverContext) => unknown;

export function parseJson(text: string): Json {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as Json;
  const keepDigits: SourceReviver = (_key, value, { source }) => {
    if (typeof value !== "number" || Number.isSafeInteger(value) || source === undefined) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]) as Json;
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Writes JSON; a `bigint` becomes a bare integer. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => typeof part === "bigint" ? rawJson(String(part)) : part) ?? "";
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectsIn(value: unknown): JsonObject[] | undefined {
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}
