import type { ProfileScope } from "../../transport/profile_scope.ts";
import { areFarFewer } from "../sync/kept_days.ts";
import { ShrinkError } from "../sync/shrink_error.ts";
import type { StoreDriver } from "../store_driver.ts";
import type { EntityLayout } from "./entity_layout.ts";
import { type Entity, resourceOf } from "./entity_resource.ts";
import { storedCount, storedLiveIds } from "./stored_ids.ts";

/**
 * Every entity of a kind in any state. Pages are requests of their own, between which an entity may slip away: stored
 * ones that do not come and were not archived are read by their ids.
 *
 * @throws {ShrinkError} when far fewer come than are stored, unless that is accepted.
 */
export async function listEntities(
  { kind, idField, plural }: EntityLayout,
  { driver, scope, signal, acceptShrink }: {
    driver: StoreDriver;
    scope: ProfileScope;
    signal: AbortSignal | undefined;
    acceptShrink?: boolean | undefined;
  },
): Promise<Entity[]> {
  const stored = { driver, profileId: scope.profileId, kind };
  const found = new Map<string, Entity>();
  const resource = resourceOf(kind, scope);
  for (const entity of await resource.list({ states: null, signal })) {
    found.set(String(entity[idField]), entity);
  }
  const missing: string[] = [];
  for await (const ids of storedLiveIds(stored)) missing.push(...ids.filter((id) => !found.has(id)));
  for (const [id, entity] of await resource.getMany(missing, { signal })) found.set(id, entity);
  const before = await storedCount(stored);
  if (!acceptShrink && areFarFewer(before, found.size)) {
    throw new ShrinkError(
      `Held back: the platform lists ${found.size} ${plural}, and ${before} are stored. To take it nevertheless, sync ` +
        "the entities with --accept-shrink (acceptShrink: true)",
      [],
    );
  }
  return [...found.values()];
}
