import { column, type SheetAdjustment, type SheetEntity } from "./sheet_entity.ts";
import { AMOUNT, CURRENCY, DAY, oneOf } from "./sheet_values.ts";
import { SB_ADJUSTMENT, SB_ENTITIES, SB_HEADERS } from "./sponsored_brands.ts";
import { SD_ENTITIES, SD_HEADERS } from "./sponsored_display.ts";
import { SP_ADJUSTMENT, SP_ENTITIES, SP_HEADERS } from "./sponsored_products.ts";

/** Rows of portfolios. */
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

/** Heads of the columns; the published pages about bulk files do not list those of portfolios. */
const PORTFOLIO_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Portfolio Id|Portfolio Name|Budget Amount|Budget Currency Code|Budget Policy|" +
  "Budget Start Date|Budget End Date"
).split("|");

/** Words of the platform's bulk format for one product. */
export interface SheetProduct {
  /** Name of the tab, and the word in the column Product. */
  readonly name: string;
  /** Heads of the columns, in the platform's order. */
  readonly headers: readonly string[];
  /** Rows, parents before children. */
  readonly entities: readonly SheetEntity[];
  /** Premiums of campaigns by placement. */
  readonly adjustment?: SheetAdjustment;
}

/** The products of a bulk file, in the order of its tabs. */
export const SHEET_PRODUCTS: readonly SheetProduct[] = [
  { name: "Portfolios", headers: PORTFOLIO_HEADERS, entities: PORTFOLIO_ENTITIES },
  { name: "Sponsored Products", headers: SP_HEADERS, entities: SP_ENTITIES, adjustment: SP_ADJUSTMENT },
  { name: "Sponsored Brands", headers: SB_HEADERS, entities: SB_ENTITIES, adjustment: SB_ADJUSTMENT },
  { name: "Sponsored Display", headers: SD_HEADERS, entities: SD_ENTITIES },
];
