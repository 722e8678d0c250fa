/**
 * The whole reliability suite, which takes minutes: `deno task reliability [--seed N] [--filter TEXT]`. A short form of
 * the same tests is part of `deno task test`.
 *
 * Ends with the exit code of the tests. Everything random comes from the seed; a failure names the case that it shrank
 * to, and the same seed finds it again.
 */
import { parseArgs } from "node:util";

const { values } = readOptions();
if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed)) {
  console.error(`Cannot use the seed "${values.seed}": it is not a whole number of up to nine digits`);
  Deno.exit(2);
}

const began = performance.now();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "-q",
    "--parallel",
    ...(values.filter === undefined ? [] : ["--filter", values.filter]),
    "tests/reliability",
  ],
  env: {
    RELIABILITY: "full",
    ...(values.seed === undefined ? {} : { RELIABILITY_SEED: values.seed }),
  },
}).spawn().status;
console.log(`Took ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
Deno.exit(code);

function readOptions(): { values: { seed?: string; filter?: string } } {
  try {
    return parseArgs({ options: { seed: { type: "string" }, filter: { type: "string" } }, strict: true });
  } catch (error) {
    console.error(`${(error as Error).message}. There is --seed N and --filter TEXT`);
    Deno.exit(2);
  }
}
