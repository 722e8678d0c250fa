import { anyOf, idsIn, termsLike } from "../../entities/filter.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import { campaignOf } from "../../entities/parents.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { checkBid, checkText, holds } from "../../entities/rules.ts";
import { choice, number, optional, required, text } from "../../entities/shape.ts";
import { dailyBudgetOf } from "./bids_within_budget.ts";
import {
  BID,
  ID,
  keywordTexts,
  NATIVE_LANGUAGE,
  NEGATIVE_MATCH_TYPES,
  negativeKeywordMetadata,
  STATE,
  STATE_FILTER,
  STATUS,
} from "./common.ts";

const MATCH_TYPES = ["BROAD", "EXACT", "PHRASE"];

export const KEYWORDS: EntityResource = {
  kind: "sp.keywords",
  path: "/sp/keywords",
  mediaType: "application/vnd.spKeyword.v3+json",
  collection: "keywords",
  resultIdField: "keywordId",
  echoField: "keyword",
  operations: {
    list: "sponsored-products:ListSponsoredProductsKeywords",
    create: "sponsored-products:CreateSponsoredProductsKeywords",
    update: "sponsored-products:UpdateSponsoredProductsKeywords",
    archive: "sponsored-products:DeleteSponsoredProductsKeywords",
  },
  entityType: "KEYWORD",
  idFilter: { name: "keywordIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    keywordTextFilter: termsLike(keywordTexts, { max: 100, typeRequired: true }),
    matchTypeFilter: anyOf("matchType", [...MATCH_TYPES, "OTHER"]),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    ...NATIVE_LANGUAGE,
    campaignId: required(ID),
    adGroupId: required(ID),
    keywordText: required(text()),
    matchType: required(choice(...MATCH_TYPES)),
    bid: optional(number()),
    state: required(STATE),
  },
  clearable: ["bid"],
  updateFields: { keywordId: required(ID), bid: optional(number()), state: optional(STATE) },
  rules: (draft, context) => [
    ...checkText(draft, context),
    ...checkBid(draft.item.bid, { field: "bid", budget: dailyBudgetOf(draft.after, context) }, context),
    ...checkPlace(draft, context),
  ],
  history: {
    entityType: "KEYWORD",
    tracked: [STATUS, BID],
    metadata: (keyword) => ({
      keyword: String(keyword.keywordText),
      keywordType: `KEYWORD_${keyword.matchType}`,
    }),
  },
};

function checkPlace({ before, item }: Draft, context: RuleContext): ItemError[] {
  if (before !== undefined) return [];
  const reason = campaignOf(item, context.profile)?.targetingType === "AUTO"
    ? "TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN"
    : holds("sp.targets", item.adGroupId, context)
    ? "TYPE_CONFLICT_IN_AD_GROUP"
    : undefined;
  if (reason === undefined) return [];
  const message = "Keywords are not possible in this ad group";
  return [
    itemError(["targetingClauseSetupError", reason], "adGroupId", message, { trigger: item.adGroupId }),
  ];
}

/** Updated by `keywordId` but reported as `negativeKeywordId`. */
export const NEGATIVE_KEYWORDS: EntityResource = {
  kind: "sp.negative_keywords",
  path: "/sp/negativeKeywords",
  mediaType: "application/vnd.spNegativeKeyword.v3+json",
  collection: "negativeKeywords",
  resultIdField: "negativeKeywordId",
  echoField: "negativeKeyword",
  operations: {
    list: "sponsored-products:ListSponsoredProductsNegativeKeywords",
    create: "sponsored-products:CreateSponsoredProductsNegativeKeywords",
    update: "sponsored-products:UpdateSponsoredProductsNegativeKeywords",
    archive: "sponsored-products:DeleteSponsoredProductsNegativeKeywords",
  },
  entityType: "NEGATIVE_KEYWORD",
  idFilter: { name: "negativeKeywordIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    negativeKeywordTextFilter: termsLike(keywordTexts, { max: 100, typeRequired: true }),
    matchTypeFilter: anyOf("matchType", [...NEGATIVE_MATCH_TYPES, "OTHER"]),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    ...NATIVE_LANGUAGE,
    campaignId: required(ID),
    adGroupId: required(ID),
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

/** Updated by `keywordId` but reported as `campaignNegativeKeywordId`. */
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
