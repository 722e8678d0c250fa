import assert from "node:assert/strict";
import { helpPages } from "../../src/interfaces/cli/command_tree.ts";
import { runCli } from "./support/run_cli.ts";

const PAGES = await helpPages();

for (const path of ["list", "plan", "plan update"]) {
  Deno.test(`adsctl ${path} --help, -h and adsctl help ${path} print the same page`, async () => {
    const page = PAGES[path];
    for (const line of [`${path} --help`, `${path} -h`, `help ${path}`]) {
      assert.deepEqual(await runCli(line), { code: 0, stdout: page, stderr: "" }, line);
      assert.deepEqual(await runCli(line, { terminal: 180 }), { code: 0, stdout: page, stderr: "" }, line);
    }
  });
}

Deno.test("help in a narrow terminal is as wide as the terminal", async () => {
  const { stdout } = await runCli("list --help", { terminal: 60 });
  assert.notEqual(stdout, PAGES["list"]);
  const [usage] = stdout.split("\n");
  assert.equal(usage, PAGES["list"]!.split("\n")[0]);
});

Deno.test("help that is asked for after other words is still that of the command", async () => {
  for (const line of ["list keywords --help", "--demo list --help", "list -m US --help"]) {
    const { code, stdout } = await runCli(line);
    assert.deepEqual([code, stdout], [0, PAGES["list"]], line);
  }
});

Deno.test("a subcommand that there is not has no help", async () => {
  const { code, stdout } = await runCli("plan updat --help");
  assert.equal(stdout === PAGES["plan update"], false);
  assert.ok(code === 2 || stdout === PAGES["plan"], stdout);
});
