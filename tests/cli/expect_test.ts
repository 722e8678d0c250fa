import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

Deno.test("what a plan's bids let expect is known from the bids that own plans changed, and unknown before", async () => {
  await using at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = {
    ...at.env,
    PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite`,
    PLATFORM_ADS_MCP_PLAN_DIR: at.folder,
  };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("@", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stderr}`);
    return done;
  };
  const bids =
    "plan bids -m US --entity keywords,targets --no-sync --where clicks30d>=5&&clicks30d<=15 --change";
  await run("sync -m US --report sp_targeting --start -60");
  const first = await run(`${bids} +60% --out @/first.json`);
  assert.match(first.stdout, /; see plan show --why\n/);
  assert.match(
    (await run("plan show @/first.json --why")).stdout,
    /bids between no effect and the squared bid ratio .*response to bids is unknown: 0 bid changes by plans/,
  );
  const before = await run("plan outcome @/first.json --expect");
  assert.match(
    before.stdout,
    /^Unknown: 0 bid changes by plans, .*; 30 changes to 10 are needed\nEstimate of the plan: /,
  );

  await run("plan apply @/first.json --yes --accept-risk");
  at.emulator.advance(40 * 86_400);
  await run("sync -m US --report sp_targeting --start -44");
  await run(`${bids} +20% --out @/second.json`);
  assert.match(
    (await run("plan show @/second.json --why")).stdout,
    /bids by the account's own response to \d+ changes: spend follows a bid to the power of 1\.\d\d/,
  );
  const expected = JSON.parse((await run("plan outcome @/second.json --expect --json")).stdout);
  assert.equal(expected.verdict, "known");
  assert.ok(expected.changes_used >= 30);
  // The emulator's market: clicks follow the bid to the power of 0.6, and each costs in proportion to it.
  for (const [figure, truth] of Object.entries({ clicks: 0.6, cpc: 1, spend: 1.6 })) {
    const { value, low, high } = expected.exponents[figure];
    assert.ok(
      Math.abs(value - truth) < 0.4 && low < high,
      `${figure}: ${value} (${low} to ${high}), in truth ${truth}`,
    );
  }
  const { clicks_per_day: clicks, cost_per_day: cost } = expected;
  assert.ok(clicks.low <= clicks.value && clicks.value <= clicks.high && clicks.value > clicks.before);
  assert.ok(cost.value / cost.before > clicks.value / clicks.before);
  assert.match(
    (await run("plan outcome @/second.json --expect")).stdout,
    /^Expected from \d+ bid changes by plans: .*\n {2}Clicks a day: .* now, .* expected \(.* to .*\)\n {2}Spend a day: .* USD\n/,
  );
  const refused = await tried("plan outcome @/second.json --expect --days 3");
  assert.equal(refused.code, 2);

  // What a copy of the account answers is no evidence, however many changes it saw.
  await run("account rehearse pull -m US --out @/copy.json");
  const rehearsed = await tried("plan outcome @/second.json --expect --rehearse @/copy.json");
  assert.match(
    rehearsed.stdout + rehearsed.stderr,
    /a copy of an account answers is no evidence|Cannot find store/,
  );
});
