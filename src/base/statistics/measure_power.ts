import { assign } from "./assign.ts";
import { drawnDifference, redrawing, type Redraws, TOLERANCE } from "./redraw.ts";
import { type Seed, type SeededRandom, seededRandom, seedText } from "./random.ts";

/** Daily values of one unit. */
export interface UnitHistory {
  /** Id of the unit. */
  readonly id: string;
  /**
   * Daily values of one figure (clicks, spend, orders or sales), oldest first; the same number of days for every unit.
   */
  readonly days: readonly number[];
  /** Spend over the same days. @default the sum of `days` */
  readonly spend?: number | undefined;
  /** Ad product, or another group to balance when units are held back. @default all units are one group */
  readonly product?: string | undefined;
}

/** Settings of a planned experiment, to compute its power. */
export interface PowerRequest {
  /** Units of the experiment, with their history. */
  readonly units: readonly UnitHistory[];
  /** Effect to detect; 0.1 is +10 %. */
  readonly effect: number;
  /** Number of weeks after the change. */
  readonly weeks: number;
  /** Share to hold back. */
  readonly share: number;
  /** Seed of the simulation; the same seed gives the same result. */
  readonly seed: Seed;
  /** Days before the change to compare with. @default 28 */
  readonly daysBefore?: number | undefined;
  /** Number of simulated experiments. @default 500 */
  readonly tries?: number | undefined;
  /** Significance level of the test. @default 0.05 */
  readonly alpha?: number | undefined;
}

/** Statistical power of an experiment. */
export interface Power {
  /** Fraction of the simulated experiments that find the effect, 0 to 1. */
  readonly power: number;
  /** Weeks until power reaches 80 %; `undefined` if the history is too short to tell. */
  readonly weeksFor80: number | undefined;
  /** Smallest increase found with a power of 80 % after `weeks`; `undefined` if not even +400 % is found. */
  readonly smallestEffect: number | undefined;
}

/**
 * Simulates an experiment on past data many times: draws the groups, adds the effect to the treated units, and tests.
 * Each try starts on a different past day with a new draw, so power takes into account that units have different
 * trends. No distribution of the figures is assumed.
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
  const sought = { effect, alpha: request.alpha ?? 0.05 };
  const known = { units, past, stored, daysBefore };
  const random = seededRandom(`power\n${seedText(request.seed)}`);
  const draws: Draw[] = [];
  const own: Attempt[] = [];
  for (const drawn of drawAll(request, past, stored)) {
    const draw = { ...drawn, place: random(), random: random.fork() };
    draws.push(draw);
    const attempt = attemptOf(draw, { ...known, weeks, random });
    // All of its numbers are taken, as the next draw begins behind them.
    attempt.draws.drawTo(REDRAWS - 1);
    own.push(attempt);
  }
  const power = own.filter((attempt) => isFound(attempt, sought)).length / own.length;
  let weeksFor80: number | undefined;
  for (let week = 1; week <= weeksStored && weeksFor80 === undefined; week++) {
    const isEnough = week === weeks
      ? power >= ENOUGH
      : isFoundEnough(draws, (draw) =>
        isFound(attemptOf(draw, { ...known, weeks: week, random: draw.random.fork() }), sought));
    if (isEnough) weeksFor80 = week;
  }
  return {
    power,
    weeksFor80,
    smallestEffect: smallestEffect((effect) =>
      isFoundEnough(own, (attempt) => isFound(attempt, { ...sought, effect }))
    ),
  };
}

const REDRAWS = 399;

const ENOUGH = 0.8;

interface Attempt {
  readonly treated: { readonly before: number; readonly after: number };
  readonly held: { readonly before: number; readonly after: number };
  readonly draws: Redraws;
}

function attemptOf(
  { isHeld, strata, place }: Draw,
  { units, past, stored, daysBefore, weeks, random }: {
    units: readonly UnitHistory[];
    past: readonly Float64Array[];
    stored: number;
    daysBefore: number;
    weeks: number;
    random: () => number;
  },
): Attempt {
  const after = weeks * 7;
  const start = Math.floor(place * (stored - daysBefore - after + 1));
  const totals = units.map((_, at) => ({
    before: past[at]![start + daysBefore]! - past[at]![start]!,
    after: past[at]![start + daysBefore + after]! - past[at]![start + daysBefore]!,
    stratum: strata[at]!,
  }));
  const held = totals.filter((_, at) => isHeld[at] === 1);
  const treated = totals.filter((_, at) => isHeld[at] === 0);
  return {
    treated: sumOf(treated),
    held: sumOf(held),
    draws: redrawing({ treated, held, count: REDRAWS, random }),
  };
}

interface Drawn {
  readonly isHeld: Uint8Array;
  readonly strata: Int32Array;
}

interface Draw extends Drawn {
  /** Place of its start in the past, from 0 to 1. */
  readonly place: number;
  /** Random numbers of its redraws. */
  readonly random: SeededRandom;
}

function drawAll(
  { units, share, seed, tries = 500 }: PowerRequest,
  past: readonly Float64Array[],
  stored: number,
): Drawn[] {
  const spends = units.map(({ id, spend, product }, at) => ({
    id,
    spend: spend ?? past[at]![stored]!,
    product,
  }));
  return Array.from({ length: tries }, (_, attempt) => {
    const { held, strata } = assign(spends, { share, seed: `${seedText(seed)}\n${attempt}` });
    const ids = new Set(held);
    return {
      isHeld: Uint8Array.from(units, ({ id }) => ids.has(id) ? 1 : 0),
      strata: Int32Array.from(units, ({ id }) => strata.get(id)!),
    };
  });
}

function isFound(
  { treated, held, draws }: Attempt,
  { effect, alpha }: { effect: number; alpha: number },
): boolean {
  const difference = Math.log(treated.after * (1 + effect) / treated.before) -
    Math.log(held.after / held.before);
  if (!Number.isFinite(difference)) return false;
  let extreme = 1;
  for (let at = 0; at < REDRAWS; at++) {
    if (extreme / (REDRAWS + 1) > alpha / 2) return false;
    draws.drawTo(at);
    const drawn = drawnDifference(draws, at, 1 + effect);
    if (effect > 0 ? drawn >= difference - TOLERANCE : drawn <= difference + TOLERANCE) extreme++;
  }
  return extreme / (REDRAWS + 1) <= alpha / 2;
}

/** Tells whether 80 % are found, and asks for no more of them than decide it. */
function isFoundEnough<T>(attempts: readonly T[], isFound: (attempt: T) => boolean): boolean {
  let [found, missed] = [0, 0];
  for (const attempt of attempts) {
    if (isFound(attempt)) found++;
    else missed++;
    if (found / attempts.length >= ENOUGH) return true;
    if ((attempts.length - missed) / attempts.length < ENOUGH) return false;
  }
  return false;
}

function sumOf(units: readonly { before: number; after: number }[]): { before: number; after: number } {
  let [before, after] = [0, 0];
  for (const unit of units) {
    before += unit.before;
    after += unit.after;
  }
  return { before, after };
}

function smallestEffect(isEnough: (effect: number) => boolean): number | undefined {
  let [low, high] = [0, 4];
  if (!isEnough(high)) return undefined;
  while (high - low > 0.005) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
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
