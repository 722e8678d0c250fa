import assert from "node:assert/strict";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** Runs adsctl with folders of its own for settings and state. */
function user(folder: string, more: Record<string, string> = {}): (line: string) => Promise<CliRun> {
  const env = { XDG_CONFIG_HOME: `${folder}/config`, XDG_STATE_HOME: `${folder}/state`, ...more };
  return (line) => runCli(line, { env });
}

Deno.test("what adsctl use saves counts where neither option nor variable is given", async () => {
  await using folder = await temporaryFolder();
  const adsctl = user(folder.path);
  const saved = await adsctl("use uk --demo");
  assert.equal(saved.code, 0, saved.stderr);
  assert.match(saved.stdout, /^market\tUK\t/m);
  assert.match(saved.stdout, /^demo\ttrue\t/m);

  const listed = await adsctl("list campaigns --limit 1 --json");
  assert.equal(listed.code, 0, listed.stderr);
  const explicit = await adsctl("list campaigns --limit 1 --json -m CA");
  assert.notEqual(explicit.stdout, listed.stdout, "-m wins");
  const variable = await user(folder.path, { PLATFORM_ADS_MARKET: "CA" })("list campaigns --limit 1 --json");
  assert.equal(variable.stdout, explicit.stdout, "the variable wins");

  await adsctl("use --format csv");
  assert.match((await adsctl("auth profiles")).stdout, /^countryCode,profileId,.*\r\n/);
  assert.match((await adsctl("auth profiles --format tsv")).stdout, /^countryCode\t/);
});

Deno.test("adsctl use shows what is saved, and forgets it by name or altogether", async () => {
  await using folder = await temporaryFolder();
  const adsctl = user(folder.path);
  await adsctl("use CA --demo --store postgres://ads:hunter2@db/x");
  const shown = await adsctl("use --json");
  assert.ok(!shown.stdout.includes("hunter2"), "the password is not shown");
  const { file, ...settings } = JSON.parse(shown.stdout);
  assert.deepEqual(settings, { market: "CA", demo: true, store: "postgres://ads:***@db/x", format: null });
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  assert.match(await Deno.readTextFile(file), /hunter2/);

  await adsctl("use --clear demo,store");
  assert.deepEqual(JSON.parse((await adsctl("use --json")).stdout), {
    market: "CA",
    demo: false,
    store: null,
    format: null,
    file,
  });
  await adsctl("use --clear");
  assert.equal(await Deno.readTextFile(file), "{}\n");
});

Deno.test("a path of a store is kept whole, since the settings count in every folder", async () => {
  await using folder = await temporaryFolder();
  const { stdout } = await user(folder.path)("use --store ads.sqlite --json");
  assert.match(JSON.parse(stdout).store, /^(?:\/|[A-Z]:\\).*ads\.sqlite$/);
});

Deno.test("a policy that adsctl use saves judges every write, and one that cannot be used is not saved", async () => {
  await using folder = await temporaryFolder();
  const adsctl = user(folder.path);
  const policy = `${folder.path}/policy.yaml`;
  await Deno.writeTextFile(policy, "version: 1\nmax_bid: 0.01\n");
  const broken = `${folder.path}/broken.yaml`;
  await Deno.writeTextFile(broken, "version: 1\nmax_bid: many\n");
  const refused = await adsctl(`use CA --policy ${broken}`);
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /max_bid/);
  assert.equal(JSON.parse((await adsctl("use --json")).stdout).market, null, "nothing is saved");
  const saved = await adsctl(`use CA --demo --policy ${policy} --json`);
  assert.equal(JSON.parse(saved.stdout).policy, policy);

  const [{ keywordId }] = JSON.parse((await adsctl("list keywords --limit 1 --json")).stdout);
  await Deno.writeTextFile(`${folder.path}/bids.csv`, `id,bid\n${keywordId},0.5\n`);
  const plan = `${folder.path}/plan.json`;
  const made = await adsctl(`plan update keywords ${folder.path}/bids.csv --out ${plan}`);
  assert.equal(made.code, 0, made.stderr);
  const denied = await adsctl(`plan apply ${plan} --yes --accept-risk`);
  assert.equal(denied.code, 4, denied.stderr);
  assert.match(denied.stderr, /Denied by the policy.*\n.*is above 0\.01 CAD/);
  await adsctl("use --clear policy");
  assert.equal((await adsctl(`plan apply ${plan} --yes --accept-risk`)).code, 0);
});

const WRONG: [line: string, message: RegExp][] = [
  ["use DX", /Cannot use the market "DX".*Did you mean "(?:DE|MX)"\?/],
  ["use --clear markt", /Cannot clear "markt": expected one of market, demo, store, format/],
  ["use --format xml", /expected one of table, tsv, json, jsonl, csv/],
];
Deno.test("a setting that cannot be is refused, and nothing is saved", async () => {
  await using folder = await temporaryFolder();
  for (const [line, message] of WRONG) {
    const { code, stderr } = await user(folder.path)(line);
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
  }
  await assert.rejects(Deno.stat(`${folder.path}/config`), Deno.errors.NotFound);
});

Deno.test("a misspelt saved setting is named with the one that was meant", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/platform-ads`);
    await Deno.writeTextFile(`${folder}/platform-ads/adsctl.json`, '{ "markt": "US" }');
    const { code, stderr } = await runCli("auth profiles --demo", { env: { XDG_CONFIG_HOME: folder } });
    assert.equal(code, 2);
    assert.match(stderr, /adsctl\.json": "markt" is not a setting. Did you mean "market"\?/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("adsctl offers its demo account where no login is set up, and names the place that lacks a home", async () => {
  const login = await runCli("auth profiles", {
    env: { XDG_CONFIG_HOME: "/nowhere", XDG_STATE_HOME: "/nowhere" },
  });
  assert.equal(login.code, 2);
  assert.match(login.stderr, /PLATFORM_ADS_CLIENT_ID.* or try --demo, which needs no account/);
  const homeless = await runCli("store coverage --demo", { env: {} });
  assert.equal(homeless.code, 2);
  assert.match(
    homeless.stderr,
    /folder of the demo account's store: .*Name its place with --store, or set HOME/,
  );
});

Deno.test("a damaged file of settings is named, and errors are printed as data is", async () => {
  await using folder = await temporaryFolder();
  const adsctl = user(folder.path);
  await adsctl("use --format json");
  const error = JSON.parse((await adsctl("list keywords")).stderr);
  assert.equal(error.code, "USAGE", "a saved format counts for errors");
  await Deno.writeTextFile(`${folder.path}/config/platform-ads/adsctl.json`, '{"demo": 1}');
  const { code, stderr } = await adsctl("auth profiles");
  assert.equal(code, 2);
  assert.match(stderr, /Cannot read the saved settings in ".*adsctl\.json": "demo" is not true or false/);
});

Deno.test("PLATFORM_ADS_DEMO=1 works as --demo, 0 and false do not, and anything else is refused", async () => {
  await using folder = await temporaryFolder();
  const run = (value: string, line = "auth profiles --json") =>
    user(folder.path, { PLATFORM_ADS_DEMO: value })(line);
  assert.equal((await run("1")).stdout, (await user(folder.path)("auth profiles --demo --json")).stdout);
  assert.match((await run("0")).stderr, /PLATFORM_ADS_CLIENT_ID/);
  assert.match((await run("yes")).stderr, /Cannot use PLATFORM_ADS_DEMO \\?"yes\\?": expected 1 or 0/);
  const both = await run("1", "auth profiles --env-file prod.env");
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--env-file together with --demo.*PLATFORM_ADS_DEMO/);
});

Deno.test("PLATFORM_ADS_DEMO=1 in the dotenv file works as in the environment, which wins over it", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(folder.file("demo.env"), "PLATFORM_ADS_DEMO=1\nPLATFORM_ADS_CLIENT_ID=real\n");
  const adsctl = user(folder.path);
  const named = await adsctl(`auth profiles --json --env-file ${folder.file("demo.env")}`);
  assert.equal(named.code, 0, named.stderr);
  assert.equal(named.stdout, (await adsctl("auth profiles --demo --json")).stdout);
  const more = { PLATFORM_ADS_ENV_FILE: folder.file("demo.env") };
  assert.equal((await user(folder.path, more)("auth profiles --json")).stdout, named.stdout);
  const off = await user(folder.path, { ...more, PLATFORM_ADS_DEMO: "0" })("auth profiles --json");
  assert.equal(off.code, 2, "switched off by the environment");
});

Deno.test("a store named by the environment holds the demo account too; one saved for the real account does not", async () => {
  await using folder = await temporaryFolder();
  const query = 'store query "SELECT 1 AS one" --demo --json';
  const exists = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false);
  const named = await user(folder.path, { PLATFORM_ADS_STORE: folder.file("named.sqlite") })(query);
  assert.match(named.stderr + named.stdout, /named\.sqlite/, "it is looked for there");
  const adsctl = user(folder.path);
  const real = folder.file("real.sqlite");
  await adsctl(`use --store ${real}`);
  const demo = await adsctl(query);
  assert.ok(!demo.stderr.includes("real.sqlite"), demo.stderr);
  assert.equal(await exists(real), false);
  await adsctl(`use --demo --store ${real}`);
  assert.match((await adsctl(query)).stderr, /real\.sqlite/, "saved for the demo account");
});
