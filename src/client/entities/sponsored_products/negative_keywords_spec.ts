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
import { jsonWire } from "../wire/json_wire.ts";
import { withoutTags } from "../wire/not_on_wire.ts";
import { spCampaignNegativeKeywordsUnified, spNegativeKeywordsUnified } from "../wire/unified/sp_unified.ts";
import { SP_STATES } from "./sp_states.ts";

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
    unified: spNegativeKeywordsUnified,
    wire: withoutTags(jsonWire({
      path: "/sp/negativeKeywords",
      mediaType: "application/vnd.spNegativeKeyword.v3+json",
      collection: "negativeKeywords",
      idFilter: "negativeKeywordIdFilter",
      resultIdField: "negativeKeywordId",
    })),
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
  unified: spCampaignNegativeKeywordsUnified,
  wire: withoutTags(jsonWire({
    path: "/sp/campaignNegativeKeywords",
    mediaType: "application/vnd.spCampaignNegativeKeyword.v3+json",
    collection: "campaignNegativeKeywords",
    idFilter: "campaignNegativeKeywordIdFilter",
    resultIdField: "campaignNegativeKeywordId",
  })),
};
