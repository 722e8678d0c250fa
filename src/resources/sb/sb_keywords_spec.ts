import { keywordLabel } from "../label.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { brandsV3Wire } from "./brands_v3_wire.ts";

/** Sponsored Brands keywords: lower-case states, integer ids, parents repeated in every update. */
export const sbKeywords: ResourceSpec = {
  kind: "sb.keywords",
  noun: "Brands keyword",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state", "bid"],
  repeated: ["campaignId", "adGroupId"],
  numeric: ["bid"],
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["campaignIds", "adGroupIds"],
  label: keywordLabel,
  normalize: (item) =>
    item["matchType"] === undefined ? item : { ...item, matchType: String(item["matchType"]).toLowerCase() },
  wire: brandsV3Wire({ path: "/sb/keywords", listType: "application/vnd.sbkeyword.v3.2+json" }),
};
