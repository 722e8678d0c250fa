import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const CLOCK = { now: "2026-09-30T19:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

Deno.test("a file of pacing is written, checked, shown as a line, planned and run", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const io = { ...at, now };
  const store = ["-m", "US", "--store", `${at.folder}/ads.sqlite`];
  const run = async (...line: string[]) => await runCli(line, io);
  const file = `${at.folder}/pacing.yaml`;
  assert.equal((await run("auto", "init", "pacing", "--out", file)).code, 0);
  assert.match((await run("auto", "check", "pacing", file)).stderr, /1 amount \(all: alert\), no mistakes/);
  assert.match((await run("auto", "init", "pacing", "--out", file)).stderr, /already exists/);
  await run("sync", ...store, "--report", "sp_campaigns,sb_campaigns,sd_campaigns", "--start", "-31");

  const shown = await run("auto", "show", "pacing", file, ...store);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^all: [\d.]+ of 3000\.00 USD \(\d+ %\), 2026-09-01 to 2026-09-30\n/);
  assert.match(shown.stdout, /Forecast [\d.]+, between [\d.]+ and [\d.]+\n/);
  assert.ok(shown.stdout.split("\n").every((line) => line.length <= 80), shown.stdout);
  assert.doesNotMatch(shown.stdout, /by day/);
  const drawn = await runCli(["auto", "show", "pacing", file, ...store], { ...io, terminal: 50 });
  assert.match(drawn.stdout, /Spend by day: [▁-█]{29}\n/);
  assert.ok(drawn.stdout.split("\n").every((line) => line.length <= 50), drawn.stdout);
  const [data] = JSON.parse((await run("auto", "show", "pacing", file, ...store, "--json")).stdout);
  assert.equal(data.line.length, 30);
  assert.ok(data.spent > 3000 && data.line[28].actual > 3000 && data.line[29].actual === null);

  const planned = await run("auto", "plan", "pacing", file, ...store, "--out", `${at.folder}/plan.json`);
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /Note: Pacing: all\n/);
  assert.match(planned.stderr, /Nothing was sent/);
  const ran = await run("auto", "run", "pacing", file, ...store);
  assert.equal(ran.code, 3, "a new alert");
  assert.match(ran.stdout, /^URGENT US: all has spent/m);
  const again = await run("auto", "run", "pacing", file, ...store);
  assert.deepEqual([again.code, again.stdout], [0, ""]);
  assert.match(again.stderr, /No new alerts, no changes needed/);
  assert.ok(at.emulator.requests().every(({ method }) => method !== "PUT"), "over is alert");
});

Deno.test("a bad file of pacing is refused with file and line before anything is sent", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("p.yaml", "version: 1\nbudgets:\n  a:\n    amount: 0\n    over: stop\n");
  const { code, stderr } = await runCli(["auto", "run", "pacing", file, "-m", "US"], { ...at, now });
  assert.equal(code, 2);
  assert.match(stderr, /p\.yaml:4: budgets\.a\.amount: Expected an amount above 0/);
  assert.match(stderr, /p\.yaml:5: budgets\.a\.over: Expected alert, lower or pause/);
  assert.equal(at.emulator.requests().length, 0);
});

Deno.test("a plan of pacing ends with 3 while one of its amounts is not judged", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const store = ["-m", "US", "--store", `${at.folder}/ads.sqlite`];
  const run = async (...line: string[]) => await runCli(line, { ...at, now });
  await run("sync", ...store, "--report", "sp_campaigns,sb_campaigns,sd_campaigns", "--start", "-31");
  const all = "  all: { amount: 3000 }\n";
  const past = "  past: { amount: 10, from: 2026-01-01, to: 2026-01-31, select: { names: ['SP *'] } }\n";
  const plan = async (budgets: string): Promise<readonly [code: number, stderr: string]> => {
    const file = await at.write("p.yaml", `version: 1\nbudgets:\n${budgets}`);
    const { code, stderr } = await run(
      "auto",
      "plan",
      "pacing",
      file,
      ...store,
      "--out",
      `${at.folder}/p.json`,
    );
    assert.match(stderr, /Nothing was sent/);
    return [code, stderr];
  };
  assert.equal((await plan(all))[0], 0);
  const [code, stderr] = await plan(all + past);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /past: today is outside of its dates/);
});
