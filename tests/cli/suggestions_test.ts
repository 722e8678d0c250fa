import { equal, match, ok } from "../support/assert.ts";
import { carryOptions, nextCommand } from "../../src/interfaces/cli/shell/context/shell_words.ts";
import type { GlobalOptions } from "../../src/interfaces/cli/shell/context/global_options.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const NONE: GlobalOptions = {
  envFile: undefined,
  platform: undefined,
  policy: undefined,
  demo: false,
  wire: undefined,
  rehearse: undefined,
  sandbox: false,
  format: "auto",
  fields: undefined,
  raw: false,
  color: true,
  quiet: false,
  verbose: false,
};
const DEMO: GlobalOptions = { ...NONE, demo: true, policy: "my rules.yaml" };
const OPTIONS = "--demo --policy 'my rules.yaml'";

const TEXTS: readonly (readonly [text: string, carried: string])[] = [
  ['Begin with "adsctl sync -m US".', `Begin with "adsctl sync -m US ${OPTIONS}".`],
  ["Fetch it: adsctl sync --report a,b", `Fetch it: adsctl sync --report a,b ${OPTIONS}`],
  ["Sign it: adsctl plan approve 2-x\nmore", `Sign it: adsctl plan approve 2-x ${OPTIONS}\nmore`],
  ['"adsctl auth profiles --demo" lists', `"adsctl auth profiles --demo --policy 'my rules.yaml'" lists`],
  [
    "On the queue: adsctl auto worker applies it. Wait:",
    "On the queue: adsctl auto worker applies it. Wait:",
  ],
  ['Save it with "adsctl use". See: adsctl help plan', 'Save it with "adsctl use". See: adsctl help plan'],
];

Deno.test("commands in messages carry the options by which the command connects, once", () => {
  for (const [text, carried] of TEXTS) {
    equal(carryOptions(text, DEMO), carried);
    equal(carryOptions(text, NONE), text);
  }
  equal(nextCommand(["plan", "undo", "a b.json"], DEMO), `adsctl plan undo 'a b.json' ${OPTIONS}`);
});

Deno.test("errors, hints and notes of commands suggest commands with these options, in text and in JSON", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 100\n");
  const missing = ["plan", "show", "20990101-000000-00000000", "--policy", policy];
  const text = await runCli(missing, world);
  equal(text.code, 2);
  ok(text.stderr.includes(`"adsctl plan list --policy ${policy}" shows the plans`), text.stderr);
  const json = JSON.parse((await runCli([...missing, "--json"], world)).stderr);
  ok(json.message.includes(`"adsctl plan list --policy ${policy}"`), json.message);
  ok(json.hint.includes(`"adsctl plan list --policy ${policy}"`), json.hint);
  const store = await runCli(["store", "coverage", "--store", "/none/ads.sqlite", "--sandbox"], world);
  match(store.stderr, /: adsctl sync --sandbox makes it/);
  const schema = await runCli(["store", "schema", "performance", "--policy", policy], world);
  ok(schema.stderr.includes(`--policy ${policy}\n`), schema.stderr);
});

Deno.test("a command below a group and an option of every command are suggested", async () => {
  const cases: readonly (readonly [line: string, expected: RegExp])[] = [
    ["publish", /Did you mean "store publish"\?/],
    ["undo 1", /Did you mean "plan undo"\?/],
    ["sycn", /Did you mean "sync"\?/],
    ["list campaigns -m US --jsn", /Cannot find an option "--jsn"\. Did you mean "--json"\?/],
    ["list campaigns --markte US", /Did you mean "--market"\?/],
  ];
  for (const [line, expected] of cases) {
    const { code, stderr } = await runCli(line);
    equal(code, 2, line);
    match(stderr, expected);
  }
});
