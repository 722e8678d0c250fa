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
/** Keywords of Brands have an older generation of the API, which writes words in lower case. */
const LOWER_STATE = column(
  "State",
  "state",
  oneOf({ enabled: "enabled", paused: "paused", archived: "archived" }),
);
const CAMPAIGN = parent("Campaign ID", "campaignId", "sb.campaigns");
const AD_GROUP = parent("Ad Group ID", "adGroupId", "sb.ad_groups");
const PLACE: readonly SheetColumn[] = [CAMPAIGN, AD_GROUP];
const TEXT_COLUMN = column("Keyword text", "keywordText");

/** Rows of Sponsored Brands with several ad groups, parents before children. */
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
      column("Landing page URL", "landingPage.url"),
      column("Brand name", "creative.brandName"),
      column("Brand logo asset ID", "creative.brandLogoAssetID"),
      column("Creative headline", "creative.headline"),
      column("Creative ASINs", "creative.asins", LIST),
    ],
    onCreate: (fields) => {
      const landingPage = Object(fields["landingPage"]);
      return {
        ...fields,
        ...("url" in landingPage ? { landingPage: { pageType: "CUSTOM_URL", ...landingPage } } : {}),
      };
    },
    holds: ({ creative }) =>
      Object(creative).type === undefined || Object(creative).type === "PRODUCT_COLLECTION",
  },
  ...[["Video ad", "VIDEO"], ["Brand video ad", "BRAND_VIDEO"], ["Store spotlight ad", "STORE_SPOTLIGHT"]]
    .map(([entity = "", type]): SheetEntity => ({
      product,
      entity,
      kind: "sb.ads",
      idHeader: "Ad ID",
      columns: [AD_GROUP, column("Ad name", "name"), STATE],
      canCreate: false,
      holds: ({ creative }) => Object(creative).type === type,
    })),
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
    onCreate: ({ state: _, ...fields }) => fields,
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
    onCreate: ({ state: _, ...fields }) => fields,
  },
];

/** Premiums of Sponsored Brands campaigns. */
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

/** Heads of the columns, in the platform's order. */
export const SB_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Campaign ID|Portfolio ID|Ad Group ID|Ad ID|Keyword ID|Product Targeting ID|" +
  "Campaign name|Ad group name|Ad name|Start date|End date|State|Brand Entity ID|Budget type|Budget|" +
  "Bid optimization|Product location|Bid|Placement|Percentage|Keyword text|Match type|Native language keyword|" +
  "Native language locale|Product targeting expression|Landing page URL|Landing page ASINs|Landing page type|" +
  "Brand name|Consent to translate|Brand logo asset ID|Brand logo crop|Custom images|Creative headline|" +
  "Creative ASINs|Video asset IDs|Sub-pages"
).split("|");
