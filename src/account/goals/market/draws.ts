import { seededRandom } from "../../../base/statistics/random.ts";

/** Random numbers of one stream. */
export interface Draws {
  /** Returns a number from 0 inclusive to 1 exclusive. */
  uniform(): number;
  between(low: number, high: number): number;
  normal(mean?: number, deviation?: number): number;
}

/** Draws by a seed. */
export function drawsOf(seed: string): Draws {
  const random = seededRandom(seed);
  return {
    uniform: random,
    between: (low, high) => low + (high - low) * random(),
    normal: (mean = 0, deviation = 1) =>
      mean + deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  };
}

/** Returns a number from 0 to 1 that depends only on its key, so that every policy gets the same random outcomes. */
export function keyedUniform(seed: number, a: number, b: number, c: number): number {
  let h = seed ^ Math.imul(a + 0x9e37, 0x85ebca6b) ^ Math.imul(b + 0x79b9, 0xc2b2ae35) ^
    Math.imul(c + 1, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  h ^= h >>> 16;
  return ((h >>> 0) + 0.5) / 4294967296;
}

/**
 * Quantile of the standard normal distribution (Acklam's rational approximation, with a separate formula for the
 * tails).
 */
export function normalQuantile(p: number): number {
  if (p < 0.02425) return -tailQuantile(p);
  if (p > 1 - 0.02425) return tailQuantile(1 - p);
  const q = p - 0.5;
  const r = q * q;
  return (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.3577518672690) *
          r -
        30.66479806614716) * r + 2.506628277459239) *
    q /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
          13.28068155288572) * r + 1);
}

function tailQuantile(p: number): number {
  const q = Math.sqrt(-2 * Math.log(p));
  return -(((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q -
            2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783) /
    ((((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
      1);
}

/**
 * Returns the quantile of a Poisson distribution with the given mean: exact below 30, normal with a continuity
 * correction above.
 */
export function poissonAt(mean: number, quantile: number): number {
  if (!(mean > 0)) return 0;
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normalQuantile(quantile)));
  let chance = Math.exp(-mean);
  let [sum, count] = [chance, 0];
  while (quantile > sum && count < 120) {
    count++;
    chance *= mean / count;
    sum += chance;
  }
  return count;
}

/** Returns the quantile of a binomial distribution. */
export function binomialAt(trials: number, share: number, quantile: number): number {
  if (trials === 0 || share >= 1) return trials;
  if (trials > 30) {
    const deviation = Math.sqrt(trials * share * (1 - share));
    return Math.min(trials, Math.max(0, Math.round(trials * share + deviation * normalQuantile(quantile))));
  }
  let chance = (1 - share) ** trials;
  let [sum, count] = [chance, 0];
  while (quantile > sum && count < trials) {
    chance *= (trials - count) / (count + 1) * share / (1 - share);
    count++;
    sum += chance;
  }
  return count;
}
