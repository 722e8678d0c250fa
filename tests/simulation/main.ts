/**
 * Plays seeds of the simulated world until it is stopped, each twice: both runs must be the same.
 *
 * `--seed N` plays one seed and prints the hash of its events, `--scenario NAME` one scenario, `--seeds N` ends after N
 * seeds, `--from N` begins with a seed, `--log` prints every event, `--files TEXT` the files at the end whose paths hold
 * a text, `--stop` ends at the first broken promise, `--quick` plays each seed once and does not look for the faults
 * that a broken promise needs.
 */
import "./world/realm.ts";
import { parseArgs } from "node:util";
import { simulate } from "./simulate.ts";
import { problemOf } from "./report.ts";
import { SCENARIOS } from "./scenarios.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    from: { type: "string" },
    steps: { type: "string" },
    scenario: { type: "string" },
    log: { type: "boolean" },
    files: { type: "string" },
    stop: { type: "boolean" },
    quick: { type: "boolean" },
  },
});

function number(name: "seed" | "seeds" | "from" | "steps"): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`Cannot use --${name} ${text}: expected a whole number below 1,000,000,000`);
  Deno.exit(2);
}

const chosen = SCENARIOS.filter(({ name }) => values.scenario === undefined || name === values.scenario);
if (chosen.length === 0) {
  const names = SCENARIOS.map(({ name }) => name).join(", ");
  console.error(`Cannot find the scenario "${values.scenario}": expected one of ${names}`);
  Deno.exit(2);
}

const [seed, seeds, steps] = [number("seed"), number("seeds"), number("steps")];
let broken = 0;
if (seed !== undefined) {
  for (const scenario of chosen) {
    const { hash, lines, struck, error, files } = await simulate(scenario, {
      seed,
      ...(steps === undefined ? {} : { steps }),
    });
    for (const [path, text] of values.files === undefined ? [] : files) {
      if (path.includes(values.files!)) console.log(`--- ${path}\n${text}`);
    }
    if (values.log) { for (const line of lines) console.log(line); }
    const end = error === undefined ? "ok" : `broken: ${error.message}`;
    console.log(
      `${scenario.name} seed ${seed}: ${lines.length} events, ${struck.length} faults, hash ${hash}, ${end}`,
    );
    if (error !== undefined) {
      console.log(await problemOf(scenario, { seed, twice: true }));
      broken++;
    }
  }
} else {
  const began = performance.now();
  const first = number("from") ?? crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000;
  let count = 0;
  const perHour = (): number => Math.round(count / ((performance.now() - began) / 3_600_000));
  const say = (): void =>
    console.log(`${count} seeds from ${first}, ${broken} broken, ${perHour()} seeds an hour`);
  for (; count < (seeds ?? Infinity) && !(values.stop && broken > 0); count++) {
    for (const scenario of chosen) {
      const problem = await problemOf(scenario, {
        seed: first + count,
        twice: !values.quick,
        ...(values.quick ? { tries: 0 } : {}),
      });
      if (problem === undefined) continue;
      broken++;
      console.log(problem);
    }
    if (count % 100 === 99) say();
  }
  say();
}
if (broken > 0) Deno.exit(1);
