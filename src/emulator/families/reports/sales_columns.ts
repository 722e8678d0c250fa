import { type Column, type Columns, ratio } from "./column.ts";
import type { Sales, Tally } from "./tally.ts";

/** Names of the windows, and their places in the sums. Nothing is bought later than 14 days after a click. */
const WINDOWS = { "1d": 0, "7d": 1, "14d": 2, "30d": 2 } as const;
const LAST = 2;
/** Sales of a year for each sale of a fortnight. */
const LONG_TERM = 1.25;

/** Purchases: of everything, of the product in the ad, of other products. */
const PARTS: Readonly<Record<string, (tally: Tally) => Sales>> = {
  all: ({ all }) => all,
  other: ({ other }) => other,
  same: ({ all, other }) => ({
    orders: minus(all.orders, other.orders),
    sales: minus(all.sales, other.sales),
    units: minus(all.units, other.units),
  }),
};

type Part = keyof typeof PARTS;
type Measure = "orders" | "sales" | "units";

/** Columns of purchases. */
export const SALES_COLUMNS: Columns = {
  ...byWindow("purchases", "all", "orders"),
  ...byWindow("sales", "all", "sales"),
  ...byWindow("unitsSoldClicks", "all", "units"),
  ...byWindow("purchasesSameSku", "same", "orders"),
  ...byWindow("attributedSalesSameSku", "same", "sales"),
  ...byWindow("unitsSoldSameSku", "same", "units"),
  ...byWindow("purchasesOtherSku", "other", "orders"),
  ...byWindow("salesOtherSku", "other", "sales"),
  ...byWindow("unitsSoldOtherSku", "other", "units"),
  ...efficiency("acosClicks", ({ cost }, sales) => ratio(100 * cost, sales)),
  ...efficiency("roasClicks", ({ cost }, sales) => ratio(sales, cost)),

  ...last("all", "orders", "purchases purchasesClicks orders14d ordersClicks14d"),
  ...last("all", "sales", "sales salesClicks salesClicks14d"),
  ...last("all", "units", "unitsSold unitsSoldClicks unitsSold14d"),
  ...last("same", "orders", "purchasesPromoted purchasesPromotedClicks"),
  ...last("same", "sales", "salesPromoted salesPromotedClicks"),
  ...last("other", "orders", "conversionsBrandHalo conversionsBrandHaloClicks"),
  ...last("other", "sales", "salesBrandHalo salesBrandHaloClicks"),
  ...last("other", "units", "unitsSoldBrandHalo unitsSoldBrandHaloClicks"),
  longTermSales: ({ tally }, { unit }) => Math.round(tally.all.sales[LAST] * LONG_TERM) / unit,
  longTermROAS: ({ tally }) => ratio(tally.all.sales[LAST] * LONG_TERM, tally.cost),

  ...newToBrand("Purchases", "orders"),
  ...newToBrand("Sales", "sales"),
  ...newToBrand("UnitsSold", "units"),
  newToBrandPurchasesRate: ({ tally }) => ratio(100 * tally.newToBrand.orders, tally.impressions),
};

function byWindow(name: string, part: Part, measure: Measure): Columns {
  return Object.fromEntries(
    Object.entries(WINDOWS).map(([window, index]) => [`${name}${window}`, column(part, measure, index)]),
  );
}

function last(part: Part, measure: Measure, names: string): Columns {
  return Object.fromEntries(names.split(" ").map((name) => [name, column(part, measure, LAST)]));
}

function column(part: Part, measure: Measure, window: 0 | 1 | 2): Column {
  const read = PARTS[part];
  return ({ tally }, { unit }) => {
    const value = read?.(tally)[measure][window] ?? 0;
    return measure === "sales" ? value / unit : value;
  };
}

function efficiency(name: string, make: (tally: Tally, sales: number) => number | null): Columns {
  const windows = { "7d": 1, "14d": 2 } as const;
  return Object.fromEntries(
    Object.entries(windows).map(([window, index]): [string, Column] => [
      `${name}${window}`,
      ({ tally }) => make(tally, tally.all.sales[index]),
    ]),
  );
}

function newToBrand(name: string, measure: Measure): Columns {
  const amount: Column = ({ tally }, { unit }) =>
    measure === "sales" ? tally.newToBrand.sales / unit : tally.newToBrand[measure];
  const percentage: Column = ({ tally }) => ratio(100 * tally.newToBrand[measure], tally.all[measure][LAST]);
  return {
    [`newToBrand${name}`]: amount,
    [`newToBrand${name}Clicks`]: amount,
    [`newToBrand${name}14d`]: amount,
    [`newToBrand${name}Percentage`]: percentage,
    [`newToBrand${name}Percentage14d`]: percentage,
  };
}

function minus(whole: Sales["orders"], part: Sales["orders"]): Sales["orders"] {
  return [whole[0] - part[0], whole[1] - part[1], whole[2] - part[2]];
}
