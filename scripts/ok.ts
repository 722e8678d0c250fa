/**
 * The one gate, at home and in CI: format, lint, types, documentation, generated files, tests, publish dry run.
 *
 * Runs every step even after a failure, prints why those failed that did, and ends with the tests' own counts.
 * Exit 0 only when every step passed.
 */
import { whyItFailed } from "./why_it_failed.ts";

interface Step {
  /** What is tried. */
  readonly name: string;
  /** Arguments of `deno`. */
  readonly args: readonly string[];
}

interface Outcome {
  readonly step: Step;
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

const config = JSON.parse(await Deno.readTextFile("deno.json")) as { exports: Record<string, string> };
// The modules of types are generated from the published descriptions, whose names are all that is known of them.
const entries = Object.values(config.exports).filter((entry) => !entry.startsWith("./catalog/schemas/"));

const STATIC: readonly Step[] = [
  // The longest first: it uses one processor, beside the others and the first of the tests.
  { name: "types", args: ["task", "-q", "check"] },
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  { name: "documentation", args: ["doc", "--lint", ...entries] },
  ...(await generators()).map((path) => ({
    name: `generated: ${path}`,
    args: ["run", "-A", "-q", path, "--check"],
  })),
  { name: "publish dry run", args: ["publish", "--dry-run", "--allow-dirty", "--no-check"] },
];
// The command that the README gives.
const TESTS: Step = { name: "tests", args: ["task", "-q", "test"] };

const outcomes = await runTwoAtATime([...STATIC, TESTS]);
for (const { step, code, output } of outcomes) {
  if (code !== 0) console.log(`\n--- ${step.name} failed (exit ${code}) ---\n${whyItFailed(output)}`);
}
console.log("");
for (const { step, code, seconds } of outcomes) {
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds.toFixed(1)} s)`);
}
const counts = testCounts(outcomes.at(-1)!.output);
const notTests = outcomes.slice(0, -1).filter((outcome) => outcome.code !== 0).length;
console.log(`${counts.passed} passed, ${counts.failed + notTests} failed`);
if (outcomes.some((outcome) => outcome.code !== 0) || counts.passed === 0) Deno.exit(1);

async function runTwoAtATime(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < steps.length) {
      const at = next++;
      outcomes[at] = await run(steps[at]!);
    }
  };
  await Promise.all([worker(), worker()]);
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
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name}`);
  return { step, code, output, seconds };
}

async function generators(): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir("scripts")) {
    if (/^generate_\w+\.ts$/.test(entry.name)) names.push(`scripts/${entry.name}`);
  }
  return names.sort();
}

function testCounts(output: string): { passed: number; failed: number } {
  let passed = 0;
  let failed = 0;
  for (const line of output.matchAll(/^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/gm)) {
    passed += Number(line[1]);
    failed += Number(line[2]);
  }
  return { passed, failed };
}
