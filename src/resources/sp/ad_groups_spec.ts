import { nameLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products ad groups. */
export const spAdGroups: ResourceSpec = {
  kind: "sp.ad_groups",
  noun: "ad group",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  updatable: ["name", "state", "defaultBid"],
  numeric: ["defaultBid"],
  ...SP_STATES,
  filters: ["campaignIds", "name", "extended"],
  label: nameLabel,
  wire: jsonWire({
    path: "/sp/adGroups",
    mediaType: "application/vnd.spAdGroup.v3+json",
    collection: "adGroups",
    idFilter: "adGroupIdFilter",
    resultIdField: "adGroupId",
  }),
};
