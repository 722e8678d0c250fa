import type { Draws } from "./draws.ts";

/** Campaign, ad group and product of each target, each numbered from 0. */
export interface AccountTree {
  readonly campaignOf: Int32Array;
  readonly adGroupOf: Int32Array;
  readonly productOf: Int32Array;
  readonly campaigns: number;
  readonly adGroups: number;
  readonly products: number;
}

/** Draws one to three campaigns for each product, with one or two ad groups each. */
export function drawTree(draws: Draws, targets: number): AccountTree {
  const campaignOf = new Int32Array(targets);
  const adGroupOf = new Int32Array(targets);
  const productOf = new Int32Array(targets);
  let [at, campaigns, adGroups, products] = [0, 0, 0, 0];
  const perGroup = targets < 100 ? 4 : 12;
  while (at < targets) {
    for (let left = 1 + Math.floor(draws.uniform() * 3); left > 0 && at < targets; left--) {
      for (let groups = 1 + Math.floor(draws.uniform() * 2); groups > 0 && at < targets; groups--) {
        const end = Math.min(targets, at + Math.max(1, Math.round(perGroup * draws.between(0.3, 1.7))));
        for (; at < end; at++) {
          campaignOf[at] = campaigns;
          adGroupOf[at] = adGroups;
          productOf[at] = products;
        }
        adGroups++;
      }
      campaigns++;
    }
    products++;
  }
  return { campaignOf, adGroupOf, productOf, campaigns, adGroups, products };
}

/** Sums the values of targets by group. */
export function sumBy(values: Float64Array, groupOf: Int32Array, groups: number): Float64Array {
  const sums = new Float64Array(groups);
  values.forEach((value, at) => sums[groupOf[at]!]! += value);
  return sums;
}
