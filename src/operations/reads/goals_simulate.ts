import type { PlayedAccount } from "../../account/goals/market/play_account.ts";
import type { SimulatedFigure, SimulatedSize } from "../../account/goals/market/simulate_goals.ts";
import { defineOperation, JSON_SPELLING, type Spelling } from "../model/operation.ts";

/** Interruption and progress of a simulation. */
export interface GoalsSimulateContext {
  readonly signal?: AbortSignal | undefined;
  readonly onAccount?: ((line: string) => unknown) | undefined;
}

/** Simulated accounts, and the figures over all of them. */
export interface GoalsSimulation {
  readonly weeks: number;
  readonly accounts: readonly PlayedAccount[];
  readonly figures: readonly SimulatedFigure[];
}

const [MAX_TARGETS, MAX_WEEKS, MAX_SEEDS] = [5000, 104, 100];

/**
 * Simulates the market in which goals are tested. The simulation reads no account and keeps a processor busy for
 * minutes, so agents have no tool for it.
 */
export const goalsSimulate = defineOperation<GoalsSimulateContext, GoalsSimulation>()({
  name: "plan goals simulate",
  effect: "read",
  isForPeople: true,
  title: "Simulate goals",
  summary: "Measure goals in a simulated market, beside the usual rules and an oracle",
  details:
    "Plays accounts in a market of second-price auctions that shares no formula with the decisions of plan goals: rivals who " +
    "react, placements, weekdays, a season, an event, late sales, budgets that run out, stock-outs and price changes. Goals " +
    "decide from week 9 on; expected profit is compared with an oracle that knows the market, with rules in common use, and " +
    "with goals that lack one of their parts. Reads no account. The same accounts, weeks and seeds give the same table. " +
    "30 targets take about a second, 5,000 targets a minute. Figures of your own account: adsctl plan goals outcome.",
  brief: "Measures goals in a simulated market, beside the usual rules and an oracle.",
  examples: [
    { input: { accounts: ["30x5", "60x2"], seeds: "1-2" }, about: "two small accounts, twice each" },
    {
      input: { seeds: "1-5" },
      about: "the published table: 20 accounts, five times each (about 20 minutes)",
    },
  ],
  input: {
    accounts: {
      type: "words",
      help: "accounts as TARGETSxCLICKS (a target and week), separated by commas",
      otherwise: "20 sizes from 30 to 5,000 targets",
    },
    weeks: { type: "whole", min: 1, max: MAX_WEEKS, default: 26, help: "weeks that are played, 20 or more" },
    seeds: { type: "text", default: "1-5", help: "seeds of the market, for example 3 or 1-5" },
  },
  async check(input, spelling) {
    await planned(input, spelling);
  },
  async run({ signal, onAccount }, input): Promise<GoalsSimulation> {
    const { accountLine, simulateGoals } = await import("../../account/goals/market/simulate_goals.ts");
    const wanted = await planned(input, JSON_SPELLING);
    const played = await simulateGoals({
      ...wanted,
      signal,
      onAccount: (account) => onAccount?.(accountLine(account)),
    });
    return { weeks: wanted.weeks, ...played };
  },
  lines: ({ figures }) =>
    figures.map(({ measured, value, unit, aim }) => {
      const text = (figure: number): string =>
        Number.isNaN(figure) ? "-" : `${Number(figure.toPrecision(3))} ${unit}`;
      return `${measured}: ${text(value)}${aim === null ? "" : ` (aim ${text(aim)})`}`;
    }),
  data: ({ weeks, accounts, figures }) => ({
    weeks,
    figures: figures.map((one) => ({ ...one, value: finite(one.value) })),
    accounts: accounts.map((one) => ({
      ...one,
      elasticity: finite(one.elasticity),
      acos: { ...one.acos, off: finite(one.acos.off) },
    })),
  }),
});

function finite(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
}

/**
 * Reads accounts, weeks and seeds from an input.
 *
 * @throws {RangeError} that lists everything that is wrong.
 */
async function planned(
  { accounts, weeks, seeds }: {
    readonly accounts?: readonly string[] | undefined;
    readonly weeks: number;
    readonly seeds: string;
  },
  { field }: Spelling,
): Promise<{ sizes: readonly SimulatedSize[]; weeks: number; seeds: readonly number[] }> {
  const { FEWEST_WEEKS, SIMULATED_SIZES } = await import("../../account/goals/market/simulate_goals.ts");
  const problems: string[] = [];
  const sizes = (accounts ?? []).flatMap((text): SimulatedSize[] => {
    const [, targets, clicks] = /^(\d{1,6})x(\d{1,4}(?:\.\d{1,3})?)$/.exec(text) ?? [];
    const size = { targets: Number(targets), clicks: Number(clicks) };
    if (size.targets >= 10 && size.targets <= MAX_TARGETS && size.clicks > 0) return [size];
    problems.push(
      `${
        field("accounts")
      } has "${text}", expected TARGETSxCLICKS such as 30x5, with 10 to ${MAX_TARGETS} targets`,
    );
    return [];
  });
  if (weeks < FEWEST_WEEKS) problems.push(`${field("weeks")} is ${weeks}, expected at least ${FEWEST_WEEKS}`);
  const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(seeds) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (first === "" || count < 1 || count > MAX_SEEDS) {
    problems.push(
      `${field("seeds")} is "${seeds}", expected a number or a range of at most ${MAX_SEEDS}, such as 1-5`,
    );
  }
  if (problems.length > 0) throw new RangeError(`Cannot simulate goals: ${problems.join("; ")}`);
  return {
    sizes: accounts === undefined ? SIMULATED_SIZES : sizes,
    weeks,
    seeds: Array.from({ length: count }, (_, at) => Number(first) + at),
  };
}
