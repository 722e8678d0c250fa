import { isObject, type JsonObject } from "../../core/json.ts";
import type { Draft, RuleContext } from "../../entities/entity_resource.ts";
import type { ItemError } from "../../entities/item_error.ts";
import { checkBid } from "../../entities/rules.ts";
import { ANY, choice, list, number, NUMERIC_ID, optional, required } from "../../entities/shape.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { adGroupOf, bidKindOf, campaignOf, invalid, MAX_ITEMS, STATE } from "./common.ts";

const PRODUCT_TYPES = [
  "asinAgeRangeSameAs",
  "asinBrandSameAs",
  "asinCategorySameAs",
  "asinGenreSameAs",
  "asinIsPrimeShippingEligible",
  "asinPriceBetween",
  "asinPriceGreaterThan",
  "asinPriceLessThan",
  "asinReviewRatingBetween",
  "asinReviewRatingGreaterThan",
  "asinReviewRatingLessThan",
  "asinSameAs",
  "contentCategorySameAs",
  "similarProduct",
];
const AUDIENCE_TYPES = ["audience", "purchases", "views"];
const NEGATIVE_TYPES = ["asinBrandSameAs", "asinSameAs"];

const PARENTS: FlatResource["parents"] = [
  { field: "adGroupId", kind: "sd.ad_groups" },
  { field: "campaignId", kind: "sd.campaigns" },
];
const BASE = {
  idField: "targetId",
  idFields: ["targetId", "adGroupId", "campaignId"],
  parents: PARENTS,
  maxItems: MAX_ITEMS,
  live: "TARGET_STATUS_LIVE",
  statusWord: "TARGET_STATUS",
} as const;
const CLAUSE = {
  adGroupId: required(NUMERIC_ID),
  campaignId: optional(NUMERIC_ID),
  state: optional(STATE),
  expressionType: required(choice("manual", "auto")),
  expression: required(list(ANY, 100)),
} as const;

export const DISPLAY_TARGETS: FlatResource = {
  ...BASE,
  kind: "sd.targets",
  path: "/sd/targets",
  idParam: "targetId",
  noun: "Target",
  operations: {
    list: "sponsored-display:listTargetingClauses",
    listExtended: "sponsored-display:listTargetingClausesEx",
    get: "sponsored-display:getTargets",
    getExtended: "sponsored-display:getTargetsEx",
    create: "sponsored-display:createTargetingClauses",
    update: "sponsored-display:updateTargetingClauses",
    archive: "sponsored-display:archiveTargetingClause",
  },
  createFields: { ...CLAUSE, bid: optional(number()) },
  updateFields: { state: optional(STATE), bid: optional(number()) },
  clearable: ["bid"],
  idFilters: { targetIdFilter: "targetId", adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  complete: placeOf,
  rules: checkTarget,
};

export const DISPLAY_NEGATIVE_TARGETS: FlatResource = {
  ...BASE,
  kind: "sd.negative_targets",
  path: "/sd/negativeTargets",
  idParam: "negativeTargetId",
  noun: "Negative target",
  operations: {
    list: "sponsored-display:listNegativeTargetingClauses",
    listExtended: "sponsored-display:listNegativeTargetingClausesEx",
    get: "sponsored-display:getNegativeTargets",
    getExtended: "sponsored-display:getNegativeTargetsEx",
    create: "sponsored-display:createNegativeTargetingClauses",
    update: "sponsored-display:updateNegativeTargetingClauses",
    archive: "sponsored-display:archiveNegativeTargetingClause",
  },
  createFields: { ...CLAUSE, state: required(STATE) },
  notPlain: ["campaignId"],
  notExtended: ["campaignId", "resolvedExpression"],
  updateFields: { state: optional(STATE) },
  idFilters: { targetIdFilter: "targetId", adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  complete: placeOf,
  rules: ({ item }) => checkExpression(item, NEGATIVE_TYPES),
};

function placeOf(item: JsonObject, context: RuleContext): JsonObject {
  return { campaignId: adGroupOf(item, context)?.campaignId, resolvedExpression: item.expression };
}

function checkTarget({ item, after }: Draft, context: RuleContext): readonly ItemError[] {
  const campaign = campaignOf(after, context);
  // A campaign of the unified family has no tactic: its targets are of either sort.
  const allowed = campaign?.tactic === "T00020" ? PRODUCT_TYPES : [...AUDIENCE_TYPES, ...PRODUCT_TYPES];
  return [
    ...checkExpression(item, allowed),
    ...checkBid(item.bid, { field: "bid", kind: bidKindOf(campaign) }, context),
  ];
}

function checkExpression({ expression }: JsonObject, allowed: readonly string[]): ItemError[] {
  if (expression === undefined) return [];
  const parts = Array.isArray(expression) ? expression : [];
  if (parts.length === 0) return [invalid("expression", "expression must not be empty")];
  for (const part of parts) {
    if (!isObject(part) || !allowed.includes(String(part.type))) {
      return [invalid("expression", `expression types of this campaign are ${allowed.join(", ")}`)];
    }
    if (part.type === "asinSameAs" && !/^[A-Z0-9]{10}$/.test(String(part.value))) {
      return [invalid("expression", "The value is not an ASIN")];
    }
  }
  return [];
}
