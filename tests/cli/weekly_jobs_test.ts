import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

async function world(): Promise<Emulated> {
  return await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
}

function writes({ emulator }: Emulated): number {
  return emulator.requests().filter(({ method, path }) =>
    ["POST", "PUT", "DELETE"].includes(method) && !/\/(list|reports|token|usage|history)$/.test(path)
  ).length;
}

const BIDS = ["plan", "bids", "-m", "CA", "--where", "acos30d < 0.20 && clicks30d >= 10", "--change", "+10%"];

Deno.test("plan bids fetches what the store lacks, says what it left out and why, and saves a plan that applies", async () => {
  await using at = await world();
  const store = `${at.folder}/ads.sqlite`;
  const out = `${at.folder}/plan.json`;
  const line = [...BIDS, "--max", "2.50", "--store", store, "--out", out];
  const made = await runCli(line, { ...at, now });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /The store lacks sp_targeting from 2026-08-31 to 2026-09-29: fetching/);
  assert.match(made.stderr, /Figures: sp_targeting, sb_targeting, 2026-08-31 to 2026-09-29/);
  assert.match(
    made.stderr,
    /Looked at \d+: \d+ changes, \d+ left out\n {2}\d+ {2}It does not meet the condition/,
  );
  assert.match(made.stdout, /Plan: 0 to create, \d+ to change, 0 to archive/);
  assert.equal(writes(at), 0);

  const again = await runCli([...line, "--no-sync", "--json"], { ...at, now });
  assert.equal(again.code, 0, again.stderr);
  const data = JSON.parse(again.stdout);
  assert.equal(data.figures.last_day, "2026-09-29");
  assert.equal(data.left_out.length + data.counts.update, data.considered);
  assert.equal(
    data.left_out_counts.no_match,
    data.left_out.filter((one: { reason: string }) => one.reason === "no_match").length,
  );

  const applied = await runCli(["plan", "apply", out, "--yes"], at);
  assert.equal(applied.code, 0, applied.stderr);
});

Deno.test("plan bids refuses a misspelt figure with the nearest name before it asks anything", async () => {
  await using at = await world();
  const { code, stderr } = await runCli(
    ["plan", "bids", "-m", "CA", "--where", "acos31d < 0.2", "--change", "+10%"],
    at,
  );
  assert.equal(code, 2);
  assert.match(stderr, /"acos31d" is not known\. Did you mean "acos30d"\?/);
  assert.equal(at.emulator.requests().length, 0);
});

Deno.test("plan bids whose condition nothing meets says so and ends with 0", async () => {
  await using at = await world();
  const line = ["plan", "bids", "-m", "CA", "--where", "clicks7d > 100000", "--change", "+10%"];
  const { code, stderr } = await runCli([...line, "--store", `${at.folder}/ads.sqlite`], {
    ...at,
    now,
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Nothing to change, so no plan was saved/);
});
