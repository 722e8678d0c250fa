export interface SalesColumns {
  readonly orders: string;
  readonly sales: string;
}

/**
 * Orders and sales within 14 days of a click. Sellers' files only have 7 days for Sponsored Products.
 *
 * @param alias Table alias of the columns.
 * @default none
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
