import type { JsonObject } from "../../core/json.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { idsIn, termsLike, valuesIn } from "../../entities/filter.ts";
import { campaignOf } from "../../entities/parents.ts";
import { checkBid, holds } from "../../entities/rules.ts";
import { choice, number, optional, required } from "../../entities/shape.ts";
import {
  asins,
  BID,
  expression,
  ID,
  NEGATIVE_EXPRESSION,
  NEGATIVE_TARGET_PAST,
  STATE,
  STATE_FILTER,
  STATUS,
} from "./common.ts";
import { dailyBudgetOf } from "./bids_within_budget.ts";
import { targetMetadata } from "./target_metadata.ts";

const ASIN_TYPES = ["ASIN_SAME_AS", "ASIN_EXPANDED_FROM"];
const WITHOUT_VALUE = [
  "ASIN_ACCESSORY_RELATED",
  "ASIN_SUBSTITUTE_RELATED",
  "QUERY_BROAD_REL_MATCHES",
  "QUERY_HIGH_REL_MATCHES",
];

function resolveExpression(item: JsonObject): JsonObject {
  return item.expression === undefined ? {} : { resolvedExpression: item.expression };
}

function checkExpression({ item }: Draft): ItemError[] {
  if (item.expression === undefined) return [];
  const parts = item.expression as JsonObject[];
  if (parts.length === 0) {
    return [itemError(["missingValueError", "MISSING_VALUE"], "expression", "expression must not be empty")];
  }
  return parts.flatMap((part, index) => checkPart(part, `expression[${index}].value`));
}

function checkPart({ type, value }: JsonObject, field: string): ItemError[] {
  if (WITHOUT_VALUE.includes(String(type))) return [];
  if (value === undefined || value === null) {
    return [itemError(["missingValueError", "MISSING_VALUE"], field, `${field} is required`)];
  }
  if (!ASIN_TYPES.includes(String(type)) || /^[A-Z0-9]{10}$/.test(String(value))) return [];
  const reason = ["targetingClauseSetupError", "TARGETING_EXPRESSION_INVALID_VALUE"] as const;
  return [itemError(reason, field, "The value is not an ASIN", { trigger: value })];
}

const AUTO_TYPES = [
  "ASIN_ACCESSORY_RELATED",
  "ASIN_SUBSTITUTE_RELATED",
  "QUERY_BROAD_REL_MATCHES",
  "QUERY_HIGH_REL_MATCHES",
];
const MANUAL_TYPES = [
  "ASIN_AGE_RANGE_SAME_AS",
  "ASIN_BRAND_SAME_AS",
  "ASIN_CATEGORY_SAME_AS",
  "ASIN_EXPANDED_FROM",
  "ASIN_GENRE_SAME_AS",
  "ASIN_IS_PRIME_SHIPPING_ELIGIBLE",
  "ASIN_PRICE_BETWEEN",
  "ASIN_PRICE_GREATER_THAN",
  "ASIN_PRICE_LESS_THAN",
  "ASIN_REVIEW_RATING_BETWEEN",
  "ASIN_REVIEW_RATING_GREATER_THAN",
  "ASIN_REVIEW_RATING_LESS_THAN",
  "ASIN_SAME_AS",
  "KEYWORD_GROUP_SAME_AS",
];
const ANY_EXPRESSION = expression([...MANUAL_TYPES, ...AUTO_TYPES]);

export const TARGETS: EntityResource = {
  kind: "sp.targets",
  path: "/sp/targets",
  mediaType: "application/vnd.spTargetingClause.v3+json",
  collection: "targetingClauses",
  resultIdField: "targetId",
  echoField: "targetingClause",
  operations: {
    list: "sponsored-products:ListSponsoredProductsTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsTargetingClauses",
    archive: "sponsored-products:DeleteSponsoredProductsTargetingClauses",
  },
  entityType: "TARGETING_CLAUSE",
  idFilter: { name: "targetIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    asinFilter: termsLike(asins, { max: 100 }),
    expressionTypeFilter: valuesIn("expressionType", 2, ["AUTO", "MANUAL", "OTHER"]),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    campaignId: required(ID),
    adGroupId: required(ID),
    expression: required(ANY_EXPRESSION),
    expressionType: required(choice("MANUAL", "AUTO")),
    bid: optional(number()),
    state: required(STATE),
  },
  clearable: ["bid"],
  updateFields: {
    targetId: required(ID),
    bid: optional(number()),
    expression: optional(ANY_EXPRESSION),
    expressionType: optional(choice("AUTO", "MANUAL")),
    state: optional(STATE),
  },
  derive: resolveExpression,
  rules: (draft, context) => [
    ...checkBid(draft.item.bid, { field: "bid", budget: dailyBudgetOf(draft.after, context) }, context),
    ...checkExpression(draft),
    ...checkPlace(draft, context),
  ],
  archiveRules: (target) =>
    target.expressionType === "AUTO"
      ? [itemError(
        ["entityStateError", "AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY"],
        "targetId",
        "Automatic targeting clauses cannot be archived",
        { details: { entityType: "TARGETING_CLAUSE" } },
      )]
      : [],
  history: {
    entityType: "PRODUCT_TARGETING",
    tracked: [STATUS, BID],
    metadata: targetMetadata,
  },
};

function checkPlace({ before, item }: Draft, context: RuleContext): ItemError[] {
  const parts = (item.expression ?? []) as JsonObject[];
  const isAuto = item.expressionType === "AUTO" ||
    parts.some((part) => AUTO_TYPES.includes(String(part.type)));
  if (before !== undefined) return [];
  if (isAuto) return [setupError("AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY", "expression")];
  if (campaignOf(item, context.profile)?.targetingType === "AUTO") {
    return [setupError("TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN", "expression")];
  }
  return holds("sp.keywords", item.adGroupId, context)
    ? [setupError("TYPE_CONFLICT_IN_AD_GROUP", "adGroupId")]
    : [];
}

function setupError(reason: string, field: string): ItemError {
  return itemError(
    ["targetingClauseSetupError", reason],
    field,
    "This target is not possible in this ad group",
  );
}

export const NEGATIVE_TARGETS: EntityResource = {
  kind: "sp.negative_targets",
  path: "/sp/negativeTargets",
  mediaType: "application/vnd.spNegativeTargetingClause.v3+json",
  collection: "negativeTargetingClauses",
  resultIdField: "targetId",
  echoField: "negativeTargetingClause",
  operations: {
    list: "sponsored-products:ListSponsoredProductsNegativeTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsNegativeTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsNegativeTargetingClauses",
    archive: "sponsored-products:DeleteSponsoredProductsNegativeTargetingClauses",
  },
  entityType: "NEGATIVE_TARGETING_CLAUSE",
  idFilter: { name: "negativeTargetIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    asinFilter: termsLike(asins, { max: 100 }),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    campaignId: required(ID),
    adGroupId: required(ID),
    expression: required(NEGATIVE_EXPRESSION),
    state: required(STATE),
  },
  updateFields: { targetId: required(ID), expression: optional(NEGATIVE_EXPRESSION), state: optional(STATE) },
  derive: resolveExpression,
  rules: checkExpression,
  history: NEGATIVE_TARGET_PAST,
};

/** Updated by `targetId` but reported as `campaignNegativeTargetingClauseId`; echoed under a plural name. */
export const CAMPAIGN_NEGATIVE_TARGETS: EntityResource = {
  kind: "sp.campaign_negative_targets",
  path: "/sp/campaignNegativeTargets",
  mediaType: "application/vnd.spCampaignNegativeTargetingClause.v3+json",
  collection: "campaignNegativeTargetingClauses",
  resultIdField: "campaignNegativeTargetingClauseId",
  echoField: "campaignNegativeTargetingClauses",
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaignNegativeTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsCampaignNegativeTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsCampaignNegativeTargetingClauses",
    archive: "sponsored-products:DeleteSponsoredProductsCampaignNegativeTargetingClauses",
  },
  entityType: "CAMPAIGN_NEGATIVE_TARGETING_CLAUSE",
  idFilter: { name: "campaignNegativeTargetIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    asinFilter: termsLike(asins, { max: 100 }),
  },
  maxItems: 1000,
  parents: ["campaign"],
  createFields: {
    campaignId: required(ID),
    expression: required(NEGATIVE_EXPRESSION),
    state: required(STATE),
  },
  updateFields: { targetId: required(ID), expression: optional(NEGATIVE_EXPRESSION), state: optional(STATE) },
  derive: resolveExpression,
  rules: checkExpression,
  history: NEGATIVE_TARGET_PAST,
};
