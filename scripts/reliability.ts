/**
 * The whole reliability suite, which takes minutes: `deno task reliability [--seed N] [--filter TEXT]`. A short form of
 * the same tests, with a fixed seed, is part of `deno task test`.
 *
 * Ends with the exit code of the tests. Everything random comes from the seed. Without `--seed` a new one is drawn and
 * printed; a failure names the case that it shrank to, and `--seed` with the printed seed finds it again.
 */
import { parseArgs } from "node:util";
import { chosenSeed } from "./reliability/chosen_seed.ts";

const { filter, seed } = readOptions();
console.log(`Seed ${seed}; to run the same again: deno task reliability --seed ${seed}`);
const began = performance.now();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "-q",
    "--parallel",
    ...(filter === undefined ? [] : ["--filter", filter]),
    "tests/reliability",
  ],
  env: { RELIABILITY: "full", RELIABILITY_SEED: String(seed) },
}).spawn().status;
console.log(`Took ${((performance.now() - began) / 60_000).toFixed(1)} minutes with seed ${seed}`);
Deno.exit(code);

function readOptions(): { filter: string | undefined; seed: number } {
  try {
    const options = { seed: { type: "string" }, filter: { type: "string" } } as const;
    const { values } = parseArgs({ options, strict: true });
    return { filter: values.filter, seed: chosenSeed(values.seed) };
  } catch (error) {
    console.error(`${(error as Error).message}. Expected --seed N or --filter TEXT`);
    Deno.exit(2);
  }
}
