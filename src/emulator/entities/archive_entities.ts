import type { HttpResponse } from "../http/http_response.ts";
import type { Context } from "../routing/context.ts";
import { isObject } from "../core/json.ts";
import { refusal } from "../http/refusal.ts";
import { runBatch, type Verdict } from "./batch.ts";
import { includedIds } from "./filter.ts";
import type { EntityResource, EntityRules, RuleContext } from "./entity_resource.ts";
import { checkOpen, replaceEntity } from "./update_entities.ts";

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
