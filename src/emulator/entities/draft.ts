import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { EntityRules } from "./entity_resource.ts";

/** Removes `null` fields, which the platform ignores. */
export function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

export function stamped(resource: EntityRules, clock: Clock, before?: JsonObject): JsonObject {
  if (resource.moments === "number") {
    const now = clock.now();
    return { creationDate: now, ...before, lastUpdateDate: now };
  }
  const now = clock.iso();
  return { creationDateTime: now, ...before, lastUpdateDateTime: now };
}
