import type { Click, Order } from "../../traffic/clause_day.ts";
import type { DaySpan } from "../../traffic/day_span.ts";
import { Tally } from "../reports/tally.ts";
import { allocate } from "../reports/split_traffic.ts";

const HOUR = 3_600_000;
/** How the impressions that led to no click spread over the hours of a day. */
const WEIGHTS = [3, 2, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4];

/** Keeps what a row of a day came to, and divides it by the hours without losing any of it. */
export class HoursOfDay extends Tally {
  readonly #clicks: Click[] = [];
  readonly #orders: Order[] = [];
  readonly #read: Click[] = [];
  readonly #span: DaySpan;
  readonly #asOf: number;

  /** @param asOf The moment whose knowledge the report has. */
  constructor(span: DaySpan, asOf: number) {
    super();
    this.#span = span;
    this.#asOf = asOf;
  }

  override addClick(click: Click): void {
    this.#clicks.push(click);
  }

  override addOrder(order: Order): void {
    this.#orders.push(order);
  }

  override addPages(click: Click): void {
    this.#read.push(click);
  }

  /** Adds what each hour came to to its own sums; hours in which nothing was are left out. */
  divide(sumsOf: (hour: number) => Tally): void {
    const shown = allocate(Math.max(0, this.impressions - this.#clicks.length), WEIGHTS);
    for (const [hour, count] of shown.entries()) if (count > 0) sumsOf(hour).addImpressions(count);
    for (const click of this.#clicks) {
      const tally = sumsOf(this.#hourOf(click.moment));
      tally.addImpressions(1);
      tally.addClick(click, this.#asOf);
    }
    // Rows of purchases do not know the click; they count in the hour at which reports began to.
    for (const order of this.#orders) sumsOf(this.#hourOf(order.knownAt)).addOrder(order);
    for (const click of this.#read) sumsOf(this.#hourOf(click.moment)).addPages(click, this.#asOf);
  }

  #hourOf(moment: number): number {
    const hour = Math.floor((moment - this.#span.start) / HOUR) % WEIGHTS.length;
    return hour < 0 ? hour + WEIGHTS.length : hour;
  }
}
