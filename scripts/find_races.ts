/**
 * Plants the races of scripts/mutate/races.ts one by one in a copy of the project and lets the simulation look for them:
 * `deno run -A scripts/find_races.ts [--seeds N] [--only WORDS]`. Exit 1 when one is not found.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyProject } from "./mutate/project_copy.ts";
import { RACES } from "./mutate/races.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "2000" }, only: { type: "string" } },
});
const root = resolve(import.meta.dirname!, "..");
const copy = await Deno.makeTempDir({ prefix: "races-" });
let missed = 0;
try {
  await copyProject(root, copy);
  for (const { name, scenario, also = [], ...first } of RACES) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const sources = new Map<string, string>();
    const missing: string[] = [];
    for (const { path, from, to } of [first, ...also]) {
      const file = join(copy, path);
      const source = await Deno.readTextFile(file);
      if (!sources.has(file)) sources.set(file, source);
      if (source.split(from).length !== 2) missing.push(path);
      else await Deno.writeTextFile(file, source.replace(from, () => to));
    }
    const restore = async (): Promise<void> => {
      for (const [file, source] of sources) await Deno.writeTextFile(file, source);
    };
    if (missing.length > 0) {
      console.log(`Cannot plant "${name}": its text does not stand in ${missing} once`);
      missed++;
      await restore();
      continue;
    }
    const { stdout, code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "-q",
        "--no-check",
        "tests/simulation/main.ts",
        "--scenario",
        scenario,
        "--seeds",
        values.seeds,
      ]
        .concat("--from", "1", "--stop", "--quick"),
      cwd: copy,
      stderr: "null",
    }).output();
    await restore();
    const said = new TextDecoder().decode(stdout);
    const seed = /--seed (\d+)/.exec(said)?.[1];
    if (code === 0 || seed === undefined) missed++;
    console.log(`${seed === undefined ? "MISSED" : `seed ${seed}`.padEnd(9)} ${scenario}: ${name}`);
    if (seed !== undefined) console.log(`          ${said.split("\n")[1]?.trim()}`);
  }
} finally {
  await Deno.remove(copy, { recursive: true });
}
console.log(missed === 0 ? "Every race was found" : `${missed} races were not found`);
if (missed > 0) Deno.exit(1);
