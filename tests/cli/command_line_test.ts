import assert from "node:assert/strict";
import { globalOptionRows } from "../../src/interfaces/cli/shell/context/global_options.ts";
import { COMMANDS } from "../../src/interfaces/cli/command_index.ts";
import {
  type CommandLine,
  LEADING_OPTIONS,
  readCommandLine,
} from "../../src/interfaces/cli/shell/command_line.ts";
import { GLOBAL_HEADING } from "../../src/interfaces/cli/shell/context/global_options.ts";
import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { nearest } from "../../src/base/text/nearest.ts";
import { VERSION } from "../../src/interfaces/cli/shell/context/version.ts";
import config from "../../deno.json" with { type: "json" };
import { runCli } from "./support/run_cli.ts";

const CASES: [string, CommandLine][] = [
  ["", { kind: "front page", isHelp: false }],
  ["--demo", { kind: "front page", isHelp: false }],
  ["--help", { kind: "front page", isHelp: true }],
  ["-h", { kind: "front page", isHelp: true }],
  ["help", { kind: "front page", isHelp: true }],
  ["help formats", { kind: "help", words: ["formats"] }],
  ["help plan update --demo", { kind: "help", words: ["plan", "update"] }],
  ["--version", { kind: "version" }],
  ["--format json --version", { kind: "version" }],
  ["list keywords --help", { kind: "command", name: "list", args: ["list", "keywords", "--help"] }],
  ["--format list list x", { kind: "command", name: "list", args: ["--format", "list", "list", "x"] }],
  ["--env-file=.env list", { kind: "command", name: "list", args: ["--env-file=.env", "list"] }],
  ["--demo --verison", { kind: "unknown option", option: "--verison", args: ["--demo", "--verison"] }],
  ["-m US list", { kind: "unknown option", option: "-m", args: ["-m", "US", "list"] }],
  ["__complete list --st", { kind: "complete", words: ["list", "--st"] }],
];

Deno.test("the command is found among the global options", () => {
  for (const [line, expected] of CASES) {
    assert.deepEqual(readCommandLine(line.split(" ").filter((word) => word !== "")), expected, line);
  }
});

Deno.test("every global option may stand before the command", async () => {
  const [first] = await commandTree();
  const globals = first!.command.options.filter(({ helpGroupHeading }) =>
    helpGroupHeading === GLOBAL_HEADING
  );
  const names = globals.flatMap(({ long, short }) => [long, short]).filter((name) => name !== undefined);
  assert.deepEqual(
    LEADING_OPTIONS.filter((name) => !["--version", "-V", "--help", "-h"].includes(name)).toSorted(),
    names.toSorted(),
  );
});

Deno.test("adsctl alone prints the front page on stderr and ends with 2, --help on stdout with 0", async () => {
  const alone = await runCli("");
  assert.equal(alone.code, 2);
  assert.equal(alone.stdout, "");
  const asked = await runCli("--help");
  assert.equal(asked.code, 0);
  assert.equal(asked.stderr, "");
  assert.equal(asked.stdout, alone.stderr);
  for (const { name } of COMMANDS) assert.match(asked.stdout, new RegExp(`^ {2}${name} {2,}`, "m"));
});

Deno.test("--help-all prints every command, and no line of a front page is wider than the terminal or breaks a word", async () => {
  const all = await runCli("--help-all");
  assert.equal(all.code, 0);
  const first = await runCli("--help");
  for (const { name, summary } of COMMANDS) {
    const flat = all.stdout.replaceAll(/\s+/g, " ");
    assert.ok(flat.includes(` ${name} ${summary} `), name);
    assert.match(first.stdout, new RegExp(`\\b${name}\\b`), "every name is on the first page");
  }
  for (const terminal of [60, 80]) {
    for (const line of ["--help", "--help-all"]) {
      const { stdout } = await runCli(line, { terminal });
      const wide = stdout.split("\n").filter((text) => text.length > terminal && !/adsctl/.test(text));
      assert.deepEqual(wide, []);
      const words = (text: string): string => text.replaceAll(/\s+/g, " ");
      assert.equal(words(stdout), words((await runCli(line)).stdout));
    }
  }
});

Deno.test("adsctl help options says what every global option is, and the help of a command only names them", async () => {
  const { stdout } = await runCli("help options");
  const help = await runCli("help list");
  for (const { flags, meaning } of globalOptionRows()) {
    assert.ok(stdout.includes(flags) && stdout.includes(meaning), flags);
    assert.ok(!help.stdout.includes(meaning), flags);
    assert.ok(help.stdout.includes(flags.match(/--[\w-]+/)![0]), flags);
  }
  const narrow = await runCli("help list", { terminal: 80 });
  assert.deepEqual(narrow.stdout.split("Examples:")[0]!.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("--version prints the version of deno.json", async () => {
  assert.equal(VERSION, config.version);
  assert.deepEqual(await runCli("--version"), { code: 0, stdout: `adsctl ${config.version}\n`, stderr: "" });
});

Deno.test("the help of a group shows its commands, and leaves the global options to theirs", async () => {
  const { stdout } = await runCli("help plan");
  assert.match(stdout, /^ {2}update \[options\] <entity> <file>/m);
  assert.doesNotMatch(stdout, /--env-file/);
  assert.match((await runCli("help plan update")).stdout, /--env-file/);
});

Deno.test("a misspelt command, subcommand, option, entity or topic is answered with the nearest one", async () => {
  const cases: [string, RegExp][] = [
    ["lst", /Did you mean "list"\?/],
    ["lsit", /Did you mean "list"\?/],
    ["--verison", /Cannot find an option "--verison". Did you mean "--version"\?/],
    ["--jsno list keywords", /Did you mean "--json"\?/],
    ["campaigns -m US", /Did you mean "list campaigns -m US"\?/],
    ["plan updat keywords x.csv", /Did you mean "update"\?/],
    ["list keywords --limt 3", /Did you mean "--limit"\?/],
    ["list keywrds -m US", /Did you mean "keywords"\?/],
    ["help exit-code", /Did you mean "exit-codes"\?/],
    ["help plan appl", /Did you mean "apply"\?/],
    ["help list foo", /"list" has no subcommands/],
  ];
  for (const [line, message] of cases) {
    const { code, stdout, stderr } = await runCli(line);
    assert.equal(code, 2, line);
    assert.equal(stdout, "", line);
    assert.match(stderr, message, line);
  }
});

Deno.test("a word that is near to nothing is answered with what there is", async () => {
  const { code, stderr } = await runCli("frobnicate");
  assert.equal(code, 2);
  assert.match(stderr, /Expected one of init, demo, auth, use/);
  assert.equal(nearest("frobnicate", ["list", "plan"]), undefined);
});

Deno.test("every help topic is printed on stdout", async () => {
  for (const topic of ["week", "kinds", "exit-codes", "environment", "formats", "markets"]) {
    const { code, stdout, stderr } = await runCli(`help ${topic}`);
    assert.equal(code, 0, topic);
    assert.equal(stderr, "");
    assert.ok(stdout.length > 300, topic);
  }
});

Deno.test("help of a kind has its spellings, fields and commands, in whatever spelling it is asked for", async () => {
  const { code, stdout } = await runCli("help brands-keywords");
  assert.equal(code, 0);
  assert.match(stdout, /^brands-keywords: Brands keywords\n/);
  assert.match(stdout, /Also written +sb\.keywords .*sb_keywords/);
  assert.match(stdout, /A change takes +state, bid\n/);
  assert.equal((await runCli("help sb.keywords")).stdout, stdout);
  assert.match((await runCli("help keywrds")).stderr, /Cannot find help for "keywrds"/);
});

Deno.test("help of a command is the same by help and by --help", async () => {
  const byWord = await runCli("help plan update");
  const byOption = await runCli("plan update --help");
  assert.equal(byWord.code, 0);
  assert.deepEqual(byWord, byOption);
});
