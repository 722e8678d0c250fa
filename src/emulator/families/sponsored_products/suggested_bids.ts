import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { bidRange, decimalsOf, usualBid } from "../../core/marketplaces.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";

interface Expression {
  readonly type: string;
  readonly value?: string;
}

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

interface BidPlace {
  readonly countryCode: string;
  readonly strategy: string;
  readonly theme: string;
}

const TYPE_FACTORS: Readonly<Record<string, number>> = {
  KEYWORD_EXACT_MATCH: 1.2,
  KEYWORD_PHRASE_MATCH: 1,
  KEYWORD_BROAD_MATCH: 0.85,
  PAT_ASIN: 0.8,
  CLOSE_MATCH: 0.9,
};

const OTHER_FACTOR = 0.65;
const SEASON_FACTOR = 1.3;
const SPREAD = [0.75, 1, 1.45];
const WITHOUT_PRODUCT_BIDS = ["AU"];

/** Out of this many expressions, one is left out, one has no bid, and one has a single bid. */
const RARE = 23;

/**
 * Suggests bids, sorted from low to high and deterministic: usually three, for some expressions one or none.
 * `undefined` means the response omits the expression. Australia has none for products.
 */
export function suggestBids(expression: Expression, place: BidPlace): number[] | undefined {
  const { countryCode, theme, strategy } = place;
  if (WITHOUT_PRODUCT_BIDS.includes(countryCode) && isProductExpression(expression)) return undefined;
  const text = `${expression.type} ${(expression.value ?? "").toLowerCase()}`;
  const rarity = (hash(`rare ${text}`) >>> 0) % RARE;
  if (rarity === 0) return undefined;
  if (rarity === 1) return [];
  const [low, high] = bidRange(countryCode, "sp");
  const variety = 0.6 + 0.8 * (hash(text) >>> 0) / 2 ** 32;
  const season = theme === "CONVERSION_OPPORTUNITIES" ? 1 : SEASON_FACTOR;
  const dynamic = strategy === "AUTO_FOR_SALES" ? 0.9 : 1;
  const middle = usualBid(countryCode) * variety * season * dynamic *
    (TYPE_FACTORS[expression.type] ?? OTHER_FACTOR);
  const decimals = decimalsOf(countryCode);
  const bids = SPREAD.map((factor) =>
    Math.min(Math.max(Number((middle * factor).toFixed(decimals)), low), high)
  );
  return rarity === 2 ? bids.slice(1, 2) : bids;
}

interface BidRequest {
  readonly expressions: readonly Expression[];
  readonly strategy: string;
  readonly withAnalysis: boolean;
}

const FAMILIES: Readonly<Record<string, string>> = {
  KEYWORD_EXACT_MATCH: "keyword",
  KEYWORD_PHRASE_MATCH: "keyword",
  KEYWORD_BROAD_MATCH: "keyword",
  PAT_ASIN: "product",
  PAT_CATEGORY: "product",
  PAT_CATEGORY_REFINEMENT: "product",
  CLOSE_MATCH: "auto",
  LOOSE_MATCH: "auto",
  SUBSTITUTES: "auto",
  COMPLEMENTS: "auto",
  KEYWORD_GROUP: "group",
};

const FAMILIES_OF_3 = ["keyword", "auto"];
const MAX_EXPRESSIONS = 100;
const MAX_ASINS = 50;
const MAX_ADJUSTMENTS = 3;
const STRATEGIES = ["AUTO_FOR_SALES", "LEGACY_FOR_SALES", "MANUAL", "RULE_BASED"];
const PLACEMENTS = ["PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH", "PLACEMENT_TOP"];

function isProductExpression({ type }: Expression): boolean {
  return FAMILIES[type] === "product";
}

/** Reads a bid request; refuses it with 400 if malformed, and with 422 if it cannot be priced. */
function readBidRequest(context: Context): BidRequest {
  const { body } = context;
  if (!isObject(body)) throw bad("Request body must be an object");
  const strategy = readPlace(body, context);
  const expressions = readExpressions(body.targetingExpressions);
  const families = FAMILIES_OF_3.concat(context.contentType?.includes(".v3+") ? [] : ["product", "group"]);
  for (const { type } of expressions) {
    const family = Object.hasOwn(FAMILIES, type) ? FAMILIES[type]! : "unknown";
    if (!families.includes(family)) throw cannot(`Targeting expression type ${type} is not supported`);
  }
  if (new Set(expressions.map(({ type }) => FAMILIES[type])).size > 1) {
    throw cannot("All targeting expressions should have the same targeting type");
  }
  return { expressions, strategy, withAnalysis: body.includeAnalysis === true };
}

function readPlace(body: JsonObject, context: Context): string {
  switch (body.recommendationType) {
    case "BIDS_FOR_EXISTING_AD_GROUP":
      return strategyOfAdGroup(body, context);
    case "BIDS_FOR_NEW_AD_GROUP":
      return strategyOfNew(body);
    default:
      throw bad("recommendationType must be BIDS_FOR_EXISTING_AD_GROUP or BIDS_FOR_NEW_AD_GROUP");
  }
}

function strategyOfAdGroup({ campaignId, adGroupId }: JsonObject, { profile }: Context): string {
  if (typeof campaignId !== "string" || typeof adGroupId !== "string") {
    throw bad("campaignId and adGroupId are required");
  }
  const adGroup = profile.collection("sp.ad_groups").get(adGroupId);
  const campaign = profile.collection("sp.campaigns").get(campaignId);
  if (campaign === undefined || adGroup?.campaignId !== campaignId) {
    throw cannot(`Ad group ${adGroupId} was not found in campaign ${campaignId}`);
  }
  return String((campaign.dynamicBidding as JsonObject | undefined)?.strategy);
}

function strategyOfNew({ asins, bidding }: JsonObject): string {
  if (!isTexts(asins) || asins.length === 0 || asins.length > MAX_ASINS) {
    throw bad(`asins must be a list of 1 to ${MAX_ASINS} products`);
  }
  if (!isObject(bidding) || !STRATEGIES.includes(String(bidding.strategy))) {
    throw bad(`bidding.strategy must be one of: ${STRATEGIES.join(", ")}`);
  }
  const { adjustments = [] } = bidding;
  if (
    !Array.isArray(adjustments) || adjustments.length > MAX_ADJUSTMENTS || !adjustments.every(isAdjustment)
  ) {
    throw bad(`bidding.adjustments must be at most ${MAX_ADJUSTMENTS} of {predicate, percentage}`);
  }
  return String(bidding.strategy);
}

function isAdjustment(value: Json): boolean {
  if (!isObject(value) || !PLACEMENTS.includes(String(value.predicate))) return false;
  const { percentage = 0 } = value;
  return Number.isInteger(percentage) && Number(percentage) >= 0 && Number(percentage) <= 900;
}

function readExpressions(value: Json | undefined): Expression[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_EXPRESSIONS) {
    throw bad(`targetingExpressions must be a list of 1 to ${MAX_EXPRESSIONS} expressions`);
  }
  return value.map((each) => {
    if (!isObject(each) || typeof each.type !== "string") {
      throw bad("A targeting expression must have a type");
    }
    if (each.value === undefined || each.value === null) {
      if (["keyword", "product"].includes(FAMILIES[each.type] ?? "")) {
        throw bad(`A targeting expression of type ${each.type} must have a value`);
      }
      return { type: each.type };
    }
    if (typeof each.value !== "string") throw bad("The value of a targeting expression must be a text");
    return { type: each.type, value: each.value };
  });
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

function bad(text: string): Error {
  return refusal(400, text, "details");
}

function cannot(text: string): Error {
  return refusal(422, text, "details");
}
