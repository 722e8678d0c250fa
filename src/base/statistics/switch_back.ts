import { addDays } from "../time/calendar.ts";
import { sha256 } from "../text/sha256.ts";
import { edge, type Effect } from "./measure_effect.ts";
import { type Seed, seededRandom, seedText } from "./random.ts";

/** A switch-back experiment: in each pair of weeks, the change is on in one randomly drawn week. */
export interface SwitchBack {
  /** First day of the first week, `YYYY-MM-DD`. */
  readonly from: string;
  /** Number of weeks; must be even. */
  readonly weeks: number;
  /** Seed that makes the draw repeatable. */
  readonly seed: Seed;
}

/** One week of a switch-back experiment. */
export interface SwitchBackWeek {
  /** First day, `YYYY-MM-DD`; carry-over from the previous week still affects it. */
  readonly start: string;
  /** Last day, `YYYY-MM-DD`, included. */
  readonly end: string;
  /** Number of its pair, from 0. */
  readonly pair: number;
  /** True if the change is in force in this week. */
  readonly isOn: boolean;
}

/**
 * Draws the calendar of a switch-back experiment: the weeks in which a change is in force, and those in which it is not.
 *
 * @throws {RangeError} for an odd number of weeks, or less than two.
 * @example
 * ```ts
 * import { drawSwitchBack } from "@platform/ads/experiments";
 *
 * const weeks = drawSwitchBack({ from: "2026-09-07", weeks: 12, seed: "nights" });
 * console.log(weeks.length, weeks.filter(({ isOn }) => isOn).length); // 12 6
 * ```
 */
export function drawSwitchBack({ from, weeks, seed }: SwitchBack): SwitchBackWeek[] {
  if (!(Number.isInteger(weeks) && weeks >= 2 && weeks % 2 === 0)) {
    throw new RangeError(`Cannot draw ${weeks} weeks: give an even number, so that they make pairs`);
  }
  return Array.from({ length: weeks }, (_, at) => {
    const pair = at >> 1;
    const isFirstOn = Number.parseInt(sha256(`switch back\n${seedText(seed)}\n${pair}`)[0]!, 16) % 2 === 0;
    const start = addDays(from, at * 7);
    return { start, end: addDays(start, 6), pair, isOn: isFirstOn === (at % 2 === 0) };
  });
}

/** Totals of one pair of weeks, over the same number of days. */
export interface SwitchBackPair {
  /** Total with the change in force; above 0. */
  readonly on: number;
  /** Total without the change; above 0. */
  readonly off: number;
}

/** Maximum number of pairs for which all 2^n draws are enumerated; with more pairs, draws are sampled. */
const MAX_EXACT = 13;

/**
 * Measures the effect of a switch-back experiment: the geometric mean of on / off, minus 1. The test repeats the draw,
 * which could have swapped the weeks of each pair, and counts the draws with at least as large a difference (a
 * randomization test of matched pairs, Fisher 1935, "The Design of Experiments", section 21; for switch-backs Bojinov,
 * Simchi-Levi and Zhao 2023, Management Science 69:3759). The interval contains every effect that the test does not
 * reject. With fewer than six pairs, the test cannot reject any effect at 5 %, so the interval is unbounded.
 *
 * @throws {RangeError} for no pairs, and totals that are not above 0.
 * @example
 * ```ts
 * import { measureSwitchBack } from "@platform/ads/experiments";
 *
 * const pairs = [[110, 100], [125, 110], [98, 92], [130, 121], [101, 88], [119, 112]] as const;
 * const { effect, low } = measureSwitchBack(pairs.map(([on, off]) => ({ on, off })), { seed: 1 });
 * console.log(effect.toFixed(3), low > 0); // 0.097 true
 * ```
 */
export function measureSwitchBack(
  pairs: readonly SwitchBackPair[],
  { seed, redraws = 10_000, confidence = 0.95 }: {
    /** Seed that makes the result repeatable. */
    readonly seed: Seed;
    /** Number of redraws for more than 13 pairs. */
    readonly redraws?: number | undefined;
    readonly confidence?: number | undefined;
  },
): Effect {
  if (pairs.length === 0) throw new RangeError("Cannot measure: there is no pair of weeks");
  const logs = pairs.map(({ on, off }) => {
    if (on > 0 && off > 0 && Number.isFinite(on / off)) return Math.log(on / off);
    throw new RangeError(`Cannot measure: a pair of weeks has ${on} against ${off}, which makes no ratio`);
  });
  const turns = turned(logs.length, { redraws, seed });
  const observed = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const tails = (shift: number): { larger: number; smaller: number } => {
    let [larger, smaller] = [0, 0];
    for (const signs of turns) {
      const drawn = signs.reduce((sum, sign, at) => sum + sign * (logs[at]! - shift), 0) / logs.length;
      // Equal draws must count as equal whatever the order in which they were summed.
      if (drawn >= observed - shift - 1e-9) larger++;
      if (drawn <= observed - shift + 1e-9) smaller++;
    }
    return { larger: larger / turns.length, smaller: smaller / turns.length };
  };
  const tail = (1 - confidence) / 2;
  const low = edge(observed, -1, (shift) => tails(shift).larger <= tail);
  const high = edge(observed, 1, (shift) => tails(shift).smaller <= tail);
  const { larger, smaller } = tails(0);
  return {
    effect: Math.exp(observed) - 1,
    low: Math.exp(low) - 1,
    high: Math.exp(high) - 1,
    pValue: Math.min(1, 2 * Math.min(larger, smaller)),
  };
}

function turned(count: number, { redraws, seed }: { redraws: number; seed: Seed }): Int8Array[] {
  if (count <= MAX_EXACT) {
    return Array.from(
      { length: 2 ** count },
      (_, draw) => Int8Array.from({ length: count }, (_, at) => (draw >> at) % 2 === 0 ? 1 : -1),
    );
  }
  const random = seededRandom(`switch back effect\n${seedText(seed)}`);
  const drawn = Array.from(
    { length: redraws },
    () => Int8Array.from({ length: count }, () => random() < 0.5 ? 1 : -1),
  );
  return [new Int8Array(count).fill(1), ...drawn];
}
