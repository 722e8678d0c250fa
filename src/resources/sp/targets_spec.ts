import { targetLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products targeting clauses. */
export const spTargets: ResourceSpec = {
  kind: "sp.targets",
  noun: "targeting clause",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  updatable: ["state", "bid", "expression", "expressionType"],
  numeric: ["bid"],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  wire: jsonWire({
    path: "/sp/targets",
    mediaType: "application/vnd.spTargetingClause.v3+json",
    collection: "targetingClauses",
    idFilter: "targetIdFilter",
    resultIdField: "targetId",
  }),
};
