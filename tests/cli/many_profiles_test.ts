import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);
const PROFILES = 8;

async function world(profiles = PROFILES): Promise<Emulated> {
  return await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 }, profiles });
}

function run(line: readonly string[], at: Emulated): Promise<CliRun> {
  return runCli(line, { ...at, now });
}

/** A profile that this login may not read, though the platform lists it. */
function forbid({ emulator }: Emulated, countryCode: string): string {
  const { record } = emulator.state.profiles().find(({ record }) => record.countryCode === countryCode)!;
  const body = { code: "403", details: "Not authorized" };
  emulator.setFaults([{
    name: "forbidden",
    match: { profileId: record.profileId, path: "/sp/*" },
    effects: { response: { status: 403, body } },
  }]);
  return record.profileId;
}

const JOBS: readonly (readonly string[])[] = [
  ["bids", "--where", "clicks30d >= 10", "--change", "+5%"],
  ["negatives", "--min-clicks", "10"],
  ["budgets"],
];

for (const [job = "", ...rest] of JOBS) {
  if (job !== "budgets") long();
  Deno.test(`plan ${job} --all-profiles makes one rollout, and a profile without permission is named and stops no other`, async () => {
    await using at = await world(5);
    const id = forbid(at, "DE");
    const folder = `${at.folder}/rollout`;
    const store = `${at.folder}/ads.sqlite`;
    const line = ["plan", job, ...rest, "--all-profiles", "--store", store, "--out", folder];
    const made = await run([...line, "--json"], at);
    assert.equal(made.code, 3, made.stderr);
    assert.match(made.stderr, new RegExp(`error: Profile ${id} \\(DE\\): .*403`));
    const rows = JSON.parse(made.stdout) as { state: string; profile_id: string; summary: string }[];
    const failed = rows.filter(({ state }) => state === "not_planned");
    assert.deepEqual(failed.map(({ profile_id }) => profile_id), [id]);
    assert.match(failed[0]!.summary, /403/);
    const planned = rows.filter(({ state }) => state === "open");
    assert.ok(planned.length >= 2, `${planned.length} profiles have a plan`);

    const shown = await run(["plan", "show", folder], at);
    assert.match(shown.stderr, new RegExp(`not planned: profile ${id} \\(DE\\)`));
    at.emulator.setFaults([]);
    const applied = await run(["plan", "apply", folder, "--yes", "--accept-risk", "--serial", "1,100%"], at);
    assert.equal(applied.code, 0, applied.stderr);
  });
}

Deno.test("plan harvest for a list of markets takes the lines of its map that name their market", async () => {
  await using at = await world();
  const map = await at.write(
    "map.csv",
    "market,source,target\nCA,Knife Set auto,Knife Set exact\nMX,Nowhere,Nothing\nUS,Trail Tent 2P auto,Trail Tent 2P exact\n",
  );
  const line = ["plan", "harvest", "--profiles", "CA,US", "--min-orders", "1", "--map", map];
  const made = await run(
    [...line, "--store", `${at.folder}/ads.sqlite`, "--out", `${at.folder}/rollout`, "--json"],
    at,
  );
  assert.equal(made.code, 0, made.stderr);
  const rows = JSON.parse(made.stdout) as { country_code: string; create: number }[];
  assert.deepEqual(rows.map(({ country_code }) => country_code).sort(), ["CA", "US"]);
  assert.ok(rows.every(({ create }) => create > 0));
});

long();
Deno.test("a region that does not respond is named, and the profiles of the others get their plans", async () => {
  await using at = await world();
  at.emulator.setFaults([{ name: "dead", match: { region: "EU" }, effects: { drop: "before" } }]);
  const folder = `${at.folder}/rollout`;
  const line = ["plan", "budgets", "--all-profiles", "--store", `${at.folder}/ads.sqlite`, "--out", folder];
  const made = await run(line, at);
  assert.equal(made.code, 3, made.stderr);
  assert.match(made.stderr, /error: region EU: /);
  const shown = await run(["plan", "show", folder], at);
  assert.match(shown.stderr, /not planned: region EU: /);
  assert.match(made.stdout, /\bUS\b/);
  assert.doesNotMatch(made.stdout, /\bDE\b/);
  const named = await run(
    ["plan", "budgets", "-m", "US,DE", "--store", `${at.folder}/ads.sqlite`, "--out", `${folder}2`],
    at,
  );
  assert.equal(named.code, 3, named.stderr);
  assert.match(named.stderr, /error: DE: /);
});

Deno.test("input that is wrong for every profile ends as it does for one: nothing is saved", async () => {
  await using at = await world();
  const folder = `${at.folder}/rollout`;
  const both = await run(["plan", "budgets", "-m", "US", "--all-profiles", "--out", folder], at);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /Cannot use -m with --profiles or --all-profiles/);
  const map = await at.write("map.csv", "source,target\nNowhere,Nothing\n");
  const line = ["plan", "harvest", "--all-profiles", "--map", map, "--store", `${at.folder}/ads.sqlite`];
  const wrong = await run([...line, "--out", folder], at);
  assert.equal(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, /row 2: source "Nowhere" is not the id or name of an ad group/);
  await assert.rejects(Deno.stat(folder));
  const unknown = await run(["plan", "budgets", "--profiles", "US,ZZ", "--out", folder], at);
  assert.equal(unknown.code, 2);
  assert.equal(at.emulator.requests().filter(({ method }) => method === "PUT").length, 0);
});

Deno.test("one amount is refused for profiles of several currencies, and an amount for each is used", async () => {
  await using at = await world();
  const store = ["--store", `${at.folder}/ads.sqlite`, "--out", `${at.folder}/rollout`];
  const line = ["plan", "budgets", "--profiles", "US,CA", ...store];
  for (const [option, value] of [["--max", "60"], ["--change", "+5.00"]] as const) {
    const refused = await run([...line, option, value], at);
    assert.equal(refused.code, 2, refused.stderr);
    assert.ok(
      refused.stderr.includes(`Cannot use ${option} ${value} for profiles in CAD, USD`),
      refused.stderr,
    );
  }
  const wrong = await run([...line, "--max", "USD=x"], at);
  assert.match(wrong.stderr, /"USD=x" is not an amount of a currency, such as USD=2.50/);
  const half = await run([...line, "--max", "USD=60", "--json"], at);
  assert.equal(half.code, 3, half.stderr);
  assert.match(half.stderr, /\(CA\): Cannot use an amount in USD for CA: add one in CAD/);
  const each = await run([...line.slice(0, -1), `${at.folder}/each`, "--max", "USD=60,CAD=75"], at);
  assert.equal(each.code, 0, each.stderr);
});

long();
Deno.test("pull, diff and plan from keep a folder for each profile, and drift names the profile of each change", async () => {
  await using at = await world();
  const folder = `${at.folder}/accounts`;
  const id = forbid(at, "JP");
  const pulled = await run(["pull", folder, "--all-profiles", "--json"], at);
  assert.equal(pulled.code, 3, pulled.stderr);
  assert.match(pulled.stderr, new RegExp(`error: Profile ${id} \\(JP\\)`));
  const places = (JSON.parse(pulled.stdout) as { folder: string }[]).map((one) => one.folder);
  assert.equal(places.length, PROFILES - 1);
  assert.equal(new Set(places).size, PROFILES - 1);
  at.emulator.setFaults([]);

  const same = await run(["diff", folder, "--all-profiles", "--json"], at);
  assert.equal(same.code, 3, "JP has no folder");
  const ca = places.find((path) => path.includes("/CA-"))!;
  const file = `${ca}/sp/sp-knife-set-auto.yaml`;
  await Deno.writeTextFile(
    file,
    (await Deno.readTextFile(file)).replace(/^state: ENABLED$/m, "state: PAUSED"),
  );
  const differs = await run(["diff", folder, "--profiles", "CA,US"], at);
  assert.equal(differs.code, 6, differs.stderr);
  assert.match(differs.stdout, /Profile \d+ \(CA\)\nTo change: 1/);
  const out = `${at.folder}/rollout`;
  const planned = await run(["plan", "from", folder, "--all-profiles", "--out", out, "--json"], at);
  assert.equal(planned.code, 0, planned.stderr);
  assert.deepEqual(
    (JSON.parse(planned.stdout) as { country_code: string; change: number }[]).map((row) => [
      row.country_code,
      row.change,
    ]),
    [["CA", 1]],
  );
  const applied = await run(["plan", "apply", out, "--yes"], at);
  assert.equal(applied.code, 0, applied.stderr);
  const drift = await run(
    ["drift", "--profiles", "CA,US", "--since", "-1h", "--plans", out, "--json"],
    at,
  );
  assert.equal(drift.code, 0, drift.stderr);
  const rows = JSON.parse(drift.stdout) as { country_code: string; by: string }[];
  assert.deepEqual(rows.map(({ country_code, by }) => [country_code, by.split(" ")[0]]), [["CA", "plan"]]);
  await Deno.remove(places.find((path) => path.includes("/US-"))!, { recursive: true });
  const differing = await run(["diff", folder, "--profiles", "CA,US"], at);
  assert.equal(differing.code, 3, differing.stderr);
  const partly = await run(["drift", "--profiles", "CA,US", "--state", folder, "--plans", out], at);
  assert.match(partly.stderr, /Profile \d+ \(US\): left out: There is no folder US-\d+/);
  assert.equal(partly.code, 3, "the folder of a profile is missing");
  assert.doesNotMatch(partly.stderr, /\(US\): (?!left out)/);
});

Deno.test("sheets of many profiles are pulled into a folder, and those with operations become one rollout", async () => {
  await using at = await world();
  const folder = `${at.folder}/sheets`;
  const line = ["--profiles", "CA,US,MX", "--product", "Sponsored Products"];
  const pulled = await run(["sheet", "pull", folder, ...line, "--json"], at);
  assert.equal(pulled.code, 0, pulled.stderr);
  const sheets = JSON.parse(pulled.stdout) as { country_code: string; file: string }[];
  assert.deepEqual(sheets.map(({ country_code }) => country_code), ["CA", "US", "MX"]);
  assert.equal((await run(["sheet", "pull", folder, ...line], at)).code, 2, "they are there already");

  const csv =
    "Product,Entity,Operation,Campaign Id,Campaign Name,Start Date,Targeting Type,State,Daily Budget\n" +
    "Sponsored Products,Campaign,create,new,Everywhere,20270301,manual,paused,20\n";
  for (const { file } of sheets.slice(0, 2)) {
    await Deno.writeTextFile(file.replace(".xlsx", ".csv"), csv);
    await Deno.remove(file);
  }
  await Deno.remove(sheets[2]!.file);
  const out = `${at.folder}/rollout`;
  const planned = await run(["sheet", "plan", folder, "--profiles", "CA,US,MX", "--out", out], at);
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stderr, /2 plans \(2 open\): 2 to create/);
  assert.match(planned.stderr, /1 left out: .* has no sheet for it/);

  const policy = `${at.folder}/policy.yaml`;
  await Deno.writeTextFile(policy, "version: 1\nmax_budget: { CA: 5, US: 100 }\n");
  const denied = ["sheet", "plan", folder, "--profiles", "CA,US,MX", "--policy", policy, "--skip-denied"];
  const allowed = await run([...denied, "--out", `${at.folder}/allowed`, "--json"], at);
  assert.match(allowed.stderr, /Left out 1, for example .*The policy denies it/);
  const { plans } = JSON.parse(await Deno.readTextFile(`${at.folder}/allowed/rollout.json`));
  assert.deepEqual(plans.map((one: { country_code: string }) => one.country_code), ["US"]);
});
