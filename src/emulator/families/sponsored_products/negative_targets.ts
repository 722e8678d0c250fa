import { idsIn, termsLike } from "../../entities/filter.ts";
import type { EntityResource } from "../../entities/entity_resource.ts";
import { optional, required } from "../../entities/shape.ts";
import { asins, ID, NEGATIVE_EXPRESSION, STATE, STATE_FILTER } from "./common.ts";
import { checkExpression, resolveExpression } from "./expression_rules.ts";

/** Negative targets of ad groups: products and brands that are kept out. */
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
};
