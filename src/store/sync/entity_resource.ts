import { idOf } from "../../base/json/id_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { withoutComputed } from "../../client/entities/model/check_items.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { EntityLayout } from "../tables/entity_layout.ts";
import type { StoredEntity } from "../model/entity_pull.ts";

export type Entity = Readonly<Record<string, unknown>>;

interface EntityResource {
  list(options: { states: null; signal: AbortSignal | undefined }): Promise<Entity[]>;
  getMany(
    ids: readonly string[],
    options: { signal: AbortSignal | undefined },
  ): Promise<ReadonlyMap<string, Entity>>;
}

export function resourceOf(kind: ResourceKind, scope: ProfileScope): EntityResource {
  return KINDS[kind].create(scope);
}

/**
 * Prepares an entity for the store, without volatile fields: update times, serving states, rule-based budgets.
 * `undefined` without an id.
 */
export function storedEntity(
  { kind, idField, hasKeywordText }: EntityLayout,
  entity: Entity,
): StoredEntity | undefined {
  const id = idOf(entity, idField);
  if (id === undefined) return undefined;
  const spec: ResourceSpec = KINDS[kind];
  const { extendedData: _, ...fields } = entity;
  const text = hasKeywordText ? entity["keywordText"] : undefined;
  return {
    id,
    data: canonicalJson(withoutComputed(spec, fields)).replaceAll("\\u0000", "\\ufffd"),
    keywordText: typeof text === "string" ? text.toLowerCase().replaceAll("\0", "\uFFFD") : null,
  };
}
