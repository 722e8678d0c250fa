import { deepEqual, equal, match } from "../support/assert.ts";
import { TestOutput } from "../../scripts/run_tests/test_output.ts";

function shown(lines: readonly string[]): string[] {
  const printed: string[] = [];
  const output = new TestOutput({ print: (line) => printed.push(line) });
  for (const line of lines) output.line(line);
  output.end();
  return printed;
}

Deno.test("of a run that passes, only what was skipped and the counts are shown", () => {
  deepEqual(
    shown([
      "./a_test.ts => one ... ok (1ms)",
      "------- post-test output -------",
      "Not tried on Node 24: no npx here",
      "noise",
      "----- post-test output end -----",
      "./a_test.ts => two ... ignored (0ms)",
      "./a_test.ts => three ... a step ... ok (1ms)",
      "",
      "ok | 2 passed (1 step) | 0 failed | 1 ignored (10ms)",
    ]),
    [
      "Not tried on Node 24: no npx here",
      "Skipped: ./a_test.ts => two",
      "ok | 2 passed (1 step) | 0 failed | 1 ignored (10ms)",
    ],
  );
});

Deno.test("long tests are counted, and a file that cannot be loaded counts as one that failed", () => {
  const printed: string[] = [];
  const output = new TestOutput({ print: (line) => printed.push(line) });
  for (
    const line of [
      "./a_test.ts => one ... ok (1ms)",
      "./a_test.ts => [long] a year ... ignored (0ms)",
      "FAILED | 1 passed | 1 failed | 1 ignored (10ms)",
    ]
  ) output.line(line);
  deepEqual(output.counts, { passed: 1, failed: 1, long: 1 });
  equal(printed.length, 1);
});

Deno.test("a test that fails is named at once, with what it printed, and its error at the end", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const failing =
      `Deno.test("wrong ... ok", () => { console.log("what it printed"); throw new Error("reason"); });`;
    const passing = `Deno.test("right", () => { console.log("of no interest"); });`;
    await Deno.writeTextFile(`${folder}/some_test.ts`, `${passing}\n${failing}\n`);
    const run = new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--no-config", "--parallel", folder],
      env: { NO_COLOR: "1" },
    });
    const { stdout } = await run.output();
    const printed = shown(new TextDecoder().decode(stdout).split("\n"));
    match(printed[0]!, /^FAILED \S*some_test\.ts => wrong \.\.\. ok$/);
    equal(printed[1]!.trim(), "what it printed");
    const rest = printed.join("\n");
    match(rest, /^ ERRORS \n[\s\S]*error: Error: reason/m);
    match(rest, /^FAILED \| 1 passed \| 1 failed/m);
    equal(rest.includes("right"), false);
    equal(rest.includes("of no interest"), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
