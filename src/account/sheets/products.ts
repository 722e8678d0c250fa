import { column, type SheetAdjustment, type SheetEntity } from "./sheet_entity.ts";
import { AMOUNT, CURRENCY, DAY, oneOf } from "./sheet_values.ts";
import { SB_ADJUSTMENT, SB_ENTITIES, SB_HEADERS } from "./sponsored_brands.ts";
import { SD_ENTITIES, SD_HEADERS } from "./sponsored_display.ts";
import { SP_ADJUSTMENT, SP_ENTITIES, SP_HEADERS } from "./sponsored_products.ts";

const PORTFOLIO_ENTITIES: readonly SheetEntity[] = [{
  product: "Portfolios",
  entity: "Portfolio",
  kind: "portfolios",
  idHeader: "Portfolio Id",
  columns: [
    column("Portfolio Name", "name"),
    column("Budget Amount", "budget.amount", AMOUNT),
    column("Budget Currency Code", "budget.currencyCode", CURRENCY),
    column(
      "Budget Policy",
      "budget.policy",
      oneOf({ DATE_RANGE: "date range", MONTHLY_RECURRING: "monthly recurring", NO_CAP: "no cap" }),
    ),
    column("Budget Start Date", "budget.startDate", DAY),
    column("Budget End Date", "budget.endDate", DAY),
  ],
  onCreate: (fields) => ({ state: "ENABLED", ...fields }),
}];

const PORTFOLIO_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Portfolio Id|Portfolio Name|Budget Amount|Budget Currency Code|Budget Policy|" +
  "Budget Start Date|Budget End Date"
).split("|");

export interface SheetProduct {
  readonly name: string;
  readonly headers: readonly string[];
  readonly entities: readonly SheetEntity[];
  readonly adjustment?: SheetAdjustment;
}

export const SHEET_PRODUCTS: readonly SheetProduct[] = [
  { name: "Portfolios", headers: PORTFOLIO_HEADERS, entities: PORTFOLIO_ENTITIES },
  { name: "Sponsored Products", headers: SP_HEADERS, entities: SP_ENTITIES, adjustment: SP_ADJUSTMENT },
  { name: "Sponsored Brands", headers: SB_HEADERS, entities: SB_ENTITIES, adjustment: SB_ADJUSTMENT },
  { name: "Sponsored Display", headers: SD_HEADERS, entities: SD_ENTITIES },
];
