import { keywordLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products negative keywords of campaigns; verdicts name them `campaignNegativeKeywordId`. */
export const spCampaignNegativeKeywords: ResourceSpec = {
  kind: "sp.campaign_negative_keywords",
  noun: "campaign negative keyword",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId"],
  updatable: ["state"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "extended"],
  label: keywordLabel,
  wire: jsonWire({
    path: "/sp/campaignNegativeKeywords",
    mediaType: "application/vnd.spCampaignNegativeKeyword.v3+json",
    collection: "campaignNegativeKeywords",
    idFilter: "campaignNegativeKeywordIdFilter",
    resultIdField: "campaignNegativeKeywordId",
  }),
};
