import { keywordLabel } from "../label.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import type { Fields } from "../resource_wire.ts";
import { brandsV3Wire } from "./brands_v3_wire.ts";

const MATCH_TYPES: Readonly<Record<string, string>> = {
  exact: "negativeExact",
  phrase: "negativePhrase",
  negativeexact: "negativeExact",
  negativephrase: "negativePhrase",
};

/** Sponsored Brands negative keywords: as the keywords, but never paused, and listed one state a request. */
export const sbNegativeKeywords: ResourceSpec = {
  kind: "sb.negative_keywords",
  noun: "Brands negative keyword",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state"],
  repeated: ["campaignId", "adGroupId"],
  numeric: [],
  defaultStates: ["enabled"],
  stateCase: "lower",
  settableStates: ["ENABLED"],
  filters: ["campaignIds", "adGroupIds"],
  label: keywordLabel,
  normalize: withMatchType,
  wire: brandsV3Wire({
    path: "/sb/negativeKeywords",
    listType: "application/vnd.sbnegativekeyword.v3.2+json",
    stateLimit: 1,
  }),
};

function withMatchType(item: Fields): Fields {
  const given = item["matchType"];
  if (given === undefined) return item;
  const known = MATCH_TYPES[String(given).replaceAll("_", "").toLowerCase()];
  return { ...item, matchType: known ?? given };
}
