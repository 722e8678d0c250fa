import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { refusal } from "../http/refusal.ts";
import type { ProfileState } from "../state/profile_state.ts";

export type Predicate = (entity: JsonObject) => boolean;

export type Filter = (value: Json, name: string, profile: ProfileState) => Predicate;

export function idsIn(field: string, max: number): Filter {
  return (value, name) => {
    const ids = new Set(includedIds(value, name, max));
    return (entity) => ids.has(String(entity[field]));
  };
}

export function valuesIn(field: string, max: number, known: readonly string[]): Filter {
  return (value, name) => {
    // Clients of other versions send the type of the filter along.
    const included = includedTexts(value, name, max, ["filterType"]);
    demandKnown(included, name, known);
    const values = new Set(included);
    return (entity) => values.has(String(entity[field]));
  };
}

export function anyOf(field: string, known: readonly string[]): Filter {
  return (value, name) => {
    const values = texts(value, name);
    demandKnown(values, name, known);
    return (entity) => values.includes(String(entity[field]));
  };
}

export function termsLike(
  textsOf: (entity: JsonObject) => readonly string[],
  options: { max: number; typeRequired?: boolean },
): Filter {
  return (value, name) => {
    const terms = includedTexts(value, name, options.max, ["queryTermMatchType"]);
    const type = (value as JsonObject).queryTermMatchType ??
      (options.typeRequired ? undefined : "BROAD_MATCH");
    demandKnown([String(type)], `${name}.queryTermMatchType`, ["BROAD_MATCH", "EXACT_MATCH"]);
    if (type === "EXACT_MATCH") return (entity) => textsOf(entity).some((found) => terms.includes(found));
    const lower = terms.map((term) => term.toLowerCase());
    return (entity) =>
      textsOf(entity).some((found) => lower.some((term) => found.toLowerCase().includes(term)));
  };
}

export function includedIds(value: Json | undefined, name: string, max: number): string[] {
  const ids = includedTexts(value, name, max);
  if (!ids.every((id) => /^\d{1,20}$/.test(id))) throw refusal(400, "Id filter has invalid value");
  return ids;
}

export function includedTexts(
  value: Json | undefined,
  name: string,
  max: number,
  others: readonly string[] = [],
): string[] {
  if (!isObject(value)) throw refusal(400, `${name} must be an object with include`);
  const unknown = Object.keys(value).find((key) => key !== "include" && !others.includes(key));
  if (unknown !== undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  const list = texts(value.include ?? null, `${name}.include`);
  if (list.length > max) throw refusal(400, `${name}.include must have at most ${max} items`);
  return list;
}

function texts(value: Json, name: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((part) => typeof part === "string")) {
    throw refusal(400, `${name} must be a non-empty list of strings`);
  }
  return value as string[];
}

function demandKnown(values: readonly string[], name: string, known: readonly string[]): void {
  const unknown = values.find((value) => !known.includes(value));
  if (unknown === undefined) return;
  throw refusal(400, `${name} includes invalid values: (${unknown}). Allowed values: (${known.join(", ")})`);
}
