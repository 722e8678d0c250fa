import type { Clock } from "../core/clock.ts";
import { isObject, type JsonObject } from "../core/json.ts";
import type { HttpResponse } from "../http/http_response.ts";
import { refusal } from "../http/refusal.ts";
import type { Context } from "../routing/context.ts";
import { readItems, runBatch, type Verdict } from "./batch.ts";
import { checkStructure, checkValues } from "./check_shape.ts";
import type { EntityResource, EntityRules, RuleContext } from "./entity_resource.ts";
import { includedIds } from "./filter.ts";
import { type ItemError, itemError } from "./item_error.ts";
import { checkParentsOfNew, hasArchivedParent } from "./parents.ts";
import { recordChanges, recordCreation } from "./record_history.ts";

/** Removes `null` fields, which the platform ignores. */
export function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

function stamped(resource: EntityRules, clock: Clock, before?: JsonObject): JsonObject {
  if (resource.moments === "number") {
    const now = clock.now();
    return { creationDate: now, ...before, lastUpdateDate: now };
  }
  const now = clock.iso();
  return { creationDateTime: now, ...before, lastUpdateDateTime: now };
}

/** Archives entities, which stay in the account as ARCHIVED. */
export function archiveEntities(resource: EntityResource, context: Context): HttpResponse {
  const { body } = context;
  const { name, max } = resource.idFilter;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const unknown = Object.keys(body).find((key) => key !== name);
  if (unknown !== undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  const ids = includedIds(body[name], name, max);
  return runBatch(ids, (id, rules) => archiveEntity(resource, id, rules), { resource, context });
}

export function archiveEntity(resource: EntityRules, id: string, context: RuleContext): Verdict {
  const collection = context.profile.collection(resource.kind);
  const before = collection.get(id);
  const closed = checkOpen(resource, before, { id, field: collection.idField }, context);
  if (closed.length > 0) return { errors: closed };
  const refused = resource.archiveRules?.(before!) ?? [];
  if (refused.length > 0) return { errors: refused };
  return {
    entity: replaceEntity(resource, { before: before!, after: { ...before!, state: "ARCHIVED" } }, context),
  };
}

export function createEntities(resource: EntityResource, context: Context): HttpResponse {
  const items = readItems(resource, context.body);
  for (const item of items) checkStructure(item, resource.createFields);
  const act = (item: JsonObject, rules: RuleContext) => createEntity(resource, withoutNulls(item), rules);
  return runBatch(items as JsonObject[], act, { resource, context });
}

export function createEntity(resource: EntityRules, item: JsonObject, context: RuleContext): Verdict {
  const { profile, state, clock } = context;
  const problems = checkValues(item, resource.createFields);
  if (problems.length > 0) return { errors: problems };
  const orphaned = checkParentsOfNew(resource, item, profile);
  if (orphaned.length > 0) return { errors: orphaned };
  const collection = profile.collection(resource.kind);
  const draft: JsonObject = {
    [collection.idField]: "",
    ...item,
    ...resource.derive?.(item),
    ...resource.complete?.(item, context),
  };
  const refused = resource.rules?.({ after: draft, item }, context) ?? [];
  if (refused.length > 0) return { errors: refused };
  if (collection.rivalOf(draft) !== undefined) return { errors: [notUnique(resource, item)] };
  const extendedData = stamped(resource, clock);
  const entity = { ...draft, [collection.idField]: state.newId(), extendedData };
  collection.insert(entity);
  recordCreation(resource, entity, context);
  resource.created?.(entity, context);
  return { entity };
}

export function notUnique(resource: EntityRules, item: JsonObject): ItemError {
  const [errorType, reason] = resource.notUnique ?? ["duplicateValueError", "DUPLICATE_VALUE"];
  const field = item.name === undefined ? "" : "name";
  const options = field === "" ? {} : { trigger: item[field] };
  return itemError([errorType, reason], field, "An entity with the same value exists already", options);
}

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

function replaceEntity(
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
