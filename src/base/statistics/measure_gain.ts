import type { DrawnEstimate } from "./confidence_sequence.ts";

export interface UnitGain {
  readonly before: { readonly cost: number; readonly worth: number };
  readonly after: { readonly cost: number; readonly worth: number };
  readonly stratum?: number | undefined;
}

/**
 * Measures the gain (worth minus cost) of changed units compared with held-back units, as a fraction of the larger of
 * worth and cost. A unit's residual is its growth beyond that of all units, minus its stratum's mean, because strata
 * span all goals of a plan. Without an effect, the sum over a random part has mean 0 and the variance of a stratified
 * sample without replacement (Cochran, "Sampling Techniques", 3rd edition, sections 2.6 and 5.3). A few large units
 * widen the interval but do not inflate the effect.
 *
 * @returns `undefined` if a group has fewer than two units or nothing to compare.
 */
export function measureGain(
  { treated, held }: { readonly treated: readonly UnitGain[]; readonly held: readonly UnitGain[] },
): DrawnEstimate | undefined {
  if (treated.length < 2 || held.length < 2) return undefined;
  const all = [...treated, ...held];
  const sum = (units: readonly UnitGain[], when: "before" | "after", part: "cost" | "worth"): number =>
    units.reduce((total, one) => total + one[when][part], 0);
  const [worth, cost] = [sum(all, "before", "worth"), sum(all, "before", "cost")];
  const after = { worth: sum(all, "after", "worth"), cost: sum(all, "after", "cost") };
  const part = worth > cost ? "worth" : "cost";
  const share = sum(held, "before", part) / Math.max(worth, cost);
  if (!(worth > 0 && cost > 0 && after.worth > 0 && share > 0 && share < 1)) return undefined;
  const growth = { worth: after.worth / worth, cost: after.cost / cost };
  const residual = ({ before, after }: UnitGain): number =>
    after.worth - growth.worth * before.worth - (after.cost - growth.cost * before.cost);
  const strata = Map.groupBy(all, ({ stratum = 0 }) => stratum);
  const changed = Map.groupBy(treated, ({ stratum = 0 }) => stratum);
  let [difference, variance, shown] = [0, 0, 0];
  for (const [stratum, members] of strata) {
    const own = changed.get(stratum) ?? [];
    const drawn = members.length - own.length;
    if (drawn === 0 || own.length === 0) continue;
    const residuals = members.map(residual);
    const mean = residuals.reduce((total, one) => total + one, 0) / members.length;
    const squares = residuals.reduce((total, one) => total + (one - mean) ** 2, 0);
    difference += own.reduce((total, one) => total + residual(one) - mean, 0);
    variance += drawn * own.length / members.length * squares / (members.length - 1);
    // The growth of all and the mean of the stratum contain the effect in the share that was changed: this is the rest.
    const [ofOwn, ofAll] = [sum(own, "before", part), sum(members, "before", part)];
    shown += share * ofOwn - own.length / members.length * (ofOwn - (1 - share) * ofAll);
  }
  const scale = shown / Math.max(worth, cost) * Math.max(after.worth, after.cost);
  return variance > 0 && scale > 0
    ? { effect: difference / scale, variance: variance / scale ** 2 }
    : undefined;
}
