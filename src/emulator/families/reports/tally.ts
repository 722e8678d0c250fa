import type { Click, Order } from "../../traffic/clause_day.ts";

/** Purchases within 1, 7 and 14 days of the click. */
type Windows = [one: number, seven: number, fourteen: number];

export interface Sales {
  orders: Windows;
  sales: Windows;
  units: Windows;
}

/** Amounts are in the currency's smallest unit. */
export class Tally {
  impressions = 0;
  clicks = 0;
  cost = 0;
  views = 0;
  newViews = 0;
  carts = 0;
  lists = 0;
  searches = 0;
  readonly all: Sales = noSales();
  readonly other: Sales = noSales();
  readonly newToBrand = { orders: 0, sales: 0, units: 0 };
  pages = 0;
  #topShares = 0;
  #topWeight = 0;

  addImpressions(count: number, topShare?: number): void {
    this.impressions += count;
    if (topShare === undefined) return;
    this.#topShares += topShare * count;
    this.#topWeight += count;
  }

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

  /** Pages read are reported three days after the click. */
  addPages({ moment, pages }: Click, asOf: number): void {
    if (moment + 3 * 86_400_000 <= asOf) this.pages += pages;
  }

  addOrder(order: Order): void {
    add(this.all, order);
    if (!order.promoted) add(this.other, order);
    if (order.newToBrand) {
      this.newToBrand.orders++;
      this.newToBrand.sales += order.sales;
      this.newToBrand.units += order.units;
    }
  }

  /** Percentage of available impressions at the top of the first page. */
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
