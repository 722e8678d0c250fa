import { byKeyword } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import { KeywordsResource } from "./keywords_resource.ts";
import { keywordLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

export const spKeywords: Kind<KeywordsResource> = {
  kind: "sp.keywords",
  noun: "keyword",
  plural: "keywords",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  updatable: ["state", "bid", "tags"],
  clearable: ["bid", "tags"],
  numeric: ["bid"],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: keywordLabel,
  required: ["campaignId", "adGroupId", "keywordText", "matchType", "state"],
  choices: { matchType: ["BROAD", "EXACT", "PHRASE"] },
  identity: byKeyword,
  parents: { campaignId: "sp.campaigns", adGroupId: "sp.ad_groups" },
  historyType: "KEYWORD",
  columns: ["keywordId", "keywordText", "matchType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["nativeLanguageKeyword", "nativeLanguageLocale", "tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsKeywords",
    create: "sponsored-products:CreateSponsoredProductsKeywords",
    update: "sponsored-products:UpdateSponsoredProductsKeywords",
    delete: "sponsored-products:DeleteSponsoredProductsKeywords",
    recommendations: "sponsored-products:getRankedKeywordRecommendation",
  },
  create: (scope) => new KeywordsResource(scope, spKeywords),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spKeywordsUnified", SHARED_IDS),
  wire: lateJson({
    path: "/sp/keywords",
    mediaType: "application/vnd.spKeyword.v3+json",
    collection: "keywords",
    idFilter: "keywordIdFilter",
    resultIdField: "keywordId",
    hasTags: false,
  }),
};
