import assert from "node:assert/strict";
import { runCli } from "./support/run_cli.ts";

async function words(typed: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(["__complete", ...typed]);
  assert.equal(code, 0, stderr);
  return stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t")[0]!);
}

const CASES: [typed: string[], expected: string[]][] = [
  [["pro"], ["profiles"]],
  [["--demo", "li"], ["list"]],
  [["plan", "a"], ["archive", "approve", "apply"]],
  [["list", "sb-k"], ["sb-keywords"]],
  [["list", "keywords", "--li"], ["--limit"]],
  [["list", "keywords", "--format", "json"], ["json", "jsonl"]],
  [["list", "keywords", "-m", "D"], ["DE"]],
  [["list", "keywords", "--state", "enabled,p"], ["enabled,paused"]],
  [["completions", ""], ["bash", "zsh", "fish"]],
  [["help", "exit"], ["exit-codes"]],
  [["help", "plan", "up"], ["update"]],
  [["list", "keywords", ""], []],
  [["nosuch", "x"], []],
];

Deno.test("commands, entities, options and their values are completed", async () => {
  for (const [typed, expected] of CASES) assert.deepEqual(await words(typed), expected, typed.join(" "));
});

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test(`completions ${shell} prints a script that names itself and asks __complete`, async () => {
    const { code, stdout } = await runCli(`completions ${shell}`);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`${shell} completion of adsctl`));
    assert.match(stdout, /adsctl __complete/);
  });
}
