import type { HttpResponse } from "../http/http_response.ts";
import type { Context } from "../routing/context.ts";
import type { JsonObject } from "../core/json.ts";
import { readItems, runBatch, type Verdict } from "./batch.ts";
import { checkStructure, checkValues } from "./check_shape.ts";
import { stamped, withoutNulls } from "./draft.ts";
import { type ItemError, itemError } from "./item_error.ts";
import { checkParentsOfNew } from "./parents.ts";
import type { EntityResource, EntityRules, RuleContext } from "./entity_resource.ts";
import { recordCreation } from "./record_history.ts";

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
