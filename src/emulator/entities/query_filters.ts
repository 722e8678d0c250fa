import type { JsonObject } from "../core/json.ts";
import type { Predicate } from "./filter.ts";
import { refusal } from "../http/refusal.ts";

function commaList(query: URLSearchParams, name: string): string[] | undefined {
  return query.get(name)?.split(",").map((part) => part.trim());
}

export function wholeNumber(
  query: URLSearchParams,
  name: string,
  { low, high, otherwise }: { low: number; high: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= low && value <= high) return value;
  throw refusal(400, `${name} must be a whole number from ${low} to ${high}`, "details");
}

export function idFilter(query: URLSearchParams, name: string, field: string): Predicate | undefined {
  const values = commaList(query, name);
  if (values === undefined) return undefined;
  if (!values.every((id) => /^\d{1,20}$/.test(id))) {
    throw refusal(400, "Id filter has invalid value", "details");
  }
  const ids = new Set(values);
  return (entity: JsonObject) => ids.has(String(entity[field]));
}

export function choiceFilter(
  query: URLSearchParams,
  { name, field, known, single = false }: {
    name: string;
    field: string;
    known: readonly string[];
    single?: boolean;
  },
): Predicate | undefined {
  const values = commaList(query, name);
  if (values === undefined) return undefined;
  const unknown = values.find((value) => !known.includes(value));
  if (unknown !== undefined) {
    throw refusal(
      400,
      `${name} includes invalid values: (${unknown}). Allowed values: (${known.join(", ")})`,
      "details",
    );
  }
  if (single && values.length > 1) throw refusal(400, `${name} takes one value`, "details");
  return (entity) => values.includes(String(entity[field]));
}
