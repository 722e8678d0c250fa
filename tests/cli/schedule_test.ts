import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

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
  assert.match((await run("check", file)).stderr, /1 schedule \(mornings\), nothing wrong/);
  const map = (await run("show", file)).stdout;
  assert.ok(map.split("\n").every((line) => line.length <= 80), map);
  assert.match(map, /Mon( {2}·){12} {2}a( {2}·){11}\n/);

  const dry = await run("tick", file, "-m", "US", ...store, "--dry-run");
  assert.match(dry.stdout, /bid \S+ → \S+ {2}-\d+\.\d+ \(-\d/);
  assert.match(dry.stdout, /schedule mornings, wed 12:00: base [\d.]+ × 0\.5/);
  assert.equal(writes(at), 0, "a dry run sends nothing");
  assert.match(
    (await run("status", file, "-m", "US", ...store, "--json")).stdout,
    /^\[\]/,
    "and keeps nothing",
  );

  assert.match((await run("start", file, "-m", "US", ...store, "--yes")).stdout, /succeeded, 0 failed/);
  const sent = writes(at);
  assert.ok(sent > 0);
  assert.match((await run("tick", file, "-m", "US", ...store)).stdout, /^Nothing to do: \d+ of \d+ things/);
  assert.equal(writes(at), sent);
  const bases = JSON.parse((await run("status", file, "-m", "US", ...store, "--json")).stdout);
  assert.ok(bases.length > 10);
  for (const { base, live, factor, state } of bases) {
    assert.deepEqual([factor, state], [0.5, "moved"]);
    assert.ok(live <= base);
  }
  const [{ id }] = bases;
  assert.match((await run("base", id, "-m", "US", ...store, "--set", "2")).stderr, /base 2, moved again/);
  await run("stop", "-m", "US", ...store, "--yes");
  assert.match((await run("tick", file, "-m", "US", ...store)).stdout, /no schedule moves anything now/);
});

Deno.test("a bad file of schedules is refused whole with file and line, and an existing one is never overwritten", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("bad.yaml", FILE.replace("bid", "bids").replace("12-13", "12-11"));
  const { code, stderr } = await runCli(["schedule", "tick", file, "-m", "US"], { ...at, now });
  assert.equal(code, 2);
  assert.match(stderr, /bad\.yaml:5: schedules\.mornings\.move: Expected bid, budget/);
  assert.match(stderr, /bad\.yaml:7: schedules\.mornings\.grid\.0\.hours: .*end before they begin/);
  assert.equal(at.emulator.requests().length, 0);
  const again = await runCli(["schedule", "init", "--out", file], { ...at, now });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /there is such a file already/);
  const made = `${at.folder}/new.yaml`;
  assert.equal((await runCli(["schedule", "init", "--out", made], { ...at, now })).code, 0);
  assert.equal(
    (await runCli(["schedule", "check", made], { ...at, now })).code,
    0,
    "what init writes has no fault",
  );
});
