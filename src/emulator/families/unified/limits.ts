import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";

export interface UnifiedLimits {
  readonly items: number;
  readonly page: number;
  /** Maximum values per filter; filters without an entry do not exist. */
  readonly filters: Readonly<Record<string, number>>;
}

const PRODUCTS = { items: 1000, page: 1000 };
const BRANDS = { items: 10, page: 100 };
const DISPLAY = { items: 100, page: 100 };
const TARGETS = { items: 1000, page: 5000 };
const EXTENSIONS: UnifiedLimits = {
  items: 50,
  page: 1000,
  filters: {
    adExtensionIdFilter: 100,
    adIdFilter: 100,
    adGroupIdFilter: 100,
    adExtensionTypeFilter: 1,
    adExtensionStatusFilter: 1,
    stateFilter: 3,
  },
};
const PLACES = { campaignIdFilter: 100, adGroupIdFilter: 100, stateFilter: 3 };
const NAMED = { campaignIdFilter: 100, stateFilter: 3, nameFilter: 100 };

const LIMITS: Readonly<Record<string, Readonly<Record<string, UnifiedLimits>>>> = {
  SPONSORED_PRODUCTS: {
    campaigns: {
      ...PRODUCTS,
      filters: { campaignIdFilter: 1000, stateFilter: 3, nameFilter: 100, portfolioIdFilter: 100 },
    },
    adGroups: { ...PRODUCTS, filters: { ...NAMED, adGroupIdFilter: 1000 } },
    ads: { ...PRODUCTS, filters: { ...PLACES, adIdFilter: 100 } },
    adExtensions: EXTENSIONS,
    targets: {
      ...PRODUCTS,
      filters: {
        ...PLACES,
        targetIdFilter: 100,
        negativeFilter: 1,
        targetTypeFilter: 4,
        matchTypeFilter: 10,
        keywordFilter: 100,
        productIdFilter: 100,
      },
    },
  },
  SPONSORED_BRANDS: {
    campaigns: {
      ...BRANDS,
      filters: { campaignIdFilter: 10, stateFilter: 3, nameFilter: 100, portfolioIdFilter: 10 },
    },
    adGroups: { ...BRANDS, filters: { ...NAMED, adGroupIdFilter: 100 } },
    ads: {
      ...BRANDS,
      filters: { campaignIdFilter: 10, adGroupIdFilter: 10, adIdFilter: 10, stateFilter: 3, nameFilter: 10 },
    },
    adExtensions: EXTENSIONS,
    targets: {
      ...TARGETS,
      filters: {
        ...PLACES,
        targetIdFilter: 100,
        negativeFilter: 1,
        targetTypeFilter: 4,
        matchTypeFilter: 10,
        keywordFilter: 2,
      },
    },
  },
  SPONSORED_DISPLAY: {
    campaigns: {
      ...DISPLAY,
      filters: { campaignIdFilter: 1000, stateFilter: 3, nameFilter: 100, portfolioIdFilter: 100 },
    },
    adGroups: { ...DISPLAY, filters: { ...NAMED, adGroupIdFilter: 100 } },
    ads: { ...DISPLAY, filters: {} },
    targets: { ...TARGETS, filters: { ...PLACES, targetIdFilter: 100 } },
  },
};

export const GLOBAL_LIMITS: Readonly<Record<string, UnifiedLimits>> = {
  campaigns: {
    items: 1000,
    page: 5000,
    filters: {
      campaignIdFilter: 1000,
      marketplaceScopeFilter: 1,
      nameFilter: 100,
      portfolioIdFilter: 100,
      stateFilter: 3,
    },
  },
  adGroups: { ...PRODUCTS, filters: { ...NAMED, marketplaceScopeFilter: 1 } },
  ads: {
    ...PRODUCTS,
    filters: { adGroupIdFilter: 100, adIdFilter: 100, marketplaceScopeFilter: 1, stateFilter: 3 },
  },
  targets: {
    items: 1000,
    page: 5000,
    filters: {
      ...PLACES,
      marketplaceScopeFilter: 1,
      matchTypeFilter: 10,
      negativeFilter: 1,
      productIdFilter: 100,
      targetIdFilter: 100,
    },
  },
};

export function limitsOf(adProduct: string, entity: string): UnifiedLimits {
  return LIMITS[adProduct]![entity]!;
}

export function demandFilterSize(limits: UnifiedLimits, name: string, value: Json | undefined): void {
  const most = limits.filters[name];
  if (most === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`);
  }
  const include = isObject(value) ? value.include : undefined;
  if (!Array.isArray(include) || include.length <= most) return;
  throw refusal(400, `${name}.include must have at most ${most} items`);
}
