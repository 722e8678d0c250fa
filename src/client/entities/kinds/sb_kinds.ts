import { fieldsOf } from "../../../base/json/fields_of.ts";
import { type Kind, SB_EXTENDED_FIELDS } from "../model/resource_spec.ts";
import { byExpression, byKeyword, byName, keywordLabel, nameLabel, targetLabel } from "../model/identity.ts";
import type { Fields, LateWire } from "../model/resource_wire.ts";
import { Resource } from "../resource/resource.ts";
import {
  checkOneImage,
  DEFAULT_SB_AD_FORMAT,
  type NewSbAd,
  SB_AD_FORMATS,
  type SbAd,
  sbAdFormatOf,
  type SbAdUpdate,
} from "../model/sb_ads.ts";
import type {
  NewSbAdGroup,
  NewSbCampaign,
  NewSbKeyword,
  NewSbNegativeKeyword,
  NewSbNegativeTarget,
  NewSbTarget,
  SbAdGroup,
  SbAdGroupUpdate,
  SbCampaign,
  SbCampaignUpdate,
  SbKeyword,
  SbKeywordUpdate,
  SbNegativeKeyword,
  SbNegativeKeywordUpdate,
  SbNegativeTarget,
  SbNegativeTargetUpdate,
  SbTarget,
  SbTargetUpdate,
} from "../model/sb_entities.ts";
import type { SbTargetsWireOptions } from "./sb_targets_wire.ts";
import { SB_KEYWORD_WIRE, SB_LIMITS, SB_STATES, withSbPredicates } from "./sb_words.ts";
import { lateFlat, lateJson, lateOlder, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

const unified = () => import("../wire/unified/sb_unified.ts");

export const sbCampaigns: Kind<Resource<SbCampaign, NewSbCampaign, SbCampaignUpdate>> = {
  kind: "sb.campaigns",
  noun: "Brands campaign",
  plural: "Brands campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  updatable: ["name", "state", "budget", "bidding", "startDate", "endDate", "portfolioId", "tags"],
  clearable: ["endDate", "portfolioId"],
  numeric: ["budget"],
  ...SB_STATES,
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["name", "state", "budget", "budgetType"],
  choices: { budgetType: ["DAILY", "LIFETIME"] },
  identity: byName(),
  parents: {},
  historyType: "CAMPAIGN",
  columns: ["campaignId", "name", "state", "budget", "budgetType", "startDate"],
  moreFields: [
    "endDate",
    "goal",
    "costType",
    "kpi",
    "brandEntityId",
    "portfolioId",
    "productLocation",
    "bidding.bidOptimization",
    "bidding.bidOptimizationStrategy",
    "bidding.bidAdjustmentsByPlacement",
    "bidding.shopperCohortBidAdjustments",
    "isMultiAdGroupsEnabled",
    "ruleBasedBudget",
    "siteRestrictions",
    "smartDefault",
    "tags",
  ],
  extendedFields: SB_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsCampaigns",
    create: "sponsored-brands-v4:CreateSponsoredBrandsCampaigns",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsCampaigns",
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsCampaigns",
  },
  create: (scope) => new Resource(scope, sbCampaigns),
  unified: lateUnified(unified, "sbCampaignsUnified", {
    lost: () => ["bidding.bidOptimizationStrategy"],
  }),
  wire: lateJson({
    path: "/sb/v4/campaigns",
    mediaType: "application/vnd.sbcampaignresource.v4+json",
    collection: "campaigns",
    idFilter: "campaignIdFilter",
    resultIdField: "campaignId",
    ...SB_LIMITS,
  }),
};

export const sbAdGroups: Kind<Resource<SbAdGroup, NewSbAdGroup, SbAdGroupUpdate>> = {
  kind: "sb.ad_groups",
  noun: "Brands ad group",
  plural: "Brands ad groups",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  repeatable: true,
  updatable: ["name", "state", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SB_STATES,
  filters: ["campaignIds", "name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["campaignId", "name", "state"],
  parents: { campaignId: "sb.campaigns" },
  historyType: "AD_GROUP",
  columns: ["adGroupId", "campaignId", "name", "state"],
  moreFields: ["tags"],
  extendedFields: SB_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAdGroups",
    create: "sponsored-brands-v4:CreateSponsoredBrandsAdGroups",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsAdGroups",
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsAdGroups",
  },
  create: (scope) => new Resource(scope, sbAdGroups),
  unified: lateUnified(unified, "sbAdGroupsUnified"),
  wire: lateJson({
    path: "/sb/v4/adGroups",
    mediaType: "application/vnd.sbadgroupresource.v4+json",
    collection: "adGroups",
    idFilter: "adGroupIdFilter",
    resultIdField: "adGroupId",
    ...SB_LIMITS,
    hasTags: false,
  }),
};

const GIVEN = [
  "type",
  "creativeStatus",
  "creativeVersion",
  "brandLogoUrl",
  "customImageUrl",
  "originalHeadline",
  "originalVideoAssetIds",
];

/** Parts of a creative that the unified family does not read. */
const LOST = GIVEN.flatMap((name) => name === "type" ? [] : `creative.${name}`);

const IMAGES = ["customImageAssetId", "customImageCrop", "customImages"].map((name) => `creative.${name}`);

/** The kind `sb.ads`. Each format has its own endpoint for creates; everything else is shared. */
export const sbAds: Kind<Resource<SbAd, NewSbAd, SbAdUpdate>> = {
  kind: "sb.ads",
  noun: "Brands ad",
  plural: "Brands ads",
  idField: "adId",
  idFields: ["adId", "adGroupId", "campaignId"],
  repeatable: true,
  updatable: ["name", "state", "creative", "tags"],
  clearable: ["tags"],
  advice: {
    landingPage: "Where a click leads is set by a version of the creative: " +
      'call("sponsored-brands-v4:CreateBrandVideoCreative", { adId, creative }), or the operation of its format',
  },
  computed: { creative: GIVEN },
  numeric: [],
  ...SB_STATES,
  filters: ["campaignIds", "adGroupIds", "name", "nameMatch"],
  label: nameLabel,
  createGroup: sbAdFormatOf,
  checkCreate,
  required: ["adGroupId", "name", "state", "creative"],
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "AD",
  columns: ["adId", "adGroupId", "campaignId", "name", "state"],
  moreFields: ["creative", "landingPage", "tags"],
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAds",
    create: [
      "sponsored-brands-v4:CreateSponsoredBrandsProductCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandsExtendedProductCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandStoreSpotlightAds",
      "sponsored-brands-v4:CreateSponsoredBrandsVideoAds",
      "sponsored-brands-v4:CreateSponsoredBrandsBrandVideoAds",
      "sponsored-brands-v4:CreateSponsoredBrandsAutoCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandsManualCollectionAds",
    ],
    update: [
      "sponsored-brands-v4:UpdateSponsoredBrandsAds",
      "sponsored-brands-v4:CreateExtendedProductCollectionCreative",
      "sponsored-brands-v4:CreateStoreSpotlightCreative",
      "sponsored-brands-v4:CreateVideoCreative",
      "sponsored-brands-v4:CreateBrandVideoCreative",
      "sponsored-brands-v4:UpdateSponsoredBrandsManualCollectionAds",
      "sponsored-brands-v4:UpdateSponsoredBrandsAutoCollectionAds",
    ],
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsAds",
  },
  create: (scope) => new Resource(scope, sbAds),
  unified: lateUnified(() => import("../wire/unified/sb_ads_unified.ts"), "sbAdsUnified", {
    lost: ({ creative }) =>
      fieldsOf(creative)["customImageAssetId"] === undefined ? LOST : [...LOST, ...IMAGES],
  }),
  wire: lateOlder(async () => (await import("./sb_ads_wire.ts")).sbAdsWire(), { hasTags: false }),
};

function checkCreate(ads: readonly Fields[]): void {
  for (const format of new Set(ads.map(sbAdFormatOf))) {
    if (!(SB_AD_FORMATS as readonly string[]).includes(format)) {
      throw new TypeError(
        `Cannot create an ad of format "${format}": "adFormat" is one of ${SB_AD_FORMATS.join(", ")}`,
      );
    }
  }
  for (const ad of ads) {
    if (sbAdFormatOf(ad) === DEFAULT_SB_AD_FORMAT) checkOneImage(fieldsOf(ad["creative"]));
  }
}

/** The kind `sb.keywords`: lower-case states and integer ids; every update must repeat the parents. */
export const sbKeywords: Kind<Resource<SbKeyword, NewSbKeyword, SbKeywordUpdate>> = {
  kind: "sb.keywords",
  noun: "Brands keyword",
  plural: "Brands keywords",
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
  required: ["campaignId", "adGroupId", "keywordText", "matchType"],
  choices: { matchType: ["broad", "exact", "phrase"] },
  identity: byKeyword,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "KEYWORD",
  columns: ["keywordId", "keywordText", "matchType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["nativeLanguageKeyword", "nativeLanguageLocale"],
  operations: {
    list: "sponsored-brands-v3:listKeywords",
    create: "sponsored-brands-v3:createKeywords",
    update: "sponsored-brands-v3:updateKeywords",
    delete: "sponsored-brands-v3:archiveKeyword",
  },
  create: (scope) => new Resource(scope, sbKeywords),
  unified: lateUnified(unified, "sbKeywordsUnified", SHARED_IDS),
  wire: lateFlat({
    ...SB_KEYWORD_WIRE,
    path: "/sb/keywords",
    listType: "application/vnd.sbkeyword.v3.2+json",
  }),
};

const MATCH_TYPES: Readonly<Record<string, string>> = {
  exact: "negativeExact",
  phrase: "negativePhrase",
  negativeexact: "negativeExact",
  negativephrase: "negativePhrase",
};

/** The kind `sb.negative_keywords`, which cannot be paused; lists accept one state per request. */
export const sbNegativeKeywords: Kind<
  Resource<SbNegativeKeyword, NewSbNegativeKeyword, SbNegativeKeywordUpdate>
> = {
  kind: "sb.negative_keywords",
  noun: "Brands negative keyword",
  plural: "Brands negative keywords",
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
  required: ["campaignId", "adGroupId", "keywordText", "matchType"],
  choices: { matchType: ["negativeExact", "negativePhrase"] },
  identity: byKeyword,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "NEGATIVE_KEYWORD",
  columns: ["keywordId", "keywordText", "matchType", "state", "campaignId", "adGroupId"],
  operations: {
    list: "sponsored-brands-v3:listNegativeKeywords",
    create: "sponsored-brands-v3:createNegativeKeywords",
    update: "sponsored-brands-v3:updateNegativeKeywords",
    delete: "sponsored-brands-v3:archiveNegativeKeyword",
  },
  create: (scope) => new Resource(scope, sbNegativeKeywords),
  unified: lateUnified(
    unified,
    "sbNegativeKeywordsUnified",
    SHARED_IDS,
  ),
  wire: lateFlat({
    ...SB_KEYWORD_WIRE,
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

/** The kind `sb.targets`: lower-case words and integer ids; every update must repeat the parents. */
export const sbTargets: Kind<Resource<SbTarget, NewSbTarget, SbTargetUpdate>> = {
  kind: "sb.targets",
  noun: "Brands target",
  plural: "Brands targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state", "bid"],
  repeated: ["campaignId", "adGroupId"],
  numeric: ["bid"],
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["campaignIds", "adGroupIds"],
  label: targetLabel,
  normalize: withSbPredicates,
  required: ["campaignId", "adGroupId", "expressions"],
  identity: byExpression,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "PRODUCT_TARGETING",
  columns: ["targetId", "expressions", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpressions"],
  operations: {
    list: "sponsored-brands-v3:listTargets",
    get: "sponsored-brands-v3:getTarget",
    create: "sponsored-brands-v3:createTargets",
    update: "sponsored-brands-v3:updateTargets",
    delete: "sponsored-brands-v3:archiveTarget",
  },
  create: (scope) => new Resource(scope, sbTargets),
  unified: lateUnified(unified, "sbTargetsUnified", SHARED_IDS),
  wire: targetsWire({
    path: "/sb/targets",
    collection: "targets",
    bareAdGroupIds: true,
    types: {
      list: "sblisttargetsresponse.v3.2",
      one: "sbtarget.v3",
      create: "sbcreatetargetsresponse.v3",
      update: "updatetargetsresponse.v3",
      archive: "sbtargetresponse.v3",
    },
  }),
};

export const sbNegativeTargets: Kind<
  Resource<SbNegativeTarget, NewSbNegativeTarget, SbNegativeTargetUpdate>
> = {
  kind: "sb.negative_targets",
  noun: "Brands negative target",
  plural: "Brands negative targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state"],
  repeated: ["adGroupId"],
  numeric: [],
  defaultStates: ["enabled"],
  stateCase: "lower",
  settableStates: ["ENABLED"],
  filters: ["campaignIds", "adGroupIds"],
  label: targetLabel,
  normalize: withSbPredicates,
  required: ["campaignId", "adGroupId", "expressions"],
  identity: byExpression,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  columns: ["targetId", "expressions", "state", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpressions"],
  operations: {
    list: "sponsored-brands-v3:listNegativeTargets",
    get: "sponsored-brands-v3:getNegativeTarget",
    create: "sponsored-brands-v3:createNegativeTargets",
    update: "sponsored-brands-v3:updateNegativeTargets",
    delete: "sponsored-brands-v3:archiveNegativeTarget",
  },
  create: (scope) => new Resource(scope, sbNegativeTargets),
  unified: lateUnified(unified, "sbNegativeTargetsUnified", SHARED_IDS),
  wire: targetsWire({
    path: "/sb/negativeTargets",
    collection: "negativeTargets",
    types: {
      list: "sblistnegativetargetsresponse.v3.2",
      one: "sbnegativetarget.v3",
      create: "sbcreatenegativetargetsrequest.v3",
      update: "updatenegativetargetsresponse.v3",
      archive: "sbnegativetarget.v3",
    },
  }),
};

function targetsWire(options: SbTargetsWireOptions): LateWire {
  return lateOlder(async () => (await import("./sb_targets_wire.ts")).sbTargetsWire(options));
}
