import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import { textOf } from "../../entities/flat_writes.ts";
import { isEmptyPage, readPageToken, writePageToken } from "../../entities/list_entities.ts";
import type { FlatProblem } from "../../entities/flat_verdict.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import {
  bidKindOf,
  type BrandsVerdict,
  checkBrandsBid,
  checkBrandsOpen,
  checkBrandsPlace,
  runBrandsBatch,
} from "./brands_write.ts";
import { targetMetadata } from "../sponsored_products/target_metadata.ts";

export interface BrandsTargetKind {
  readonly kind: "sb.targets" | "sb.negative_targets";
  readonly list: "targets" | "negativeTargets";
  readonly idParam: "targetId" | "negativeTargetId";
  readonly types: readonly string[];
  readonly states: readonly string[];
  readonly hasBid: boolean;
}

const NEGATIVE_TYPES = ["asinBrandSameAs", "asinSameAs"];

export const BRANDS_TARGETS: BrandsTargetKind = {
  kind: "sb.targets",
  list: "targets",
  idParam: "targetId",
  types: [
    ...NEGATIVE_TYPES,
    "asinCategorySameAs",
    "asinPriceBetween",
    "asinPriceGreaterThan",
    "asinPriceLessThan",
    "asinReviewRatingBetween",
    "asinReviewRatingGreaterThan",
    "asinReviewRatingLessThan",
  ],
  states: ["enabled", "paused", "archived"],
  hasBid: true,
};

export const BRANDS_NEGATIVE_TARGETS: BrandsTargetKind = {
  kind: "sb.negative_targets",
  list: "negativeTargets",
  idParam: "negativeTargetId",
  types: NEGATIVE_TYPES,
  states: ["enabled", "archived"],
  hasBid: false,
};

type WriteContext = Pick<Context, "profile" | "clock" | "state">;

const MAX_PAGE = 5000;
const MAX_FILTERS = 3;
const MAX_VALUES = 100;
const CREATIVE_TYPES = ["productCollection", "video"];
const ID_FIELDS = ["targetId", "adGroupId", "campaignId"];

export function listTargets(kind: BrandsTargetKind, context: Context): HttpResponse {
  const { body, profile } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object", "details");
  const { maxResults = MAX_PAGE, nextToken, filters = [] } = body;
  if (
    typeof maxResults !== "number" || !Number.isInteger(maxResults) || maxResults < 1 || maxResults > MAX_PAGE
  ) {
    throw refusal(400, `maxResults must be a whole number from 1 to ${MAX_PAGE}`, "details");
  }
  if (!Array.isArray(filters) || filters.length > MAX_FILTERS) {
    throw refusal(400, `filters must be a list of at most ${MAX_FILTERS}`, "details");
  }
  const predicates = filters.map((filter) => readFilter(kind, filter, context));
  const found = profile.collection(kind.kind).all().filter((target) =>
    predicates.every((each) => each(target))
  );
  const identity = `${profile.id} ${kind.kind} ${writeJson(filters)}`;
  const token = typeof nextToken === "string" ? readPageToken(nextToken, identity) : undefined;
  if (nextToken !== undefined && token === undefined) throw refusal(400, "nextToken is not valid", "details");
  const { position: start, page } = token ?? { position: 0, page: 0 };
  const end = isEmptyPage(page, context) ? start : start + maxResults;
  const next = end < found.length
    ? { nextToken: writePageToken({ page: page + 1, position: end, total: found.length }, identity) }
    : {};
  const value = { [kind.list]: found.slice(start, end).map(toWire), ...next };
  return jsonResponse(200, value, { type: context.responseType });
}

function readFilter(
  kind: BrandsTargetKind,
  filter: Json,
  { profile }: Context,
): (target: JsonObject) => boolean {
  const { filterType, values } = isObject(filter) ? filter : {};
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES) {
    throw refusal(400, `filters must have 1 to ${MAX_VALUES} values`, "details");
  }
  const texts = values.map(String);
  const known = { TARGETING_STATE: kind.states, CREATIVE_TYPE: CREATIVE_TYPES }[String(filterType)];
  const strange = known === undefined ? undefined : texts.find((text) => !known.includes(text));
  if (strange !== undefined) {
    throw refusal(400, `${String(filterType)} has invalid value: (${strange})`, "details");
  }
  switch (filterType) {
    case "TARGETING_STATE":
      return ({ state }) => texts.includes(String(state));
    case "CAMPAIGN_ID":
      return ({ campaignId }) => texts.includes(String(campaignId));
    case "AD_GROUP_ID":
      return ({ adGroupId }) => texts.includes(String(adGroupId));
    case "CREATIVE_TYPE":
      return ({ adGroupId }) =>
        texts.includes(bidKindOf(adGroupId, profile) === "sbVideo" ? "video" : "productCollection");
    default:
      throw refusal(400, `filterType has invalid value: (${String(filterType)})`, "details");
  }
}

export function getTarget(kind: BrandsTargetKind, context: Context): HttpResponse {
  return jsonResponse(200, toWire(demand(kind, context)), { type: context.responseType });
}

/** New targets are always enabled. */
export function createTargets(kind: BrandsTargetKind, context: Context): HttpResponse {
  const verdicts = runBrandsBatch(context, kind.list, (item) => createTarget(kind, item, context));
  return jsonResponse(200, results("create", verdicts), { type: context.responseType });
}

export function createTarget(
  kind: BrandsTargetKind,
  item: JsonObject,
  context: WriteContext,
): string | FlatProblem {
  const { profile, state } = context;
  if (item.campaignId === undefined) return invalid("campaignId is required");
  const problem = checkBrandsPlace(item, context) ?? checkExpressions(item.expressions, kind.types) ??
    (kind.hasBid ? checkBrandsBid(item.bid, bidKindOf(item.adGroupId, profile), profile) : undefined);
  if (problem !== undefined) return problem;
  const adGroup = profile.collection("sb.ad_groups").get(String(item.adGroupId));
  const now = context.clock.now();
  const target: JsonObject = {
    targetId: state.newId(),
    adGroupId: String(item.adGroupId),
    campaignId: adGroup?.campaignId,
    expressions: item.expressions,
    resolvedExpressions: item.expressions,
    ...(kind.hasBid && item.bid !== undefined ? { bid: item.bid } : {}),
    state: "enabled",
    extendedData: { creationDate: now, lastUpdateDate: now },
  };
  const targets = profile.collection(kind.kind);
  if (targets.rivalOf(target) !== undefined) return invalid("The target exists already");
  targets.insert(target);
  recordTargetChanges(kind, { after: target }, context);
  return String(target.targetId);
}

export function updateTargets(kind: BrandsTargetKind, context: Context): HttpResponse {
  const verdicts = runBrandsBatch(context, kind.list, (item) => updateTarget(kind, item, context));
  return jsonResponse(200, results("update", verdicts), { type: context.responseType });
}

export function updateTarget(
  kind: BrandsTargetKind,
  item: JsonObject,
  context: WriteContext,
): string | FlatProblem {
  const { profile } = context;
  const targets = profile.collection(kind.kind);
  const before = targets.get(String(item.targetId));
  if (before === undefined) return { code: "NOT_FOUND", description: "Target was not found" };
  if (before.state === "archived") return invalid("An archived target cannot be changed");
  const elsewhere = ["adGroupId", "campaignId"].find((field) =>
    item[field] !== undefined && String(item[field]) !== before[field]
  );
  if (elsewhere !== undefined) return invalid(`${elsewhere} is not that of the target`);
  if (item.state !== undefined && !kind.states.includes(String(item.state))) {
    return invalid(`state must be one of ${kind.states.join(", ")}`);
  }
  const problem = checkBrandsOpen(before, context) ??
    (kind.hasBid ? checkBrandsBid(item.bid, bidKindOf(before.adGroupId, profile), profile) : undefined);
  if (problem !== undefined) return problem;
  const { state = before.state, bid = before.bid } = item;
  replace(
    kind,
    { before, after: { ...before, state, ...(kind.hasBid && bid !== undefined ? { bid } : {}) } },
    context,
  );
  return String(before.targetId);
}

export function archiveOneTarget(
  kind: BrandsTargetKind,
  id: string,
  context: WriteContext,
): string | FlatProblem {
  const target = context.profile.collection(kind.kind).get(id);
  if (target === undefined) return { code: "NOT_FOUND", description: "Target was not found" };
  if (target.state === "archived") return invalid("The target is archived already");
  const closed = checkBrandsOpen(target, context);
  if (closed !== undefined) return closed;
  replace(kind, { before: target, after: { ...target, state: "archived" } }, context);
  return id;
}

export function archiveTarget(kind: BrandsTargetKind, context: Context): HttpResponse {
  const target = demand(kind, context);
  if (target.state === "archived") throw refusal(400, "The target is archived already", "details");
  const closed = checkBrandsOpen(target, context);
  if (closed !== undefined) throw refusal(400, closed.description, "details");
  replace(kind, { before: target, after: { ...target, state: "archived" } }, context);
  const value = { code: "SUCCESS", targetId: BigInt(String(target.targetId)) };
  return jsonResponse(200, value, { type: context.responseType });
}

function replace(
  kind: BrandsTargetKind,
  { before, after }: { before: JsonObject; after: JsonObject },
  context: Pick<Context, "profile" | "clock">,
): void {
  const extendedData = { ...Object(before.extendedData), lastUpdateDate: context.clock.now() };
  context.profile.collection(kind.kind).replace({ ...after, extendedData });
  recordTargetChanges(kind, { before, after }, context);
}

function demand(kind: BrandsTargetKind, { profile, params }: Context): JsonObject {
  const target = profile.collection(kind.kind).get(params[kind.idParam] ?? "");
  if (target === undefined) throw refusal(404, "Target was not found", "details");
  return target;
}

function checkExpressions(expressions: Json | undefined, types: readonly string[]): FlatProblem | undefined {
  if (!Array.isArray(expressions) || expressions.length === 0) {
    return invalid("expressions must not be empty");
  }
  for (const part of expressions) {
    if (!isObject(part) || !types.includes(String(part.type)) || part.value === undefined) {
      return invalid(`expressions must have a value and one of the types ${types.join(", ")}`);
    }
    if (part.type === "asinSameAs" && !/^[A-Z0-9]{10}$/.test(String(part.value))) {
      return invalid("The value is not an ASIN");
    }
  }
  return undefined;
}

function results(verb: "create" | "update", verdicts: readonly BrandsVerdict[]): JsonObject {
  const done = verdicts.flatMap(({ index, id }) =>
    id === undefined ? [] : [{ targetId: BigInt(id), targetRequestIndex: index }]
  );
  const failed = verdicts.flatMap(({ index, problem }) =>
    problem === undefined
      ? []
      : [{ code: problem.code, details: problem.description, targetRequestIndex: index }]
  );
  return { [`${verb}TargetSuccessResults`]: done, [`${verb}TargetErrorResults`]: failed };
}

function toWire({ extendedData: _, ...target }: JsonObject): JsonObject {
  const ids = ID_FIELDS.map((field) => [field, BigInt(String(target[field]))]);
  return { ...target, ...Object.fromEntries(ids) };
}

export function invalid(description: string): FlatProblem {
  return { code: "INVALID_ARGUMENT", description };
}

function brandsTargetMetadata(target: JsonObject): Readonly<Record<string, string>> {
  return {
    campaignId: String(target.campaignId),
    adGroupId: String(target.adGroupId),
    ...targetMetadata({ expression: target.expressions ?? [], expressionType: "MANUAL" }),
  };
}

/**
 * Without `before`, records a creation. Changes of negative targets are not published, but reports of past days need
 * them.
 */
function recordTargetChanges(
  { hasBid }: { readonly hasBid: boolean },
  { before, after }: { before?: JsonObject; after: JsonObject },
  { profile, clock }: Pick<Context, "profile" | "clock">,
): void {
  const changes: readonly (readonly [type: string, from: string | null, to: string | null])[] =
    before === undefined ? [["CREATED", null, "ENABLED"]] : [
      ["STATUS", String(before.state).toUpperCase(), String(after.state).toUpperCase()],
      ["BID_AMOUNT", textOf(before.bid), textOf(after.bid)],
    ];
  for (const [changeType, previousValue, newValue] of changes) {
    if (previousValue === newValue) continue;
    profile.recordEvent({
      entityType: "PRODUCT_TARGETING",
      entityId: String(after.targetId),
      changeType,
      previousValue,
      newValue,
      timestamp: clock.now(),
      metadata: brandsTargetMetadata(after),
      ...(hasBid ? {} : { unpublished: true }),
    });
  }
}
