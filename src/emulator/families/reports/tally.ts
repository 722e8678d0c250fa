import type { Click, Order } from "../../traffic/clause_day.ts";

/** Purchases by the days between click and purchase: within 1, 7 and 14. */
export type Windows = [one: number, seven: number, fourteen: number];

/** The sums of one row. Amounts are in the currency's smallest unit. */
export class Tally {
  /** Showings. */
  impressions = 0;
  /** Clicks. */
  clicks = 0;
  /** What the clicks cost. */
  cost = 0;
  /** Visits of product pages. */
  views = 0;
  /** Purchases. */
  orders: Windows = [0, 0, 0];
  /** What was paid for them. */
  sales: Windows = [0, 0, 0];
  /** Pieces. */
  units: Windows = [0, 0, 0];
  /** What was paid for other products than the one the ad showed. */
  otherSales = 0;
  /** Pieces of other products. */
  otherUnits = 0;
  /** Purchases by shoppers who are new to the brand, what they paid, and pieces. */
  readonly newToBrand = { orders: 0, sales: 0, units: 0 };
  /** Pages of books that were read. */
  pages = 0;
  /** Sum of the share of the top of the first page, weighted by showings. */
  #topShares = 0;
  #topWeight = 0;

  /** Adds showings. */
  addImpressions(count: number, topShare?: number): void {
    this.impressions += count;
    if (topShare === undefined) return;
    this.#topShares += topShare * count;
    this.#topWeight += count;
  }

  /** Adds a click and what it led to, as far as that is known at the moment `asOf`. */
  addClick(click: Click, asOf: number): void {
    this.clicks++;
    this.cost += click.cost;
    if (click.viewed) this.views++;
    this.addPages(click, asOf);
    if (click.order !== undefined && click.order.knownAt <= asOf) this.addOrder(click.order);
  }

  /** Adds the pages that were read after a click; they are known three days later. */
  addPages({ moment, pages }: Click, asOf: number): void {
    if (moment + 3 * 86_400_000 <= asOf) this.pages += pages;
  }

  /** Adds a purchase. */
  addOrder(order: Order): void {
    const first = order.lag <= 1 ? 0 : order.lag <= 7 ? 1 : 2;
    for (let window = first; window < 3; window++) {
      this.orders[window]!++;
      this.sales[window]! += order.sales;
      this.units[window]! += order.units;
    }
    if (!order.promoted) {
      this.otherSales += order.sales;
      this.otherUnits += order.units;
    }
    if (order.newToBrand) {
      this.newToBrand.orders++;
      this.newToBrand.sales += order.sales;
      this.newToBrand.units += order.units;
    }
  }

  /** Per cent of the showings at the top of the first page that could have been had. */
  get topShare(): number | undefined {
    return this.#topWeight === 0 ? undefined : this.#topShares / this.#topWeight;
  }
}
