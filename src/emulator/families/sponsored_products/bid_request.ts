import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";

export interface Expression {
  readonly type: string;
  readonly value?: string;
}

export interface BidRequest {
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

export function isProductExpression({ type }: Expression): boolean {
  return FAMILIES[type] === "product";
}

/** Reads a bid request; refuses it with 400 if malformed, and with 422 if it cannot be priced. */
export function readBidRequest(context: Context): BidRequest {
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
