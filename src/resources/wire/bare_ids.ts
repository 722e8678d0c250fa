import { bareInteger } from "../../internal/json.ts";
import type { Fields } from "./resource_wire.ts";

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
