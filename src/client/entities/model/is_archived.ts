import type { Fields } from "./resource_wire.ts";

/** True if the entity is archived; case-insensitive, because Brands keywords use lower-case states. */
export function isArchived(entity: Fields): boolean {
  return String(entity["state"]).toUpperCase() === "ARCHIVED";
}
