import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields, ResourceWire } from "../../model/resource_wire.ts";
import { expression } from "./expression_form.ts";
import {
  AMOUNT,
  day,
  marketplace,
  MILLISECONDS,
  newCampaign,
  servingStatus,
  state,
  TAGS,
  typedBudget,
  words,
} from "./forms.ts";
import { NotOnWire, type UnifiedField, type UnifiedForm } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

const LIMITS: UnifiedKind["limits"] = {
  write: 100,
  archive: 100,
  page: 100,
  ids: 1000,
  campaignIds: 100,
  adGroupIds: 100,
  states: 3,
};

const STATE: UnifiedField = { own: "state", wire: "state", form: state("lower") };

function extended(live: string, words: Readonly<Record<string, string>> = {}): UnifiedField[] {
  return [
    { own: "creationDate", wire: "creationDateTime", form: MILLISECONDS, sent: "never" },
    { own: "lastUpdatedDate", wire: "lastUpdatedDateTime", form: MILLISECONDS, sent: "never" },
    { own: "servingStatus", wire: "status", form: servingStatus(live, words), sent: "never" },
  ];
}

const PERIOD: UnifiedForm = {
  toWire: (value) => {
    if (value === "daily") return undefined;
    throw new NotOnWire(`The unified family has no budgetType ${JSON.stringify(value)}: it knows daily`);
  },
  toOwn: (value) => String(value).toLowerCase(),
};

/** Rejects new entities without a state, which the unified family requires. */
function checkState({ state }: Fields, op: "create" | "update") {
  if (op === "update" || state !== undefined) return [];
  return [{ field: "state", message: "The unified family needs a state: give enabled or paused" }];
}

/** Unified wire of Display campaigns. The unified family has no tactic; it follows from the targets. */
export const sdCampaignsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_DISPLAY",
  entity: "campaigns",
  operations: ["v1-sd-campaigns:SD", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    { own: "name", wire: "name" },
    STATE,
    { own: "budget", wire: `${AMOUNT}.value` },
    { own: "budgetType", wire: "budgets[0].recurrenceTimePeriod", form: PERIOD },
    { own: "ruleBasedBudget.value", wire: `${AMOUNT}.ruleValue`, sent: "never" },
    {
      own: "costType",
      wire: "costType",
      form: words("costType", { cpc: "CPC", vcpm: "VCPM" }),
      sent: "create",
    },
    { own: "startDate", wire: "startDateTime", form: day("start", { hyphens: false }) },
    { own: "endDate", wire: "endDateTime", form: day("end", { hyphens: false }), clearable: true },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    TAGS,
  ],
  extendedFields: extended("ADVERTISER_STATUS_ENABLED"),
  lacks: {
    tactic: "whom a campaign reaches follows from its targets there",
    deliveryProfile: "it is read only, and of one value",
  },
  defaults: (place) => ({ ...newCampaign(place), costType: "CPC" }),
  finish: typedBudget,
  check: checkState,
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: LIMITS,
});

export const sdAdGroupsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_DISPLAY",
  entity: "adGroups",
  operations: ["v1-sd-ad-groups:SD", "AdGroup"],
  fields: [
    { own: "adGroupId", wire: "adGroupId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    { own: "name", wire: "name" },
    STATE,
    { own: "defaultBid", wire: "bid.defaultBid" },
    {
      own: "bidOptimization",
      wire: "optimization.goalSettings.kpi",
      form: words("bidOptimization", { clicks: "CLICKS", conversions: "PURCHASES", reach: "REACH" }),
    },
    { own: "creativeType", wire: "creativeType", sent: "create" },
  ],
  extendedFields: extended("AD_GROUP_STATUS_ENABLED"),
  lacks: { tactic: "it is that of the campaign" },
  defaults: marketplace,
  limits: { ...LIMITS, ids: 100 },
});

const COMPONENT = "creative.componentCreative";
const IMAGE = `${COMPONENT}.responsiveEcommerceSettings`;
const VIDEO = `${COMPONENT}.productVideoSettings`;
const LINK = `${COMPONENT}.assetBasedCreativeSettings`;
const OFF_PLATFORM = "OFF_PLATFORM_LINK";

function product(type: "ASIN" | "SKU"): UnifiedForm {
  return {
    toWire: (value) => [{ productId: value, productIdType: type }],
    toOwn: (value) => {
      const [{ productId, productIdType } = {}] = Array.isArray(value) ? value.map(fieldsOf) : [];
      return productIdType === type ? productId : undefined;
    },
  };
}

function shownBy(own: string, path: string, form?: UnifiedForm): UnifiedField[] {
  const field = { own, ...(form === undefined ? {} : { form }) };
  return [
    { ...field, wire: `${IMAGE}.${path}`, sent: "create" },
    { ...field, wire: `${VIDEO}.${path}`, sent: "implied" },
  ];
}

/** Unified wire of Display ads. It has no filters, so every query reads all ads. */
export const sdProductAdsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_DISPLAY",
  entity: "ads",
  operations: ["v1-sd-ads:SD", "Ad"],
  fields: [
    { own: "adId", wire: "adId" },
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    STATE,
    ...shownBy("asin", "products", product("ASIN")),
    ...shownBy("sku", "products", product("SKU")),
    { own: "adName", wire: "name", sent: "create" },
    ...shownBy("landingPageType", "landingPage.landingPageType"),
    ...shownBy("landingPageURL", "landingPage.landingPageUrl"),
    { own: "landingPageType", wire: `${LINK}.landingPage.landingPageType`, sent: "implied" },
    { own: "landingPageURL", wire: `${LINK}.landingPage.landingPageUrl`, sent: "implied" },
  ],
  constants: { adType: "COMPONENT" },
  // An ad by SKU is shown without the ASIN behind it.
  finish: (body) => {
    const { responsiveEcommerceSettings } = fieldsOf(fieldsOf(body["creative"])["componentCreative"]);
    const { landingPage } = fieldsOf(responsiveEcommerceSettings);
    if (fieldsOf(landingPage)["landingPageType"] !== OFF_PLATFORM) return body;
    return { ...body, creative: { componentCreative: { assetBasedCreativeSettings: { landingPage } } } };
  },
  check: checkAd,
  extendedFields: extended("AD_STATUS_LIVE", {
    AD_PAUSED: "AD_STATUS_PAUSED",
    AD_ARCHIVED: "AD_STATUS_ARCHIVED",
  }),
  limits: { ...LIMITS, ids: 0, campaignIds: 0, adGroupIds: 0, states: 0 },
});

function checkAd({ asin, sku, landingPageType, landingPageURL }: Fields, op: "create" | "update") {
  if (op === "update") return [];
  const hasProduct = asin !== undefined || sku !== undefined;
  if (asin !== undefined && sku !== undefined) {
    const message = "The unified family takes one product for each ad: give sku for a seller, asin otherwise";
    return [{ field: "asin", message }];
  }
  if (landingPageType === OFF_PLATFORM && hasProduct) {
    const message = "The unified family takes no product for an ad that leads off the platform";
    return [{ field: "landingPageType", message }];
  }
  if ((landingPageType === undefined) !== (landingPageURL === undefined)) {
    const message = "The unified family takes landingPageType and landingPageURL together";
    return [{ field: "landingPageURL", message }];
  }
  return [];
}

const EXPRESSION_TYPE: UnifiedForm = {
  toWire: (value) => {
    if (value === "manual") return undefined;
    throw new NotOnWire("The unified family has no expressionType: everything written there is manual");
  },
  toOwn: () => "manual",
};

const UNREAD: UnifiedForm = { toWire: () => undefined, toOwn: () => undefined };

function targets(negative: boolean): ResourceWire {
  const types = negative
    ? ["PRODUCT", "PRODUCT_CATEGORY"]
    : ["AUDIENCE", "CONTENT_CATEGORY", "PRODUCT", "PRODUCT_AUDIENCE", "PRODUCT_CATEGORY"];
  return unifiedWire({
    adProduct: "SPONSORED_DISPLAY",
    entity: "targets",
    operations: ["v1-sd-targets:SD", "Target"],
    fields: [
      { own: "targetId", wire: "targetId" },
      {
        own: "campaignId",
        wire: "campaignId",
        sent: "implied",
        // A negative target names no campaign on the older wire.
        ...(negative ? { form: UNREAD } : {}),
      },
      { own: "adGroupId", wire: "adGroupId", sent: "create" },
      STATE,
      { own: "expression", wire: "", form: displayExpression({ negative }), sent: "create" },
      { own: "expressionType", wire: "", form: EXPRESSION_TYPE, sent: "create" },
      ...(negative ? [] : [
        {
          own: "resolvedExpression",
          wire: "",
          form: displayExpression({ negative, resolved: true }),
          sent: "never",
        } as const,
        { own: "bid", wire: "bid.bid" } as const,
      ]),
    ],
    constants: { negative },
    check: checkState,
    // There is no filter for either: targets of every type, negative ones too, come in one list.
    accepts: (one: Fields) => one["negative"] === negative && types.includes(String(one["targetType"])),
    extendedFields: extended("TARGET_STATUS_LIVE"),
    limits: { ...LIMITS, write: 1000, archive: 1000, page: 5000, ids: 100 },
  });
}

export const sdTargetsUnified: ResourceWire = targets(false);
export const sdNegativeTargetsUnified: ResourceWire = targets(true);

const LOOKBACK: ReadonlySet<string> = new Set(["7", "14", "30", "60", "90", "180", "365"]);

const EVENTS: readonly [type: string, event: string, similar: string][] = [
  ["views", "VIEW", "similarProduct"],
  ["purchases", "PURCHASE", "relatedProduct"],
];

const OWN: ReadonlySet<string> = new Set([
  "similarProduct",
  "contentCategorySameAs",
  "audience",
  ...EVENTS.map(([type]) => type),
]);

/**
 * A Display expression: one list of predicates in the toolkit, separate types in the unified family, which supports
 * only audiences of products and of segments by id.
 */
export function displayExpression(
  { negative, resolved = false }: { negative: boolean; resolved?: boolean },
): UnifiedForm {
  const products = expression({ negative, family: "display", resolved });
  return {
    toWire: (value, place, op) => {
      if (resolved) return undefined;
      const predicates = Array.isArray(value) ? value.map(fieldsOf) : [];
      return onlyOne(predicates) ?? products.toWire(value, place, op);
    },
    toOwn: (value, place) => {
      const { targetDetails } = fieldsOf(value);
      return ownPredicates(fieldsOf(targetDetails)) ?? products.toOwn(value, place);
    },
  };
}

function onlyOne(predicates: readonly Fields[]): Fields | undefined {
  const own = predicates.find(({ type }) => OWN.has(String(type)));
  if (own === undefined) return undefined;
  const { type, value } = own;
  if (predicates.length > 1) {
    throw new NotOnWire(`The unified family takes ${type} alone, and the expression has more predicates`);
  }
  const parts = Array.isArray(value) ? value.map(fieldsOf) : [];
  switch (type) {
    case "similarProduct":
      return target("PRODUCT", {
        productTarget: { matchType: "PRODUCT_SIMILAR", product: {}, productIdType: "ASIN" },
      });
    case "contentCategorySameAs":
      return target("CONTENT_CATEGORY", { contentCategoryTarget: { contentCategoryId: value } });
    case "audience": {
      const [segment, ...more] = parts;
      if (segment?.["type"] !== "audienceSameAs" || more.length > 0) {
        throw new NotOnWire("The unified family takes one audienceSameAs for each audience");
      }
      return target("AUDIENCE", { audienceTarget: { audienceId: { defaultValue: segment["value"] } } });
    }
    default:
      return target("PRODUCT_AUDIENCE", { productAudienceTarget: productAudience(String(type), parts) });
  }
}

function target(targetType: string, targetDetails: Fields): Fields {
  return { targetType, targetDetails };
}

function productAudience(name: string, parts: readonly Fields[]): Fields {
  const [, event, similar] = EVENTS.find(([type]) => type === name)!;
  const known = ["exactProduct", similar, "asinSameAs", "lookback"];
  const other = parts.find(({ type }) => !known.includes(String(type)));
  if (other !== undefined) {
    throw new NotOnWire(
      `The unified family has no ${name} by ${JSON.stringify(other["type"])}: it has audiences of products ` +
        `(${known.join(", ")}), and none of a category`,
    );
  }
  const valueOf = (wanted: string): unknown => parts.find(({ type }) => type === wanted)?.["value"];
  const has = (wanted: string): boolean => parts.some(({ type }) => type === wanted);
  const days = valueOf("lookback");
  if (!LOOKBACK.has(String(days))) {
    throw new NotOnWire(
      `The unified family has no lookback ${JSON.stringify(days)}: it knows ${[...LOOKBACK].join(", ")} days`,
    );
  }
  const ways = [has("exactProduct"), has(similar), has("asinSameAs") && !has(similar)];
  if (ways.filter((one) => one).length !== 1) {
    throw new NotOnWire(
      `The unified family takes one of exactProduct, ${similar} and asinSameAs in ${name}`,
    );
  }
  const asin = valueOf("asinSameAs");
  return {
    event,
    matchType: has(similar) ? "PRODUCT_SIMILAR" : "PRODUCT_EXACT",
    lookback: `DAYS_${days}`,
    asin: asin === undefined ? {} : { defaultValue: asin },
  };
}

function ownPredicates(details: Fields): Fields[] | undefined {
  const { matchType, product } = fieldsOf(details["productTarget"]);
  if (matchType === "PRODUCT_SIMILAR") {
    return fieldsOf(product)["productId"] === undefined ? [{ type: "similarProduct" }] : [{ type: "OTHER" }];
  }
  const { contentCategoryId } = fieldsOf(details["contentCategoryTarget"]);
  if (contentCategoryId !== undefined) return [{ type: "contentCategorySameAs", value: contentCategoryId }];
  const { audienceId } = fieldsOf(details["audienceTarget"]);
  if (audienceId !== undefined) {
    const value = fieldsOf(audienceId)["defaultValue"];
    return [{ type: "audience", value: [{ type: "audienceSameAs", value }] }];
  }
  const audience = details["productAudienceTarget"];
  return audience === undefined ? undefined : [audiencePredicate(fieldsOf(audience))];
}

function audiencePredicate({ event, matchType, lookback, asin }: Fields): Fields {
  const found = EVENTS.find(([, wire]) => wire === event);
  if (found === undefined) return { type: "OTHER" };
  const [type, , similar] = found;
  const value = fieldsOf(asin)["defaultValue"];
  const isSimilar = matchType === "PRODUCT_SIMILAR";
  return {
    type,
    value: [
      ...(isSimilar ? [{ type: similar }] : value === undefined ? [{ type: "exactProduct" }] : []),
      ...(value === undefined ? [] : [{ type: "asinSameAs", value }]),
      { type: "lookback", value: String(lookback).replace("DAYS_", "") },
    ],
  };
}
