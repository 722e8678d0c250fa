import { assign } from "./assign.ts";
import { tails } from "./measure_effect.ts";
import { redraw } from "./redraw.ts";
import { type Seed, seededRandom, seedText } from "./random.ts";

/** Stored past of one unit. */
export interface UnitHistory {
  /** Id of the unit. */
  readonly id: string;
  /** One figure (clicks, spend, orders, sales) a day, oldest first; equally many days for every unit. */
  readonly days: readonly number[];
  /** Spend over these days. @default the sum of `days` */
  readonly spend?: number | undefined;
  /** Ad product, or another group that is drawn by itself. @default one group */
  readonly product?: string | undefined;
}

/** The planned experiment. */
export interface PowerRequest {
  /** Units that would take part, with their past. */
  readonly units: readonly UnitHistory[];
  /** Effect to find; 0.1 is +10 %. */
  readonly effect: number;
  /** Weeks after the change. */
  readonly weeks: number;
  /** Share to hold back. */
  readonly share: number;
  /** Makes the answer repeatable. */
  readonly seed: Seed;
  /** Days before the change to compare with. @default 28 */
  readonly daysBefore?: number | undefined;
  /** Number of simulated experiments. @default 500 */
  readonly tries?: number | undefined;
  /** Error of the test. @default 0.05 */
  readonly alpha?: number | undefined;
}

/** What an experiment can be expected to find. */
export interface Power {
  /** Share of the simulated experiments that find the effect, 0 to 1. */
  readonly power: number;
  /** Weeks until 80 % find it; `undefined` when the stored days are too few to show that. */
  readonly weeksFor80: number | undefined;
  /** Smallest rise that 80 % find after these weeks; `undefined` when even +400 % is not found. */
  readonly smallestEffect: number | undefined;
}

/**
 * Simulates an experiment on the past: draws, puts the effect on the drawn units, and tests, many times.
 *
 * Each try begins at another day of the past and draws anew, so that power includes the differences between the units'
 * own courses. Nothing is assumed about how figures are distributed.
 *
 * @throws {RangeError} when the stored days are fewer than `daysBefore` and `weeks` need, or the units too few to draw.
 * @throws {TypeError} when the units have different numbers of days.
 * @example
 * ```ts
 * import { measurePower } from "@platform/ads/experiments";
 *
 * const units = Array.from({ length: 40 }, (_, unit) => ({
 *   id: `k${unit}`,
 *   days: Array.from({ length: 84 }, (_, day) => 20 + (unit * 7 + day * 3) % 5),
 * }));
 * const { power } = measurePower({ units, effect: 0.1, weeks: 4, share: 0.25, seed: 1, tries: 50 });
 * console.log(power > 0.5); // true: these units hardly vary
 * ```
 */
export function measurePower(request: PowerRequest): Power {
  const { units, weeks, effect, daysBefore = 28 } = request;
  const stored = units[0]?.days.length ?? 0;
  const different = units.find(({ days }) => days.length !== stored);
  if (different !== undefined) {
    throw new TypeError(
      `Cannot measure power: unit "${different.id}" has ${different.days.length} days and "${
        units[0]!.id
      }" has ${stored}. ` +
        "Give every unit the same days, with 0 where nothing happened",
    );
  }
  if (!(Number.isInteger(weeks) && weeks >= 1)) {
    throw new RangeError(`Cannot measure power over ${weeks} weeks: give 1 or more`);
  }
  if (!(effect > -1 && effect !== 0 && Number.isFinite(effect))) {
    throw new RangeError(
      `Cannot look for an effect of ${effect}: give for example 0.1 for +10 % or -0.1 for -10 %`,
    );
  }
  const weeksStored = Math.floor((stored - daysBefore) / 7);
  if (weeks > weeksStored) {
    throw new RangeError(
      `Cannot measure power over ${weeks} weeks: that needs ${
        daysBefore + weeks * 7
      } stored days, and there are ${stored}`,
    );
  }
  const past = prefixSums(units, stored);
  const found = (effect: number, weeks: number): number =>
    shareFound({ ...request, effect, weeks, daysBefore, past, stored });

  const power = found(effect, weeks);
  let weeksFor80: number | undefined;
  for (let week = 1; week <= weeksStored && weeksFor80 === undefined; week++) {
    if ((week === weeks ? power : found(effect, week)) >= 0.8) weeksFor80 = week;
  }
  return { power, weeksFor80, smallestEffect: smallestEffect((effect) => found(effect, weeks)) };
}

/** Redraws of one simulated test: enough for an error of 5 %. */
const REDRAWS = 399;

function shareFound(
  { units, effect, weeks, share, seed, daysBefore, tries = 500, alpha = 0.05, past, stored }: PowerRequest & {
    daysBefore: number;
    past: readonly Float64Array[];
    stored: number;
  },
): number {
  const random = seededRandom(`power\n${seedText(seed)}`);
  const after = weeks * 7;
  let found = 0;
  let measured = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    const start = Math.floor(random() * (stored - daysBefore - after + 1));
    const totals = units.map(({ id, spend }, at) => ({
      id,
      before: past[at]![start + daysBefore]! - past[at]![start]!,
      after: past[at]![start + daysBefore + after]! - past[at]![start + daysBefore]!,
      spend: spend ?? past[at]![stored]!,
      product: units[at]!.product,
    }));
    const draw = assign(totals, { share, seed: `${seedText(seed)}\n${attempt}` });
    const isHeld = new Set(draw.held);
    const placed = totals.map((unit) => ({ ...unit, stratum: draw.strata.get(unit.id)! }));
    const held = placed.filter(({ id }) => isHeld.has(id));
    const treated = placed.filter(({ id }) => !isHeld.has(id))
      .map((unit) => ({ ...unit, after: unit.after * (1 + effect) }));
    const difference = logRate(treated) - logRate(held);
    measured++;
    if (!Number.isFinite(difference)) continue;
    const { larger, smaller } = tails(redraw({ treated, held, count: REDRAWS, random }), difference, 1);
    if ((effect > 0 ? larger : smaller) <= alpha / 2) found++;
  }
  return found / measured;
}

function logRate(units: readonly { before: number; after: number }[]): number {
  let [before, after] = [0, 0];
  for (const unit of units) {
    before += unit.before;
    after += unit.after;
  }
  return Math.log(after / before);
}

function smallestEffect(found: (effect: number) => number): number | undefined {
  let [low, high] = [0, 4];
  if (found(high) < 0.8) return undefined;
  while (high - low > 0.005) {
    const middle = (low + high) / 2;
    if (found(middle) >= 0.8) high = middle;
    else low = middle;
  }
  return Number(high.toFixed(3));
}

function prefixSums(units: readonly UnitHistory[], stored: number): Float64Array[] {
  return units.map(({ id, days }) => {
    const sums = new Float64Array(stored + 1);
    for (let day = 0; day < stored; day++) {
      const value = days[day]!;
      if (!(value >= 0 && Number.isFinite(value))) {
        throw new TypeError(`Cannot measure power: day ${day + 1} of unit "${id}" is ${value}`);
      }
      sums[day + 1] = sums[day]! + value;
    }
    return sums;
  });
}
