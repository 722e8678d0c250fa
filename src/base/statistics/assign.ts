import { sha256 } from "../text/sha256.ts";
import { type Seed, seedText } from "./random.ts";

/** One unit of an experiment: a campaign, an ad group, a keyword or a profile. */
export interface ExperimentUnit {
  /** Unique id of the unit; the draw depends on it and on the seed. */
  readonly id: string;
  /** Spend before the change, in any one currency; units with similar spend are drawn against each other. */
  readonly spend: number;
  /** Ad product, or another group to balance separately. @default one group */
  readonly product?: string | undefined;
}

/** Options of a draw. */
export interface AssignOptions {
  /** Fraction of units to hold back, for example 0.25; greater than 0 and less than 1. */
  readonly share: number;
  /** Seed that makes the draw repeatable. */
  readonly seed: Seed;
  /** Number of strata by spend. @default the most that leave two held-back units in each, up to 20 */
  readonly strata?: number | undefined;
}

/** Result of a draw. Each unit is in exactly one of the two lists, in input order. */
export interface Assignment {
  /** Ids of the control group, which stays unchanged. */
  readonly held: readonly string[];
  /** Ids to change. */
  readonly treated: readonly string[];
  /** Stratum of each id, counted from 0; {@link measureEffect} repeats the draw within the strata. */
  readonly strata: ReadonlyMap<string, number>;
}

/**
 * Draws the units to hold back, so that the two groups have about the same spend.
 *
 * Units are sorted by product and spend and cut into strata; within a stratum the units with the smallest hash of seed
 * and id are held back. The order of the input makes no difference.
 *
 * @throws {TypeError} for two units of one id, or a spend that is negative or not a number.
 * @throws {RangeError} for a share outside of 0 to 1, or units too few to hold back one and change one.
 * @example
 * ```ts
 * import { assign } from "@platform/ads/experiments";
 *
 * const keywords = Array.from({ length: 40 }, (_, at) => ({ id: `k${at}`, spend: 40 - at }));
 * const { held, treated } = assign(keywords, { share: 0.25, seed: "raise-2026-11" });
 * console.log(held.length, treated.length); // 10 30
 * ```
 */
export function assign(units: readonly ExperimentUnit[], options: AssignOptions): Assignment {
  const { share } = options;
  const seed = seedText(options.seed);
  if (!(share > 0 && share < 1)) {
    throw new RangeError(
      `Cannot hold back a share of ${share}: give more than 0 and less than 1, for example 0.25`,
    );
  }
  checkUnits(units);
  const wanted = Math.round(units.length * share);
  if (wanted < 1 || wanted >= units.length) {
    throw new RangeError(
      `Cannot hold back ${
        percent(share)
      } of ${units.length} units: a comparison needs at least one unit in each group`,
    );
  }
  const count = strataCount(units.length, share, options.strata);
  const sorted = units
    .map((unit) => ({ ...unit, hash: sha256(`${seed}\n${unit.id}`) }))
    .sort((a, b) => compare(a.product ?? "", b.product ?? "") || b.spend - a.spend || compare(a.id, b.id));

  const strata = new Map<string, number>();
  const held = new Set<string>();
  for (let stratum = 0; stratum < count; stratum++) {
    const [from, to] = [stratum, stratum + 1].map((edge) => Math.round(edge * sorted.length / count)) as [
      number,
      number,
    ];
    const members = sorted.slice(from, to);
    for (const { id } of members) strata.set(id, stratum);
    const enough = Math.round(to * share) - held.size;
    members.sort((a, b) => compare(a.hash, b.hash));
    for (const { id } of members.slice(0, enough)) held.add(id);
  }
  const ids = units.map(({ id }) => id);
  return { held: ids.filter((id) => held.has(id)), treated: ids.filter((id) => !held.has(id)), strata };
}

function checkUnits(units: readonly ExperimentUnit[]): void {
  const seen = new Set<string>();
  for (const { id, spend } of units) {
    if (seen.has(id)) throw new TypeError(`Cannot draw: unit "${id}" is given twice`);
    seen.add(id);
    if (!(spend >= 0 && Number.isFinite(spend))) {
      throw new TypeError(`Cannot draw: spend of unit "${id}" is ${spend}. Give 0 where it is unknown`);
    }
  }
}

function strataCount(units: number, share: number, given: number | undefined): number {
  const most = Math.max(1, Math.floor(units * Math.min(share, 1 - share) / 2));
  if (given === undefined) return Math.min(20, most);
  if (Number.isInteger(given) && given >= 1) return Math.min(given, units);
  throw new RangeError(`Cannot make ${given} strata: give a whole number, 1 or more`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
