import { fieldsOf, isObject } from "../../../base/json/fields_of.ts";
import type { Fields } from "../model/resource_wire.ts";
import { bareInteger } from "../../../base/json/json.ts";

/** Returns the value of a body's only field; `undefined` if the body has other fields, which would go unchecked. */
export function onlyField(body: unknown, name: string): unknown {
  const fields = fieldsOf(body);
  return Object.keys(fields).length === 1 ? fields[name] : undefined;
}

export function isFieldsList(value: unknown): value is Fields[] {
  return Array.isArray(value) &&
    value.every(isObject);
}

/** Converts ids to bare integers, which older API generations use. */
export function withBareIds(item: Fields, idFields: readonly string[]): Fields {
  return withIds(item, idFields, (id) => bareInteger(id));
}

export function withTextIds(entity: Fields, idFields: readonly string[]): Fields {
  return withIds(entity, idFields, (id) => id);
}

function withIds(fields: Fields, idFields: readonly string[], write: (id: string) => unknown): Fields {
  const written = { ...fields };
  for (const field of idFields) {
    const id = written[field];
    if (id !== undefined && id !== null) written[field] = write(String(id));
  }
  return written;
}

/** @throws {TypeError} when a filter duplicates an option, because one of them would be dropped silently. */
export function withFilters(path: string, options: Fields, filters: Fields = {}): Fields {
  const twice = Object.keys(filters).find((name) => options[name] !== undefined);
  if (twice === undefined) return { ...filters, ...options };
  throw new TypeError(
    `Cannot list ${path} by the filter "${twice}": the options of the list set it already. ` +
      "Use ids, campaignIds, adGroupIds, states, name, extended or pageSize for it",
  );
}

/**
 * Returns the verdicts in a response. A single entity may get its verdict without a list. An error that does not name
 * the entity leaves its outcome unknown.
 *
 * @throws {TypeError} for any other response.
 */
export function verdictsOf(body: unknown, idField: string): unknown[] {
  if (Array.isArray(body)) return body;
  if (idField in fieldsOf(body)) return [body];
  throw new TypeError(
    `Cannot read the verdicts of a batch: the body is neither a list nor a verdict with a ${idField}`,
  );
}
