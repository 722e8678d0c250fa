import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { sentIn } from "../support/plan_words.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

const FILE = `version: 1
schedules:
  mornings:
    select: { names: ["SP | Trail Tent*"] }
    move: bid
    zone: UTC
    grid: [{ hours: "12-13", factor: 0.5 }]
`;

function writes({ emulator }: Emulated): number {
  return emulator.requests().filter(({ method }) => method === "PUT").length;
}

Deno.test("schedules are checked, drawn, started, ticked, shown and stopped", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("schedules.yaml", FILE);
  const io = { ...at, now };
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const run = async (...line: string[]) => {
    const done = await runCli(["schedule", ...line], io);
    assert.equal(done.code, 0, done.stderr);
    return done;
  };
  assert.match((await run("check", file)).stderr, /1 schedule \(mornings\), no mistakes/);
  const map = (await run("show", file)).stdout;
  assert.ok(map.split("\n").every((line) => line.length <= 80), map);
  assert.match(map, /Mon( {2}·){12} {2}a( {2}·){11}\n/);

  const dry = await run("run", file, "-m", "US", ...store, "--dry-run");
  assert.match(dry.stdout, /bid \S+ → \S+ {2}-\d+\.\d+ \(-\d/);
  assert.match(dry.stdout, /schedule mornings, wed 12:00: base [\d.]+ × 0\.5/);
  assert.equal(writes(at), 0, "a dry run sends nothing");
  assert.match(
    (await run("status", file, "-m", "US", ...store, "--json")).stdout,
    /^\[\]/,
    "and keeps nothing",
  );

  const [succeeded, failed] = sentIn((await run("start", file, "-m", "US", ...store, "--yes")).stdout);
  assert.ok(succeeded > 0 && failed === 0);
  const sent = writes(at);
  assert.ok(sent > 0);
  assert.match(
    (await run("run", file, "-m", "US", ...store)).stdout,
    /^Nothing to do: \d+ of \d+ scheduled values/,
  );
  assert.equal(writes(at), sent);
  const bases = JSON.parse((await run("status", file, "-m", "US", ...store, "--json")).stdout);
  assert.ok(bases.length > 10);
  for (const { base, live, factor, state } of bases) {
    assert.deepEqual([factor, state], [0.5, "moved"]);
    assert.ok(live <= base);
  }
  const others = await at.write("others.yaml", FILE.replace("mornings", "others"));
  for (const mode of [[], ["--history"]]) {
    const { stdout } = await run("status", others, "-m", "US", ...store, ...mode, "--json");
    assert.equal(stdout.trim(), "[]", "the file has none of them");
  }
  const [{ id }] = bases;
  const late = await runCli(["auto", "status", "schedules", "-m", "US", ...store], {
    ...at,
    now: () => now() + 48 * 3_600_000,
  });
  assert.match(late.stderr, /No run for 48 hours: the last written values stay\./);
  assert.match(late.stderr, /on: platform needs no runs, and expires: 1d restores bases/);
  const fine = await runCli(["auto", "base", id, "-m", "US", ...store, "--set", "0.975"], io);
  assert.equal(fine.code, 2);
  assert.match(fine.stderr, /Cannot use 0\.975 as a base: amounts of bid in US have 2 decimals/);
  assert.match((await run("base", id, "-m", "US", ...store, "--set", "2")).stderr, /base 2, scheduled again/);
  const none = await at.write(
    "none.yaml",
    FILE.replace("mornings", "evenings").replace("Trail Tent", "No Tent"),
  );
  assert.match(
    (await run("run", none, "-m", "US", ...store, "--dry-run")).stderr,
    /evenings selects nothing/,
  );
  const other = await runCli(["auto", "stop", "morning", "-m", "US", ...store, "--yes"], io);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /Cannot stop schedule "morning": .* these have: mornings/);
  await run("stop", "-m", "US", ...store, "--yes");
  assert.match((await run("run", file, "-m", "US", ...store)).stdout, /no schedule is active now/);
});

Deno.test("a bad file of schedules is refused whole with file and line, and an existing one is never overwritten", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("bad.yaml", FILE.replace("bid", "bids").replace("12-13", "12-11"));
  const { code, stderr } = await runCli(["auto", "run", "schedules", file, "-m", "US"], { ...at, now });
  assert.equal(code, 2);
  assert.match(stderr, /bad\.yaml:5: schedules\.mornings\.move: Expected bid, budget/);
  assert.match(stderr, /bad\.yaml:7: schedules\.mornings\.grid\.0\.hours: .*end before they begin/);
  assert.equal(at.emulator.requests().length, 0);
  const again = await runCli(["auto", "init", "schedules", "--out", file], { ...at, now });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /already exists/);
  const made = `${at.folder}/new.yaml`;
  assert.equal((await runCli(["auto", "init", "schedules", "--out", made], { ...at, now })).code, 0);
  assert.equal(
    (await runCli(["auto", "check", "schedules", made], { ...at, now })).code,
    0,
    "what init writes has no fault",
  );
});

long();
Deno.test("a week of schedules is planned per campaign, and a learned grid is written only when that is wanted", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const io = { ...at, now };
  const store = ["-m", "US", "--store", `${at.folder}/ads.sqlite`];
  const file = await at.write("schedules.yaml", FILE.replace("Trail Tent*", "*"));
  await runCli(["sync", ...store, "--report", "sp_campaigns", "--start", "-31"], io);
  const planned = await runCli(["auto", "plan", "schedules", file, ...store, "--json"], io);
  assert.equal(planned.code, 0, planned.stderr);
  const rows = JSON.parse(planned.stdout);
  assert.ok(rows.length > 3);
  for (const { low, high, writes, things, risk_week: risk } of rows) {
    assert.ok(low < high && writes > 0 && writes <= 14 * things);
    assert.equal(risk, 0, "nothing is raised");
  }
  const before = await Deno.readTextFile(file);
  const drawn = await runCli(["auto", "learn", "mornings", file, ...store], io);
  assert.equal(drawn.code, 0, drawn.stderr);
  assert.match(drawn.stdout, /grid:\n +# learned from hours of new reports/);
  assert.match(drawn.stderr, /Nothing was written/);
  assert.equal(await Deno.readTextFile(file), before);
  await runCli(["auto", "learn", "mornings", file, ...store, "--write", "--cap", "10%"], io);
  assert.match(await Deno.readTextFile(file), /# \d+ clicks, conversion rate [\d.]+ %, overall [\d.]+ %/);
  assert.equal((await runCli(["auto", "check", "schedules", file], io)).code, 0);
  assert.equal(writes(at), 0);
  const unknown = await runCli(["auto", "learn", "noons", file, ...store], io);
  assert.deepEqual([unknown.code, /has no schedule "noons"/.test(unknown.stderr)], [2, true]);
});

long();
Deno.test("a grid is not learned from days before a change of the budget, unless it is asked for again", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const file = await at.write("schedules.yaml", FILE);
  const ads = new PlatformAds(at.emulator.credentials, { platform: at.emulator.platform, now });
  const us = await ads.profile("US");
  const campaigns = (await us.sp.campaigns.list()).filter(({ name }) => name.startsWith("SP | Trail Tent"));
  const [one, ...others] = campaigns;
  const raise = async (some: typeof campaigns) =>
    await us.sp.campaigns.update(
      some.map(({ campaignId, budget }) => ({ campaignId, budget: { budget: budget.budget + 1 } })),
    );
  const learn = async (...line: string[]) =>
    await runCli(["auto", "learn", "mornings", file, "-m", "US", ...line], { ...at, now });
  await raise([one!]);
  const rest = await learn();
  assert.equal(rest.code, 0, rest.stderr);
  assert.match(rest.stderr, /1 campaigns? left out: changed on 30 sept, judged again from 31 oct/i);
  await raise(others);
  const none = await learn();
  assert.equal(none.code, 2);
  assert.match(none.stderr, /Cannot learn "mornings": budgets or states of all its campaigns were changed/);
  assert.equal((await learn("--again")).code, 0);
});

Deno.test("what the platform cannot carry out is a fault of the file, with its line", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("p.yaml", FILE.replace("    zone: UTC\n", "    on: platform\n    max: 3\n"));
  const { code, stderr } = await runCli(["auto", "check", "schedules", file], { ...at, now });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /p\.yaml:6: schedules\.mornings\.on: a platform rule raises all bids .* min and max cannot apply\. Write on: worker/,
  );
});
