import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

const NOON = "2026-09-30T19:00:00Z";

type Row = Record<string, unknown>;

async function reportWorld(): Promise<Emulated & { run: (line: string) => Promise<CliRun> }> {
  const world = await emulated({ clock: { now: NOON, frozen: true }, quirks: { reportSeconds: 0 } });
  const run = (line: string): Promise<CliRun> =>
    runCli(line, { env: world.env, now: () => world.emulator.clock.now() });
  return Object.assign(world, { run });
}

Deno.test("adsctl report --reporting 1 prints the columns of version 3, and the window that has values", async () => {
  await using world = await reportWorld();
  const one = await world.run("report sp_campaigns -m US --start -2 --reporting 1 --json");
  equal(one.code, 0, one.stderr);
  match(one.stderr, /warning: purchases14d, sales14d, unitsSoldClicks14d are empty/);
  const three = await world.run("report sp_campaigns -m US --start -2 --json");
  const clicks = (text: string): unknown[] =>
    (JSON.parse(text) as Row[]).map(({ date, campaignId, clicks }) => [date, campaignId, clicks]).sort();
  deepEqual(clicks(one.stdout), clicks(three.stdout));
  const table = await world.run("report run sp_campaigns -m US --start -2 --reporting 1");
  const [header = ""] = table.stdout.split("\n");
  deepEqual(header.split("\t").slice(-2), ["purchases7d", "sales7d"]);
  const old = await world.run(
    "report sp_campaigns -m US --start -400 --end -399 --reporting 1 --columns clicks",
  );
  equal(old.code, 0, old.stderr);
  ok(old.stdout.split("\n").length > 10);
});

Deno.test("adsctl report --reporting compare ends with 0 without differences, and lists them with 6", async () => {
  await using world = await reportWorld();
  const same = await world.run("report sp_targeting -m US --start -1 --reporting compare");
  equal(same.code, 0, same.stderr);
  match(
    same.stderr,
    /\d+ rows in old reports, \d+ in new reports, \d+ columns: no differences/,
  );
  const other = await world.run("report sb_targeting -m US --start -1 --reporting compare --json");
  equal(other.code, 6, other.stderr);
  const [first] = JSON.parse(other.stdout) as Row[];
  match(String(first?.["key"]), /^date=2026-09-29 adGroupId=\d+ targetingId=\d+$/);
  deepEqual([first?.["column"], first?.["reporting1"]], ["keywordId", null]);
});

Deno.test("adsctl report refuses what the new reports do not answer", async () => {
  await using world = await reportWorld();
  const refused = async (line: string, error: RegExp): Promise<void> => {
    const { code, stderr } = await world.run(line);
    equal(code, 2, stderr);
    match(stderr, error);
  };
  await refused("report sdCampaigns:matchedTarget -m US --reporting 1", /the new reports have campaigns/);
  await refused("report sp_campaigns -m US --reporting 2", /expected one of old, new, compare/);
  await refused("report sp_campaigns -m US --reporting 1 --start -600", /15 months/);
  await refused("report sp_campaigns -m US --reporting 1 --name x", /have no names/);
  await refused("report sp_campaigns -m US --reporting compare --out x.csv", /--out or --chart/);
  await refused("report run sp_campaigns -m US --fields metric.clicks", /--fields at once/);
  await refused("report run sp_campaigns -m US --currency EUR", /--currency/);
  await refused("report run sp_campaigns -m US --whole-account", /a report by name covers one profile/);
  await refused("report run -m US --fields metric.clicks --reporting 3", /only new reports have fields/);
  await refused("report run -m US", /or use a report name/);
});

Deno.test("adsctl report run has the rows of the profile, or of its whole account", async () => {
  await using world = await reportWorld();
  const line = "report run -m US --fields campaign.country,metric.clicks --start -2 --json";
  const countries = ({ stdout }: CliRun): unknown[] => [
    ...new Set((JSON.parse(stdout) as Row[]).map((row) => row["campaign.country"])),
  ];
  const one = await world.run(line);
  deepEqual(countries(one), ["US"]);
  match(one.stderr, /Asked for the rows of US alone/);
  const all = await world.run(`${line} --whole-account`);
  deepEqual(countries(all).sort(), ["AU", "DE", "US"]);
  ok(!all.stderr.includes("Asked for the rows"), all.stderr);
});

Deno.test("adsctl report run takes fields of several profiles, and a ready report of one", async () => {
  await using world = await reportWorld();
  const line = "report run --fields metric.clicks --start -2 --json";
  const accounts = ({ stdout, stderr, code }: CliRun): number => {
    equal(code, 0, stderr);
    return new Set((JSON.parse(stdout) as Row[]).map((row) => row["advertiserAccount.id"])).size;
  };
  equal(accounts(await world.run(`${line} -m US,CA`)), 2);
  equal(accounts(await world.run(`${line} --all-profiles`)), 6);
  const one = await world.run(`${line} -m CA`);
  deepEqual(Object.keys((JSON.parse(one.stdout) as Row[])[0]!), ["metric.clicks"]);
  for (const wrong of [`${line} -m US,FR`, "report run sp_campaigns -m US,CA", line]) {
    const { code, stderr } = await world.run(wrong);
    equal(code, 2, stderr);
  }
});
