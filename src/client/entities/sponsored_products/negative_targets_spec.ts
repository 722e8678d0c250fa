import { byExpression } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type {
  CampaignNegativeTarget,
  CampaignNegativeTargetUpdate,
  NewCampaignNegativeTarget,
} from "./entities/targets.ts";
import { Resource } from "../resource/resource.ts";
import { targetLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { NegativeTargetsResource } from "./negative_targets_resource.ts";
import { lateJson, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

export const spNegativeTargets: Kind<NegativeTargetsResource> = {
  kind: "sp.negative_targets",
  noun: "negative target",
  plural: "negative targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  updatable: ["state", "expression", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  required: ["campaignId", "adGroupId", "expression", "state"],
  identity: byExpression,
  parents: { campaignId: "sp.campaigns", adGroupId: "sp.ad_groups" },
  columns: ["targetId", "expression", "state", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpression", "tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsNegativeTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsNegativeTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsNegativeTargetingClauses",
    delete: "sponsored-products:DeleteSponsoredProductsNegativeTargetingClauses",
    brandRecommendations: "sponsored-products:getNegativeBrands",
    searchBrands: "sponsored-products:searchBrands",
  },
  create: (scope) => new NegativeTargetsResource(scope, spNegativeTargets),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spNegativeTargetsUnified", SHARED_IDS),
  wire: lateJson({
    path: "/sp/negativeTargets",
    mediaType: "application/vnd.spNegativeTargetingClause.v3+json",
    collection: "negativeTargetingClauses",
    idFilter: "negativeTargetIdFilter",
    resultIdField: "targetId",
    hasTags: false,
  }),
};

export const spCampaignNegativeTargets: Kind<
  Resource<CampaignNegativeTarget, NewCampaignNegativeTarget, CampaignNegativeTargetUpdate>
> = {
  kind: "sp.campaign_negative_targets",
  noun: "campaign negative target",
  plural: "campaign negative targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId"],
  updatable: ["state", "expression", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "extended"],
  label: targetLabel,
  required: ["campaignId", "expression", "state"],
  identity: byExpression,
  parents: { campaignId: "sp.campaigns" },
  columns: ["targetId", "expression", "state", "campaignId"],
  moreFields: ["resolvedExpression", "tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaignNegativeTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsCampaignNegativeTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsCampaignNegativeTargetingClauses",
    delete: "sponsored-products:DeleteSponsoredProductsCampaignNegativeTargetingClauses",
  },
  create: (scope) => new Resource(scope, spCampaignNegativeTargets),
  unified: lateUnified(
    () => import("../wire/unified/sp_unified.ts"),
    "spCampaignNegativeTargetsUnified",
    SHARED_IDS,
  ),
  wire: lateJson({
    path: "/sp/campaignNegativeTargets",
    mediaType: "application/vnd.spCampaignNegativeTargetingClause.v3+json",
    collection: "campaignNegativeTargetingClauses",
    idFilter: "campaignNegativeTargetIdFilter",
    resultIdField: "campaignNegativeTargetingClauseId",
    hasTags: false,
  }),
};
