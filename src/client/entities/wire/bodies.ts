import { isObject } from "../../../base/json/is_object.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { Fields } from "../model/resource_wire.ts";
import { bareInteger } from "../../../base/json/json.ts";

/** The value of a body's one field; `undefined` when it has others beside it, which would go unchecked. */
export function onlyField(body: unknown, name: string): unknown {
  const fields = fieldsOf(body);
  return Object.keys(fields).length === 1 ? fields[name] : undefined;
}

/** True for a list of records. */
export function isFieldsList(value: unknown): value is Fields[] {
  return Array.isArray(value) &&
    value.every(isObject);
}

/** An item whose ids are bare integers, as the older generations of the API want them. */
export function withBareIds(item: Fields, idFields: readonly string[]): Fields {
  return withIds(item, idFields, (id) => bareInteger(id));
}

/** An entity whose ids are text, as they are everywhere outside of the wire. */
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

/**
 * Body of a list request: the options of the list, and the caller's own filters for the rest.
 *
 * @throws {TypeError} when a filter is one that the options have set; one of the two would be dropped in silence.
 */
export function withFilters(path: string, options: Fields, filters: Fields = {}): Fields {
  const twice = Object.keys(filters).find((name) => options[name] !== undefined);
  if (twice === undefined) return { ...filters, ...options };
  throw new TypeError(
    `Cannot list ${path} by the filter "${twice}": the options of the list set it already. ` +
      "Use ids, campaignIds, adGroupIds, states, name, extended or pageSize for it",
  );
}

/**
 * The verdicts of a response as a list: they come as one, or for a single entity as the verdict alone. An error object
 * that does not name the entity does not say whether the write was done.
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
