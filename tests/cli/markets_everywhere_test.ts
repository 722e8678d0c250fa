import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };

function run(line: string, at: Emulated): Promise<CliRun> {
  return runCli(line, { ...at, now: () => Date.parse(CLOCK.now) });
}

Deno.test("list takes several markets, and each row says whose it is", async () => {
  await using at = await emulated({ clock: CLOCK, profiles: 3 });
  const both = await run("list campaigns -m CA,US --json", at);
  assert.equal(both.code, 0, both.stderr);
  const rows = JSON.parse(both.stdout) as { countryCode: string; profileId: string; campaignId: string }[];
  const ids = new Map(Map.groupBy(rows, ({ countryCode }) => countryCode));
  assert.deepEqual([...ids.keys()].sort(), ["CA", "US"]);
  for (const [market, found] of ids) {
    const alone = JSON.parse((await run(`list campaigns -m ${market} --json`, at)).stdout) as Row[];
    assert.deepEqual(
      found.map(({ campaignId }) => campaignId).sort(),
      alone.map(({ campaignId }) => campaignId).sort(),
    );
    assert.equal(new Set(found.map(({ profileId }) => profileId)).size, 1);
    assert.ok(alone.every((row) => !("countryCode" in row)), "rows of one market are as they were");
  }
  const limited = await run("list campaigns --all-profiles --limit 3 --format jsonl", at);
  assert.equal(limited.stdout.trim().split("\n").length, 3);
});

type Row = { campaignId: string };

Deno.test("store coverage, store maturity and plan list show the markets that -m names", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 }, profiles: 3 });
  const store = `--store ${at.folder}/ads.sqlite`;
  const synced = await run(`sync --all-profiles --report sp_campaigns --start -3 --no-entities ${store}`, at);
  assert.equal(synced.code, 0, synced.stderr);
  const coverage = async (markets: string): Promise<string[]> => {
    const { code, stdout, stderr } = await run(`store coverage ${markets} --json ${store}`, at);
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { country_code: string }[]).map((row) => row.country_code).sort();
  };
  assert.deepEqual(await coverage(""), ["CA", "MX", "US"]);
  assert.deepEqual(await coverage("-m CA,us"), ["CA", "US"]);
  const { record } = at.emulator.state.profiles().find(({ record }) => record.countryCode === "MX")!;
  assert.deepEqual(await coverage(`-m ${record.profileId}`), ["MX"]);
  assert.equal((await run(`store maturity -m CA,US ${store}`, at)).code, 0);
  const rows = await run(`store rows sp_campaigns -m CA,US ${store}`, at);
  assert.equal(rows.code, 2);
  assert.match(rows.stderr, /Cannot read rows of "CA,US": use one market/);

  for (const market of ["CA", "US"]) {
    const [campaign] = JSON.parse(
      (await run(`list campaigns -m ${market} --state enabled --json`, at)).stdout,
    );
    const file = await at.write("pause.csv", `campaignId,state\n${campaign.campaignId},PAUSED\n`);
    const made = await run(
      `plan update campaigns ${file} -m ${market} --out ${at.folder}/plans/${market}.json`,
      at,
    );
    assert.equal(made.code, 0, made.stderr);
  }
  const listed = await run(`plan list -m us --folder ${at.folder}/plans --json`, at);
  assert.equal(listed.code, 0, listed.stderr);
  assert.deepEqual((JSON.parse(listed.stdout) as { country: string }[]).map(({ country }) => country), [
    "US",
  ]);
});

Deno.test("auto show schedules draws the hours in the zone of the market that -m names", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/schedules.yaml`;
    await runCli(`auto init schedules --out ${file}`);
    const shown = await runCli(`auto show schedules ${file} -m JP --json`);
    assert.equal(shown.code, 0, shown.stderr);
    const zones = new Set((JSON.parse(shown.stdout) as { zone: string }[]).map(({ zone }) => zone));
    assert.ok(zones.has("Asia/Tokyo"), [...zones].join());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
