import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { RuleContext } from "./entity_resource.ts";
import type { FlatResource } from "./flat_resource.ts";
import { ruleContext, runItems } from "./batch.ts";
import { checkStructure, checkValues } from "./check_shape.ts";
import { itemError } from "./item_error.ts";
import { type Fields, NUMERIC_ID, required, text } from "./shape.ts";
import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import { refusal } from "../http/refusal.ts";
import type { Context } from "../routing/context.ts";
import {
  faultProblem,
  type FlatProblem,
  type FlatVerdict,
  problemOf,
  toWireVerdict,
} from "./flat_verdict.ts";

export function createFlat(resource: FlatResource, context: Context): HttpResponse {
  return runBatch(resource, resource.createFields, context, createOne);
}

export function updateFlat(resource: FlatResource, context: Context): HttpResponse {
  const id = resource.idFields.includes(resource.idField) ? NUMERIC_ID : text();
  const fields = { ...resource.updateFields, [resource.idField]: required(id) };
  return runBatch(resource, fields, context, updateOne);
}

export function archiveFlat(resource: FlatResource, context: Context): HttpResponse {
  const id = context.params[resource.idParam] ?? "";
  const verdict = changeOne(resource, id, { state: "archived" }, ruleContext(context));
  if ("code" in verdict) {
    throw refusal(verdict.code === "NOT_FOUND" ? 404 : 400, verdict.description, "details");
  }
  return jsonResponse(200, toWireVerdict(resource, verdict), { type: context.responseType });
}

type Act = (resource: FlatResource, item: JsonObject, rules: RuleContext) => FlatVerdict;

function runBatch(resource: FlatResource, fields: Fields, context: Context, act: Act): HttpResponse {
  const items = readItems(context.body, resource.maxItems);
  for (const item of items) checkStructure(item, fields, "details");
  const rules = ruleContext(context);
  const verdicts = runItems<JsonObject, FlatVerdict>(items, context, {
    act: (item) => problemOf(checkValues(item, fields)) ?? act(resource, withTextIds(item, resource), rules),
    spoil: faultProblem,
  });
  const body = verdicts.map((verdict) => toWireVerdict(resource, verdict));
  return jsonResponse(207, body, { type: context.responseType });
}

function readItems(body: Json | undefined, max: number): JsonObject[] {
  if (!Array.isArray(body) || body.length === 0 || !body.every(isObject)) {
    throw refusal(400, "Request body must be a non-empty list of objects", "details");
  }
  if (body.length > max) throw refusal(400, `At most ${max} items are allowed`, "details");
  return body;
}

function withTextIds(item: JsonObject, { idFields, clearable = [] }: FlatResource): JsonObject {
  const fields = Object.entries(item).filter(([name, value]) => value !== null || clearable.includes(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, idFields.includes(name) && value !== null ? String(value) : value]),
  );
}

export function createOne(resource: FlatResource, given: JsonObject, context: RuleContext): FlatVerdict {
  const { profile, state, clock } = context;
  const item = withoutNull(given);
  const completed = resource.complete?.(item, context);
  const orphaned = checkParents(resource, { item, whole: { ...item, ...completed } }, context);
  if (orphaned !== undefined) return orphaned;
  const collection = profile.collection(resource.kind);
  const now = clock.now();
  const draft: JsonObject = {
    state: "enabled",
    ...item,
    ...completed,
    extendedData: { creationDate: now, lastUpdateDate: now },
  };
  const problem = problemOf(resource.rules?.({ after: draft, item }, context) ?? []);
  if (problem !== undefined) return problem;
  const id = state.newId();
  const entity = { ...draft, [resource.idField]: id };
  if (collection.rivalOf(entity) !== undefined) return duplicate(resource);
  collection.insert(entity);
  return { id };
}

function updateOne(resource: FlatResource, item: JsonObject, context: RuleContext): FlatVerdict {
  const { [resource.idField]: id, ...changes } = item;
  return changeOne(resource, String(id), changes, context);
}

export function changeOne(
  resource: FlatResource,
  id: string,
  changes: JsonObject,
  context: RuleContext,
): FlatVerdict {
  const collection = context.profile.collection(resource.kind);
  const before = collection.get(id);
  if (before === undefined) return { code: "NOT_FOUND", description: `${resource.noun} ${id} was not found` };
  if (isArchived(before)) {
    return invalid(`${resource.noun} ${id} is archived and cannot be changed`, OWN_STATE);
  }
  if (resource.parents.some((parent) => isArchived(parentOf(parent, before, context)))) {
    return invalid(`${resource.noun} ${id} is in an archived entity and cannot be changed`, PARENT_STATE);
  }
  const fixed = resource.immutable?.find((field) =>
    changes[field] !== undefined && changes[field] !== before[field]
  );
  if (fixed !== undefined) return invalid(`${fixed} cannot be changed`);
  const extendedData = { ...dates(before), lastUpdateDate: context.clock.now() };
  const after: JsonObject = withoutNull({ ...before, ...changes, extendedData });
  const problem = problemOf(resource.rules?.({ before, after, item: withoutNull(changes) }, context) ?? []);
  if (problem !== undefined) return problem;
  if (collection.rivalOf(after) !== undefined) return duplicate(resource);
  collection.replace(after);
  recordFlatChanges(resource, { before, after }, context);
  return { id };
}

function checkParents(
  resource: FlatResource,
  { item, whole }: { readonly item: JsonObject; readonly whole: JsonObject },
  context: RuleContext,
): FlatProblem | undefined {
  for (const parent of resource.parents) {
    const given = String(item[parent.field]);
    const found = parentOf(parent, whole, context);
    const isElsewhere = item[parent.field] !== undefined && whole[parent.field] !== undefined &&
      given !== whole[parent.field];
    if (isElsewhere || (found === undefined && item[parent.field] !== undefined)) {
      const description = `${parent.field} ${given} was not found`;
      const cause = itemError(["parentEntityError", "PARENT_ENTITY_NOT_FOUND"], parent.field, description);
      return { code: "NOT_FOUND", description, cause };
    }
    if (isArchived(found)) {
      const words = ["parentEntityError", "PARENT_ENTITY_ARCHIVED"] as const;
      return invalid(`${parent.field} ${String(whole[parent.field])} is archived`, words, parent.field);
    }
  }
  return undefined;
}

export function parentOf(
  { field, kind }: FlatResource["parents"][number],
  entity: JsonObject,
  { profile }: Pick<RuleContext, "profile">,
): JsonObject | undefined {
  return profile.collection(kind).get(String(entity[field]));
}

function isArchived(entity: JsonObject | undefined): boolean {
  return entity?.state === "archived";
}

function withoutNull(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function dates({ extendedData }: JsonObject): JsonObject {
  return isObject(extendedData) ? extendedData : {};
}

function duplicate({ noun }: FlatResource): FlatProblem {
  return invalid(`${noun} with the same values exists already`, ["duplicateValueError", "DUPLICATE_VALUE"]);
}

const OWN_STATE = ["entityStateError", "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED"] as const;
const PARENT_STATE = ["entityStateError", "PARENT_ARCHIVED_FORBIDS_UPDATES"] as const;

function invalid(
  description: string,
  words: readonly [errorType: string, reason: string] = ["otherError", "NOT_SUPPORTED"],
  field = "",
): FlatProblem {
  return { code: "INVALID_ARGUMENT", description, cause: itemError(words, field, description) };
}

const FOLLOWED: Readonly<Record<string, string>> = {
  state: "STATUS",
  bid: "BID_AMOUNT",
  defaultBid: "BID_AMOUNT",
  budget: "BUDGET_AMOUNT",
  startDate: "START_DATE",
  endDate: "END_DATE",
};

/**
 * Keeps earlier states, bids, budgets and dates, so that reports of past days stay stable. Not returned for Display.
 */
function recordFlatChanges(
  { idField }: FlatResource,
  { before, after }: { before: JsonObject; after: JsonObject },
  { profile, clock }: Pick<RuleContext, "profile" | "clock">,
): void {
  for (const [field, changeType] of Object.entries(FOLLOWED)) {
    if (before[field] === after[field]) continue;
    profile.recordEvent({
      entityType: "DISPLAY",
      entityId: String(after[idField]),
      changeType,
      previousValue: textOf(before[field]),
      newValue: textOf(after[field]),
      timestamp: clock.now(),
      metadata: {},
      unpublished: true,
    });
  }
}

export function textOf(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
