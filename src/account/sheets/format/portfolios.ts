import { column, type SheetEntity } from "./sheet_entity.ts";
import { AMOUNT, DAY, oneOf } from "./sheet_values.ts";

/** Rows of portfolios. */
export const PORTFOLIO_ENTITIES: readonly SheetEntity[] = [{
  product: "Portfolios",
  entity: "Portfolio",
  kind: "portfolios",
  idHeader: "Portfolio Id",
  columns: [
    column("Portfolio Name", "name"),
    column("Budget Amount", "budget.amount", AMOUNT),
    column("Budget Currency Code", "budget.currencyCode"),
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
export const PORTFOLIO_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Portfolio Id|Portfolio Name|Budget Amount|Budget Currency Code|Budget Policy|" +
  "Budget Start Date|Budget End Date"
).split("|");
