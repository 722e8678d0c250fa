import { anyOf, idsIn, termsLike } from "../../entities/filter.ts";
import type { EntityResource } from "../../entities/entity_resource.ts";
import { checkText } from "../../entities/rules.ts";
import { choice, optional, required, text } from "../../entities/shape.ts";
import {
  ID,
  keywordTexts,
  NEGATIVE_MATCH_TYPES,
  negativeKeywordMetadata,
  STATE,
  STATE_FILTER,
  STATUS,
} from "./common.ts";

/** Negative keywords of campaigns. They are updated by `keywordId` and reported as `campaignNegativeKeywordId`. */
export const CAMPAIGN_NEGATIVE_KEYWORDS: EntityResource = {
  kind: "sp.campaign_negative_keywords",
  path: "/sp/campaignNegativeKeywords",
  mediaType: "application/vnd.spCampaignNegativeKeyword.v3+json",
  collection: "campaignNegativeKeywords",
  resultIdField: "campaignNegativeKeywordId",
  echoField: "campaignNegativeKeyword",
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaignNegativeKeywords",
    create: "sponsored-products:CreateSponsoredProductsCampaignNegativeKeywords",
    update: "sponsored-products:UpdateSponsoredProductsCampaignNegativeKeywords",
    archive: "sponsored-products:DeleteSponsoredProductsCampaignNegativeKeywords",
  },
  entityType: "CAMPAIGN_NEGATIVE_KEYWORD",
  idFilter: { name: "campaignNegativeKeywordIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    campaignNegativeKeywordTextFilter: termsLike(keywordTexts, { max: 100, typeRequired: true }),
    matchTypeFilter: anyOf("matchType", [...NEGATIVE_MATCH_TYPES, "OTHER"]),
  },
  maxItems: 1000,
  parents: ["campaign"],
  createFields: {
    campaignId: required(ID),
    keywordText: required(text()),
    matchType: required(choice(...NEGATIVE_MATCH_TYPES)),
    state: required(STATE),
  },
  updateFields: { keywordId: required(ID), state: optional(STATE) },
  rules: checkText,
  history: {
    entityType: "NEGATIVE_KEYWORD",
    tracked: [STATUS],
    metadata: negativeKeywordMetadata,
  },
};
