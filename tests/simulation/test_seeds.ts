import { equal } from "../support/assert.ts";
import { problemOf } from "./report.ts";
import type { Scenario } from "./scenario.ts";

/** Every version of the project plays other seeds, and each of its checkouts the same. */
async function firstSeed(): Promise<number> {
  const { success, stdout } = await new Deno.Command("git", { args: ["rev-parse", "HEAD"], stderr: "null" })
    .output();
  return success ? parseInt(new TextDecoder().decode(stdout).slice(0, 6), 16) : 20_260_930;
}

/**
 * Makes a test of each scenario that plays its share of fresh seeds, the first twice: both runs must be the same, event by
 * event. `deno task simulate` plays all of its seeds twice.
 */
export function testSeeds(scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
    Deno.test({
      name: `${scenario.seeds} seeds keep every promise: ${scenario.about}`,
      // Programs that were killed leave timers and promises behind, as they are meant to.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        const first = await firstSeed();
        const problems: string[] = [];
        for (let seed = first; seed < first + scenario.seeds; seed++) {
          const problem = await problemOf(scenario, { seed, twice: seed === first });
          if (problem !== undefined) problems.push(problem);
        }
        equal(problems.join("\n"), "");
      },
    });
  }
}
