import { idsIn, termsLike } from "../../entities/filter.ts";
import type { EntityResource } from "../../entities/entity_resource.ts";
import { optional, required } from "../../entities/shape.ts";
import { asins, ID, NEGATIVE_EXPRESSION, STATE, STATE_FILTER } from "./common.ts";
import { checkExpression, resolveExpression } from "./expression_rules.ts";

/**
 * Negative targets of campaigns. They are updated by `targetId` and reported as `campaignNegativeTargetingClauseId`; the
 * platform echoes each under a name in the plural.
 */
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
};
