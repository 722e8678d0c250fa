import { deepEqual, equal } from "../support/assert.ts";
import { linesIn } from "../../src/base/text/lines.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { until } from "../support/until.ts";
import { longFile } from "../support/long.ts";

longFile();

Deno.test("a run of tests that is ended takes all that they started with it, and leaves no files", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using folder = await temporaryFolder();
  await using told = await temporaryFolder();
  const test = folder.file("endless_test.ts");
  await Deno.writeTextFile(
    test,
    `Deno.test("endless", async () => {
      const child = new Deno.Command("sleep", { args: ["600"], detached: true }).spawn();
      await Deno.writeTextFile(${JSON.stringify(told.file("pid"))}, String(child.pid));
      await child.status;
    });`,
  );
  await Deno.mkdir(folder.file("tmp"));
  const run = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "scripts/run_tests.ts", "--all", test],
    env: { NO_COLOR: "1", TMPDIR: folder.file("tmp") },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = Array.fromAsync(linesIn(run.stdout));
  const started = (): Promise<string> => Deno.readTextFile(told.file("pid")).catch(() => "");
  await until(async () => await started() !== "");
  const pid = await started();
  equal(await Deno.stat(`/proc/${pid}`).then(({ isDirectory }) => isDirectory), true);
  run.kill("SIGTERM");
  equal((await run.status).code, 130);
  await output;
  await until(() => Deno.stat(`/proc/${pid}`).then(() => false, () => true));
  deepEqual([...Deno.readDirSync(folder.file("tmp"))], []);
});
