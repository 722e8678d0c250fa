import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Predicate } from "../../entities/filter.ts";
import { refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { BrandsKeywordKind } from "./keyword_kind.ts";

const LARGEST_PAGE = 5000;
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

/** Responds with a list: a bare array, filtered by comma lists in the query and paged by position. */
export function listKeywords(kind: BrandsKeywordKind, context: Context): HttpResponse {
  const { query, profile } = context;
  const predicates = [
    ...idFilters(query),
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
  const count = wholeNumber(query, "count", { low: 1, high: LARGEST_PAGE, otherwise: LARGEST_PAGE });
  const found = profile.collection(kind.collection).all()
    .filter((keyword) => predicates.every((matches) => matches(keyword)))
    .slice(start, start + count);
  return jsonResponse(200, found.map(toWire), { type: context.responseType });
}

/** Returns one keyword. */
export function getKeyword(kind: BrandsKeywordKind, context: Context): HttpResponse {
  const keyword = context.profile.collection(kind.collection).get(context.params.keywordId!);
  if (keyword === undefined) throw refusal(404, "Keyword not found", "details");
  return jsonResponse(200, toWire(keyword), { type: context.responseType });
}

function toWire(keyword: JsonObject): JsonObject {
  const ids = ID_FIELDS.map((field) => [field, BigInt(String(keyword[field]))]);
  return { ...keyword, ...Object.fromEntries(ids) };
}

function idFilters(query: URLSearchParams): Predicate[] {
  return Object.entries(ID_FILTERS).flatMap(([name, field]) => {
    const values = commaList(query, name);
    if (values === undefined) return [];
    if (!values.every((id) => /^\d{1,20}$/.test(id))) {
      throw refusal(400, "Id filter has invalid value", "details");
    }
    const ids = new Set(values);
    return [(keyword: JsonObject) => ids.has(String(keyword[field]))];
  });
}

function choiceFilter(
  query: URLSearchParams,
  { name, field, known, single = false }: {
    name: string;
    field: string;
    known: readonly string[];
    single?: boolean;
  },
): Predicate | undefined {
  const values = commaList(query, name);
  if (values === undefined) return undefined;
  const unknown = values.find((value) => !known.includes(value));
  if (unknown !== undefined) {
    throw refusal(
      400,
      `${name} includes invalid values: (${unknown}). Allowed values: (${known.join(", ")})`,
      "details",
    );
  }
  if (single && values.length > 1) throw refusal(400, `${name} takes one value`, "details");
  return (keyword) => values.includes(String(keyword[field]));
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

function commaList(query: URLSearchParams, name: string): string[] | undefined {
  return query.get(name)?.split(",").map((part) => part.trim());
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  { low, high, otherwise }: { low: number; high: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= low && value <= high) return value;
  throw refusal(400, `${name} must be a whole number from ${low} to ${high}`, "details");
}
