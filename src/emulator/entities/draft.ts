import type { JsonObject } from "../core/json.ts";

/** The object without its `null` fields: the platform reads `null` as left out. */
export function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
