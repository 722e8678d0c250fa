import { Buffer } from "node:buffer";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { hash, Random } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import {
  checkLocale,
  readCount,
  readObject,
  readTexts,
  steady,
  steadyWhole,
} from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import {
  countProducts,
  listCategories,
  listRefinements,
  recommendCategories,
  recommendNegativeBrands,
  searchNegativeBrands,
} from "./categories.ts";
import { suggestBids } from "./suggested_bids.ts";

const PRODUCT_FIELDS = ["adAsins", "count", "cursor", "locale"];
const MAX_ASINS = 50;
const FOUND = 60;

const PRODUCT_THEMES: Readonly<Record<string, string>> = {
  COMPLEMENTS: "Products that shoppers buy together with yours",
  SUBSTITUTES: "Products that shoppers compare with yours",
  TOP_CONVERTING: "Products whose pages lead to sales of your products",
};

const THEME_NAMES = Object.keys(PRODUCT_THEMES);
const LETTERS = "0123456789BCDFGHJKLMNPQRSTVWXYZ";

function recommendProducts(context: Context): HttpResponse {
  const body = readObject(context.body, PRODUCT_FIELDS);
  const adAsins = readTexts(body.adAsins, "adAsins", MAX_ASINS);
  if (!adAsins.every((asin) => asin.length === 10)) {
    throw refusal(400, "An ASIN has 10 characters", "details");
  }
  checkLocale(body.locale);
  const count = readCount(body.count, "count", { low: 1, high: 1000, otherwise: 50 });
  const start = readCursor(body.cursor);
  const isByTheme = context.responseType.includes(".themes.");
  const found = isByTheme ? byTheme(recommendFor(adAsins)) : recommendFor(adAsins);
  const nextCursor = start + count < found.length ? { nextCursor: writeCursor(start + count) } : {};
  const previousCursor = start > 0 ? { previousCursor: writeCursor(Math.max(0, start - count)) } : {};
  const recommendations = found.slice(start, start + count);
  return jsonResponse(200, { recommendations, ...nextCursor, ...previousCursor }, {
    type: context.responseType,
  });
}

interface Recommended {
  readonly recommendedAsin: string;
  readonly themes: readonly string[];
}

function recommendFor(adAsins: readonly string[]): Recommended[] {
  const random = new Random(`products ${[...adAsins].sort().join(" ")}`);
  return Array.from({ length: FOUND }, () => ({
    recommendedAsin: `B0${
      Array.from({ length: 8 }, () => LETTERS[random.integer(0, LETTERS.length - 1)]).join("")
    }`,
    themes: random.shuffled(THEME_NAMES).slice(0, random.integer(1, 2)),
  }));
}

function byTheme(products: readonly Recommended[]): unknown[] {
  return THEME_NAMES.map((theme) => ({
    theme,
    description: PRODUCT_THEMES[theme],
    recommendedAsins: products.filter((each) => each.themes.includes(theme)).map((each) =>
      each.recommendedAsin
    ),
  }));
}

function readCursor(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  const match = /^at (\d{1,4})$/.exec(Buffer.from(String(value), "base64url").toString("latin1"));
  if (match === null) throw refusal(400, "cursor is not valid", "details");
  return Number(match[1]);
}

function writeCursor(position: number): string {
  return Buffer.from(`at ${position}`).toString("base64url");
}

const REQUEST = ["application/vnd.spproducttargeting.v3+json"];
const KEYWORD_TYPES = types("spkeywordsrecommendation", ["v5", "v4", "v3"]);

export const TARGETING_RECOMMENDATION_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-products:getTargetableCategories",
    method: "GET",
    path: "/sp/targets/categories",
    responseTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: listCategories,
  },
  {
    operation: "sponsored-products:getRefinementsForCategory",
    method: "GET",
    path: "/sp/targets/category/{categoryId}/refinements",
    responseTypes: types("spproducttargetingresponse", ["v4", "v3"]),
    errors: "details",
    handle: listRefinements,
  },
  {
    operation: "sponsored-products:getTargetableASINCounts",
    method: "POST",
    path: "/sp/targets/products/count",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: countProducts,
  },
  {
    operation: "sponsored-products:getCategoryRecommendationsForASINs",
    method: "POST",
    path: "/sp/targets/categories/recommendations",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: recommendCategories,
  },
  {
    operation: "sponsored-products:getProductRecommendations",
    method: "POST",
    path: "/sp/targets/products/recommendations",
    requestTypes: types("spproductrecommendation", ["v3"]),
    responseTypes: types("spproductrecommendationresponse", ["asins.v3", "themes.v3"]),
    errors: "details",
    handle: recommendProducts,
  },
  {
    operation: "sponsored-products:getRankedKeywordRecommendation",
    method: "POST",
    path: "/sp/targets/keywords/recommendations",
    requestTypes: KEYWORD_TYPES,
    responseTypes: KEYWORD_TYPES,
    errors: "details",
    typedErrors: true,
    handle: recommendKeywords,
  },
  {
    operation: "sponsored-products:getNegativeBrands",
    method: "GET",
    path: "/sp/negativeTargets/brands/recommendations",
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: recommendNegativeBrands,
  },
  {
    operation: "sponsored-products:searchBrands",
    method: "POST",
    path: "/sp/negativeTargets/brands/search",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: searchNegativeBrands,
  },
];

function types(name: string, versions: readonly string[]): string[] {
  return versions.map((version) => `application/vnd.${name}.${version}+json`);
}

const KEYWORD_FIELDS = [
  "recommendationType",
  "asins",
  "campaignId",
  "adGroupId",
  "targets",
  "maxRecommendations",
  "sortDimension",
  "locale",
  "bidsEnabled",
  "biddingStrategy",
];

const MAX_KEYWORDS = 200;
const DIMENSIONS = ["CLICKS", "CONVERSIONS", "DEFAULT"];
const MATCH_TYPES = ["EXACT", "PHRASE", "BROAD"];
const KEYWORD_THEME = "CONVERSION_OPPORTUNITIES";
const WITHOUT_DECIMALS = ["JP"];

interface Keyword {
  readonly text: string;
  readonly selected: boolean;
}

interface ShapeOptions {
  readonly most: number;
  readonly isWithBids: boolean;
}

/** The caller's keywords come first. Unlike elsewhere, bids are in the currency's smallest unit. */
function recommendKeywords(context: Context): HttpResponse {
  const body = readObject(context.body, KEYWORD_FIELDS);
  checkLocale(body.locale);
  const most = readCount(body.maxRecommendations, "maxRecommendations", {
    low: 0,
    high: MAX_KEYWORDS,
    otherwise: MAX_KEYWORDS,
  });
  const dimension = String(body.sortDimension ?? "DEFAULT");
  if (!DIMENSIONS.includes(dimension)) {
    throw refusal(400, `sortDimension must be one of: ${DIMENSIONS.join(", ")}`, "details");
  }
  const taken = takenTexts(body, context);
  const selected = selectedTexts(body.targets);
  const all = new Set(
    context.profile.collection("sp.keywords").all().map((each) => String(each.keywordText)),
  );
  const rank = (text: string) => steady(`${dimension} ${text}`, 0, 1);
  const fresh = [...all].filter((text) => !taken.has(text) && !selected.includes(text))
    .sort((a, b) => rank(b) - rank(a));
  const keywords = [
    ...selected.map((text) => ({ text, selected: true })),
    ...fresh.map((text) => ({ text, selected: false })),
  ].slice(0, most);
  const options = { most, isWithBids: body.bidsEnabled !== false };
  return jsonResponse(200, shaped(keywords, options, context), { type: context.responseType });
}

function takenTexts(body: JsonObject, { profile }: Context): Set<string> {
  if (body.recommendationType === "KEYWORDS_FOR_ASINS") {
    readTexts(body.asins, "asins", MAX_ASINS);
    return new Set();
  }
  if (body.recommendationType !== "KEYWORDS_FOR_ADGROUP") {
    throw refusal(400, "recommendationType must be KEYWORDS_FOR_ASINS or KEYWORDS_FOR_ADGROUP", "details");
  }
  const adGroup = profile.collection("sp.ad_groups").get(String(body.adGroupId));
  if (adGroup === undefined || adGroup.campaignId !== body.campaignId) {
    throw refusal(422, "The ad group was not found in the campaign", "details");
  }
  const own = profile.collection("sp.keywords").all().filter((each) => each.adGroupId === adGroup.adGroupId);
  return new Set(own.map((each) => String(each.keywordText)));
}

function selectedTexts(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const isTarget = (each: Json) => isObject(each) && typeof each.keyword === "string";
  if (!Array.isArray(value) || !value.every(isTarget)) {
    throw refusal(400, "targets must be a list of {keyword, matchType, bid}", "details");
  }
  return [...new Set(value.map((each) => String((each as JsonObject).keyword)))];
}

function shaped(keywords: readonly Keyword[], options: ShapeOptions, context: Context): unknown {
  const { responseType, profile } = context;
  const { countryCode } = profile.record;
  if (responseType.includes(".v3+")) return toVersion3(keywords, options, countryCode);
  const is5 = responseType.includes(".v5+");
  const keywordTargetList = keywords.map(({ text, selected }, index) => ({
    keyword: text,
    translation: text,
    recId: (hash(`recommendation ${text}`) >>> 0).toString(16),
    userSelectedKeyword: selected,
    ...(is5 ? shareOf(text) : {}),
    bidInfo: options.isWithBids
      ? bidInfo(text, { rank: index + 1, countryCode, theme: is5 ? { theme: KEYWORD_THEME } : {} })
      : [],
  }));
  return is5 ? { keywordTargetList, impactMetrics: [impactOf(keywords.length)] } : { keywordTargetList };
}

function toVersion3(
  keywords: readonly Keyword[],
  { most, isWithBids }: ShapeOptions,
  countryCode: string,
): JsonObject[] {
  const lines = keywords.flatMap(({ text, selected }) =>
    MATCH_TYPES.map((matchType) => {
      const bid = isWithBids ? bidsOf(text, matchType, countryCode)?.middle : undefined;
      return {
        keyword: text,
        matchType,
        userSelectedKeyword: selected,
        ...(bid === undefined ? {} : { bid }),
      };
    })
  );
  return lines.slice(0, most);
}

function shareOf(text: string): JsonObject {
  return {
    searchTermImpressionRank: steadyWhole(`rank ${text}`, 1, 40),
    searchTermImpressionShare: Number(steady(`share ${text}`, 0, 60).toFixed(2)),
  };
}

function bidInfo(
  text: string,
  { rank, countryCode, theme }: { rank: number; countryCode: string; theme: JsonObject },
): JsonObject[] {
  return MATCH_TYPES.flatMap((matchType) => {
    const bids = bidsOf(text, matchType, countryCode);
    if (bids === undefined) return [];
    const suggestedBid = { rangeStart: bids.low, suggested: bids.middle, rangeEnd: bids.high };
    return [{ matchType, rank, ...theme, bid: bids.middle, suggestedBid }];
  });
}

function bidsOf(
  text: string,
  matchType: string,
  countryCode: string,
): { low: number; middle: number; high: number } | undefined {
  const expression = { type: `KEYWORD_${matchType}_MATCH`, value: text };
  const bids = suggestBids(expression, { countryCode, strategy: "LEGACY_FOR_SALES", theme: KEYWORD_THEME });
  const units = WITHOUT_DECIMALS.includes(countryCode) ? 1 : 100;
  const [low, middle = low, high = middle] = (bids ?? []).map((bid) => Math.round(bid * units));
  if (low === undefined) return undefined;
  return { low, middle: middle!, high: high! };
}

function impactOf(count: number): JsonObject {
  return {
    clicks: { values: [{ lower: count * 2, upper: count * 5 }] },
    orders: { values: [{ lower: Math.floor(count / 8), upper: Math.ceil(count / 3) }] },
  };
}
