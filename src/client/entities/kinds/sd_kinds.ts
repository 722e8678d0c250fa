import { byExpression, byName, byProduct, nameLabel, productLabel, targetLabel } from "../model/identity.ts";
import type { Kind, ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, LateWire } from "../model/resource_wire.ts";
import { askBudgetUsage, type BudgetUsage } from "../resource/budget_usage.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type {
  NewSdAdGroup,
  NewSdCampaign,
  NewSdNegativeTarget,
  NewSdProductAd,
  NewSdTarget,
  SdAdGroup,
  SdAdGroupUpdate,
  SdCampaign,
  SdCampaignUpdate,
  SdNegativeTarget,
  SdNegativeTargetUpdate,
  SdProductAd,
  SdProductAdUpdate,
  SdTarget,
  SdTargetUpdate,
} from "../model/sd_entities.ts";
import type { FlatWireOptions } from "../wire/flat_wire.ts";
import { lateFlat, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";

const unified = () => import("../wire/unified/sd_unified.ts");

const SD_EXTENDED_FIELDS: readonly string[] = ["creationDate", "lastUpdatedDate", "servingStatus"];

function sdWire(
  options:
    & Pick<FlatWireOptions, "path" | "idField" | "idFields">
    & Partial<Pick<FlatWireOptions, "listPath" | "toCreate">>
    & { readonly hasTags?: boolean },
): LateWire {
  return lateFlat({
    extendedPath: `${options.path}/extended`,
    listType: "application/json",
    writeType: "application/json",
    pageSize: 0,
    extendedFields: SD_EXTENDED_FIELDS,
    ...options,
  });
}

const SD_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
};

/** Fields whose values the platform writes in lower case for Display and in upper case elsewhere. */
const LOWER = ["budgetType", "costType", "bidOptimization", "expressionType"];
const DAYS = ["startDate", "endDate"];

/** Converts an item to the words of Display: lower case, and dates without hyphens. Accepts both spellings. */
function withSdWords(item: Fields): Fields {
  const written: Fields = {};
  for (const [field, value] of Object.entries(item)) {
    const isWord = typeof value === "string" && LOWER.includes(field);
    const isDay = typeof value === "string" && DAYS.includes(field);
    written[field] = isWord ? value.toLowerCase() : isDay ? sdDay(value) : value;
  }
  return written;
}

function sdDay(day: string): string {
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$1$2$3");
}

/**
 * Sponsored Display campaigns, with budget usage.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function spent(us: ProfileClient, campaignIds: string[]): Promise<void> {
 *   const usage = await us.sd.campaigns.budgetUsage(campaignIds);
 *   for (const { entity } of usage.successes) console.log(entity);
 * }
 * ```
 */
export class SdCampaignsResource extends Resource<SdCampaign, NewSdCampaign, SdCampaignUpdate> {
  /** Reads budget usage of campaigns; each success contains it in `entity`. */
  budgetUsage(
    campaignIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string, BudgetUsage>> {
    return askBudgetUsage(this.scope, campaignIds, {
      path: "/sd/campaigns/budget/usage",
      mediaType: "application/vnd.sdcampaignbudgetusage.v1+json",
      spec: this.spec,
      signal: options.signal,
    });
  }
}

const CAMPAIGN_IDS = ["campaignId", "portfolioId"];

/** The kind `sd.campaigns`. The budget is a plain number per day, and dates have no hyphens. */
export const sdCampaigns: Kind<SdCampaignsResource> = {
  kind: "sd.campaigns",
  noun: "Display campaign",
  plural: "Display campaigns",
  idField: "campaignId",
  idFields: CAMPAIGN_IDS,
  integerIds: true,
  updatable: ["name", "state", "budget", "startDate", "endDate", "portfolioId", "tags"],
  clearable: ["endDate", "portfolioId", "tags"],
  numeric: ["budget"],
  ...SD_STATES,
  filters: ["name", "extended"],
  label: nameLabel,
  normalize: withSdWords,
  required: ["name", "budget", "tactic"],
  choices: { budgetType: ["daily"], costType: ["cpc", "vcpm"], tactic: ["T00020", "T00030"] },
  identity: byName(),
  parents: {},
  columns: ["campaignId", "name", "state", "budget", "tactic", "costType", "startDate"],
  moreFields: ["endDate", "budgetType", "portfolioId", "deliveryProfile", "ruleBasedBudget", "tags"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listCampaigns", "sponsored-display:listCampaignsEx"],
    create: "sponsored-display:createCampaigns",
    update: "sponsored-display:updateCampaigns",
    delete: "sponsored-display:archiveCampaign",
    budgetUsage: "sponsored-display:sdCampaignsBudgetUsage",
  },
  create: (scope) => new SdCampaignsResource(scope, sdCampaigns),
  unified: lateUnified(unified, "sdCampaignsUnified", {
    lost: () => ["tactic", "deliveryProfile"],
  }),
  wire: sdWire({
    path: "/sd/campaigns",
    idField: "campaignId",
    idFields: CAMPAIGN_IDS,
    // There is one kind of budget.
    toCreate: (campaign) => ({ budgetType: "daily", ...campaign }),
    hasTags: false,
  }),
};

const AD_GROUP_IDS = ["adGroupId", "campaignId"];

export const sdAdGroups: Kind<Resource<SdAdGroup, NewSdAdGroup, SdAdGroupUpdate>> = {
  kind: "sd.ad_groups",
  noun: "Display ad group",
  plural: "Display ad groups",
  idField: "adGroupId",
  idFields: AD_GROUP_IDS,
  integerIds: true,
  updatable: ["name", "state", "defaultBid", "bidOptimization"],
  numeric: ["defaultBid"],
  ...SD_STATES,
  filters: ["campaignIds", "name", "extended"],
  label: nameLabel,
  normalize: withSdWords,
  required: ["campaignId", "name", "state"],
  choices: { bidOptimization: ["clicks", "conversions", "reach"], creativeType: ["IMAGE", "VIDEO"] },
  identity: byName("campaignId"),
  parents: { campaignId: "sd.campaigns" },
  columns: ["adGroupId", "campaignId", "name", "state", "defaultBid", "bidOptimization"],
  moreFields: ["creativeType", "tactic"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listAdGroups", "sponsored-display:listAdGroupsEx"],
    create: "sponsored-display:createAdGroups",
    update: "sponsored-display:updateAdGroups",
    delete: "sponsored-display:archiveAdGroup",
  },
  create: (scope) => new Resource(scope, sdAdGroups),
  unified: lateUnified(unified, "sdAdGroupsUnified", {
    lost: () => ["tactic"],
  }),
  wire: sdWire({ path: "/sd/adGroups", idField: "adGroupId", idFields: AD_GROUP_IDS }),
};

const PRODUCT_AD_IDS = ["adId", "campaignId", "adGroupId"];

export const sdProductAds: Kind<Resource<SdProductAd, NewSdProductAd, SdProductAdUpdate>> = {
  kind: "sd.product_ads",
  noun: "Display ad",
  plural: "Display ads",
  idField: "adId",
  idFields: PRODUCT_AD_IDS,
  integerIds: true,
  updatable: ["state"],
  numeric: [],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  required: ["campaignId", "adGroupId", "state"],
  choices: { landingPageType: ["STORE", "MOMENT", "OFF_PLATFORM_LINK"] },
  identity: byProduct,
  parents: { campaignId: "sd.campaigns", adGroupId: "sd.ad_groups" },
  columns: ["adId", "asin", "sku", "state", "campaignId", "adGroupId"],
  moreFields: ["adName", "landingPageType", "landingPageURL"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listProductAds", "sponsored-display:listProductAdsEx"],
    create: "sponsored-display:createProductAds",
    update: "sponsored-display:updateProductAds",
    delete: "sponsored-display:archiveProductAd",
  },
  create: (scope) => new Resource(scope, sdProductAds),
  unified: lateUnified(unified, "sdProductAdsUnified", {
    lost: ({ sku }) => sku === undefined ? [] : ["asin"],
  }),
  wire: sdWire({ path: "/sd/productAds", idField: "adId", idFields: PRODUCT_AD_IDS }),
};

const TARGET_IDS = ["targetId", "campaignId", "adGroupId"];

export const sdTargets: Kind<Resource<SdTarget, NewSdTarget, SdTargetUpdate>> = {
  kind: "sd.targets",
  noun: "Display target",
  plural: "Display targets",
  idField: "targetId",
  idFields: TARGET_IDS,
  integerIds: true,
  updatable: ["state", "bid"],
  clearable: ["bid"],
  numeric: ["bid"],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  normalize: withSdWords,
  required: ["adGroupId", "expression", "expressionType"],
  choices: { expressionType: ["manual", "auto"] },
  identity: byExpression,
  parents: { campaignId: "sd.campaigns", adGroupId: "sd.ad_groups" },
  columns: ["targetId", "expression", "expressionType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpression"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listTargetingClauses", "sponsored-display:listTargetingClausesEx"],
    create: "sponsored-display:createTargetingClauses",
    update: "sponsored-display:updateTargetingClauses",
    delete: "sponsored-display:archiveTargetingClause",
  },
  create: (scope) => new Resource(scope, sdTargets),
  unified: lateUnified(unified, "sdTargetsUnified", SHARED_IDS),
  wire: sdWire({
    path: "/sd/targets",
    idField: "targetId",
    idFields: TARGET_IDS,
    // The published shape of a new target has no campaign.
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};

const NEGATIVE_TARGET_IDS = ["targetId", "adGroupId"];

export const sdNegativeTargets: Kind<
  Resource<SdNegativeTarget, NewSdNegativeTarget, SdNegativeTargetUpdate>
> = {
  kind: "sd.negative_targets",
  noun: "Display negative target",
  plural: "Display negative targets",
  idField: "targetId",
  idFields: NEGATIVE_TARGET_IDS,
  integerIds: true,
  updatable: ["state"],
  numeric: [],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  normalize: withSdWords,
  required: ["adGroupId", "expression", "expressionType", "state"],
  choices: { expressionType: ["manual", "auto"] },
  identity: byExpression,
  parents: { adGroupId: "sd.ad_groups" },
  columns: ["targetId", "expression", "expressionType", "state", "adGroupId"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-display:listNegativeTargetingClausesEx",
    create: "sponsored-display:createNegativeTargetingClauses",
    update: "sponsored-display:updateNegativeTargetingClauses",
    delete: "sponsored-display:archiveNegativeTargetingClause",
  },
  create: (scope) => new Resource(scope, sdNegativeTargets),
  unified: lateUnified(unified, "sdNegativeTargetsUnified", SHARED_IDS),
  wire: sdWire({
    path: "/sd/negativeTargets",
    // Only this list takes ids.
    listPath: "/sd/negativeTargets/extended",
    idField: "targetId",
    idFields: NEGATIVE_TARGET_IDS,
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};
