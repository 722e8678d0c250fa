/** SQL of a report row's orders and sales. */
export interface SalesColumns {
  readonly orders: string;
  readonly sales: string;
}

/**
 * Orders and sales of a report's rows within 14 days of a click. Sellers' files have only 7 days for Sponsored Products.
 *
 * @param report Name of a report or its product, such as `sp`.
 * @param alias Table alias of the columns. @default none
 */
export function salesColumns(report: string, alias = ""): SalesColumns {
  const at = alias === "" ? "" : `${alias}.`;
  return /^sp(?:_|$)/.test(report)
    ? {
      orders: `coalesce(${at}purchases_14d, ${at}purchases_7d)`,
      sales: `coalesce(${at}sales_14d, ${at}sales_7d)`,
    }
    : { orders: `${at}purchases`, sales: `${at}sales` };
}
