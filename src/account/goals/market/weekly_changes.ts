import type { Draws } from "./draws.ts";
import type { AccountTree } from "./tree.ts";

/**
 * Draws how the strength of rivals shifts by target and week (`[target × weeks + week]`): rivals that enter and leave,
 * and a slow random walk.
 */
export function drawShifts(
  draws: Draws,
  { adGroupOf, adGroups, weeks }: Pick<AccountTree, "adGroupOf" | "adGroups"> & { readonly weeks: number },
): Float32Array {
  const targets = adGroupOf.length;
  const shift = new Float32Array(targets * weeks);
  const newRival = new Float64Array(adGroups * weeks);
  for (let group = 0; group < adGroups; group++) {
    for (let week = 0; week < weeks; week++) {
      if (draws.uniform() >= 1 / 26) continue;
      const strength = Math.log(draws.between(1.1, 1.3));
      const end = Math.min(weeks, week + 2 + Math.floor(draws.uniform() * 7));
      for (let at = week; at < end; at++) newRival[group * weeks + at]! += strength;
    }
  }
  for (let at = 0; at < targets; at++) {
    let walk = 0;
    for (let week = 0; week < weeks; week++) {
      walk = 0.97 * walk + draws.normal(0, 0.04);
      shift[at * weeks + week] = walk + newRival[adGroupOf[at]! * weeks + week]!;
    }
  }
  return shift;
}

/** Changes by product and week: `[product × weeks + week]`. */
export interface ProductChanges {
  /** Fraction of the week in which the product is in stock. */
  readonly stock: Float64Array;
  /** Conversion rate relative to the first one. */
  readonly rate: Float64Array;
}

/** Draws stock-outs with a slow recovery, and price changes. */
export function drawProducts(
  draws: Draws,
  { products, weeks }: Pick<AccountTree, "products"> & { readonly weeks: number },
): ProductChanges {
  const stock = new Float64Array(products * weeks).fill(1);
  const rate = new Float64Array(products * weeks).fill(1);
  for (let product = 0; product < products; product++) {
    let level = 1;
    for (let week = 0; week < weeks; week++) {
      const price = draws.uniform();
      if (price < 0.01) level *= draws.between(0.75, 0.9);
      else if (price < 0.02) level = Math.min(1.2, level * draws.between(1.1, 1.25));
      rate[product * weeks + week]! *= level * Math.exp(draws.normal(0, 0.02));
      if (draws.uniform() >= 0.02) continue;
      let days = draws.between(3, 30);
      for (let out = week; out < weeks && days > 0; out++, days -= 7) {
        stock[product * weeks + out] = Math.max(0, 1 - days / 7);
        if (days <= 7) {
          for (let back = 1; back <= 4 && out + back < weeks; back++) {
            rate[product * weeks + out + back]! *= 0.6 + 0.1 * (back - 1);
          }
        }
      }
    }
  }
  return { stock, rate };
}

/** Demand, price and conversion rate of each day, relative to a usual day. */
export interface DayChanges {
  readonly clicks: Float64Array;
  readonly price: Float64Array;
  readonly rate: Float64Array;
}

/** Draws weekday effects, a season, and an event of two days. */
export function drawDays(draws: Draws, weeks: number): DayChanges {
  const event = Math.floor(draws.between(10, Math.max(11, weeks - 4)));
  const clicks = new Float64Array(weeks * 7);
  const price = new Float64Array(weeks * 7).fill(1);
  const rate = new Float64Array(weeks * 7).fill(1);
  const weekday = Array.from({ length: 7 }, () => draws.between(0.9, 1.1));
  const [height, phase] = [draws.between(0.05, 0.2), draws.between(0, 52)];
  const rateHeight = draws.between(0, 0.06);
  for (let day = 0; day < weeks * 7; day++) {
    const wave = Math.sin(2 * Math.PI * (day / 7 + phase) / 52);
    clicks[day] = weekday[day % 7]! * (1 + height * wave);
    rate[day] = 1 + rateHeight * wave;
  }
  const start = event * 7 + 2;
  for (
    const [offset, demand, level, conversion] of [
      [-2, 1.2, 1.05, 0.85],
      [-1, 1.3, 1.05, 0.82],
      [0, 3.3, draws.between(1.35, 1.58), 1.12],
      [1, 2.7, draws.between(1.23, 1.4), 1.1],
      [2, 0.8, 1, 0.95],
    ] as const
  ) {
    clicks[start + offset]! *= demand;
    price[start + offset] = level;
    rate[start + offset]! *= conversion;
  }
  return { clicks, price, rate };
}
