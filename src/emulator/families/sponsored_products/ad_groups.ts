import type { JsonObject } from "../../core/json.ts";
import { type Filter, idsIn, termsLike } from "../../entities/filter.ts";
import { campaignOf } from "../../entities/parents.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { checkBid } from "../../entities/rules.ts";
import { number, object, optional, required, text } from "../../entities/shape.ts";
import { refusal } from "../../http/refusal.ts";
import { dailyBudgetOf } from "./bids_within_budget.ts";
import { ID, MAX_NAME, STATE, STATE_FILTER, STATUS, textOf } from "./common.ts";
import { TARGETS } from "./targets.ts";
import { recordCreation } from "../../entities/record_history.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";

const NAME = text({ max: MAX_NAME });
const AUTO_TARGETS = [
  "QUERY_HIGH_REL_MATCHES",
  "QUERY_BROAD_REL_MATCHES",
  "ASIN_SUBSTITUTE_RELATED",
  "ASIN_ACCESSORY_RELATED",
];

/** An ad group in an automatic campaign is created with its four automatic targets. */
export const AD_GROUPS: EntityResource = {
  kind: "sp.ad_groups",
  path: "/sp/adGroups",
  mediaType: "application/vnd.spAdGroup.v3+json",
  collection: "adGroups",
  resultIdField: "adGroupId",
  echoField: "adGroup",
  operations: {
    list: "sponsored-products:ListSponsoredProductsAdGroups",
    create: "sponsored-products:CreateSponsoredProductsAdGroups",
    update: "sponsored-products:UpdateSponsoredProductsAdGroups",
    archive: "sponsored-products:DeleteSponsoredProductsAdGroups",
  },
  entityType: "AD_GROUP",
  idFilter: { name: "adGroupIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    campaignTargetingTypeFilter: campaignTargetingType(),
    nameFilter: termsLike((adGroup) => [String(adGroup.name)], { max: 100 }),
  },
  maxItems: 1000,
  parents: ["campaign"],
  createFields: {
    campaignId: required(ID),
    name: required(NAME),
    defaultBid: required(number()),
    state: required(STATE),
  },
  updateFields: {
    adGroupId: required(ID),
    name: optional(NAME),
    defaultBid: optional(number()),
    state: optional(STATE),
  },
  rules: ({ item, after }, context) =>
    checkBid(item.defaultBid, { field: "defaultBid", budget: dailyBudgetOf(after, context) }, context),
  created: addAutoTargets,
  notUnique: ["duplicateValueError", "NAME_NOT_UNIQUE"],
  history: {
    entityType: "AD_GROUP",
    tracked: [
      STATUS,
      { changeType: "BID_AMOUNT", read: (adGroup) => textOf(adGroup.defaultBid) },
      { changeType: "NAME", read: (adGroup) => textOf(adGroup.name) },
    ],
  },
};

function campaignTargetingType(): Filter {
  return (value, name, profile) => {
    if (value !== "AUTO" && value !== "MANUAL") throw refusal(400, `${name} must be AUTO or MANUAL`);
    return (adGroup) => campaignOf(adGroup, profile)?.targetingType === value;
  };
}

function addAutoTargets(adGroup: JsonObject, context: RuleContext): void {
  const { profile, state } = context;
  if (campaignOf(adGroup, profile)?.targetingType !== "AUTO") return;
  for (const type of AUTO_TARGETS) {
    const target: JsonObject = {
      targetId: state.newId(),
      campaignId: adGroup.campaignId,
      adGroupId: adGroup.adGroupId,
      expression: [{ type }],
      resolvedExpression: [{ type }],
      expressionType: "AUTO",
      state: "ENABLED",
      extendedData: adGroup.extendedData,
    };
    profile.collection("sp.targets").insert(target);
    recordCreation(TARGETS, target, context);
  }
}

/** Sellers advertise by SKU, vendors by ASIN. */
export const PRODUCT_ADS: EntityResource = {
  kind: "sp.product_ads",
  path: "/sp/productAds",
  mediaType: "application/vnd.spProductAd.v3+json",
  collection: "productAds",
  resultIdField: "adId",
  echoField: "productAd",
  operations: {
    list: "sponsored-products:ListSponsoredProductsProductAds",
    create: "sponsored-products:CreateSponsoredProductsProductAds",
    update: "sponsored-products:UpdateSponsoredProductsProductAds",
    archive: "sponsored-products:DeleteSponsoredProductsProductAds",
  },
  entityType: "PRODUCT_AD",
  idFilter: { name: "adIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    campaignId: required(ID),
    adGroupId: required(ID),
    asin: optional(text()),
    sku: optional(text()),
    customText: optional(text({ min: 50, max: 150 })),
    globalStoreSetting: optional(object({ catalogSourceCountryCode: optional(text({ min: 2, max: 2 })) })),
    state: required(STATE),
  },
  updateFields: { adId: required(ID), state: optional(STATE) },
  rules: checkProduct,
  history: { entityType: "AD", tracked: [STATUS] },
};

function checkProduct({ before, item }: Draft, { profile }: RuleContext): ItemError[] {
  if (before !== undefined) return [];
  const field = profile.record.accountInfo.type === "seller" ? "sku" : "asin";
  if (item[field] === undefined) {
    return [itemError(["missingValueError", "MISSING_VALUE"], field, `${field} is required`)];
  }
  if (item.asin === undefined || /^[A-Z0-9]{10}$/.test(String(item.asin))) return [];
  const message = "The value is not an ASIN";
  return [itemError(["productIdentifierError", "INVALID_ASIN"], "asin", message, { trigger: item.asin })];
}
