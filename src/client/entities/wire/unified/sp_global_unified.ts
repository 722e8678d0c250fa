import { sameValue } from "../../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { normalizeCountry } from "../../../../base/markets/markets.ts";
import type { Fields, ResourceWire } from "../../model/resource_wire.ts";
import { detailsOf, predicatesOf } from "./expression_form.ts";
import { day, marketplaceWord, state, TAGS, words } from "./forms.ts";
import { bids, BUDGETS, listOf, MarketplaceTable, shared } from "./global_forms.ts";
import { SP_GLOBAL_BIDDING } from "./sp_forms.ts";
import { spExtended } from "./sp_unified.ts";
import { NotOnWire, type UnifiedField, type UnifiedForm } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

const KEYWORD: Readonly<Record<string, string>> = {
  keywordText: "keyword",
  matchType: "matchType",
  nativeLanguageKeyword: "nativeLanguageKeyword",
  nativeLanguageLocale: "nativeLanguageLocale",
};

const KEYWORD_PARTS = Object.keys(KEYWORD);

interface Details {
  readonly body: Fields;
  readonly others: ReadonlyMap<string, Fields>;
}

const PRODUCT_TYPES = { asin: "ASIN", sku: "SKU" } as const;
const NAME: UnifiedField = { own: "name", wire: "name" };
const STATE: UnifiedField = { own: "state", wire: "state", form: state("upper") };

function marketplaces(table: MarketplaceTable): UnifiedForm {
  return {
    toWire: (value, place, op) => table.toWire(value, place, op),
    toOwn: (entity, place) => table.toOwn(fieldsOf(entity), place),
  };
}

/** Fields of a global campaign by marketplace; dates are in each marketplace's time zone. */
const CAMPAIGN_PARTS = marketplaces(
  new MarketplaceTable({
    idField: "campaignId",
    amount: BUDGETS,
    overrides: [
      NAME,
      STATE,
      { own: "startDate", wire: "startDateTime", form: day("start") },
      { own: "endDate", wire: "endDateTime", form: day("end") },
      { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
      TAGS,
    ],
  }),
);

const AD_GROUP_PARTS = marketplaces(
  new MarketplaceTable({
    idField: "adGroupId",
    amount: bids("defaultBid"),
    overrides: [NAME, STATE, TAGS],
  }),
);

const GLOBAL: Pick<UnifiedKind, "adProduct" | "isGlobal" | "constants" | "filters"> = {
  adProduct: "SPONSORED_PRODUCTS",
  isGlobal: true,
  constants: { marketplaceScope: "GLOBAL" },
  filters: { marketplaceScopeFilter: { include: ["GLOBAL"] } },
};

const LIMITS = { write: 1000, archive: 1000, page: 1000, states: 3 };

export const spGlobalCampaignsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "campaigns",
  operations: ["v1-spglobal-campaigns:SPGlobal", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    NAME,
    STATE,
    {
      own: "targetingType",
      wire: "autoCreationSettings.autoCreateTargets",
      form: words("targetingType", { AUTO: true, MANUAL: false }),
      sent: "create",
    },
    { own: "startDate", wire: "startDateTime", form: day("start") },
    { own: "endDate", wire: "endDateTime", form: day("end"), clearable: true },
    { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    TAGS,
    { own: "siteRestrictions", wire: "siteRestrictions" },
    {
      own: "marketplaces",
      wire: "",
      makes: ["marketplaces", "budgets", "marketplaceConfigurations"],
      form: CAMPAIGN_PARTS,
    },
  ],
  extendedFields: spExtended("CAMPAIGN_STATUS_ENABLED"),
  // The present moment is today in every time zone; the first one of a day is yesterday west of it.
  defaults: ({ now }) => ({ startDateTime: new Date(now).toISOString() }),
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: { ...LIMITS, page: 5000, ids: 1000, campaignIds: 100, adGroupIds: 100 },
});

export const spGlobalAdGroupsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "adGroups",
  operations: ["v1-spglobal-ad-groups:SPGlobal", "AdGroup"],
  fields: [
    { own: "adGroupId", wire: "adGroupId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    NAME,
    STATE,
    TAGS,
    {
      own: "marketplaces",
      wire: "",
      makes: ["marketplaces", "bid", "marketplaceConfigurations"],
      form: AD_GROUP_PARTS,
    },
  ],
  extendedFields: spExtended("AD_GROUP_STATUS_ENABLED"),
  limits: { ...LIMITS, ids: 0, campaignIds: 100, adGroupIds: 0 },
});

export const spGlobalProductAdsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "ads",
  operations: ["v1-spglobal-ads:SPGlobal", "Ad"],
  fields: [
    { own: "adId", wire: "adId" },
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    STATE,
    TAGS,
    productAims([STATE, TAGS]),
  ],
  constants: { ...GLOBAL.constants, adType: "PRODUCT_AD" },
  extendedFields: spExtended("AD_STATUS_LIVE"),
  limits: { ...LIMITS, ids: 100, campaignIds: 0, adGroupIds: 100 },
});

export const spGlobalTargetsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "targets",
  operations: ["v1-spglobal-targets:SPGlobal", "Target"],
  fields: [
    { own: "targetId", wire: "targetId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    { own: "negative", wire: "negative", sent: "create" },
    STATE,
    TAGS,
    targetAims([STATE, TAGS]),
  ],
  // That of an ad group has its campaign by it.
  finish: ({ campaignId, ...body }) =>
    campaignId === undefined || body["adGroupId"] !== undefined ? body : { ...body, campaignId },
  extendedFields: spExtended("TARGETING_CLAUSE_STATUS_LIVE"),
  limits: { ...LIMITS, page: 5000, ids: 100, campaignIds: 100, adGroupIds: 100 },
});

/**
 * Field for the keyword, theme, product or category of a target. Keywords and themes may differ by marketplace;
 * products and categories are always given for each marketplace.
 */
function targetAims(overrides: readonly UnifiedField[]): UnifiedField {
  const table = new MarketplaceTable({
    idField: "targetId",
    amount: bids("bid"),
    overrides,
    left: [...KEYWORD_PARTS, "expression"],
  });
  const form: UnifiedForm = {
    toWire: (value, place, op) => {
      const { marketplaces, expression, ...keyword } = fieldsOf(value);
      const body = table.toWire(marketplaces, place, op);
      // What a target aims at is set once.
      if (op === "update") return body;
      const found = keyword["keywordText"] === undefined
        ? expressionDetails(expression, fieldsOf(marketplaces))
        : keywordDetails(keyword, fieldsOf(marketplaces));
      const configurations = new Map(
        listOf(body["marketplaceConfigurations"]).map((one) => [String(one["marketplace"]), one]),
      );
      for (const [country, targetDetails] of found.others) {
        const marketplace = marketplaceWord(country);
        const own = fieldsOf(configurations.get(marketplace)?.["overrides"]);
        configurations.set(marketplace, { marketplace, overrides: { ...own, targetDetails } });
      }
      const list = [...configurations.values()];
      return {
        ...body,
        ...found.body,
        ...(list.length === 0 ? {} : { marketplaceConfigurations: list }),
      };
    },
    toOwn: (value, place) => {
      const entity = fieldsOf(value);
      const marketplaces = table.toOwn(entity, place);
      const details = fieldsOf(entity["targetDetails"]);
      const whole = ownAim(details, undefined);
      const others = new Map(
        listOf(entity["marketplaceConfigurations"]).map((one) => [
          normalizeCountry(String(one["marketplace"])),
          fieldsOf(fieldsOf(one["overrides"])["targetDetails"]),
        ]),
      );
      const aims = new Map(
        Object.keys(marketplaces ?? {}).map((country) => {
          const other = others.get(country) ?? {};
          return [country, Object.keys(other).length > 0 ? ownAim(other, country) : ownAim(details, country)];
        }),
      );
      const common = whole ?? shared(aims).whole ?? {};
      const own = Object.fromEntries(
        Object.entries(marketplaces ?? {}).map(([country, fields]) => [
          country,
          { ...fields, ...different(aims.get(country) ?? {}, common) },
        ]),
      );
      return { ...common, ...(marketplaces === undefined ? {} : { marketplaces: own }) };
    },
  };
  return {
    own: "marketplaces",
    wire: "",
    parts: ["marketplaces", ...KEYWORD_PARTS, "expression"],
    makes: ["marketplaces", "bid", "marketplaceConfigurations", "targetType", "targetDetails"],
    form,
  };
}

function keywordDetails(keyword: Fields, marketplaces: Fields): Details {
  const detailsOf = (fields: Fields): Fields => ({
    keywordTarget: Object.fromEntries(
      Object.entries(KEYWORD).flatMap(([own, wire]) =>
        fields[own] === undefined ? [] : [[wire, fields[own]]]
      ),
    ),
  });
  const others = new Map<string, Fields>();
  for (const [country, value] of Object.entries(marketplaces)) {
    const there = fieldsOf(value);
    if (there["expression"] !== undefined) throw new NotOnWire(`${country}: a keyword has no expression`);
    const own = Object.fromEntries(
      KEYWORD_PARTS.flatMap((name) => there[name] === undefined ? [] : [[name, there[name]]]),
    );
    if (Object.keys(own).length > 0) others.set(country, detailsOf({ ...keyword, ...own }));
  }
  return { body: { targetType: "KEYWORD", targetDetails: detailsOf(keyword) }, others };
}

function expressionDetails(expression: unknown, marketplaces: Fields): Details {
  const found = Object.entries(marketplaces).map(([country, value]) => {
    const own = fieldsOf(value)["expression"] ?? expression;
    if (!Array.isArray(own) || own.length === 0) {
      throw new NotOnWire(`${country} has nothing to aim at: give keywordText and matchType, or expression`);
    }
    const { targetType, targetDetails } = detailsOf(own.map(fieldsOf));
    return { country, marketplace: marketplaceWord(country), targetType, details: fieldsOf(targetDetails) };
  });
  const [first] = found;
  const other = found.find(({ targetType }) => targetType !== first?.targetType);
  if (first === undefined || other !== undefined) {
    throw new NotOnWire(
      `A target is of one type in all marketplaces: ${first?.country} has ${first?.targetType}, ` +
        `${other?.country} has ${other?.targetType}`,
    );
  }
  const { targetType, details } = first;
  if (targetType === "PRODUCT") {
    const products = found.map(({ marketplace, details }) => {
      const { matchType, product } = fieldsOf(details["productTarget"]);
      return { matchType, marketplace, productId: fieldsOf(product)["productId"] };
    });
    const { matchType } = products[0]!;
    if (products.some((one) => one.matchType !== matchType)) {
      throw new NotOnWire("A product target has one predicate in all marketplaces");
    }
    const marketplaceSettings = products.map(({ marketplace, productId }) => ({ marketplace, productId }));
    const productTarget = { matchType, productIdType: "ASIN", product: { marketplaceSettings } };
    return { body: { targetType, targetDetails: { productTarget } }, others: new Map() };
  }
  if (targetType === "THEME") {
    const { others } = shared(new Map(found.map(({ country, details }) => [country, details])));
    return { body: { targetType, targetDetails: details }, others };
  }
  const marketplaceSettings = found.map(({ marketplace, details }) => {
    const outer = fieldsOf(fieldsOf(details["productCategoryTarget"])["productCategoryRefinement"]);
    const productCategoryRefinement = fieldsOf(outer["productCategoryRefinement"]);
    if (productCategoryRefinement["productGenreId"] !== undefined) {
      throw new NotOnWire("The unified family has no form for a genre in a global target");
    }
    return { marketplace, productCategoryRefinement };
  });
  const productCategoryTarget = { productCategoryRefinement: { marketplaceSettings } };
  return { body: { targetType, targetDetails: { productCategoryTarget } }, others: new Map() };
}

function ownAim(details: Fields, country: string | undefined): Fields | undefined {
  const keyword = details["keywordTarget"];
  if (keyword !== undefined) {
    return Object.fromEntries(
      Object.entries(KEYWORD).flatMap(([own, wire]) => {
        const value = fieldsOf(keyword)[wire];
        return value === undefined ? [] : [[own, value]];
      }),
    );
  }
  const settingOf = (outer: unknown): Fields | undefined =>
    listOf(fieldsOf(outer)["marketplaceSettings"]).find(({ marketplace }) =>
      normalizeCountry(String(marketplace)) === country
    );
  const product = fieldsOf(details["productTarget"]);
  const category = fieldsOf(details["productCategoryTarget"]);
  if (details["productTarget"] !== undefined) {
    const setting = settingOf(product["product"]);
    if (setting === undefined) return undefined;
    return aimOf({ productTarget: { ...product, product: { productId: setting["productId"] } } });
  }
  if (details["productCategoryTarget"] !== undefined) {
    const setting = settingOf(category["productCategoryRefinement"]);
    if (setting === undefined) return undefined;
    const { productCategoryRefinement } = setting;
    return aimOf({ productCategoryTarget: { productCategoryRefinement: { productCategoryRefinement } } });
  }
  return details["themeTarget"] === undefined ? undefined : aimOf(details);
}

function aimOf(targetDetails: Fields): Fields {
  return { expression: predicatesOf({ targetDetails }, { negative: false }) };
}

function different(fields: Fields, common: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !sameValue(value, common[name])),
  );
}

function productAims(overrides: readonly UnifiedField[]): UnifiedField {
  const table = new MarketplaceTable({ idField: "adId", overrides, left: ["asin", "sku"] });
  const form: UnifiedForm = {
    toWire: (value, place, op) => {
      const { marketplaces, ...product } = fieldsOf(value);
      const body = table.toWire(marketplaces, place, op);
      if (op === "update") return body;
      const places = Object.entries(fieldsOf(marketplaces)).map(([country, there]) =>
        [country, { ...product, ...fieldsOf(there) }] as const
      );
      const field = places.some(([, there]) => there["sku"] !== undefined) ? "sku" : "asin";
      const lacking = places.filter(([, there]) => there[field] === undefined).map(([country]) => country);
      if (lacking.length > 0) {
        throw new NotOnWire(`The ad has no product in ${lacking.join(", ")}: give ${field} there or for all`);
      }
      const marketplaceSettings = places.map(([country, there]) => ({
        marketplace: marketplaceWord(country),
        productId: there[field],
      }));
      const advertisedProduct = { productIdType: PRODUCT_TYPES[field], marketplaceSettings };
      return {
        ...body,
        creative: { productCreative: { productCreativeSettings: { advertisedProduct } } },
      };
    },
    toOwn: (value, place) => {
      const entity = fieldsOf(value);
      const marketplaces = table.toOwn(entity, place);
      const { productCreativeSettings } = fieldsOf(fieldsOf(entity["creative"])["productCreative"]);
      const { productIdType, marketplaceSettings } = fieldsOf(
        fieldsOf(productCreativeSettings)["advertisedProduct"],
      );
      const field = productIdType === "SKU" ? "sku" : "asin";
      const { whole, others } = shared(
        new Map(
          listOf(marketplaceSettings).map((one) => [
            normalizeCountry(String(one["marketplace"])),
            one["productId"],
          ]),
        ),
      );
      const own = Object.fromEntries(
        Object.entries(marketplaces ?? {}).map(([country, fields]) => [
          country,
          others.has(country) ? { ...fields, [field]: others.get(country) } : fields,
        ]),
      );
      return {
        ...(whole === undefined ? {} : { [field]: whole }),
        ...(marketplaces === undefined ? {} : { marketplaces: own }),
      };
    },
  };
  return {
    own: "marketplaces",
    wire: "",
    parts: ["marketplaces", "asin", "sku"],
    makes: ["marketplaces", "marketplaceConfigurations", "creative"],
    form,
  };
}
