/**
 * The whole reliability suite, which takes about an hour of a processor: `deno task reliability [--seed N] [--seeds COUNT]
 * [--filter TEXT]`. A short form of the same tests, with a fixed seed, is part of `deno task test:long`.
 *
 * Everything random comes from the seed. Without `--seed` a new one is drawn and printed; a failure names the case that
 * it shrank to, and `--seed` with the printed seed finds it again. With `--seeds` that many follow each other, from
 * the first one on, and what draws nothing from a seed is run once. The exit code is 1 when any test failed.
 */
import { parseArgs } from "node:util";
import { chosenSeed, SEEDS } from "./reliability/chosen_seed.ts";
import { filesOfSuite, longestFirst } from "./reliability/files_of_suite.ts";

const FOLDER = "tests/reliability";
/** One more than processors: a test that waits for a disk or for a process leaves one idle. */
const JOBS = String(navigator.hardwareConcurrency + 1);

const { filter, seed, count } = readOptions();
const summary: string[] = [];
let failed = 0;
const { fixed, seeded } = await filesOfSuite(".", FOLDER);
if (count === 1) await run([...fixed, ...seeded], seed);
else {
  await run(fixed, undefined);
  for (let at = 0; at < count; at++) await run(seeded, (seed + at) % SEEDS);
}
console.log(summary.join("\n"));
Deno.exit(failed === 0 ? 0 : 1);

async function run(files: readonly string[], seed: number | undefined): Promise<void> {
  if (seed !== undefined) {
    console.log(`Seed ${seed}; to run the same again: deno task reliability --seed ${seed}`);
  }
  const began = performance.now();
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "-q",
      "--parallel",
      ...(filter === undefined ? [] : ["--filter", filter]),
      ...longestFirst(files),
    ],
    env: {
      RELIABILITY: "full",
      DENO_JOBS: Deno.env.get("DENO_JOBS") ?? JOBS,
      ...(seed === undefined ? {} : { RELIABILITY_SEED: String(seed) }),
    },
  }).spawn().status;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  if (code !== 0) failed++;
  const what = seed === undefined ? "what draws nothing from a seed" : `seed ${seed}`;
  summary.push(`${code === 0 ? "Passed" : "FAILED"} in ${minutes} minutes: ${what}`);
}

function readOptions(): { filter: string | undefined; seed: number; count: number } {
  try {
    const options = {
      seed: { type: "string" },
      seeds: { type: "string", default: "1" },
      filter: { type: "string" },
    } as const;
    const { values } = parseArgs({ options, strict: true });
    const count = Number(values.seeds);
    if (!Number.isInteger(count) || count < 1 || count > 100) {
      throw new RangeError(`Cannot run "${values.seeds}" seeds: give a whole number from 1 to 100`);
    }
    return { filter: values.filter, seed: chosenSeed(values.seed), count };
  } catch (error) {
    console.error(`${(error as Error).message}. Expected --seed N, --seeds COUNT or --filter TEXT`);
    Deno.exit(2);
  }
}
