import assert from "node:assert/strict";
import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { COMMANDS } from "../../src/interfaces/cli/command_index.ts";
import { OLD_NAMES } from "../../src/interfaces/cli/shell/renamed_commands.ts";
import { readCommandLine } from "../../src/interfaces/cli/shell/command_line.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runCli } from "./support/run_cli.ts";
import old from "./support/commands_0_3.json" with { type: "json" };

Deno.test("every command of 0.3 is found by its old words, with all of its options", async () => {
  const tree = new Map((await commandTree()).map(({ path, command }) => [path, command]));
  const lost: string[] = [];
  for (const [path, options] of Object.entries(old)) {
    const line = readCommandLine(path.split(" "));
    const words = line.kind === "command" ? line.args.filter((word) => !word.startsWith("-")) : [];
    const command = tree.get(words.join(" "));
    if (command === undefined) lost.push(path);
    const known = new Set(command?.options.map(({ long }) => long));
    lost.push(...options.filter((option) => !known.has(option)).map((option) => `${path} ${option}`));
  }
  assert.deepEqual(lost, []);
  assert.ok(Object.keys(old).length > 140);
});

Deno.test("the front page has at most 22 commands, and no old name is a new command too", async () => {
  assert.ok(COMMANDS.length <= 22, `${COMMANDS.length} commands`);
  const paths = new Set((await commandTree()).map(({ path }) => path));
  assert.deepEqual(OLD_NAMES.filter((name) => paths.has(name)), []);
});

Deno.test("an old name says the new one on stderr, and does the same", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path };
  const now = await runCli("demo status", { env });
  const before = await runCli("emulator status", { env });
  assert.deepEqual([before.code, before.stdout], [0, now.stdout]);
  assert.equal(
    before.stderr.replace(now.stderr, ""),
    '"adsctl emulator" is now "adsctl demo"; the old name works until 0.5\n',
  );
  assert.doesNotMatch((await runCli("--quiet wire --help")).stderr, /is now/);
  assert.match((await runCli("help store query")).stdout, /^Usage: adsctl query /);
  // Global options may stand between the words of an old name.
  const between = readCommandLine(["plan", "--format", "json", "inverse", "plan.json", "--out", "back.json"]);
  assert.deepEqual(
    between.kind === "command" && between.args,
    ["plan", "undo", "--only-plan", "--format", "json", "plan.json", "--out", "back.json"],
  );
});

Deno.test("a misspelt old name is answered with the new one", async () => {
  assert.match((await runCli("recomendations")).stderr, /Did you mean "account recommendations"\?/);
});
