export interface DrawnEstimate {
  readonly effect: number;
  readonly variance: number;
}

export interface SequentialEstimate {
  readonly effect: number;
  readonly low: number;
  readonly high: number;
}

/** Ratio of the mixing parameter to the planned information that gives the narrowest interval. */
const MIXING = 0.12;

/**
 * Combines independent estimates, weighted by their precision. With probability `confidence`, the interval contains
 * the effect at all looks together, so repeated looks add no error. The bound is the two-sided normal mixture (Robbins
 * 1970; Howard, Ramdas, McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences",
 * Annals of Statistics 49): mixing exp(λS - λ²I/2) over λ ~ N(0, 1/ρ) gives a martingale, and by Ville's inequality
 * |S| <= sqrt((I + ρ) ln((I + ρ) / (ρ α²))) holds at all times. S is effect × I, and I is the information, the sum of
 * 1 / variance. The bound is asymptotic because variances are estimated. Repeated looks at the same draw are more
 * strongly correlated than steps of a random walk, which makes errors rarer (Slepian 1962).
 *
 * @param planned Information at which the interval is narrowest; must not depend on the data.
 */
export function sequentialEstimate(
  estimates: readonly DrawnEstimate[],
  { planned, confidence = 0.95 }: { readonly planned: number; readonly confidence?: number | undefined },
): SequentialEstimate {
  let [information, weighted] = [0, 0];
  for (const { effect, variance } of estimates) {
    information += 1 / variance;
    weighted += effect / variance;
  }
  if (!(information > 0)) return { effect: NaN, low: -Infinity, high: Infinity };
  const effect = weighted / information;
  const half = sequentialHalfWidth(information, { planned, confidence });
  return { effect, low: effect - half, high: effect + half };
}

export function sequentialHalfWidth(
  information: number,
  { planned, confidence = 0.95 }: { readonly planned: number; readonly confidence?: number | undefined },
): number {
  const mixing = MIXING * planned;
  const all = information + mixing;
  return Math.sqrt(all * Math.log(all / (mixing * (1 - confidence) ** 2))) / information;
}

/** Normal quantiles for a two-sided error of 5 % and a power of 80 %. */
const [ERROR, POWER] = [1.959964, 0.841621];

export function informationFor(effect: number): number {
  return ((ERROR + POWER) / effect) ** 2;
}

/**
 * Returns the total orders of both groups needed to detect an effect with 80 % power. Assumes Poisson orders: the
 * variance of the log ratio of two counts is 1 / held + 1 / changed (delta method).
 *
 * @param share Held-back share.
 */
export function ordersFor(effect: number, share: number): number {
  return Math.ceil(informationFor(effect) * (1 / share + 1 / (1 - share)));
}
