import { anyOf, idsIn, termsLike } from "../../entities/filter.ts";
import type { EntityResource } from "../../entities/entity_resource.ts";
import { checkText } from "../../entities/rules.ts";
import { choice, optional, required, text } from "../../entities/shape.ts";
import {
  ID,
  keywordTexts,
  NATIVE_LANGUAGE,
  NEGATIVE_MATCH_TYPES,
  negativeKeywordMetadata,
  STATE,
  STATE_FILTER,
  STATUS,
} from "./common.ts";

/** Negative keywords of ad groups. They are updated by `keywordId` and reported as `negativeKeywordId`. */
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
