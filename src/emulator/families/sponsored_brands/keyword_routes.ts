import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { choiceFilter, idFilter, wholeNumber } from "../../entities/query_filters.ts";
import type { Predicate } from "../../entities/filter.ts";
import { refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { BrandsKeywordKind } from "./keyword_kind.ts";
import type { Route } from "../../routing/route.ts";
import { archiveKeyword, createKeywords, updateKeywords } from "./write_keywords.ts";

const VERDICT_TYPE = "application/vnd.sbkeywordresponse.v3+json";

export function keywordRoutes(kind: BrandsKeywordKind): Route[] {
  const { operations, path, listTypes } = kind;
  const write = {
    path,
    requestTypes: ["application/json"],
    responseTypes: [VERDICT_TYPE],
    errors: "details",
  } as const;
  const one = { path: `${path}/{keywordId}`, errors: "details" } as const;
  return [
    {
      operation: operations.list,
      method: "GET",
      path,
      responseTypes: listTypes,
      errors: "details",
      handle: (context) => listKeywords(kind, context),
    },
    {
      ...one,
      operation: operations.get,
      method: "GET",
      responseTypes: listTypes.slice(-1),
      handle: (context) => getKeyword(kind, context),
    },
    {
      ...write,
      operation: operations.create,
      method: "POST",
      handle: (context) => createKeywords(kind, context),
    },
    {
      ...write,
      operation: operations.update,
      method: "PUT",
      handle: (context) => updateKeywords(kind, context),
    },
    {
      ...one,
      operation: operations.archive,
      method: "DELETE",
      responseTypes: [VERDICT_TYPE],
      handle: (context) => archiveKeyword(kind, context),
    },
  ];
}

const MAX_PAGE = 5000;
const ID_FILTERS: Readonly<Record<string, string>> = {
  keywordIdFilter: "keywordId",
  campaignIdFilter: "campaignId",
  adGroupIdFilter: "adGroupId",
};
const ID_FIELDS = ["keywordId", "adGroupId", "campaignId"];
const CREATIVE_TYPES: Readonly<Record<string, string>> = {
  productCollection: "PRODUCT_COLLECTION",
  video: "VIDEO",
};

function listKeywords(kind: BrandsKeywordKind, context: Context): HttpResponse {
  const { query, profile } = context;
  const predicates = [
    ...Object.entries(ID_FILTERS).map(([name, field]) => idFilter(query, name, field)),
    choiceFilter(query, {
      name: "stateFilter",
      field: "state",
      known: kind.states,
      single: !kind.severalStates,
    }),
    choiceFilter(query, { name: "matchTypeFilter", field: "matchType", known: kind.matchTypes }),
    textFilter(query),
    creativeFilter(query, profile),
  ].filter((each) => each !== undefined);
  const start = wholeNumber(query, "startIndex", { low: 0, high: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  const count = wholeNumber(query, "count", { low: 1, high: MAX_PAGE, otherwise: MAX_PAGE });
  const found = profile.collection(kind.collection).all()
    .filter((keyword) => predicates.every((matches) => matches(keyword)))
    .slice(start, start + count);
  return jsonResponse(200, found.map(toWire), { type: context.responseType });
}

function getKeyword(kind: BrandsKeywordKind, context: Context): HttpResponse {
  const keyword = context.profile.collection(kind.collection).get(context.params.keywordId!);
  if (keyword === undefined) throw refusal(404, "Keyword not found", "details");
  return jsonResponse(200, toWire(keyword), { type: context.responseType });
}

function toWire(keyword: JsonObject): JsonObject {
  const ids = ID_FIELDS.map((field) => [field, BigInt(String(keyword[field]))]);
  return { ...keyword, ...Object.fromEntries(ids) };
}

function textFilter(query: URLSearchParams): Predicate | undefined {
  const text = query.get("keywordText");
  if (text === null) return undefined;
  return (keyword) => String(keyword.keywordText).toLowerCase() === text.toLowerCase();
}

function creativeFilter(query: URLSearchParams, profile: ProfileState): Predicate | undefined {
  const name = query.get("creativeType");
  if (name === null) return undefined;
  const type = Object.hasOwn(CREATIVE_TYPES, name) ? CREATIVE_TYPES[name] : undefined;
  if (type === undefined) throw refusal(400, `creativeType has invalid value: (${name})`, "details");
  const ads = profile.collection("sb.ads").all().filter((ad) => (ad.creative as JsonObject).type === type);
  const adGroupIds = new Set(ads.map((ad) => ad.adGroupId));
  return (keyword) => adGroupIds.has(keyword.adGroupId);
}
