import { keywordLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products keywords. */
export const spKeywords: ResourceSpec = {
  kind: "sp.keywords",
  noun: "keyword",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  updatable: ["state", "bid"],
  numeric: ["bid"],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: keywordLabel,
  wire: jsonWire({
    path: "/sp/keywords",
    mediaType: "application/vnd.spKeyword.v3+json",
    collection: "keywords",
    idFilter: "keywordIdFilter",
    resultIdField: "keywordId",
  }),
};
