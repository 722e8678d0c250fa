import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { steady } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { bidRange, decimalsOf, usualBid } from "../../core/marketplaces.ts";

const BID_TYPES = ["v3.3", "v3.2", "v3.1"].map((version) =>
  `application/vnd.sdtargetingrecommendations.${version}+json`
);
const MAX_CLAUSES = 100;
const HEADLINE_REQUEST = ["application/vnd.sdheadlinerecommendationrequest.v4.0+json"];
const HEADLINE_RESPONSE = ["application/vnd.sdheadlinerecommendationresponse.v4.0+json"];
const HEADLINES = [
  "Made to last",
  "Ready when you are",
  "The one you keep",
  "Quietly better",
  "For every day",
];

export const DISPLAY_RECOMMENDATION_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-display:getTargetBidRecommendations",
    method: "POST",
    path: "/sd/targets/bid/recommendations",
    requestTypes: ["application/vnd.sdtargetingrecommendations.v3.4+json", ...BID_TYPES],
    responseTypes: BID_TYPES,
    errors: "details",
    handle: recommendBids,
  },
  {
    operation: "sponsored-display:getHeadlineRecommendationsForSD",
    method: "POST",
    path: "/sd/recommendations/creative/headline",
    requestTypes: HEADLINE_REQUEST,
    responseTypes: HEADLINE_RESPONSE,
    errors: "details",
    handle: recommendHeadlines,
  },
];

function recommendBids(context: Context): HttpResponse {
  const { body, profile, responseType } = context;
  const { targetingClauses, costType = "cpc", bidOptimization = "clicks" } = isObject(body) ? body : {};
  if (
    !Array.isArray(targetingClauses) || targetingClauses.length === 0 || targetingClauses.length > MAX_CLAUSES
  ) {
    throw refusal(400, `targetingClauses must be a list of 1 to ${MAX_CLAUSES} clauses`, "details");
  }
  if (costType !== "cpc" && costType !== "vcpm") {
    throw refusal(400, "costType must be cpc or vcpm", "details");
  }
  const { countryCode } = profile.record;
  const [low, high] = bidRange(countryCode, costType === "vcpm" ? "sdVcpm" : "sdCpc");
  const rounded = (amount: number) =>
    Math.min(high, Math.max(low, Number(amount.toFixed(decimalsOf(countryCode)))));
  const bidRecommendations = targetingClauses.map((each): JsonObject => {
    const clause = isObject(each) && isObject(each.targetingClause) ? each.targetingClause : undefined;
    if (clause === undefined || !Array.isArray(clause.expression) || clause.expression.length === 0) {
      return { code: "INVALID_ARGUMENT", details: "expression must not be empty" };
    }
    const factor = costType === "vcpm" ? 6 : 0.8;
    const middle = usualBid(countryCode) * factor * steady(JSON.stringify(clause.expression), 0.6, 1.5);
    const [rangeLower, recommended, rangeUpper] = [0.7, 1, 1.4].map((part) => rounded(middle * part));
    return { code: "SUCCESS", rangeLower, recommended, rangeUpper };
  });
  const more = responseType.includes(".v3.1") ? {} : { bidOptimization };
  return jsonResponse(207, { ...more, costType, bidRecommendations }, { type: responseType });
}

function recommendHeadlines({ body, state, responseType }: Context): HttpResponse {
  const { asins = [], maxNumRecommendations = HEADLINES.length } = isObject(body) ? body : {};
  if (!Array.isArray(asins) || asins.length > 100) {
    throw refusal(400, "asins must be a list of at most 100 products", "details");
  }
  const count = Math.min(HEADLINES.length, Math.max(1, Number(maxNumRecommendations)));
  const start = Math.floor(steady(asins.join(" "), 0, HEADLINES.length));
  const recommendations = HEADLINES.map((_, index) => HEADLINES[(start + index) % HEADLINES.length])
    .slice(0, count).map((headline, index) => ({ headlineId: `headline-${start}-${index}`, headline }));
  return jsonResponse(200, { requestId: `headlines-${state.newId()}`, recommendations }, {
    type: responseType,
  });
}
