import type { Fields } from "./resource_wire.ts";

/** True for an entity that is archived; Brands keywords write their state in lower case. */
export function isArchived(entity: Fields): boolean {
  return String(entity["state"]).toUpperCase() === "ARCHIVED";
}
