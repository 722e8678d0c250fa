import { isObject, type JsonObject } from "../../core/json.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { UNIFIED_AD_GROUPS } from "../unified/ad_groups.ts";
import { UNIFIED_ADS } from "../unified/ads.ts";
import { UNIFIED_CAMPAIGNS } from "../unified/campaigns.ts";
import { defined, part } from "../unified/common.ts";
import { UNIFIED_TARGETS } from "../unified/targets.ts";
import type { UnifiedKind } from "../unified/unified_kind.ts";
import type { ExportRecord } from "./export_record.ts";

interface Exported {
  readonly kind: UnifiedKind;
  /** An entity as the file has it, flatter than its unified shape; `kept` is the entity as it is kept. */
  readonly flat: (entity: JsonObject, kept: JsonObject) => JsonObject;
}

const KINDS: Readonly<Record<string, Exported>> = {
  campaigns: { kind: UNIFIED_CAMPAIGNS, flat: flatCampaign },
  adGroups: { kind: UNIFIED_AD_GROUPS, flat: flatAdGroup },
  ads: { kind: UNIFIED_ADS, flat: flatAd },
  targets: { kind: UNIFIED_TARGETS, flat: flatTarget },
};

/** The rows of an export, each as the JSON of an object. */
export function* exportRows(profile: ProfileState, { entity, filters }: ExportRecord): Generator<string> {
  const { kind, flat } = KINDS[entity]!;
  for (const source of kind.sources) {
    for (const each of profile.collection(source.collection).all()) {
      const unified = source.toUnified(each, profile);
      const passes = Object.entries(filters).every(([field, values]) =>
        values.includes(unified[field] as string | boolean)
      );
      if (passes) yield JSON.stringify(flat(unified, each));
    }
  }
}

function flatCampaign(campaign: JsonObject, { startDate, endDate }: JsonObject): JsonObject {
  const [budget = {}] = Array.isArray(campaign.budgets) ? campaign.budgets.filter(isObject) : [];
  const { value, currencyCode } = part(budget, "budgetValue", "monetaryBudgetValue", "monetaryBudget");
  const { bidStrategy, bidAdjustments } = part(campaign, "optimizations", "bidSettings");
  return defined({
    ...shared(campaign, ["campaignId", "name", "portfolioId", "costType", "tags"]),
    startDate,
    endDate,
    brandEntityId: campaign.brandId,
    targetingSettings: targetingOf(campaign),
    budgetCaps: {
      recurrenceTimePeriod: budget.recurrenceTimePeriod,
      budgetType: "MONETARY",
      budgetValue: { monetaryBudget: { amount: value, currencyCode } },
    },
    optimization: defined({
      bidStrategy,
      placementBidAdjustments: part({ bidAdjustments }, "bidAdjustments").placementBidAdjustments,
    }),
  });
}

function flatAdGroup(adGroup: JsonObject): JsonObject {
  const { defaultBid, currencyCode } = part(adGroup, "bid");
  return defined({
    ...shared(adGroup, ["adGroupId", "campaignId", "name"]),
    bid: defaultBid === undefined ? undefined : { defaultBid, currencyCode },
  });
}

function flatAd(ad: JsonObject): JsonObject {
  const product = part(ad, "creative", "productCreative", "productCreativeSettings", "advertisedProduct");
  const creative = product.productId === undefined
    ? part(ad, "creative", "componentCreative")
    : { products: productsOf(product) };
  return defined({ ...shared(ad, ["adId", "adGroupId", "campaignId", "name", "adType"]), creative });
}

function flatTarget(target: JsonObject): JsonObject {
  const details = Object.values(part(target, "targetDetails")).filter(isObject)[0] ?? {};
  const refinement = part(details, "productCategoryRefinement", "productCategoryRefinement");
  return defined({
    ...shared(target, ["targetId", "adGroupId", "campaignId", "negative", "targetType", "targetLevel"]),
    bid: part(target, "bid").bid,
    targetDetails: defined({
      matchType: details.matchType,
      keyword: details.keyword,
      asin: part(details, "product").productId,
      ...refinement,
    }),
  });
}

function shared(entity: JsonObject, fields: readonly string[]): JsonObject {
  const kept = ["adProduct", "state", "creationDateTime", "lastUpdatedDateTime", ...fields];
  const { deliveryStatus } = part(entity, "status");
  return defined({ ...Object.fromEntries(kept.map((field) => [field, entity[field]])), deliveryStatus });
}

function targetingOf(campaign: JsonObject): string | undefined {
  const { autoCreateTargets } = part(campaign, "autoCreationSettings");
  return autoCreateTargets === undefined ? undefined : autoCreateTargets ? "AUTO" : "MANUAL";
}

function productsOf(product: JsonObject): JsonObject[] {
  const { productId, productIdType, resolvedProductId } = product;
  const asin = resolvedProductId === undefined
    ? []
    : [{ productIdType: "ASIN", productId: resolvedProductId }];
  return [...asin, { productIdType, productId }];
}
