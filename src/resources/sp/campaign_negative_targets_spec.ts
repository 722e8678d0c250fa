import { targetLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products negative targeting clauses of campaigns. */
export const spCampaignNegativeTargets: ResourceSpec = {
  kind: "sp.campaign_negative_targets",
  noun: "campaign negative targeting clause",
  idField: "targetId",
  idFields: ["targetId", "campaignId"],
  updatable: ["state", "expression"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "extended"],
  label: targetLabel,
  wire: jsonWire({
    path: "/sp/campaignNegativeTargets",
    mediaType: "application/vnd.spCampaignNegativeTargetingClause.v3+json",
    collection: "campaignNegativeTargetingClauses",
    idFilter: "campaignNegativeTargetIdFilter",
    resultIdField: "campaignNegativeTargetingClauseId",
  }),
};
