import { BID, column, DAYS, parent, type SheetColumn, type SheetEntity } from "./sheet_entity.ts";
import { AMOUNT, oneOf, type SheetValue } from "./sheet_values.ts";
import { DISPLAY_EXPRESSION, isAudience } from "../../client/entities/model/targeting_text.ts";

const product = "Sponsored Display";
const words = (...each: readonly string[]): SheetValue =>
  oneOf(Object.fromEntries(each.map((one) => [one, one])));
const STATE = column("State", "state", words("enabled", "paused", "archived"));
const CAMPAIGN = parent("Campaign Id", "campaignId", "sd.campaigns");
const PLACE: readonly SheetColumn[] = [CAMPAIGN, parent("Ad Group Id", "adGroupId", "sd.ad_groups")];

const ONE_ASIN: SheetValue = {
  read: (text) => [{ type: "asinSameAs", value: text.toUpperCase() }],
  write: (value) => {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return others.length === 0 && first?.type === "asinSameAs" ? String(first.value) : "";
  },
};
const OTHER_EXPRESSION: SheetValue = {
  read: DISPLAY_EXPRESSION.read,
  write: (value) => ONE_ASIN.write(value) === "" ? DISPLAY_EXPRESSION.write(value) : "",
};

function targeting(entity: string, holds: (expression: unknown) => boolean): SheetEntity {
  return {
    product,
    entity,
    kind: "sd.targets",
    idHeader: "Targeting Id",
    columns: [...PLACE, STATE, BID, column("Targeting Expression", "expression", DISPLAY_EXPRESSION)],
    onCreate: (fields) => ({ expressionType: "manual", ...fields }),
    holds: ({ expression }) => holds(expression),
  };
}

export const SD_ENTITIES: readonly SheetEntity[] = [
  {
    product,
    entity: "Campaign",
    kind: "sd.campaigns",
    idHeader: "Campaign Id",
    columns: [
      parent("Portfolio Id", "portfolioId", "portfolios"),
      column("Campaign Name", "name"),
      ...DAYS,
      STATE,
      column("Tactic", "tactic", words("T00020", "T00030")),
      column("Budget Type", "budgetType", words("daily")),
      column("Budget", "budget", AMOUNT),
      column("Cost Type", "costType", words("cpc", "vcpm")),
    ],
  },
  {
    product,
    entity: "Ad group",
    kind: "sd.ad_groups",
    idHeader: "Ad Group Id",
    columns: [
      CAMPAIGN,
      column("Ad Group Name", "name"),
      STATE,
      column("Bid Optimization", "bidOptimization", words("clicks", "conversions", "reach")),
      column("Ad Group Default Bid", "defaultBid", AMOUNT),
    ],
  },
  {
    product,
    entity: "Product ad",
    kind: "sd.product_ads",
    idHeader: "Ad Id",
    columns: [...PLACE, STATE, column("SKU", "sku"), column("ASIN", "asin")],
  },
  targeting("Audience targeting", isAudience),
  targeting("Contextual targeting", (expression) => !isAudience(expression)),
  {
    product,
    entity: "Negative product targeting",
    kind: "sd.negative_targets",
    idHeader: "Targeting Id",
    columns: [
      ...PLACE,
      STATE,
      column("ASIN", "expression", ONE_ASIN),
      column("Targeting Expression", "expression", OTHER_EXPRESSION),
    ],
    onCreate: (fields) => ({ expressionType: "manual", ...fields }),
  },
];

export const SD_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Campaign Id|Portfolio Id|Ad Group Id|Ad Id|Targeting Id|Campaign Name|Ad Group Name|" +
  "Start Date|End Date|State|Tactic|Budget Type|Budget|SKU|ASIN|Ad Group Default Bid|Bid|Bid Optimization|Cost Type|" +
  "Targeting Expression"
).split("|");
