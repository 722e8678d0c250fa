import {
  BID,
  column,
  DAYS,
  parent,
  type SheetAdjustment,
  type SheetColumn,
  type SheetEntity,
} from "./sheet_entity.ts";
import { AMOUNT, oneOf } from "./sheet_values.ts";
import { EXPRESSION, isAutomatic } from "../../client/entities/model/targeting_text.ts";

const product = "Sponsored Products";
const STATE = column("State", "state", oneOf({ ENABLED: "enabled", PAUSED: "paused", ARCHIVED: "archived" }));
const CAMPAIGN = parent("Campaign Id", "campaignId", "sp.campaigns");
const PLACE: readonly SheetColumn[] = [CAMPAIGN, parent("Ad Group Id", "adGroupId", "sp.ad_groups")];
const NEGATIVE = oneOf({
  NEGATIVE_EXACT: "negativeExact",
  NEGATIVE_PHRASE: "negativePhrase",
  NEGATIVE_BROAD: "negativeBroad",
});
const TEXT_COLUMN = column("Keyword Text", "keywordText");
const EXPRESSION_COLUMN = column("Product Targeting Expression", "expression", EXPRESSION);

export const SP_ENTITIES: readonly SheetEntity[] = [
  {
    product,
    entity: "Campaign",
    kind: "sp.campaigns",
    idHeader: "Campaign Id",
    columns: [
      parent("Portfolio Id", "portfolioId", "portfolios"),
      column("Campaign Name", "name"),
      ...DAYS,
      column("Targeting Type", "targetingType", oneOf({ AUTO: "auto", MANUAL: "manual" })),
      STATE,
      column("Daily Budget", "budget.budget", AMOUNT),
      column(
        "Bidding Strategy",
        "dynamicBidding.strategy",
        oneOf({
          LEGACY_FOR_SALES: "Dynamic bids - down only",
          AUTO_FOR_SALES: "Dynamic bids - up and down",
          MANUAL: "Fixed bid",
        }, { open: true }),
      ),
    ],
    onCreate: (fields) => ({ ...fields, budget: { budgetType: "DAILY", ...Object(fields["budget"]) } }),
  },
  {
    product,
    entity: "Ad group",
    kind: "sp.ad_groups",
    idHeader: "Ad Group Id",
    columns: [
      CAMPAIGN,
      column("Ad Group Name", "name"),
      STATE,
      column("Ad Group Default Bid", "defaultBid", AMOUNT),
    ],
  },
  {
    product,
    entity: "Product ad",
    kind: "sp.product_ads",
    idHeader: "Ad Id",
    columns: [...PLACE, STATE, column("sku", "sku"), column("asin", "asin")],
  },
  {
    product,
    entity: "Keyword",
    kind: "sp.keywords",
    idHeader: "Keyword Id",
    columns: [
      ...PLACE,
      STATE,
      BID,
      TEXT_COLUMN,
      column("Match Type", "matchType", oneOf({ EXACT: "exact", PHRASE: "phrase", BROAD: "broad" })),
    ],
  },
  {
    product,
    entity: "Product targeting",
    kind: "sp.targets",
    idHeader: "Product Targeting Id",
    columns: [...PLACE, STATE, BID, EXPRESSION_COLUMN],
    onCreate: (fields) => ({
      ...fields,
      expressionType: isAutomatic(fields["expression"]) ? "AUTO" : "MANUAL",
    }),
  },
  {
    product,
    entity: "Negative keyword",
    kind: "sp.negative_keywords",
    idHeader: "Keyword Id",
    columns: [...PLACE, STATE, TEXT_COLUMN, column("Match Type", "matchType", NEGATIVE)],
  },
  {
    product,
    entity: "Campaign negative keyword",
    kind: "sp.campaign_negative_keywords",
    idHeader: "Keyword Id",
    columns: [CAMPAIGN, STATE, TEXT_COLUMN, column("Match Type", "matchType", NEGATIVE)],
  },
  {
    product,
    entity: "Negative product targeting",
    kind: "sp.negative_targets",
    idHeader: "Product Targeting Id",
    columns: [...PLACE, STATE, EXPRESSION_COLUMN],
  },
  {
    product,
    entity: "Campaign negative product targeting",
    kind: "sp.campaign_negative_targets",
    idHeader: "Product Targeting Id",
    columns: [CAMPAIGN, STATE, EXPRESSION_COLUMN],
  },
];

export const SP_ADJUSTMENT: SheetAdjustment = {
  product,
  entity: "Bidding adjustment",
  kind: "sp.campaigns",
  path: "dynamicBidding.placementBidding",
  placement: oneOf({
    PLACEMENT_TOP: "placement top",
    PLACEMENT_PRODUCT_PAGE: "placement product page",
    PLACEMENT_REST_OF_SEARCH: "placement rest of search",
    SITE_PLATFORM_BUSINESS: "placement business site",
  }),
};

export const SP_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Campaign Id|Ad Group Id|Portfolio Id|Ad Id|Keyword Id|Product Targeting Id|" +
  "Campaign Name|Ad Group Name|Start Date|End Date|Targeting Type|State|Daily Budget|sku|asin|" +
  "Ad Group Default Bid|Bid|Keyword Text|Match Type|Bidding Strategy|Placement|Percentage|" +
  "Product Targeting Expression"
).split("|");
