import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { checkKeywordText } from "../../core/keyword_text.ts";
import { bidRange, decimalsOf } from "../../core/marketplaces.ts";
import { runItems } from "../../entities/batch.ts";
import { faultProblem, type FlatProblem } from "../../entities/flat_verdict.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { bidKindOf } from "./brands_write.ts";
import type { BrandsKeywordKind } from "./keyword_kind.ts";

export interface KeywordProblem extends FlatProblem {
  readonly detail?: { readonly field: string; readonly reason: string; readonly trigger?: string };
}

export type KeywordVerdict = KeywordProblem | { readonly keywordId: string };

export function invalid(description: string, detail?: KeywordProblem["detail"]): KeywordProblem {
  return { code: "INVALID_ARGUMENT", description, ...(detail === undefined ? {} : { detail }) };
}

export function notAllowed(field: string): KeywordProblem {
  return invalid(`The noted field is not allowed with this API endpoint : ${field}`);
}

export function notFound(what: string): KeywordProblem {
  return { code: "NOT_FOUND", description: `${what} not found` };
}

export function toWireVerdict(verdict: KeywordVerdict): JsonObject {
  if ("keywordId" in verdict) return { code: "SUCCESS", keywordId: BigInt(verdict.keywordId) };
  const { code, description, detail } = verdict;
  if (detail === undefined) return { code, description };
  const { field, reason, trigger } = detail;
  const error: JsonObject = {
    location: field,
    message: description,
    reason,
    ...(trigger === undefined ? {} : { trigger }),
  };
  return { code, description, errors: [{ KeywordError: error }] };
}

type KeywordContext = Pick<Context, "profile" | "state" | "clock">;

const MAX_KEYWORDS = 100;
const ID_FIELDS = ["keywordId", "adGroupId", "campaignId"];
const TEXT_FIELDS = ["keywordText", "matchType", "nativeLanguageKeyword", "nativeLanguageLocale"];

/** Verdicts are in request order. */
export function createKeywords(kind: BrandsKeywordKind, context: Context): HttpResponse {
  return runBatch(context, (item) => createKeyword(kind, item, context));
}

export function updateKeywords(kind: BrandsKeywordKind, context: Context): HttpResponse {
  return runBatch(context, (item) => updateKeyword(kind, item, context));
}

export function archiveKeyword(kind: BrandsKeywordKind, context: Context): HttpResponse {
  const keywordId = context.params.keywordId!;
  const verdict = archiveOneKeyword(kind, keywordId, context);
  if ("code" in verdict) {
    throw refusal(verdict.code === "NOT_FOUND" ? 404 : 400, verdict.description, "details");
  }
  return jsonResponse(200, { code: "SUCCESS", keywordId: BigInt(keywordId) }, { type: context.responseType });
}

export function archiveOneKeyword(
  kind: BrandsKeywordKind,
  keywordId: string,
  context: KeywordContext,
): KeywordVerdict {
  const before = context.profile.collection(kind.collection).get(keywordId);
  if (before === undefined) return notFound("Keyword");
  const closed = checkOpen(before, context);
  if (closed !== undefined) return closed;
  replace(kind, { before, after: { ...before, state: "archived" } }, context);
  return { keywordId };
}

function runBatch(context: Context, act: (item: JsonObject) => KeywordVerdict): HttpResponse {
  const verdicts = runItems<JsonObject, KeywordVerdict>(readItems(context.body), context, {
    act,
    spoil: faultProblem,
  }).map(toWireVerdict);
  return jsonResponse(207, verdicts, { type: context.responseType });
}

function readItems(body: Json | undefined): JsonObject[] {
  if (!Array.isArray(body) || body.length === 0 || !body.every(isWellBuilt)) {
    throw refusal(400, "Request body does not match the expected structure", "details");
  }
  if (body.length > MAX_KEYWORDS) {
    throw refusal(400, `At most ${MAX_KEYWORDS} keywords are allowed`, "details");
  }
  return body as JsonObject[];
}

/** Rejects quoted ids and ids that lost digits as doubles, because the platform expects bare integers. */
function isWellBuilt(item: Json): boolean {
  if (!isObject(item)) return false;
  const isInteger = (value: Json | undefined) => typeof value === "bigint" || Number.isSafeInteger(value);
  return ID_FIELDS.every((field) => item[field] === undefined || isInteger(item[field])) &&
    TEXT_FIELDS.every((field) => item[field] === undefined || typeof item[field] === "string") &&
    (item.bid === undefined || typeof item.bid === "number");
}

export function createKeyword(
  kind: BrandsKeywordKind,
  item: JsonObject,
  context: KeywordContext,
): KeywordVerdict {
  const { profile, state } = context;
  const allowed = ["campaignId", "adGroupId", ...TEXT_FIELDS, ...(kind.hasBid ? ["bid"] : [])];
  const problem =
    checkFields(item, { allowed, needed: ["campaignId", "adGroupId", "keywordText", "matchType"] }) ??
      checkParents(item, context) ?? checkMatchType(kind, item) ?? checkText(item, context) ??
      checkBid(item, context);
  if (problem !== undefined) return problem;
  const { nativeLanguageLocale: _, ...kept } = item;
  const keyword: JsonObject = {
    ...kept,
    keywordId: state.newId(),
    campaignId: String(item.campaignId),
    adGroupId: String(item.adGroupId),
    state: "enabled",
  };
  const collection = profile.collection(kind.collection);
  if (collection.rivalOf(keyword) !== undefined) {
    return invalid("The keyword exists already", { field: "keywordText", reason: "DUPLICATE_VALUE" });
  }
  collection.insert(keyword);
  recordKeywordCreation(kind, keyword, context);
  return { keywordId: String(keyword.keywordId) };
}

export function updateKeyword(
  kind: BrandsKeywordKind,
  item: JsonObject,
  context: KeywordContext,
): KeywordVerdict {
  const allowed = [...ID_FIELDS, "state", ...(kind.hasBid ? ["bid"] : [])];
  const misbuilt = checkFields(item, { allowed, needed: ID_FIELDS });
  if (misbuilt !== undefined) return misbuilt;
  const before = context.profile.collection(kind.collection).get(String(item.keywordId));
  if (before === undefined) return notFound("Keyword");
  const problem = checkPlace(item, before) ?? checkOpen(before, context) ?? checkState(kind, item) ??
    checkBid(item, context);
  if (problem !== undefined) return problem;
  const { state = before.state, bid = before.bid } = item;
  const after = { ...before, state, ...(bid === undefined ? {} : { bid }) };
  replace(kind, { before, after }, context);
  return { keywordId: String(before.keywordId) };
}

function replace(
  kind: BrandsKeywordKind,
  change: { before: JsonObject; after: JsonObject },
  context: KeywordContext,
): void {
  context.profile.collection(kind.collection).replace(change.after);
  recordKeywordChanges(kind, change, context);
}

function checkFields(
  item: JsonObject,
  { allowed, needed }: { allowed: readonly string[]; needed: readonly string[] },
): KeywordProblem | undefined {
  const unknown = Object.keys(item).find((name) => !allowed.includes(name));
  if (unknown !== undefined) return notAllowed(unknown);
  const missing = needed.find((name) => item[name] === undefined);
  return missing === undefined ? undefined : invalid(`${missing} is required`);
}

function checkParents(item: JsonObject, { profile }: KeywordContext): KeywordProblem | undefined {
  const campaign = profile.collection("sb.campaigns").get(String(item.campaignId));
  if (campaign === undefined) return notFound("Campaign");
  const adGroup = profile.collection("sb.ad_groups").get(String(item.adGroupId));
  if (adGroup === undefined || adGroup.campaignId !== campaign.campaignId) return notFound("Ad group");
  if (campaign.state !== "ARCHIVED" && adGroup.state !== "ARCHIVED") return undefined;
  return invalid("Its campaign or ad group is archived", {
    field: "adGroupId",
    reason: "PARENT_ENTITY_ARCHIVED",
  });
}

function checkPlace(item: JsonObject, before: JsonObject): KeywordProblem | undefined {
  const field = ["adGroupId", "campaignId"].find((name) => String(item[name]) !== before[name]);
  return field === undefined ? undefined : invalid(`${field} is not that of the keyword`);
}

function checkOpen(keyword: JsonObject, { profile }: KeywordContext): KeywordProblem | undefined {
  if (keyword.state === "archived") {
    const reason = "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED";
    return invalid("Archived keyword cannot be modified", { field: "keywordId", reason });
  }
  const campaign = profile.collection("sb.campaigns").get(String(keyword.campaignId));
  const adGroup = profile.collection("sb.ad_groups").get(String(keyword.adGroupId));
  if (campaign?.state !== "ARCHIVED" && adGroup?.state !== "ARCHIVED") return undefined;
  return invalid("Parent entity is archived, updates are forbidden", {
    field: "keywordId",
    reason: "PARENT_ARCHIVED_FORBIDS_UPDATES",
  });
}

function checkState(kind: BrandsKeywordKind, item: JsonObject): KeywordProblem | undefined {
  if (item.state === undefined || kind.states.includes(String(item.state))) return undefined;
  return invalid(`state must be one of: ${kind.states.join(", ")}`);
}

function checkMatchType(kind: BrandsKeywordKind, item: JsonObject): KeywordProblem | undefined {
  if (kind.matchTypes.includes(String(item.matchType))) return undefined;
  return invalid(`matchType must be one of: ${kind.matchTypes.join(", ")}`);
}

function checkText(item: JsonObject, { profile }: KeywordContext): KeywordProblem | undefined {
  const text = String(item.keywordText);
  const use = { matchType: String(item.matchType), countryCode: profile.record.countryCode };
  const finding = checkKeywordText(text, use);
  if (finding === undefined) return undefined;
  const { reason, message, fragment } = finding;
  return invalid(message, { field: "keywordText", reason, trigger: fragment ?? text.slice(0, 200) });
}

function checkBid(item: JsonObject, { profile }: KeywordContext): KeywordProblem | undefined {
  if (typeof item.bid !== "number") return undefined;
  const [low, high] = bidRange(profile.record.countryCode, bidKindOf(item.adGroupId, profile));
  if (item.bid >= low && item.bid <= high) return checkPrecision(item.bid, profile.record.countryCode);
  const detail = { field: "bid", reason: "BID_OUT_OF_MARKET_PLACE_RANGE", trigger: String(item.bid) };
  return invalid(`Bid must be from ${low} to ${high}`, detail);
}

function checkPrecision(bid: number, countryCode: string): KeywordProblem | undefined {
  const decimals = decimalsOf(countryCode);
  if (Number(bid.toFixed(decimals)) === bid) return undefined;
  const detail = { field: "bid", reason: "PATTERN_NOT_MATCHED", trigger: String(bid) };
  return invalid(`Bid has more than ${decimals} decimals`, detail);
}

type HistoryContext = Pick<Context, "profile" | "clock">;

function recordKeywordCreation(
  kind: BrandsKeywordKind,
  keyword: JsonObject,
  context: HistoryContext,
): void {
  record(kind, keyword, { changeType: "CREATED", previousValue: null, newValue: stateOf(keyword) }, context);
}

function recordKeywordChanges(
  kind: BrandsKeywordKind,
  { before, after }: { before: JsonObject; after: JsonObject },
  context: HistoryContext,
): void {
  const values = [["STATUS", stateOf(before), stateOf(after)], [
    "BID_AMOUNT",
    bidOf(before),
    bidOf(after),
  ]] as const;
  for (const [changeType, previousValue, newValue] of values) {
    if (previousValue !== newValue) record(kind, after, { changeType, previousValue, newValue }, context);
  }
}

function record(
  kind: BrandsKeywordKind,
  keyword: JsonObject,
  change: { changeType: string; previousValue: string | null; newValue: string | null },
  { profile, clock }: HistoryContext,
): void {
  profile.recordEvent({
    entityType: kind.entityType,
    entityId: String(keyword.keywordId),
    timestamp: clock.now(),
    metadata: {
      campaignId: String(keyword.campaignId),
      adGroupId: String(keyword.adGroupId),
      keyword: String(keyword.keywordText),
      ...matchTypeOf(String(keyword.matchType)),
    },
    ...change,
  });
}

/** For example KEYWORD_EXACT or NEGATIVE_KEYWORD_PHRASE. */
function matchTypeOf(matchType: string): Readonly<Record<string, string>> {
  const type = matchType.replace("negative", "").toUpperCase();
  return matchType.startsWith("negative")
    ? { negativeTargetingType: `NEGATIVE_KEYWORD_${type}` }
    : { keywordType: `KEYWORD_${type}` };
}

function stateOf(keyword: JsonObject): string {
  return String(keyword.state).toUpperCase();
}

function bidOf(keyword: JsonObject): string | null {
  return keyword.bid === undefined ? null : String(keyword.bid);
}
