import { jsonWire } from "../json_wire.ts";
import { nameLabel } from "../label.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SB_LIMITS } from "./sb_limits.ts";
import { SB_STATES } from "./sb_states.ts";

/** Sponsored Brands campaigns; their budget is a plain number beside `budgetType`. */
export const sbCampaigns: ResourceSpec = {
  kind: "sb.campaigns",
  noun: "Brands campaign",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  updatable: ["name", "state", "budget", "bidding", "startDate", "endDate", "portfolioId", "tags"],
  numeric: ["budget"],
  ...SB_STATES,
  filters: ["name", "extended"],
  label: nameLabel,
  wire: jsonWire({
    path: "/sb/v4/campaigns",
    mediaType: "application/vnd.sbcampaignresource.v4+json",
    collection: "campaigns",
    idFilter: "campaignIdFilter",
    resultIdField: "campaignId",
    ...SB_LIMITS,
  }),
};
