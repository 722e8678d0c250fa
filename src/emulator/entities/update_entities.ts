import type { HttpResponse } from "../http/http_response.ts";
import type { Context } from "../routing/context.ts";
import type { JsonObject } from "../core/json.ts";
import { readItems, runBatch, type Verdict } from "./batch.ts";
import { checkStructure, checkValues } from "./check_shape.ts";
import { notUnique } from "./create_entities.ts";
import { stamped, withoutNulls } from "./draft.ts";
import { type ItemError, itemError } from "./item_error.ts";
import { hasArchivedParent } from "./parents.ts";
import type { EntityResource, EntityRules, RuleContext } from "./entity_resource.ts";
import { recordChanges } from "./record_history.ts";

/** Handles a batch of updates. Object fields are replaced whole. */
export function updateEntities(resource: EntityResource, context: Context): HttpResponse {
  const items = readItems(resource, context.body);
  for (const item of items) checkStructure(item, resource.updateFields);
  const act = (item: JsonObject, rules: RuleContext) => updateEntity(resource, item, rules);
  return runBatch(items as JsonObject[], act, { resource, context });
}

export function updateEntity(resource: EntityRules, sent: JsonObject, context: RuleContext): Verdict {
  const item = withoutNulls(sent);
  const collection = context.profile.collection(resource.kind);
  const missing = checkValues(item, { [collection.idField]: resource.updateFields[collection.idField]! });
  if (missing.length > 0) return { errors: missing };
  const id = String(item[collection.idField]);
  const before = collection.get(id);
  const closed = checkOpen(resource, before, { id, field: collection.idField }, context);
  if (closed.length > 0) return { errors: closed };
  const problems = checkValues(item, resource.updateFields);
  if (problems.length > 0) return { errors: problems };
  const after: JsonObject = { ...before!, ...item, ...resource.derive?.(item, before) };
  for (const field of resource.clearable ?? []) if (sent[field] === null) delete after[field];
  const refused = resource.rules?.({ before: before!, after, item }, context) ?? [];
  if (refused.length > 0) return { errors: refused };
  if (collection.rivalOf(after) !== undefined) return { errors: [notUnique(resource, item)] };
  return { entity: replaceEntity(resource, { before: before!, after }, context) };
}

export function replaceEntity(
  resource: EntityRules,
  { before, after }: { before: JsonObject; after: JsonObject },
  context: RuleContext,
): JsonObject {
  const extendedData = stamped(resource, context.clock, before.extendedData as JsonObject | undefined);
  const entity = { ...after, extendedData };
  context.profile.collection(resource.kind).replace(entity);
  recordChanges(resource, { before, after: entity }, context);
  return entity;
}

export function checkOpen(
  resource: EntityRules,
  entity: JsonObject | undefined,
  { id, field }: { id: string; field: string },
  { profile }: RuleContext,
): ItemError[] {
  const { entityType } = resource;
  const marketplace = profile.record.countryCode;
  if (entity === undefined) {
    const details = { entityType, entityId: id };
    const message = `${entityType} not found`;
    return [itemError(["entityNotFoundError", "ENTITY_NOT_FOUND"], field, message, { trigger: id, details })];
  }
  const reason = entity.state === "ARCHIVED"
    ? "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED"
    : hasArchivedParent(resource, entity, profile)
    ? "PARENT_ARCHIVED_FORBIDS_UPDATES"
    : undefined;
  if (reason === undefined) return [];
  const message = reason === "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED"
    ? "Archived entity cannot be modified"
    : "Parent entity is archived, updates are forbidden";
  return [
    itemError(["entityStateError", reason], field, message, {
      trigger: id,
      details: { entityType, marketplace },
    }),
  ];
}
