import { byExpression } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import { TargetsResource } from "./targets_resource.ts";
import { targetLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

export const spTargets: Kind<TargetsResource> = {
  kind: "sp.targets",
  noun: "target",
  plural: "targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  updatable: ["state", "bid", "expression", "expressionType", "tags"],
  clearable: ["bid", "tags"],
  numeric: ["bid"],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  required: ["campaignId", "adGroupId", "expression", "expressionType", "state"],
  choices: { expressionType: ["AUTO", "MANUAL"] },
  identity: byExpression,
  parents: { campaignId: "sp.campaigns", adGroupId: "sp.ad_groups" },
  historyType: "PRODUCT_TARGETING",
  columns: ["targetId", "expression", "expressionType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpression", "tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsTargetingClauses",
    delete: "sponsored-products:DeleteSponsoredProductsTargetingClauses",
    categories: "sponsored-products:getTargetableCategories",
    productCounts: "sponsored-products:getTargetableASINCounts",
    refinements: "sponsored-products:getRefinementsForCategory",
    categoryRecommendations: "sponsored-products:getCategoryRecommendationsForASINs",
    productRecommendations: "sponsored-products:getProductRecommendations",
  },
  create: (scope) => new TargetsResource(scope, spTargets),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spTargetsUnified", SHARED_IDS),
  wire: lateJson({
    path: "/sp/targets",
    mediaType: "application/vnd.spTargetingClause.v3+json",
    collection: "targetingClauses",
    idFilter: "targetIdFilter",
    resultIdField: "targetId",
    hasTags: false,
  }),
};
