import { ForbiddenError } from "../../errors.ts";
import { canonicalJson } from "../../internal/canonical_json.ts";
import { normalizeCountry } from "../../markets.ts";
import { KINDS, type ResourceKind } from "../../resources/kinds.ts";
import { withoutComputed } from "../../resources/fields/check_items.ts";
import type { ResourceSpec } from "../../resources/resource_spec.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { StoreDriver } from "../store_driver.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "./entity_layout.ts";
import type { EntityOutcome } from "./entity_outcome.ts";
import type { StoredEntity } from "./entity_pull.ts";

/** What reading the entities of a profile needs. */
export interface EntitySyncParts {
  /** The store. */
  readonly driver: StoreDriver;
  /** Milliseconds since the epoch, for the records of pulls. */
  readonly now: () => number;
  /** The profile, its requests taking turns. */
  readonly scope: ProfileScope;
  /** Ends the reading. */
  readonly signal: AbortSignal | undefined;
}

type Entity = Readonly<Record<string, unknown>>;

/** Reads every kind of entity of a profile and stores it. Failures are part of the outcomes, never thrown. */
export async function syncEntities(parts: EntitySyncParts): Promise<EntityOutcome[]> {
  return await Promise.all(ENTITY_LAYOUTS.map((layout) => syncKind(layout, parts)));
}

async function syncKind(layout: EntityLayout, parts: EntitySyncParts): Promise<EntityOutcome> {
  const { driver, now, scope } = parts;
  const { kind } = layout;
  const which = {
    profileId: scope.profileId,
    countryCode: normalizeCountry(scope.countryCode),
    kind,
    source: "list" as const,
  };
  const none = { entities: 0, added: 0, changed: 0, removed: 0 };
  const pulledAt = new Date(now()).toISOString();
  try {
    const entities = await listAll(layout, parts);
    const stored = entities.map((entity) => storedEntity(layout, entity));
    const changes = await driver.replaceEntities({ ...which, pulledAt }, stored);
    return { ...which, state: "stored", entities: stored.length, ...changes };
  } catch (error) {
    const state = parts.signal?.aborted ? "left" : error instanceof ForbiddenError ? "unavailable" : "failed";
    return { ...which, state, ...none, error: error as Error };
  }
}

/**
 * Every entity of a kind in any state. Pages are requests of their own, between which an entity may slip away: stored
 * ones that do not come and were not archived are read by their ids.
 */
async function listAll(
  { kind, idField }: EntityLayout,
  { driver, scope, signal }: EntitySyncParts,
): Promise<Entity[]> {
  const found = new Map<string, Entity>();
  const resource = resourceOf(kind, scope);
  for (const entity of await resource.list({ states: null, signal })) {
    found.set(String(entity[idField]), entity);
  }
  const { rows } = await driver.query(
    `SELECT id FROM entities WHERE kind = ? AND profile_id = ? AND lower(CAST(data AS text)) NOT LIKE ?`,
    { params: [kind, scope.profileId, '%"state":"archived"%'], maxRows: Infinity },
  );
  const missing = rows.map(({ id }) => String(id)).filter((id) => !found.has(id));
  if (missing.length > 0) {
    for (const [id, entity] of await resource.getMany(missing, { signal })) found.set(id, entity);
  }
  return [...found.values()];
}

/** Kinds differ in the fields of their entities alone. */
function resourceOf(kind: ResourceKind, scope: ProfileScope): {
  list(options: { states: null; signal: AbortSignal | undefined }): Promise<Entity[]>;
  getMany(
    ids: readonly string[],
    options: { signal: AbortSignal | undefined },
  ): Promise<ReadonlyMap<string, Entity>>;
} {
  return KINDS[kind].create(scope);
}

/** An entity without what changes by itself: times of updates, serving states, budgets that rules set. */
function storedEntity({ kind, idField, hasKeywordText }: EntityLayout, entity: Entity): StoredEntity {
  const spec: ResourceSpec = KINDS[kind];
  const { extendedData: _, ...fields } = entity;
  const text = hasKeywordText ? entity["keywordText"] : undefined;
  return {
    id: String(entity[idField]),
    data: canonicalJson(withoutComputed(spec, fields)).replaceAll("\\u0000", "\\ufffd"),
    keywordText: typeof text === "string" ? text.toLowerCase().replaceAll("\0", "\uFFFD") : null,
  };
}
