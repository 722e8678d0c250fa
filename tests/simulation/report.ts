import type { Scenario } from "./scenario.ts";
import { type RunResult, shrink, simulate } from "./simulate.ts";

/** A seed that breaks a promise. */
export interface BrokenSeed {
  readonly scenario: string;
  readonly seed: number;
}

/** The command that plays a seed again. */
export function commandOf({ scenario, seed }: BrokenSeed): string {
  return `deno task simulate --scenario ${scenario} --seed ${seed}`;
}

/**
 * Plays a seed, twice where asked.
 *
 * @returns What is wrong with it, with the faults that are needed for it; `undefined` for nothing.
 */
export async function problemOf(
  scenario: Scenario,
  { seed, twice, tries }: { seed: number; twice: boolean; tries?: number },
): Promise<string | undefined> {
  const first = await simulate(scenario, { seed });
  if (twice) {
    const second = await simulate(scenario, { seed });
    if (second.hash !== first.hash) {
      return `${commandOf({ scenario: scenario.name, seed })}\n${firstDifference(first, second)}`;
    }
  }
  if (first.error === undefined) return undefined;
  const { muted, result } = await shrink(scenario, {
    seed,
    failed: first,
    ...(tries === undefined ? {} : { tries }),
  });
  const needed = result.struck.filter((_, at) => !muted.has(at));
  return [
    commandOf({ scenario: scenario.name, seed }),
    `  ${result.error?.message.replaceAll("\n", "\n  ")}`,
    `  ${needed.length} of ${first.struck.length} faults are needed for it:`,
    ...needed.map((fault) => `    ${fault}`),
  ].join("\n");
}

function firstDifference(first: RunResult, second: RunResult): string {
  const at = first.lines.findIndex((line, index) => line !== second.lines[index]);
  return [
    `  Two runs of this seed differ from event ${at} on:`,
    ...first.lines.slice(Math.max(0, at - 3), at + 1).map((line) => `    ${line}`),
    "  and",
    ...second.lines.slice(Math.max(0, at - 3), at + 1).map((line) => `    ${line}`),
  ].join("\n");
}
