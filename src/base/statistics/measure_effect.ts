import {
  drawnDifference,
  finiteMean,
  growthRatio,
  redraw,
  redrawnSums,
  type Redraws,
  TOLERANCE,
  unitGrowthRatio,
} from "./redraw.ts";
import { type Seed, seededRandom, seedText } from "./random.ts";

/** Totals of one figure (clicks, spend, orders, sales) for one unit, before and after a change. */
export interface UnitTotals {
  /** Id of the unit. */
  readonly id: string;
  /** Total over the days before the change. */
  readonly before: number;
  /** Total over the days after the change; both periods must be equally mature. */
  readonly after: number;
  /** Stratum in which the unit was drawn. @default all units in one stratum */
  readonly stratum?: number | undefined;
}

/** Input of an effect measurement: both groups and the settings of the test. */
export interface EffectRequest {
  /** Units that were changed. */
  readonly treated: readonly UnitTotals[];
  /** Units that were held back. */
  readonly held: readonly UnitTotals[];
  /** Seed of the redraws; the same seed gives the same result. */
  readonly seed: Seed;
  /** Number of redraws. @default 10000 */
  readonly redraws?: number | undefined;
  /** Confidence of the interval. @default 0.95 */
  readonly confidence?: number | undefined;
}

/** Effect of a change; 0.2 is +20 %. */
export interface Effect {
  /**
   * Ratio of ratios minus 1: (after / before) of the treated / (after / before) of the held back - 1, corrected for the
   * bias that appears if a few units make up most of a group.
   */
  readonly effect: number;
  /** Lower bound of the interval; -1 if unbounded. */
  readonly low: number;
  /** Upper bound of the interval; `Infinity` if unbounded. */
  readonly high: number;
  /** Two-sided p-value: chance of a difference at least this large if the change had no effect. */
  readonly pValue: number;
}

/**
 * Measures the effect of a change by comparing changed units with randomly held-back units.
 *
 * A permutation test (Fisher 1935, exact for the actual draw) repeats the draw within the strata and counts the draws
 * with at least as large a difference. The interval contains every effect that this test does not reject (Rosenbaum,
 * "Observational Studies", 2002, section 2.4.4), with half of the error on each side. A ratio is biased upwards if its
 * divisor comes from a small group; the same draws, with the effect removed, estimate that bias.
 *
 * @throws {TypeError} for negative totals, totals that are not numbers, or a unit in both groups.
 * @throws {RangeError} for a group with a total of 0 before, or held-back units with a total of 0 after.
 * @example
 * ```ts
 * import { assign, measureEffect } from "@platform/ads/experiments";
 *
 * const units = Array.from({ length: 80 }, (_, at) => ({ id: `k${at}`, spend: 100 - at }));
 * const { held, treated, strata } = assign(units, { share: 0.25, seed: 1 });
 * const totals = (id: string, factor: number) => ({ id, before: 100, after: 100 * factor, stratum: strata.get(id)! });
 * const { effect } = measureEffect({
 *   treated: treated.map((id) => totals(id, 1.2)),
 *   held: held.map((id) => totals(id, 1)),
 *   seed: 1,
 * });
 * console.log(effect.toFixed(2)); // 0.20
 * ```
 */
export function measureEffect(request: EffectRequest): Effect {
  const { treated, held, redraws: count = 10_000, confidence = 0.95 } = request;
  checkRequest(request, count, confidence);
  const random = seededRandom(`effect\n${seedText(request.seed)}`);
  const draws = redraw({ treated, held, count, random });
  const observed = Math.log(rate(treated)) - Math.log(rate(held));
  const tail = (1 - confidence) / 2;
  // In logarithms: an assumed effect moves the observed difference by as much.
  const isRefused = (shift: number): "above" | "below" | "no" => {
    const { larger, smaller } = tails(draws, observed - shift, Math.exp(-shift));
    return larger <= tail ? "above" : smaller <= tail ? "below" : "no";
  };
  const low = observed === -Infinity
    ? -Infinity
    : edge(observed, -1, (shift) => isRefused(shift) === "above");
  const high = edge(observed === -Infinity ? 0 : observed, 1, (shift) => isRefused(shift) === "below");
  const { larger, smaller } = tails(draws, observed, 1);
  return {
    effect: withoutBias(Math.exp(observed), { draws, factor: unitGrowthRatio(treated, held) }) - 1,
    low: Math.exp(low) - 1,
    high: Math.exp(high) - 1,
    pValue: Math.min(1, 2 * Math.min(larger, smaller)),
  };
}

function withoutBias(ratio: number, { draws, factor }: { draws: Redraws; factor: number }): number {
  if (!(ratio > 0)) return ratio;
  const mean = finiteMean(draws.count, (at) => growthRatio(redrawnSums(draws, at, factor)) / factor);
  return mean > 0 ? ratio / mean : ratio;
}

const WIDEST = Math.log(1e6);

export function edge(observed: number, direction: 1 | -1, isRefused: (shift: number) => boolean): number {
  let step = 0.05;
  while (!isRefused(observed + direction * step)) {
    step *= 2;
    if (step > WIDEST) return direction * Infinity;
  }
  let [inside, outside] = [step === 0.05 ? 0 : step / 2, step];
  for (let round = 0; round < 24; round++) {
    const middle = (inside + outside) / 2;
    if (isRefused(observed + direction * middle)) outside = middle;
    else inside = middle;
  }
  return observed + direction * inside;
}

function tails(draws: Redraws, difference: number, scale: number): { larger: number; smaller: number } {
  const { count } = draws;
  let larger = 1;
  let smaller = 1;
  for (let at = 0; at < count; at++) {
    const drawn = drawnDifference(draws, at, scale);
    if (drawn >= difference - TOLERANCE) larger++;
    if (drawn <= difference + TOLERANCE) smaller++;
  }
  return { larger: larger / (count + 1), smaller: smaller / (count + 1) };
}

function rate(units: readonly UnitTotals[]): number {
  let [before, after] = [0, 0];
  for (const unit of units) {
    before += unit.before;
    after += unit.after;
  }
  return after / before;
}

function checkRequest({ treated, held }: EffectRequest, count: number, confidence: number): void {
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new RangeError(`Cannot draw ${count} times: give 1 or more`);
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(
      `Cannot use a confidence of ${confidence}: give more than 0 and less than 1, for example 0.95`,
    );
  }
  const seen = new Set<string>();
  for (const unit of [...treated, ...held]) {
    if (seen.has(unit.id)) throw new TypeError(`Cannot measure: unit "${unit.id}" is given twice`);
    seen.add(unit.id);
    for (const field of ["before", "after"] as const) {
      if (!(unit[field] >= 0 && Number.isFinite(unit[field]))) {
        throw new TypeError(`Cannot measure: ${field} of unit "${unit.id}" is ${unit[field]}`);
      }
    }
  }
  for (const [name, units] of [["changed", treated], ["held-back", held]] as const) {
    if (!units.some(({ before }) => before > 0)) {
      throw new RangeError(
        `Cannot measure: the ${name} units have nothing before the change to compare with`,
      );
    }
  }
  if (!held.some(({ after }) => after > 0)) {
    throw new RangeError("Cannot measure: the held-back units have nothing after the change to compare with");
  }
}
