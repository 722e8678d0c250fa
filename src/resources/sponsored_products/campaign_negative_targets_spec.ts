import { byExpression } from "../fields/identity.ts";
import { SP_EXTENDED_FIELDS } from "../fields/extended_fields.ts";
import type { Kind } from "../kind.ts";
import type {
  CampaignNegativeTarget,
  CampaignNegativeTargetUpdate,
  NewCampaignNegativeTarget,
} from "./entities/targets.ts";
import { Resource } from "../resource.ts";
import { targetLabel } from "../fields/label.ts";
import { jsonWire } from "../wire/json_wire.ts";
import { spCampaignNegativeTargetsUnified } from "../wire/unified/sp_unified.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products negative targeting clauses of campaigns. */
export const spCampaignNegativeTargets: Kind<
  Resource<CampaignNegativeTarget, NewCampaignNegativeTarget, CampaignNegativeTargetUpdate>
> = {
  kind: "sp.campaign_negative_targets",
  noun: "campaign negative target",
  plural: "campaign negative targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId"],
  updatable: ["state", "expression"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "extended"],
  label: targetLabel,
  required: ["campaignId", "expression", "state"],
  identity: byExpression,
  parents: { campaignId: "sp.campaigns" },
  columns: ["targetId", "expression", "state", "campaignId"],
  moreFields: ["resolvedExpression"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaignNegativeTargetingClauses",
    create: "sponsored-products:CreateSponsoredProductsCampaignNegativeTargetingClauses",
    update: "sponsored-products:UpdateSponsoredProductsCampaignNegativeTargetingClauses",
    delete: "sponsored-products:DeleteSponsoredProductsCampaignNegativeTargetingClauses",
  },
  create: (scope) => new Resource(scope, spCampaignNegativeTargets),
  unified: spCampaignNegativeTargetsUnified,
  wire: jsonWire({
    path: "/sp/campaignNegativeTargets",
    mediaType: "application/vnd.spCampaignNegativeTargetingClause.v3+json",
    collection: "campaignNegativeTargetingClauses",
    idFilter: "campaignNegativeTargetIdFilter",
    resultIdField: "campaignNegativeTargetingClauseId",
  }),
};
