import { keywordLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products negative keywords of ad groups; verdicts name them `negativeKeywordId`. */
export const spNegativeKeywords: ResourceSpec = {
  kind: "sp.negative_keywords",
  noun: "negative keyword",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  updatable: ["state"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: keywordLabel,
  wire: jsonWire({
    path: "/sp/negativeKeywords",
    mediaType: "application/vnd.spNegativeKeyword.v3+json",
    collection: "negativeKeywords",
    idFilter: "negativeKeywordIdFilter",
    resultIdField: "negativeKeywordId",
  }),
};
