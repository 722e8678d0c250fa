import type { EntityFields } from "../../plans/model/change.ts";
import { BRANDS_EXPRESSION } from "../../client/entities/model/targeting_text.ts";
import {
  BID,
  column,
  parent,
  type SheetAdjustment,
  type SheetColumn,
  type SheetEntity,
} from "./sheet_entity.ts";
import { AMOUNT, DAY, LIST, oneOf, trueOr } from "./sheet_values.ts";

const product = "Sponsored Brands";
const STATE = column("State", "state", oneOf({ ENABLED: "enabled", PAUSED: "paused", ARCHIVED: "archived" }));
/** Column for the state of keywords and targets, which is lower case in this API generation. */
const LOWER_STATE = column(
  "State",
  "state",
  oneOf({ enabled: "enabled", paused: "paused", archived: "archived" }),
);
const CAMPAIGN = parent("Campaign ID", "campaignId", "sb.campaigns");
const AD_GROUP = parent("Ad Group ID", "adGroupId", "sb.ad_groups");
const PLACE: readonly SheetColumn[] = [CAMPAIGN, AD_GROUP];
const TEXT_COLUMN = column("Keyword text", "keywordText");
const EXPRESSION = column("Product targeting expression", "expressions", BRANDS_EXPRESSION);

const BRAND: readonly SheetColumn[] = [
  column("Brand name", "creative.brandName"),
  column("Brand logo asset ID", "creative.brandLogoAssetID"),
  column("Creative headline", "creative.headline"),
];
const PRODUCTS = column("Creative ASINs", "creative.asins", LIST);
const VIDEO = column("Video asset IDs", "creative.videoAssetIds", LIST);
const LANDING_PAGE: readonly SheetColumn[] = [
  column("Landing page URL", "landingPage.url"),
  column("Landing page ASINs", "landingPage.asins", LIST),
  column(
    "Landing page type",
    "landingPage.pageType",
    oneOf({
      PRODUCT_LIST: "product list",
      STORE: "store",
      CUSTOM_URL: "custom url",
      DETAIL_PAGE: "detail page",
    }, { open: true }),
  ),
];

/** Adds the page type, which follows from the landing page's URL or products. */
function withPageType(fields: EntityFields): EntityFields {
  const { landingPage } = fields;
  if (typeof landingPage !== "object" || landingPage === null) return fields;
  const pageType = "url" in landingPage ? "CUSTOM_URL" : "PRODUCT_LIST";
  return { ...fields, landingPage: { pageType, ...landingPage } };
}

/** Removes the state, because new keywords and targets are always enabled and the API rejects a state. */
function withoutState({ state: _, ...fields }: EntityFields): EntityFields {
  return fields;
}

function adOf(
  entity: string,
  type: string,
): Pick<SheetEntity, "product" | "entity" | "kind" | "idHeader" | "holds"> {
  return {
    product,
    entity,
    kind: "sb.ads",
    idHeader: "Ad ID",
    holds: ({ creative }) => Object(creative).type === type,
  };
}

export const SB_ENTITIES: readonly SheetEntity[] = [
  {
    product,
    entity: "Campaign",
    kind: "sb.campaigns",
    idHeader: "Campaign ID",
    columns: [
      parent("Portfolio ID", "portfolioId", "portfolios"),
      column("Campaign name", "name"),
      column("Start date", "startDate", DAY),
      column("End date", "endDate", DAY),
      STATE,
      column("Brand Entity ID", "brandEntityId"),
      column("Budget type", "budgetType", oneOf({ DAILY: "daily", LIFETIME: "lifetime" })),
      column("Budget", "budget", AMOUNT),
      column("Bid optimization", "bidding.bidOptimization", trueOr("auto", "manual")),
    ],
  },
  {
    product,
    entity: "Ad group",
    kind: "sb.ad_groups",
    idHeader: "Ad Group ID",
    columns: [CAMPAIGN, column("Ad group name", "name"), STATE],
  },
  {
    product,
    entity: "Product collection ad",
    kind: "sb.ads",
    idHeader: "Ad ID",
    columns: [
      AD_GROUP,
      column("Ad name", "name"),
      STATE,
      ...LANDING_PAGE,
      ...BRAND,
      PRODUCTS,
    ],
    onCreate: withPageType,
    holds: ({ creative }) =>
      Object(creative).type === undefined || Object(creative).type === "PRODUCT_COLLECTION",
  },
  {
    ...adOf("Video ad", "VIDEO"),
    columns: [AD_GROUP, column("Ad name", "name"), STATE, PRODUCTS, VIDEO],
    onCreate: (fields) => ({ ...fields, adFormat: "video" }),
  },
  {
    ...adOf("Brand video ad", "BRAND_VIDEO"),
    columns: [AD_GROUP, column("Ad name", "name"), STATE, ...LANDING_PAGE, ...BRAND, PRODUCTS, VIDEO],
    onCreate: (fields) => ({ ...withPageType(fields), adFormat: "brandVideo" }),
  },
  {
    ...adOf("Store spotlight ad", "STORE_SPOTLIGHT"),
    columns: [AD_GROUP, column("Ad name", "name"), STATE, ...BRAND],
    notCreated:
      "a Store spotlight ad cannot be created from a sheet, because the format of Sub-pages is not " +
      "published: create one of sb.ads with adFormat storeSpotlight",
  },
  {
    product,
    entity: "Keyword",
    kind: "sb.keywords",
    idHeader: "Keyword ID",
    columns: [
      ...PLACE,
      LOWER_STATE,
      BID,
      TEXT_COLUMN,
      column("Match type", "matchType", oneOf({ exact: "exact", phrase: "phrase", broad: "broad" })),
      column("Native language keyword", "nativeLanguageKeyword"),
      column("Native language locale", "nativeLanguageLocale"),
    ],
    onCreate: withoutState,
  },
  {
    product,
    entity: "Product targeting",
    kind: "sb.targets",
    idHeader: "Product Targeting ID",
    columns: [...PLACE, LOWER_STATE, BID, EXPRESSION],
    onCreate: withoutState,
  },
  {
    product,
    entity: "Negative keyword",
    kind: "sb.negative_keywords",
    idHeader: "Keyword ID",
    columns: [
      ...PLACE,
      LOWER_STATE,
      TEXT_COLUMN,
      column(
        "Match type",
        "matchType",
        oneOf({ negativeExact: "negativeExact", negativePhrase: "negativePhrase" }),
      ),
    ],
    onCreate: withoutState,
  },
  {
    product,
    entity: "Negative product targeting",
    kind: "sb.negative_targets",
    idHeader: "Product Targeting ID",
    columns: [...PLACE, LOWER_STATE, EXPRESSION],
    onCreate: withoutState,
  },
];

export const SB_ADJUSTMENT: SheetAdjustment = {
  product,
  entity: "Bidding adjustment by placement",
  kind: "sb.campaigns",
  path: "bidding.bidAdjustmentsByPlacement",
  placement: oneOf({
    TOP_OF_SEARCH: "top of search",
    DETAIL_PAGE: "detail page",
    HOME: "home",
    OTHER: "other",
  }),
};

export const SB_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Campaign ID|Portfolio ID|Ad Group ID|Ad ID|Keyword ID|Product Targeting ID|" +
  "Campaign name|Ad group name|Ad name|Start date|End date|State|Brand Entity ID|Budget type|Budget|" +
  "Bid optimization|Product location|Bid|Placement|Percentage|Keyword text|Match type|Native language keyword|" +
  "Native language locale|Product targeting expression|Landing page URL|Landing page ASINs|Landing page type|" +
  "Brand name|Consent to translate|Brand logo asset ID|Brand logo crop|Custom images|Creative headline|" +
  "Creative ASINs|Video asset IDs|Sub-pages"
).split("|");
