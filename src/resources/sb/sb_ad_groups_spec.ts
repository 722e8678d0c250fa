import { jsonWire } from "../json_wire.ts";
import { nameLabel } from "../label.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SB_LIMITS } from "./sb_limits.ts";
import { SB_STATES } from "./sb_states.ts";

/** Sponsored Brands ad groups. */
export const sbAdGroups: ResourceSpec = {
  kind: "sb.ad_groups",
  noun: "Brands ad group",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  repeatable: true,
  updatable: ["name", "state"],
  numeric: [],
  ...SB_STATES,
  filters: ["campaignIds", "name", "extended"],
  label: nameLabel,
  wire: jsonWire({
    path: "/sb/v4/adGroups",
    mediaType: "application/vnd.sbadgroupresource.v4+json",
    collection: "adGroups",
    idFilter: "adGroupIdFilter",
    resultIdField: "adGroupId",
    ...SB_LIMITS,
  }),
};
