import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { hash } from "../core/random.ts";
import { RouteRefusal } from "../http/refusal.ts";

export function readBody(body: Json | undefined): JsonObject {
  if (!isObject(body)) throw new RouteRefusal(400, "Request body must be an object");
  return body;
}

export function readObject(given: Json | undefined, known: readonly string[]): JsonObject {
  const body = readBody(given);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new RouteRefusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  return body;
}

export function readTexts(value: Json | undefined, name: string, max: number): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= max;
  if (!isList || !value.every((part) => typeof part === "string" && part !== "")) {
    throw new RouteRefusal(400, `${name} must be a list of 1 to ${max} texts`);
  }
  return value as string[];
}

export function readCount(
  value: Json | undefined,
  name: string,
  { low, high, otherwise }: { low: number; high: number; otherwise: number },
): number {
  const count = value ?? otherwise;
  if (typeof count === "number" && Number.isInteger(count) && count >= low && count <= high) return count;
  throw new RouteRefusal(400, `${name} must be a whole number from ${low} to ${high}`);
}

export function checkLocale(locale: Json | undefined): void {
  if (locale === undefined || locale === null || /^[a-z]{2}_[A-Z]{2}$/.test(String(locale))) return;
  throw new RouteRefusal(400, `locale has invalid value: (${String(locale).slice(0, 20)})`);
}

/** Number between `low` and `high` that is always the same for the same text. */
export function steady(text: string, low: number, high: number): number {
  return low + (high - low) * (hash(text) >>> 0) / 2 ** 32;
}

export function steadyWhole(text: string, low: number, high: number): number {
  return Math.floor(steady(text, low, high + 1));
}
