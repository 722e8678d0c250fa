import { type JsonObject, objectsIn } from "../../core/json.ts";
import type { FileSource } from "../../state/file_store.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { expressionOf } from "../../traffic/vocabulary.ts";
import { UNIFIED_CAMPAIGNS } from "../unified/campaigns.ts";
import { commonFields, defined, part } from "../unified/common.ts";

type AdProduct = "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";

interface Source {
  readonly adProduct: AdProduct;
  readonly collection: string;
  readonly row: (entity: JsonObject, profile: ProfileState) => JsonObject;
}

const STRATEGIES: Readonly<Record<string, string>> = {
  LEGACY_FOR_SALES: "SALES_DOWN_ONLY",
  AUTO_FOR_SALES: "SALES",
  RULE_BASED: "RULE_BASED",
};

const GOALS: Readonly<Record<string, readonly [goal: string, kpi: string]>> = {
  clicks: ["CONSIDERATION", "CLICKS"],
  conversions: ["CONVERSIONS", "CONVERSIONS"],
  reach: ["AWARENESS", "VIEWABLE_IMPRESSIONS"],
};

const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  campaigns: [
    ...UNIFIED_CAMPAIGNS.sources.map((source): Source => ({
      adProduct: source.adProduct,
      collection: source.collection,
      row: source.adProduct === "SPONSORED_DISPLAY"
        ? displayCampaignRow
        : (entity, profile) => campaignRow(entity, source.toUnified(entity, profile)),
    })),
  ],
  adGroups: [
    { adProduct: "SPONSORED_PRODUCTS", collection: "sp.ad_groups", row: adGroupRow },
    { adProduct: "SPONSORED_BRANDS", collection: "sb.ad_groups", row: adGroupRow },
    { adProduct: "SPONSORED_DISPLAY", collection: "sd.ad_groups", row: adGroupRow },
  ],
  ads: [
    { adProduct: "SPONSORED_PRODUCTS", collection: "sp.product_ads", row: productAdRow },
    { adProduct: "SPONSORED_BRANDS", collection: "sb.ads", row: brandsAdRow },
    { adProduct: "SPONSORED_DISPLAY", collection: "sd.product_ads", row: productAdRow },
  ],
  targets: [
    targets("sp.keywords", exportedKeyword),
    targets("sp.targets", exportedExpression),
    targets("sp.negative_keywords", exportedKeyword),
    targets("sp.negative_targets", exportedExpression),
    targets("sp.campaign_negative_keywords", exportedKeyword),
    targets("sp.campaign_negative_targets", exportedExpression),
    targets("sb.keywords", exportedKeyword),
    targets("sb.negative_keywords", exportedKeyword),
    targets("sb.targets", exportedExpression),
    targets("sb.negative_targets", exportedExpression),
    targets("sb.themes", exportedTheme),
    targets("sd.targets", exportedExpression),
    targets("sd.negative_targets", exportedExpression),
  ],
};

export function* exportRows(profile: ProfileState, { entity, filters }: ExportRecord): Generator<string> {
  for (const { adProduct, collection, row } of SOURCES[entity]!) {
    if (filters.adProduct?.includes(adProduct) === false) continue;
    for (const each of profile.collection(collection).all()) {
      // State and moments are read alike for every ad product.
      const common = commonFields(each, { adProduct: "SPONSORED_PRODUCTS", noun: "CAMPAIGN" }, profile);
      const { state, creationDateTime, lastUpdatedDateTime } = common;
      const { deliveryStatus } = part(common, "status");
      const shared = { adProduct, state, creationDateTime, lastUpdatedDateTime, deliveryStatus };
      const whole = defined({ ...row(each, profile), ...shared });
      const passes = Object.entries(filters).every(([field, values]) =>
        values.includes(whole[field] as string | boolean)
      );
      if (passes) yield JSON.stringify(whole);
    }
  }
}

function campaignRow({ startDate, endDate, dynamicBidding }: JsonObject, unified: JsonObject): JsonObject {
  const [budget = {}] = objectsIn(unified.budgets) ?? [];
  const { value, currencyCode } = part(budget, "budgetValue", "monetaryBudgetValue", "monetaryBudget");
  const { bidAdjustments } = part(unified, "optimizations", "bidSettings");
  const { autoCreateTargets } = part(unified, "autoCreationSettings");
  return defined({
    campaignId: unified.campaignId,
    name: unified.name,
    portfolioId: unified.portfolioId,
    costType: unified.costType,
    tags: unified.tags,
    startDate,
    endDate,
    brandEntityId: unified.brandId,
    targetingSettings: autoCreateTargets === undefined ? undefined : autoCreateTargets ? "AUTO" : "MANUAL",
    budgetCaps: {
      recurrenceTimePeriod: budget.recurrenceTimePeriod,
      budgetType: "MONETARY",
      budgetValue: { monetaryBudget: { amount: value, currencyCode } },
    },
    optimization: defined({
      bidStrategy: STRATEGIES[String(part({ dynamicBidding }, "dynamicBidding").strategy)],
      placementBidAdjustments: part({ bidAdjustments }, "bidAdjustments").placementBidAdjustments,
    }),
  });
}

/** Exports write Display dates with hyphens, unlike entities. */
function displayCampaignRow(campaign: JsonObject, { record }: ProfileState): JsonObject {
  const day = (value: JsonObject[string] | undefined) =>
    value === undefined ? undefined : String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
  return {
    campaignId: campaign.campaignId,
    name: campaign.name,
    portfolioId: campaign.portfolioId,
    costType: String(campaign.costType).toUpperCase(),
    targetingSettings: campaign.tactic,
    startDate: day(campaign.startDate),
    endDate: day(campaign.endDate),
    budgetCaps: {
      recurrenceTimePeriod: String(campaign.budgetType).toUpperCase(),
      budgetType: "MONETARY",
      budgetValue: { monetaryBudget: { amount: campaign.budget, currencyCode: record.currencyCode } },
    },
  };
}

/** Brands ad groups have no bid; Display ad groups have a goal. */
function adGroupRow(adGroup: JsonObject, { record }: ProfileState): JsonObject {
  const { adGroupId, campaignId, name, defaultBid, creativeType, bidOptimization } = adGroup;
  const goal = GOALS[String(bidOptimization)];
  return {
    adGroupId,
    campaignId,
    name,
    creativeType,
    bid: defaultBid === undefined ? undefined : { defaultBid, currencyCode: record.currencyCode },
    optimization: goal === undefined ? undefined : { goalSettings: { goalType: goal[0], goalKpi: goal[1] } },
  };
}

/** Ad rows include the ad group but no campaign. */
function productAdRow({ adId, adGroupId, adName, asin, sku, customText }: JsonObject): JsonObject {
  const products = [
    ...asin === undefined ? [] : [{ productIdType: "ASIN", productId: asin }],
    ...sku === undefined ? [] : [{ productIdType: "SKU", productId: sku }],
  ];
  return {
    adId,
    adGroupId,
    name: adName,
    adType: "PRODUCT_AD",
    creative: defined({ products, headline: customText }),
  };
}

function brandsAdRow({ adId, adGroupId, name, creative, landingPage }: JsonObject): JsonObject {
  const { type, asins, headline, brandName } = part({ creative }, "creative");
  const { pageType, url } = part({ landingPage }, "landingPage");
  return {
    adId,
    adGroupId,
    name,
    adType: adTypeOf(String(type)),
    creative: defined({
      products: Array.isArray(asins)
        ? asins.map((productId) => ({ productIdType: "ASIN", productId }))
        : undefined,
      headline,
      brandName,
      landingPage: pageType === undefined
        ? undefined
        : defined({ landingPageType: pageType, landingPageUrl: url }),
    }),
  };
}

function adTypeOf(type: string): string {
  if (type === "STORE_SPOTLIGHT") return type;
  return type.includes("VIDEO") ? "VIDEO" : "PRODUCT_COLLECTION";
}

/** Only Sponsored Products rows include the campaign of a target. */
function targets(collection: string, told: (entity: JsonObject) => ExportedTarget): Source {
  const isProducts = collection.startsWith("sp.");
  return {
    adProduct: isProducts
      ? "SPONSORED_PRODUCTS"
      : collection.startsWith("sb.")
      ? "SPONSORED_BRANDS"
      : "SPONSORED_DISPLAY",
    collection,
    row: (entity, { record }) => ({
      targetId: entity.keywordId ?? entity.targetId ?? entity.themeId,
      adGroupId: entity.adGroupId,
      campaignId: isProducts ? entity.campaignId : undefined,
      negative: collection.includes("negative_"),
      targetLevel: collection.includes(".campaign_") ? "CAMPAIGN" : "AD_GROUP",
      ...told(entity),
      bid: typeof entity.bid === "number"
        ? { bid: entity.bid, currencyCode: record.currencyCode }
        : undefined,
    }),
  };
}

export interface ExportRecord {
  readonly exportId: string;
  readonly entity: string;
  readonly filters: Readonly<Record<string, readonly (string | boolean)[]>>;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly outcome: string;
}

export function exportStatus(record: ExportRecord, now: number): string {
  return now >= record.endsAt ? record.outcome : "PROCESSING";
}

export function asExport(entity: JsonObject): ExportRecord {
  return entity as unknown as ExportRecord;
}

export function exportFile(profile: ProfileState, id: string, now: number): FileSource | undefined {
  const found = profile.collection("exports").get(id);
  if (found === undefined || exportStatus(asExport(found), now) !== "COMPLETED") return undefined;
  return { rows: () => exportRows(profile, asExport(found)), format: "GZIP_JSON" };
}

interface ExportedTarget {
  /** For example KEYWORD or PRODUCT_CATEGORY. */
  readonly targetType: string;
  readonly targetDetails: JsonObject;
}

const AUTOMATIC: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "SEARCH_CLOSE_MATCH",
  QUERY_BROAD_REL_MATCHES: "SEARCH_LOOSE_MATCH",
  ASIN_SUBSTITUTE_RELATED: "PRODUCT_SUBSTITUTES",
  ASIN_ACCESSORY_RELATED: "PRODUCT_COMPLEMENTS",
};

const PRODUCTS: Readonly<Record<string, string>> = {
  ASIN_SAME_AS: "PRODUCT_EXACT",
  ASIN_EXPANDED_FROM: "PRODUCT_SIMILAR",
  SIMILAR_PRODUCT: "PRODUCT_SIMILAR",
};

const REFINEMENTS: Readonly<Record<string, string>> = {
  ASIN_CATEGORY_SAME_AS: "productCategoryId",
  ASIN_BRAND_SAME_AS: "productBrand",
  ASIN_AGE_RANGE_SAME_AS: "productAgeRange",
  ASIN_GENRE_SAME_AS: "productGenre",
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: "productPrimeShippingEligible",
  ASIN_PRICE_GREATER_THAN: "productPriceGreaterThan",
  ASIN_PRICE_LESS_THAN: "productPriceLessThan",
  ASIN_REVIEW_RATING_GREATER_THAN: "productRatingGreaterThan",
  ASIN_REVIEW_RATING_LESS_THAN: "productRatingLessThan",
};

const RANGES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  ASIN_PRICE_BETWEEN: ["productPriceGreaterThan", "productPriceLessThan"],
  ASIN_REVIEW_RATING_BETWEEN: ["productRatingGreaterThan", "productRatingLessThan"],
};

const EVENTS: Readonly<Record<string, string>> = { VIEWS: "VIEW", PURCHASES: "PURCHASE" };

function exportedKeyword(keyword: JsonObject): ExportedTarget {
  return {
    targetType: "KEYWORD",
    targetDetails: defined({
      matchType: String(keyword.matchType).toUpperCase().replace(/^NEGATIVE_?/, ""),
      keyword: keyword.keywordText,
      nativeLanguageKeyword: keyword.nativeLanguageKeyword,
      nativeLanguageLocale: keyword.nativeLanguageLocale,
    }),
  };
}

function exportedTheme({ themeType }: JsonObject): ExportedTarget {
  const matchType = String(themeType).replace(/^KEYWORDS_/, "SEARCH_");
  return { targetType: "AUTO", targetDetails: { matchType } };
}

function exportedExpression(target: JsonObject): ExportedTarget {
  const expression = expressionOf(target);
  const { type, value } = expression[0] ?? {};
  const word = String(type);
  if (AUTOMATIC[word] !== undefined) {
    return { targetType: "AUTO", targetDetails: { matchType: AUTOMATIC[word] } };
  }
  if (word === "AUDIENCE") {
    const audience = partsOf(value).find((part) => part.type === "audienceSameAs");
    return { targetType: "AUDIENCE", targetDetails: defined({ audienceId: audience?.value }) };
  }
  const event = EVENTS[word];
  if (event !== undefined) return exportedEvent(event, partsOf(value));
  if (word === "CONTENT_CATEGORY_SAME_AS") {
    return { targetType: "CONTENT_CATEGORY", targetDetails: { productCategoryId: String(value) } };
  }
  if (PRODUCTS[word] !== undefined) {
    return { targetType: "PRODUCT", targetDetails: defined({ matchType: PRODUCTS[word], asin: value }) };
  }
  return {
    targetType: "PRODUCT_CATEGORY",
    targetDetails: Object.assign({}, ...expression.map(refinementOf)),
  };
}

function exportedEvent(event: string, parts: readonly JsonObject[]): ExportedTarget {
  const lookback = parts.find(({ type }) => type === "lookback")?.value;
  const refinements: JsonObject = Object.assign(
    {},
    ...expressionOf({ expression: [...parts] }).map(refinementOf),
  );
  return {
    targetType: refinements.productCategoryId === undefined
      ? "PRODUCT_AUDIENCE"
      : "PRODUCT_CATEGORY_AUDIENCE",
    targetDetails: defined({
      ...refinements,
      event,
      lookback: lookback === undefined ? undefined : Number(lookback),
    }),
  };
}

function refinementOf({ type, value }: JsonObject): JsonObject {
  const range = RANGES[String(type)];
  if (range !== undefined) {
    const [from, to] = String(value).split("-").map(Number);
    return { [range[0]]: from!, [range[1]]: to! };
  }
  const name = REFINEMENTS[String(type)];
  if (name === undefined) return {};
  if (name === "productPrimeShippingEligible") return { [name]: String(value) === "true" };
  return { [name]: /Than$/.test(name) ? Number(value) : String(value) };
}

function partsOf(value: JsonObject[string] | undefined): JsonObject[] {
  return objectsIn(value) ?? [];
}
