import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { inResponseOrder, isFaulty, ruleContext } from "../../entities/batch.ts";
import { checkStructure, checkValues } from "../../entities/check_shape.ts";
import { withoutNulls } from "../../entities/write_entities.ts";
import type { RuleContext } from "../../entities/entity_resource.ts";
import type { Fields } from "../../entities/shape.ts";
import { refusal } from "../../http/refusal.ts";
import type { Outcome } from "./engine.ts";
import { limitsOf } from "./limits.ts";
import { demandAdProduct } from "./query.ts";
import { keepTags, keptId, merged, shown } from "./shown.ts";
import { fromItemError, toWireErrors, type UnifiedError } from "./unified_error.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

type Verdict = { readonly source: UnifiedSource; readonly entity: JsonObject } | {
  readonly errors: readonly UnifiedError[];
};

export function createEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const list = readList(context.body, kind.entity);
  const items = list.map((item) => {
    if (!isObject(item)) throw refusal(400, "Request body does not match the expected structure");
    const source = sourceOf(kind, item);
    if (source !== undefined) checkStructure(item, source.createFields);
    return { item: withoutNulls(item), source };
  });
  const adProducts = items.map(({ item }) => String(item.adProduct));
  return runBatch(kind, { items, adProducts }, context, ({ item, source }, rules) => {
    if (source === undefined) return { errors: [notServed(item)] };
    const problems = problemsOf(item, source.createFields);
    if (problems.length > 0) return { errors: problems };
    const { profile } = rules;
    const { tags, ...rest } = item;
    const outcome = source.engine.create(source.toDraft(source.ownTags ? item : rest, profile), rules);
    if ("entity" in outcome && !source.ownTags) {
      keepTags(kind, { source, entity: outcome.entity, tags }, context);
    }
    return { source, ...outcome };
  });
}

/** Omitted fields are unchanged; `null` clears fields where the schema allows it. */
export function updateEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const items = readList(context.body, kind.entity).map((item) => {
    const sent = isObject(item) ? item[kind.idField] : undefined;
    const id = keptId(kind, String(sent ?? ""), context);
    const found = findSource(kind, id, context);
    demandStructure(item, found === undefined ? kind.sources : [found.source]);
    return {
      id: sent,
      item: { ...withoutOtherNulls(item as JsonObject), ...idField(kind, sent, id) },
      found,
    };
  });
  const adProducts = items.flatMap(({ found }) => found?.source.adProduct ?? []);
  const seen = new Set<unknown>();
  return runBatch(kind, { items, adProducts }, context, ({ item, found, id }, rules) => {
    if (found === undefined) return { errors: [unknownId(kind, id)] };
    if (seen.has(id)) return { errors: [twice(kind)] };
    seen.add(id);
    const { source, before } = found;
    const problems = problemsOf(item, source.updateFields);
    if (problems.length > 0) return { errors: problems };
    const { tags, ...rest } = item;
    const patch = source.toPatch(source.ownTags ? item : rest, before, rules.profile);
    const outcome = source.engine.update(merged(kind, { patch, before }, context), rules);
    if ("entity" in outcome && !source.ownTags) {
      keepTags(kind, { source, entity: outcome.entity, tags }, context);
    }
    return { source, ...outcome };
  });
}

/** Entities stay as ARCHIVED. */
export function deleteEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const idList = `${kind.idField}s`;
  const ids = readList(context.body, idList);
  if (!ids.every((id) => typeof id === "string")) {
    throw refusal(400, `${idList} must be a list of texts`);
  }
  const items = (ids as string[]).map((id) => {
    const own = keptId(kind, id, context);
    return { id, own, found: findSource(kind, own, context) };
  });
  const adProducts = items.flatMap(({ found }) => found?.source.adProduct ?? []);
  return runBatch(kind, { items, adProducts }, context, ({ id, own, found }, rules) => {
    if (found === undefined) return { errors: [unknownId(kind, id)] };
    return { source: found.source, ...found.source.engine.archive(own, rules) };
  });
}

function demandSizes(kind: UnifiedKind, adProducts: readonly string[]): void {
  const count = adProducts.length;
  for (const adProduct of new Set(adProducts)) {
    const { items } = limitsOf(adProduct, kind.entity);
    if (count > items) throw refusal(413, `${kind.entity} must have at most ${items} items`, "unified");
  }
}

function idField(kind: UnifiedKind, sent: Json | undefined, id: string): JsonObject {
  return sent === undefined || sent === null ? {} : { [kind.idField]: id };
}

function withoutOtherNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => value !== null || NULLABLE.includes(name)),
  );
}

const NULLABLE = ["endDateTime", "portfolioId", "bid"];

function runBatch<Item>(
  kind: UnifiedKind,
  { items, adProducts }: { readonly items: readonly Item[]; readonly adProducts: readonly string[] },
  context: Context,
  act: (item: Item, rules: RuleContext) => Verdict | ({ source: UnifiedSource } & Outcome),
): HttpResponse {
  demandSizes(kind, adProducts);
  const rules = ruleContext(context);
  // Published for all products together, seen of two, and unknown to the description of Display.
  const hasPartial = !adProducts.includes("SPONSORED_DISPLAY");
  return respondToItems(kind, { items, hasPartial }, context, (item) => {
    const done = act(item, rules);
    return "errors" in done
      ? done
      : { entity: shown(kind, done.source.toUnified(done.entity, rules.profile), context) };
  });
}

/** Result of one item. Both fields are set if the item succeeded partially. */
export interface ItemResult {
  readonly entity?: JsonObject;
  readonly errors?: readonly UnifiedError[];
}

export function respondToItems<Item>(
  kind: UnifiedKind,
  { items, hasPartial }: { readonly items: readonly Item[]; readonly hasPartial: boolean },
  context: Context,
  act: (item: Item) => ItemResult,
): HttpResponse {
  const success: JsonObject[] = [];
  const partialSuccess: JsonObject[] = [];
  const error: JsonObject[] = [];
  const fault = context.faults.itemErrors;
  for (const [index, item] of items.entries()) {
    const isSpoiled = isFaulty(fault, index);
    const done = !isSpoiled || fault!.acted ? act(item) : {};
    const errors = isSpoiled ? [spoiled(fault!.errorType)] : done.errors ?? [];
    const entity = isSpoiled ? undefined : done.entity;
    const refused = errors.length === 0 ? undefined : toWireErrors(errors, { list: kind.entity, index });
    if (entity === undefined) error.push(...(refused === undefined ? [] : [refused]));
    else {(refused === undefined ? success : partialSuccess).push({
        index,
        ...refused,
        [kind.singular]: entity,
      });}
  }
  if (context.quirks.unifiedSingleIndex === "left out" && items.length === 1) {
    for (const verdict of [...success, ...partialSuccess, ...error]) delete verdict.index;
  }
  const value = {
    success: inResponseOrder(success, context),
    ...(hasPartial ? { partialSuccess } : {}),
    error,
  };
  return jsonResponse(207, value, { type: context.responseType });
}

export function readList(body: Json | undefined, name: string): Json[] {
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const unknown = Object.keys(body).find((field) => field !== name);
  if (unknown !== undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  const items = body[name];
  if (!Array.isArray(items) || items.length === 0) throw refusal(400, `${name} must not be empty`);
  return items;
}

function sourceOf(kind: UnifiedKind, item: JsonObject): UnifiedSource | undefined {
  const adProduct = demandAdProduct(kind, item.adProduct, "adProduct");
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

/** For an unknown id, accepts the structure of any source. */
function demandStructure(item: Json, sources: readonly UnifiedSource[]): void {
  let first: unknown;
  for (const { updateFields } of sources) {
    try {
      return checkStructure(item, updateFields);
    } catch (problem) {
      first ??= problem;
    }
  }
  throw first;
}

export function problemsOf(item: JsonObject, fields: Fields): UnifiedError[] {
  return checkValues(item, fields).map((error) => fromItemError(error));
}

export function twice(kind: UnifiedKind): UnifiedError {
  const message = `${kind.idField} is there twice`;
  return { code: "DUPLICATE_RESOURCE_ID_FOUND", message, field: kind.idField };
}

export function unknownId(kind: UnifiedKind, id: Json | undefined): UnifiedError {
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
