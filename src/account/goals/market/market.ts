import { type Draws, drawsOf, keyedUniform, normalQuantile } from "./draws.ts";
import { drawAuctions, Landscape } from "./landscape.ts";
import { playWeek, type WeekMarket } from "./play_week.ts";
import { drawRates, type Rates } from "./rates.ts";
import type { TargetTerms } from "./search_terms.ts";
import { cents, PLACEMENTS, type Settings } from "./settings.ts";
import { type AccountTree, drawTree, sumBy } from "./tree.ts";
import {
  type DayChanges,
  drawDays,
  drawProducts,
  drawShifts,
  type ProductChanges,
} from "./weekly_changes.ts";

/** Number of targets, traffic and weeks of an account, and the seed for everything drawn at random. */
export interface AccountSize {
  readonly seed: string;
  readonly targets: number;
  /** Mean weekly clicks of a target at its first bid. */
  readonly clicks: number;
  readonly weeks: number;
  /** Highest cost of a campaign on one day, as a multiple of its daily budget. @default 1.25 */
  readonly dayLimit?: number;
}

/** A simulated account in a market with randomly drawn rivals. Uses none of the optimizer's formulas. */
export class Market implements WeekMarket {
  readonly campaigns: number;
  readonly campaignOf: Int32Array;
  readonly adGroupOf: Int32Array;
  readonly productOf: Int32Array;
  readonly matchOf: Int32Array;
  readonly landscape: Landscape;
  readonly first: Settings;
  readonly maturity: number;
  readonly #hash: number;
  readonly #rates: Rates;
  readonly #reaction: Float64Array;
  readonly #shift: Float32Array;
  readonly #products: ProductChanges;
  readonly #days: DayChanges;
  readonly #lateRate: Float64Array;

  constructor(readonly size: AccountSize) {
    const { targets, weeks } = size;
    const draws = drawsOf(`market\n${size.seed}`);
    this.#hash = Math.floor(draws.uniform() * 0xffffffff);
    const auctions = drawAuctions(draws);
    const tree = drawTree(draws, targets);
    this.campaigns = tree.campaigns;
    this.campaignOf = tree.campaignOf;
    this.adGroupOf = tree.adGroupOf;
    this.productOf = tree.productOf;
    this.matchOf = Int32Array.from({ length: targets }, () => Math.floor(draws.uniform() * 3));
    this.#rates = drawRates(draws, { size, tree, matchOf: this.matchOf });
    const clicks = drawClicks(draws, size);
    this.first = drawSettings(draws, { tree, rates: this.#rates });
    this.landscape = new Landscape(draws, { auctions, bids: this.first.bids, clicks });
    this.#reaction = Float64Array.from(
      { length: targets },
      () => draws.uniform() < 0.4 ? 0 : draws.between(0.05, 0.25),
    );
    this.#shift = drawShifts(draws, { ...tree, weeks });
    this.#products = drawProducts(draws, { ...tree, weeks });
    this.#days = drawDays(draws, weeks);
    this.#lateRate = Float64Array.from({ length: this.campaigns }, () => draws.between(-0.15, 0.15));
    const day0 = draws.between(0.65, 0.8);
    const known = (age: number): number => 1 - (1 - day0) * 2 ** (-age / 1.5);
    this.maturity = [0, 1, 2, 3, 4, 5, 6].reduce((sum, age) => sum + known(age), 0) / 7;
    const { expected } = playWeek(this, {
      week: 0,
      settings: this.first,
      rivals: (at) => this.shift(at, 0),
      credit: new Float64Array(this.campaigns),
    });
    // A quarter of the campaigns begin with a budget that runs out in the day.
    sumBy(expected.cost, this.campaignOf, this.campaigns).forEach((cost, at) => {
      const factor = draws.uniform() < 0.25 ? draws.between(0.6, 0.95) : draws.between(1.5, 3);
      this.first.budgets[at] = Math.max(1, cents(cost / 7 * factor));
    });
  }

  get terms(): readonly TargetTerms[] {
    return this.#rates.terms;
  }

  get orderSpread(): number {
    return this.#rates.orderSpread;
  }

  /** Elasticity of a target's clicks at its first bid. */
  elasticity(at: number): number {
    const clicks = (factor: number): number =>
      [0, 1, 2].reduce(
        (sum, k) => sum + this.landscape.at(at, k, this.first.bids[at]! * factor, 0).clicks,
        0,
      );
    return Math.log(clicks(1.05) / clicks(0.95)) / Math.log(1.05 / 0.95);
  }

  salesPerClick(at: number, k: number, week: number): number {
    const product = this.productOf[at]!;
    const { weeks } = this.size;
    const { target, term, placement, price } = this.#rates;
    return target[at]! * term[at * weeks + week]! * placement[this.campaignOf[at]! * PLACEMENTS + k]! *
      this.#products.rate[product * weeks + week]! * price[product]!;
  }

  orderValue(at: number): number {
    return this.#rates.price[this.productOf[at]!]!;
  }

  margin(at: number): number {
    return this.#rates.margin[this.productOf[at]!]!;
  }

  shift(at: number, week: number): number {
    return this.#shift[at * this.size.weeks + week]!;
  }

  reaction(at: number): number {
    return this.#reaction[at]!;
  }

  stock(at: number, week: number): number {
    return this.#products.stock[this.productOf[at]! * this.size.weeks + week]!;
  }

  /** Includes random variation in the campaign's demand. */
  day(day: number, campaign: number): { clicks: number; price: number; rate: number } {
    const { clicks, price, rate } = this.#days;
    const luck = Math.exp(0.15 * normalQuantile(keyedUniform(this.#hash, campaign, day, 91)) - 0.01125);
    return { clicks: clicks[day]! * luck, price: price[day]!, rate: rate[day]! };
  }

  lateRate(campaign: number): number {
    return this.#lateRate[campaign]!;
  }

  luck(at: number, week: number, which: number): number {
    return keyedUniform(this.#hash, at, week, which);
  }
}

/** Draws the mean weekly clicks of each target. A few targets get most of them. */
function drawClicks(draws: Draws, { targets, clicks }: AccountSize): Float64Array {
  const alpha = draws.between(0.9, 1.3);
  const heavy = Float64Array.from(
    { length: targets },
    () => Math.min(300, (1 - draws.uniform()) ** (-1 / alpha)),
  );
  const mean = heavy.reduce((sum, one) => sum + one, 0) / targets;
  return heavy.map((one) => clicks * one / mean);
}

/** Draws the first bids and adjustments. Budgets limit nothing yet. */
function drawSettings(
  draws: Draws,
  { tree: { productOf, campaigns }, rates }: { readonly tree: AccountTree; readonly rates: Rates },
): Settings {
  const bids = Float64Array.from(productOf, (product) => {
    const value = rates.product[product]! * rates.price[product]! * rates.margin[product]!;
    return cents(value * Math.exp(draws.normal(-0.3, 0.5)));
  });
  const adjustments = new Float64Array(campaigns * PLACEMENTS);
  for (let at = 0; at < adjustments.length; at += PLACEMENTS) {
    if (draws.uniform() < 0.4) adjustments[at] = Math.round(draws.between(10, 50)) / 100;
  }
  return { bids, adjustments, budgets: new Float64Array(campaigns).fill(1e9) };
}
