import type { Click, Order } from "../../traffic/clause_day.ts";

/** Purchases by the days between click and purchase: within 1, 7 and 14. */
type Windows = [one: number, seven: number, fourteen: number];

/** Purchases, what was paid for them, and pieces. */
export interface Sales {
  /** Purchases. */
  orders: Windows;
  /** Sales in the currency's smallest unit. */
  sales: Windows;
  /** Pieces. */
  units: Windows;
}

/** The sums of one row. Amounts are in the currency's smallest unit. */
export class Tally {
  impressions = 0;
  clicks = 0;
  /** Cost of the clicks. */
  cost = 0;
  /** Visits of product pages. */
  views = 0;
  /** Visits by shoppers who are new to the brand. */
  newViews = 0;
  /** Products put into the cart. */
  carts = 0;
  /** Products put on a list. */
  lists = 0;
  /** Searches for the brand after a click. */
  searches = 0;
  /** Every purchase. */
  readonly all: Sales = noSales();
  /** Purchases of other products than the one the ad showed. */
  readonly other: Sales = noSales();
  /** Purchases by shoppers who are new to the brand, what they paid, and pieces. */
  readonly newToBrand = { orders: 0, sales: 0, units: 0 };
  /** Pages of books that were read. */
  pages = 0;
  /** Sum of the share of the top of the first page, weighted by impressions. */
  #topShares = 0;
  #topWeight = 0;

  addImpressions(count: number, topShare?: number): void {
    this.impressions += count;
    if (topShare === undefined) return;
    this.#topShares += topShare * count;
    this.#topWeight += count;
  }

  /** Adds a click and what it led to, as far as that is known at the moment `asOf`. */
  addClick(click: Click, asOf: number): void {
    const { moment, order } = click;
    this.clicks++;
    this.cost += click.cost;
    if (click.viewed) this.views++;
    if (click.viewed && moment % 5 < 2) this.newViews++;
    if (order !== undefined || moment % 6 === 0) this.carts++;
    if (moment % 41 === 0) this.lists++;
    if (moment % 9 === 0) this.searches++;
    this.addPages(click, asOf);
    if (order !== undefined && order.knownAt <= asOf) this.addOrder(order);
  }

  /** Adds the pages that were read after a click; they are known three days later. */
  addPages({ moment, pages }: Click, asOf: number): void {
    if (moment + 3 * 86_400_000 <= asOf) this.pages += pages;
  }

  /** Adds a purchase. */
  addOrder(order: Order): void {
    add(this.all, order);
    if (!order.promoted) add(this.other, order);
    if (order.newToBrand) {
      this.newToBrand.orders++;
      this.newToBrand.sales += order.sales;
      this.newToBrand.units += order.units;
    }
  }

  /** Per cent of the impressions at the top of the first page that could have been had. */
  get topShare(): number | undefined {
    return this.#topWeight === 0 ? undefined : this.#topShares / this.#topWeight;
  }
}

function noSales(): Sales {
  return { orders: [0, 0, 0], sales: [0, 0, 0], units: [0, 0, 0] };
}

function add(sum: Sales, { lag, sales, units }: Order): void {
  const first = lag <= 1 ? 0 : lag <= 7 ? 1 : 2;
  for (const window of [0, 1, 2] as const) {
    if (window < first) continue;
    sum.orders[window]++;
    sum.sales[window] += sales;
    sum.units[window] += units;
  }
}
