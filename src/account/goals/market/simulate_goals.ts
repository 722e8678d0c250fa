import { realSleep } from "../../../base/time/clock.ts";
import { medianOf, playAccount, type PlayedAccount } from "./play_account.ts";
import { RULES } from "./play.ts";

/** Size of an account. */
export interface SimulatedSize {
  readonly targets: number;
  /** Mean weekly clicks of a target at its first bid. */
  readonly clicks: number;
}

/** Account sizes for which figures are published. */
export const SIMULATED_SIZES: readonly SimulatedSize[] = [
  [30, 2],
  [30, 5],
  [30, 20],
  [60, 1],
  [60, 5],
  [60, 12],
  [100, 0.5],
  [100, 3],
  [100, 8],
  [150, 1],
  [150, 5],
  [200, 2],
  [200, 6],
  [300, 1],
  [300, 5],
  [300, 15],
  [500, 5],
  [800, 3],
  [1500, 2],
  [5000, 1],
].map(([targets = 0, clicks = 0]) => ({ targets, clicks }));

/**
 * Minimum weeks of an account to compute every figure: 8 weeks of history, 8 until bad luck is judged, and the event.
 */
export const FEWEST_WEEKS = 20;
/** Number of weeks behind the published figures. */
export const USUAL_WEEKS = 26;

/** Accounts to play. */
export interface SimulateOptions {
  readonly sizes: readonly SimulatedSize[];
  readonly weeks: number;
  readonly seeds: readonly number[];
  readonly signal?: AbortSignal | undefined;
  readonly onAccount?: ((account: PlayedAccount) => unknown) | undefined;
}

/** A figure over all accounts. Names are those of `--json`. */
export interface SimulatedFigure {
  readonly measured: string;
  readonly value: number;
  readonly unit: "%" | "accounts" | "months";
  /** Target for the figure; `null` if it has none. */
  readonly aim: number | null;
}

/**
 * Plays accounts in a market that uses none of the optimizer's formulas, with decisions from week 9 on, and measures
 * the results. The same sizes, weeks and seeds give the same figures.
 */
export async function simulateGoals(
  { sizes, weeks, seeds, signal, onAccount }: SimulateOptions,
): Promise<{ readonly accounts: readonly PlayedAccount[]; readonly figures: readonly SimulatedFigure[] }> {
  const accounts: PlayedAccount[] = [];
  const pause = (): Promise<void> => realSleep(0, signal);
  for (const seed of seeds) {
    for (const { targets, clicks } of sizes) {
      const size = { seed: `report ${seed} ${targets} ${clicks}`, targets, clicks, weeks };
      const account = await playAccount(size, { seed, pause });
      accounts.push(account);
      await onAccount?.(account);
    }
  }
  return { accounts, figures: simulatedFigures(accounts) };
}

/** Summarizes the figures of all accounts. */
export function simulatedFigures(accounts: readonly PlayedAccount[]): SimulatedFigure[] {
  const sizes = new Set(accounts.map(({ targets, clicks }) => `${targets}x${clicks}`));
  const seeds = [...new Set(accounts.map(({ seed }) => seed))].sort((a, b) => a - b);
  const of = `${accounts.length} accounts of ${sizes.size} sizes, ${seedsText(seeds)}`;
  return [
    figure(`goals: ${of}`, accounts.length, { unit: "accounts" }),
    ...profits(accounts),
    ...rivals(accounts, of),
    ...ablations(accounts, of),
    ...others(accounts, of),
  ];
}

/** Formats the size of an account, and its profit compared with an oracle and with no change, for people. */
export function accountLine({ seed, targets, clicks, elasticity, share }: PlayedAccount): string {
  return `seed ${seed}, ${targets} targets, ${clicks} clicks a target and week, elasticity ${
    elasticity.toFixed(2)
  }: ${(100 * share["goals"]!).toFixed(0)} % of the oracle, no change ${
    (100 * share["no change"]!).toFixed(0)
  } %`;
}

function figure(
  measured: string,
  value: number,
  { unit = "%", aim = null }: Partial<Pick<SimulatedFigure, "unit" | "aim">> = {},
): SimulatedFigure {
  return { measured, value, unit, aim };
}

function seedsText(seeds: readonly number[]): string {
  const [first, last] = [seeds[0], seeds.at(-1)];
  return first === last ? `seed ${first}` : `seeds ${first} to ${last}`;
}

function profits(played: readonly PlayedAccount[]): SimulatedFigure[] {
  const band = (name: string, isIn: (clicks: number) => boolean): SimulatedFigure[] => {
    const own = played.filter(({ clicks }) => isIn(clicks));
    if (own.length === 0) return [];
    const shares = own.map(({ share }) => 100 * share["goals"]!).sort((a, b) => a - b);
    const elasticity = medianOf(own.map((one) => one.elasticity)).toFixed(2);
    const what = `profit by that of an oracle, ${name} clicks a target and week`;
    return [
      figure(`${what}, median of ${own.length} (elasticity ${elasticity})`, medianOf(shares), { aim: 90 }),
      figure(`${what}, worst tenth`, shares[Math.floor(shares.length / 10)]!),
    ];
  };
  return [
    ...band("5 or more", (clicks) => clicks >= 5),
    ...band("2 to 4", (clicks) => clicks >= 2 && clicks < 5),
    ...band("at most 1", (clicks) => clicks < 2),
  ];
}

function rivals(played: readonly PlayedAccount[], of: string): SimulatedFigure[] {
  return [
    ...["no change", ...Object.keys(RULES)].flatMap((name) => [
      figure(`profit ahead of "${name}"`, percentOf(played, ({ share }) => share["goals"]! > share[name]!), {
        aim: 90,
      }),
      figure(
        `profit of "${name}" by that of an oracle, median`,
        100 * medianOf(played.map(({ share }) => share[name]!)),
      ),
    ]),
    figure(
      `more than 2 % below "no change", of ${of}`,
      played.filter(({ share }) => share["goals"]! < 0.98 * share["no change"]!).length,
      { unit: "accounts", aim: 0 },
    ),
  ];
}

function ablations(played: readonly PlayedAccount[], of: string): SimulatedFigure[] {
  return Object.keys(played[0]?.share ?? {}).filter((name) => name.startsWith("without")).map((name) =>
    figure(
      `profit ${name}, by that of an oracle, median of ${of}`,
      100 * medianOf(played.map(({ share }) => share[name]!)),
    )
  );
}

function others(played: readonly PlayedAccount[], of: string): SimulatedFigure[] {
  const months = played.flatMap((one) => one.months);
  const large = played.filter(({ acos }) => acos.orders >= 500);
  const sum = (count: (one: PlayedAccount) => number): number =>
    played.reduce((all, one) => all + count(one), 0);
  const [plans, targets] = [sum(({ intervals }) => intervals.all), sum(({ unlucky }) => unlucky.all)];
  return [
    figure(
      `months above the amount by more than 2 %, of ${months.length}, where a day costs up to twice its budget`,
      months.filter((one) => one > 1.02).length,
      { unit: "months", aim: 0 },
    ),
    figure(`spend of a month by its amount, median`, 100 * medianOf(months)),
    figure(
      `expected ACOS off its target by more than a tenth, of ${large.length} with 500 orders (${of})`,
      percentOf(large, ({ acos }) => Math.abs(acos.off) > 0.1),
      { aim: 5 },
    ),
    figure(
      `intervals of the expected effect that hold, of ${plans}`,
      100 * sum(({ intervals }) => intervals.held) / plans,
      { aim: 95 },
    ),
    figure(
      `targets with 30 clicks held below half of their best bid, 8 weeks later, of ${targets}`,
      100 * sum(({ unlucky }) => unlucky.low) / targets,
      { aim: 2 },
    ),
  ];
}

function percentOf<Of>(all: readonly Of[], is: (one: Of) => boolean): number {
  return all.length === 0 ? NaN : 100 * all.filter(is).length / all.length;
}
