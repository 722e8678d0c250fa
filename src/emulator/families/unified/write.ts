import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { inResponseOrder, isFaulty, ruleContext } from "../../entities/batch.ts";
import { checkStructure, checkValues } from "../../entities/check_shape.ts";
import { withoutNulls } from "../../entities/draft.ts";
import type { RuleContext } from "../../entities/entity_resource.ts";
import type { Fields } from "../../entities/shape.ts";
import { refusal } from "../../http/refusal.ts";
import type { Outcome } from "./engine.ts";
import { demandAdProduct } from "./query.ts";
import { fromItemError, toWireErrors, type UnifiedError } from "./unified_error.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

const MAX_ITEMS = 1000;

/** Result of one item, and the collection it belongs to. */
type Verdict = { readonly source: UnifiedSource; readonly entity: JsonObject } | {
  readonly errors: readonly UnifiedError[];
};

/** Handles a batch of creates. */
export function createEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const items = readList(context.body, kind.entity).map((item) => {
    if (!isObject(item)) throw refusal(400, "Request body does not match the expected structure");
    const source = sourceOf(kind, item);
    if (source !== undefined) checkStructure(item, source.createFields);
    return { item: withoutNulls(item), source };
  });
  return runBatch(kind, items, context, ({ item, source }, rules) => {
    if (source === undefined) return { errors: [notServed(item)] };
    const problems = problemsOf(item, source.createFields);
    if (problems.length > 0) return { errors: problems };
    const { profile } = rules;
    return { source, ...source.engine.create(source.toDraft(item, profile), rules) };
  });
}

/** Handles a batch of updates. What is not named stays as it is. */
export function updateEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const items = readList(context.body, kind.entity).map((item) => {
    const id = isObject(item) ? item[kind.idField] : undefined;
    const found = findSource(kind, String(id ?? ""), context);
    checkStructure(item, found?.source.updateFields ?? allFields(kind));
    return { item: withoutNulls(item as JsonObject), found };
  });
  return runBatch(kind, items, context, ({ item, found }, rules) => {
    if (found === undefined) return { errors: [unknownId(kind, item[kind.idField])] };
    const { source, before } = found;
    const problems = problemsOf(item, source.updateFields);
    if (problems.length > 0) return { errors: problems };
    return { source, ...source.engine.update(source.toPatch(item, before, rules.profile), rules) };
  });
}

/** Handles a batch of deletes: the entities stay, in the state ARCHIVED. */
export function deleteEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const ids = readList(context.body, kind.idList);
  if (!ids.every((id) => typeof id === "string")) {
    throw refusal(400, `${kind.idList} must be a list of texts`);
  }
  return runBatch(kind, ids as string[], context, (id, rules) => {
    const found = findSource(kind, id, context);
    if (found === undefined) return { errors: [unknownId(kind, id)] };
    return { source: found.source, ...found.source.engine.archive(id, rules) };
  });
}

function runBatch<Item>(
  kind: UnifiedKind,
  items: readonly Item[],
  context: Context,
  act: (item: Item, rules: RuleContext) => Verdict | ({ source: UnifiedSource } & Outcome),
): HttpResponse {
  const rules = ruleContext(context);
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  const fault = context.faults.itemErrors;
  for (const [index, item] of items.entries()) {
    const isSpoiled = isFaulty(fault, index);
    const done = !isSpoiled || fault!.acted ? act(item, rules) : undefined;
    const errors = isSpoiled ? [spoiled(fault!.errorType)] : "errors" in done! ? done.errors : [];
    if (errors.length > 0) error.push(toWireErrors(errors, { list: kind.entity, index }));
    else if (done !== undefined && "entity" in done) {
      success.push({ index, [kind.singular]: done.source.toUnified(done.entity, rules.profile) });
    }
  }
  const value = { success: inResponseOrder(success, context), partialSuccess: [], error };
  return jsonResponse(207, value, { type: context.responseType });
}

function readList(body: Json | undefined, name: string): Json[] {
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const unknown = Object.keys(body).find((field) => field !== name);
  if (unknown !== undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  const items = body[name];
  if (!Array.isArray(items) || items.length === 0) throw refusal(400, `${name} must not be empty`);
  if (items.length > MAX_ITEMS) throw refusal(400, `${name} must have at most ${MAX_ITEMS} items`);
  return items;
}

function sourceOf(kind: UnifiedKind, item: JsonObject): UnifiedSource | undefined {
  const adProduct = demandAdProduct(item.adProduct, "adProduct");
  const sources = kind.sources.filter((source) => source.adProduct === adProduct);
  return sources.find((source) => source.takes === undefined || source.takes(item));
}

function findSource(
  kind: UnifiedKind,
  id: string,
  { profile }: Context,
): { source: UnifiedSource; before: JsonObject } | undefined {
  for (const source of kind.sources) {
    const before = profile.collection(source.collection).get(id);
    if (before !== undefined) return { source, before };
  }
  return undefined;
}

/** Every field that an update of the kind may have, whatever it turns out to be about. */
function allFields(kind: UnifiedKind): Fields {
  return Object.assign({}, ...kind.sources.map(({ updateFields }) => updateFields));
}

function problemsOf(item: JsonObject, fields: Fields): UnifiedError[] {
  return checkValues(item, fields).map((error) => fromItemError(error));
}

function unknownId(kind: UnifiedKind, id: Json | undefined): UnifiedError {
  const field = kind.idField;
  if (id === undefined) return { code: "FIELD_VALUE_IS_NULL", message: `${field} is required`, field };
  return { code: "RESOURCE_ID_NOT_FOUND", message: `${kind.singular} not found`, field };
}

function notServed({ adProduct, targetType }: JsonObject): UnifiedError {
  const message = `The emulator keeps no ${String(targetType)} targets of ${String(adProduct)}`;
  return { code: "ACTION_NOT_SUPPORTED", message, field: "targetType" };
}

function spoiled(errorType: string): UnifiedError {
  const code = errorType === "throttledError" ? "TOO_MANY_REQUESTS" : "INTERNAL_ERROR";
  return { code, message: "The item was not processed, please try again", field: "" };
}
