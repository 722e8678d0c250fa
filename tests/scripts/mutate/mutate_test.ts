import { deepEqual, equal, match } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { longFile } from "../../support/long.ts";

longFile();

async function mutate(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "scripts/mutate.ts", ...args],
    env: { NO_COLOR: "1", PLATFORM_ADS_TEST_POSTGRES: "unused" },
    stderr: "null",
  }).output();
  return { code, lines: new TextDecoder().decode(stdout).trim().split("\n") };
}

Deno.test("changes that tests notice pass, and such as they do not reach fail", async () => {
  const few = ["--jobs", "1", "--limit", "3", "--seed", "1"];
  const source = "src/base/text/nearest.ts";
  const [noticed, unreached] = await Promise.all([
    mutate(source, "--tests", "tests/base/edit_distance_test.ts", ...few),
    mutate(source, "--tests", "tests/base/moment_test.ts", ...few),
  ]);
  match(noticed.lines.at(-1) ?? "", /^3 of 3 noticed \(100\.0 %\)/);
  deepEqual([noticed.code, unreached.code], [0, 1]);
  match(unreached.lines.at(-2) ?? "", /\(no test reaches it\)$/);
});

Deno.test("an interrupted run leaves neither its copy nor its processes behind", async () => {
  await using folder = await temporaryFolder();
  const run = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "scripts/mutate.ts", "src/base/text/nearest.ts", "--jobs", "1"],
    env: { NO_COLOR: "1", PLATFORM_ADS_TEST_POSTGRES: "unused", TMPDIR: folder.path },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = run.stdout.getReader();
  // The line before the first trial.
  await output.read();
  equal([...Deno.readDirSync(folder.path)].length > 0, true);
  run.kill("SIGTERM");
  while (!(await output.read()).done);
  equal((await run.status).code, 130);
  deepEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("--tests without a path prints by file what it alone notices", async () => {
  const { code, lines } = await mutate(
    "src/base/text/nearest.ts",
    "--tests",
    "--jobs",
    "1",
    "--limit",
    "3",
    "--seed",
    "1",
  );
  equal(code, 0);
  const worth = lines.filter((line) => /^\d+\.\d s, \d+ noticed, \d+ by it alone: tests\/base\//.test(line));
  equal(
    worth.some((line) =>
      line.endsWith("tests/base/edit_distance_test.ts") && / 3 noticed, [1-3] by it alone/.test(line)
    ),
    true,
    lines.join("\n"),
  );
});
