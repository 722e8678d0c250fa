import { targetLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products negative targeting clauses of ad groups. */
export const spNegativeTargets: ResourceSpec = {
  kind: "sp.negative_targets",
  noun: "negative targeting clause",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  updatable: ["state", "expression"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  wire: jsonWire({
    path: "/sp/negativeTargets",
    mediaType: "application/vnd.spNegativeTargetingClause.v3+json",
    collection: "negativeTargetingClauses",
    idFilter: "negativeTargetIdFilter",
    resultIdField: "targetId",
  }),
};
