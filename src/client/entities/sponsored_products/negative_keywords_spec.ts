import { byKeyword } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type {
  CampaignNegativeKeyword,
  CampaignNegativeKeywordUpdate,
  NegativeKeyword,
  NegativeKeywordUpdate,
  NewCampaignNegativeKeyword,
  NewNegativeKeyword,
} from "./entities/keywords.ts";
import { Resource } from "../resource/resource.ts";
import { keywordLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

/** The kind `sp.negative_keywords`; verdicts name the id `negativeKeywordId`. */
export const spNegativeKeywords: Kind<Resource<NegativeKeyword, NewNegativeKeyword, NegativeKeywordUpdate>> =
  {
    kind: "sp.negative_keywords",
    noun: "negative keyword",
    plural: "negative keywords",
    idField: "keywordId",
    idFields: ["keywordId", "campaignId", "adGroupId"],
    updatable: ["state", "tags"],
    clearable: ["tags"],
    numeric: [],
    ...SP_STATES,
    filters: ["campaignIds", "adGroupIds", "extended"],
    label: keywordLabel,
    required: ["campaignId", "adGroupId", "keywordText", "matchType", "state"],
    choices: { matchType: ["NEGATIVE_BROAD", "NEGATIVE_EXACT", "NEGATIVE_PHRASE"] },
    identity: byKeyword,
    parents: { campaignId: "sp.campaigns", adGroupId: "sp.ad_groups" },
    historyType: "NEGATIVE_KEYWORD",
    columns: ["keywordId", "keywordText", "matchType", "state", "campaignId", "adGroupId"],
    moreFields: ["tags"],
    extendedFields: SP_EXTENDED_FIELDS,
    operations: {
      list: "sponsored-products:ListSponsoredProductsNegativeKeywords",
      create: "sponsored-products:CreateSponsoredProductsNegativeKeywords",
      update: "sponsored-products:UpdateSponsoredProductsNegativeKeywords",
      delete: "sponsored-products:DeleteSponsoredProductsNegativeKeywords",
    },
    create: (scope) => new Resource(scope, spNegativeKeywords),
    unified: lateUnified(
      () => import("../wire/unified/sp_unified.ts"),
      "spNegativeKeywordsUnified",
      SHARED_IDS,
    ),
    wire: lateJson({
      path: "/sp/negativeKeywords",
      mediaType: "application/vnd.spNegativeKeyword.v3+json",
      collection: "negativeKeywords",
      idFilter: "negativeKeywordIdFilter",
      resultIdField: "negativeKeywordId",
      hasTags: false,
    }),
  };

/** The kind `sp.campaign_negative_keywords`; verdicts name the id `campaignNegativeKeywordId`. */
export const spCampaignNegativeKeywords: Kind<
  Resource<CampaignNegativeKeyword, NewCampaignNegativeKeyword, CampaignNegativeKeywordUpdate>
> = {
  kind: "sp.campaign_negative_keywords",
  noun: "campaign negative keyword",
  plural: "campaign negative keywords",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId"],
  updatable: ["state", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "extended"],
  label: keywordLabel,
  required: ["campaignId", "keywordText", "matchType", "state"],
  choices: { matchType: ["NEGATIVE_BROAD", "NEGATIVE_EXACT", "NEGATIVE_PHRASE"] },
  identity: byKeyword,
  parents: { campaignId: "sp.campaigns" },
  columns: ["keywordId", "keywordText", "matchType", "state", "campaignId"],
  moreFields: ["tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaignNegativeKeywords",
    create: "sponsored-products:CreateSponsoredProductsCampaignNegativeKeywords",
    update: "sponsored-products:UpdateSponsoredProductsCampaignNegativeKeywords",
    delete: "sponsored-products:DeleteSponsoredProductsCampaignNegativeKeywords",
  },
  create: (scope) => new Resource(scope, spCampaignNegativeKeywords),
  unified: lateUnified(
    () => import("../wire/unified/sp_unified.ts"),
    "spCampaignNegativeKeywordsUnified",
    SHARED_IDS,
  ),
  wire: lateJson({
    path: "/sp/campaignNegativeKeywords",
    mediaType: "application/vnd.spCampaignNegativeKeyword.v3+json",
    collection: "campaignNegativeKeywords",
    idFilter: "campaignNegativeKeywordIdFilter",
    resultIdField: "campaignNegativeKeywordId",
    hasTags: false,
  }),
};
