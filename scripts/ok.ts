/**
 * The one gate, at home and in CI: format, lint, types, documentation, generated files, tests, publish dry run.
 *
 *     deno task ok [--changed [REV]]
 *
 * Runs every step even after a failure, prints at once why one failed, and ends with the tests' own counts.
 * Exit 0 only when every step passed. `--changed` does the same for what was changed since a commit, or since the branch
 * left `main`: those files, the modules that import them, and the tests of `deno task test --changed`.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { changedFiles, moduleTexts, withRevision } from "./run_tests/changed_files.ts";
import { nearestTests, reachedTests } from "./run_tests/reached_tests.ts";
import { whyItFailed } from "./why_it_failed.ts";

interface Step {
  /** What is tried. */
  readonly name: string;
  /** Arguments of `deno`. */
  readonly args: readonly string[];
}

interface Gate {
  /** What fails soon, tried before the rest. */
  readonly first: readonly Step[];
  /** What is tried once one of two processors is free, beside the tests too. */
  readonly beside: readonly Step[];
  readonly tests: Step;
}

interface Outcome {
  readonly step: Step;
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  args: withRevision(Deno.args, (word) => !word.startsWith("-") && !existsSync(word)),
  options: { changed: { type: "string" } },
});
const { first, beside, tests } = values.changed === undefined
  ? await wholeGate()
  : await gateOf(values.changed);
const left = first[Symbol.iterator]();
const lanes = [oneByOne(left), oneByOne(left)];
// Types take the longest by far: beside them, the other processor goes on at once.
const goingOn = Promise.race(lanes).then(() => oneByOne(beside));
const before = (await Promise.all(lanes)).flat().sort((a, b) =>
  first.indexOf(a.step) - first.indexOf(b.step)
);
const [[tested], others] = await Promise.all([oneByOne([tests]), goingOn]);
const outcomes = [...before, ...others, ...tested === undefined ? [] : [tested]];
console.log("");
for (const { step, code, seconds } of outcomes) {
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds.toFixed(1)} s)`);
}
const counts = testCounts(tested?.output ?? "");
const notTests = [...before, ...others].filter(({ code }) => code !== 0).length;
console.log(`${counts.passed} passed, ${counts.failed + notTests} failed`);
const isEmpty = values.changed === undefined && counts.passed === 0;
if (outcomes.some(({ code }) => code !== 0) || isEmpty) Deno.exit(1);

/** Everything, as CI tries it. */
async function wholeGate(): Promise<Gate> {
  const config = JSON.parse(await Deno.readTextFile("deno.json")) as { exports: Record<string, string> };
  // The modules of types are generated from the published descriptions, whose names are all that is known of them.
  const entries = Object.values(config.exports).filter((entry) => !entry.startsWith("./catalog/schemas/"));
  return {
    // Types use one processor, beside the two others.
    first: [
      { name: "types", args: ["task", "-q", "check"] },
      { name: "format", args: ["fmt", "--check"] },
      { name: "lint", args: ["lint"] },
    ],
    beside: [
      { name: "documentation", args: ["doc", "--lint", ...entries] },
      ...(await generators()).map(generated),
      { name: "publish dry run", args: ["publish", "--dry-run", "--allow-dirty", "--no-check"] },
    ],
    // The command that the README gives.
    tests: { name: "tests", args: ["task", "-q", "test"] },
  };
}

/** The same for changed files. */
async function gateOf(revision: string): Promise<Gate> {
  const { since, paths, removed } = await changedFiles(revision);
  const reached = reachedTests([...paths, ...removed], await moduleTexts());
  const modules = paths.filter((path) => path.endsWith(".ts"));
  const checked = new Set([...modules, ...reached.near, ...nearestTests(reached)]);
  const types = [...checked].filter((path) => path.endsWith(".ts"));
  console.log(`Left out: documentation, publish dry run, types but those of ${types.length} modules`);
  const formatted = paths.filter((path) => /\.(?:ts|js|json|md|css|html|ya?ml)$/.test(path));
  return {
    first: [
      ...(types.length > 0 ? [{ name: "types", args: ["check", ...types] }] : []),
      ...(formatted.length > 0
        ? [{ name: "format", args: ["fmt", "--check", "--permit-no-files", ...formatted] }]
        : []),
      ...(modules.length > 0 ? [{ name: "lint", args: ["lint", "--permit-no-files", ...modules] }] : []),
    ],
    beside: reached.generators.map(generated),
    tests: { name: "tests", args: ["task", "-q", "test", "--changed", since] },
  };
}

function generated(path: string): Step {
  return { name: `generated: ${path}`, args: ["run", "-A", "-q", path, "--check"] };
}

async function oneByOne(steps: Iterable<Step>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await run(step));
  return outcomes;
}

async function run(step: Step): Promise<Outcome> {
  const began = performance.now();
  const command = new Deno.Command(Deno.execPath(), {
    args: [...step.args],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout) + decoder.decode(stderr);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    code === 0
      ? `ok     ${step.name}`
      : `\n--- ${step.name} failed (exit ${code}) ---\n${whyItFailed(output)}\n`,
  );
  return { step, code, output, seconds };
}

async function generators(): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir("scripts")) {
    if (/^generate_\w+\.ts$/.test(entry.name)) names.push(`scripts/${entry.name}`);
  }
  return names.sort();
}

function testCounts(output: string): { readonly passed: number; readonly failed: number } {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
}
