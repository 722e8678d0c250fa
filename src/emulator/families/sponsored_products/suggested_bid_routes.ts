import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type BidRequest, type Expression, readBidRequest } from "./bid_request.ts";
import { suggestBids } from "./suggest_bids.ts";
import type { Route } from "../../routing/route.ts";

interface Priced {
  readonly expression: Expression;
  readonly bids: readonly number[];
}

const PLACES = ["ALL", "PLACEMENT_TOP", "PLACEMENT_REST_OF_SEARCH", "PLACEMENT_PRODUCT_PAGE"];
const BID_TYPES = ["SUGGESTED_LOWER", "SUGGESTED", "SUGGESTED_UPPER"];

function recommendBids(context: Context): HttpResponse {
  const request = readBidRequest(context);
  const themes = ["CONVERSION_OPPORTUNITIES", seasonOf(context.clock.iso())];
  const bidRecommendations = themes.map((theme) => recommend(theme, request, context));
  return jsonResponse(200, { bidRecommendations }, { type: context.responseType });
}

function recommend(theme: string, request: BidRequest, { profile, responseType }: Context): JsonObject {
  const place = { countryCode: profile.record.countryCode, strategy: request.strategy, theme };
  const priced = request.expressions.flatMap((expression): Priced[] => {
    const bids = suggestBids(expression, place);
    return bids === undefined ? [] : [{ expression, bids }];
  });
  const is3 = responseType.includes(".v3+");
  const is5 = responseType.includes(".v5+");
  return {
    theme,
    bidRecommendationsForTargetingExpressions: priced.map(({ expression, bids }) => ({
      targetingExpression: { ...expression },
      bidValues: bids.map((suggestedBid) => ({ suggestedBid })),
      ...(is5 ? { suggestedBidImpactMetrics: impressionsOf(expression) } : {}),
    })),
    ...(is3 ? { impactMetrics: impactOf(priced) } : {}),
    ...(is5 && request.withAnalysis ? { bidAnalysesForTargetingExpressions: priced.map(analyse) } : {}),
  };
}

function seasonOf(moment: string): string {
  const month = Number(moment.slice(5, 7));
  return month <= 7 ? "PRIME_DAY" : month <= 10 ? "FALL_PRIME_DEAL_EVENT" : "BFCM_HOLIDAY";
}

function analyse({ expression, bids }: Priced): JsonObject {
  const types = bids.length === 1 ? ["SUGGESTED"] : BID_TYPES;
  const { estimatedImpressionLower: impressions } = impressionsOf(expression);
  const rows = bids.map((bid, index) => ({
    bid,
    type: types[index]!,
    impactMetrics: {
      estimatedImpressionLower: Math.round(impressions * (index + 1)),
      estimatedImpressionAvg: Math.round(impressions * (index + 1) * 1.25),
      estimatedImpressionUpper: Math.round(impressions * (index + 1) * 1.5),
    },
  }));
  return {
    targetingExpression: { ...expression },
    bidAnalyses: Object.fromEntries(PLACES.map((place) => [place, rows])),
  };
}

function impactOf(priced: readonly Priced[]): JsonObject {
  const clicks = priced.reduce(
    (sum, { expression }) => sum + impressionsOf(expression).estimatedImpressionLower / 120,
    0,
  );
  const steps = [0.6, 1, 1.5];
  return {
    clicks: { values: steps.map((step) => range(clicks * step)) },
    orders: { values: steps.map((step) => range(clicks * step * 0.08)) },
  };
}

function impressionsOf(
  { type, value = "" }: Expression,
): { estimatedImpressionLower: number; estimatedImpressionUpper: number } {
  const lower = 200 + (hash(`impressions ${type} ${value.toLowerCase()}`) >>> 0) % 9000;
  return { estimatedImpressionLower: lower, estimatedImpressionUpper: Math.round(lower * 1.8) };
}

function range(middle: number): JsonObject {
  return { lower: Math.floor(middle * 0.8), upper: Math.ceil(middle * 1.2) };
}

const TYPES = ["v5", "v4", "v3"].map((version) =>
  `application/vnd.spthemebasedbidrecommendation.${version}+json`
);

export const SUGGESTED_BID_ROUTES: readonly Route[] = [{
  operation: "sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1",
  method: "POST",
  path: "/sp/targets/bid/recommendations",
  requestTypes: TYPES,
  responseTypes: TYPES,
  typedErrors: true,
  errors: "details",
  handle: recommendBids,
}];
