import type { Click, Order } from "../../traffic/clause_day.ts";
import type { DaySpan } from "../../core/day_span.ts";
import { Tally } from "../reports/tally.ts";
import { allocate } from "../reports/split_traffic.ts";

const HOUR = 3_600_000;
/** Distribution of impressions without a click over the hours of a day. */
const WEIGHTS = [3, 2, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4];

/** On days when clocks change, an hour is missing or repeated. */
export class WallClock {
  readonly weights: readonly number[];
  readonly #span: DaySpan;
  readonly #offsetAt: ((moment: number) => number) | undefined;

  constructor(span: DaySpan, offsetAt: (moment: number) => number) {
    this.#span = span;
    const length = span.end - span.start;
    this.#offsetAt = length === WEIGHTS.length * HOUR ? undefined : offsetAt;
    const shown = new Set<number>();
    for (let at = span.start; at < span.end; at += HOUR / 2) shown.add(this.hourOf(at));
    this.weights = WEIGHTS.map((weight, hour) => shown.has(hour) ? weight : 0);
  }

  hourOf(moment: number): number {
    if (this.#offsetAt !== undefined) return new Date(moment + this.#offsetAt(moment)).getUTCHours();
    const hour = Math.floor((moment - this.#span.start) / HOUR) % WEIGHTS.length;
    return hour < 0 ? hour + WEIGHTS.length : hour;
  }
}

/** Distributes a daily row over hours without rounding losses. */
export class HoursOfDay extends Tally {
  readonly #clicks: Click[] = [];
  readonly #orders: Order[] = [];
  readonly #read: Click[] = [];
  readonly #clock: WallClock;
  readonly #asOf: number;

  constructor(clock: WallClock, asOf: number) {
    super();
    this.#clock = clock;
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

  divide(sumsOf: (hour: number) => Tally): void {
    const shown = allocate(Math.max(0, this.impressions - this.#clicks.length), this.#clock.weights);
    for (const [hour, count] of shown.entries()) if (count > 0) sumsOf(hour).addImpressions(count);
    for (const click of this.#clicks) {
      const tally = sumsOf(this.#clock.hourOf(click.moment));
      tally.addImpressions(1);
      tally.addClick(click, this.#asOf);
    }
    // Rows of purchases do not know the click; they count in the hour at which reports began to.
    for (const order of this.#orders) sumsOf(this.#clock.hourOf(order.knownAt)).addOrder(order);
    for (const click of this.#read) sumsOf(this.#clock.hourOf(click.moment)).addPages(click, this.#asOf);
  }
}
