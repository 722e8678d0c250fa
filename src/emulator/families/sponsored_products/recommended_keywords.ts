import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { suggestBids } from "./suggest_bids.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { refusal } from "../../http/refusal.ts";
import {
  checkLocale,
  readCount,
  readObject,
  readTexts,
  steady,
  steadyWhole,
} from "../../routing/read_request.ts";

const FIELDS = [
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
const MAX_ASINS = 50;
const MAX_KEYWORDS = 200;
const DIMENSIONS = ["CLICKS", "CONVERSIONS", "DEFAULT"];
const MATCH_TYPES = ["EXACT", "PHRASE", "BROAD"];
const THEME = "CONVERSION_OPPORTUNITIES";
const WITHOUT_DECIMALS = ["JP"];

interface Keyword {
  readonly text: string;
  readonly selected: boolean;
}

/** The caller's keywords come first. Unlike elsewhere, bids are in the currency's smallest unit. */
export function recommendKeywords(context: Context): HttpResponse {
  const body = readObject(context.body, FIELDS);
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

interface ShapeOptions {
  readonly most: number;
  readonly isWithBids: boolean;
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
      ? bidInfo(text, { rank: index + 1, countryCode, theme: is5 ? { theme: THEME } : {} })
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
  const bids = suggestBids(expression, { countryCode, strategy: "LEGACY_FOR_SALES", theme: THEME });
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
