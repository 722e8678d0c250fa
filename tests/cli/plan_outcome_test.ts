import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

interface Keyword {
  readonly keywordId: string;
  readonly bid: number;
}

Deno.test("a week after a plan, plan outcome shows each change before and after, and how the estimate did", async () => {
  await using world = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...world.env, PLATFORM_ADS_STORE: `${world.folder}/ads.sqlite` };
  const run = (line: string): Promise<CliRun> => runCli(line, { env, now: () => world.emulator.clock.now() });
  const listed = await run("list keywords -m US --state enabled --json --limit 60");
  const keywords = (JSON.parse(listed.stdout) as Keyword[]).filter(({ bid }) => bid > 0).slice(0, 20);
  assert.equal((await run("sync -m US --report sp_targeting --start -40")).code, 0);
  const rows = keywords.map(({ keywordId, bid }) => `${keywordId},${(bid * 1.3).toFixed(2)}`);
  const file = await world.write("bids.csv", ["id,bid", ...rows].join("\n"));
  const plan = `${world.folder}/plan.json`;
  assert.equal((await run(`plan update keywords ${file} -m US --out ${plan}`)).code, 0);

  const early = await run(`plan outcome ${plan}`);
  assert.equal(early.code, 4);
  assert.match(early.stderr, /it was not fully applied/);
  assert.equal((await run(`plan apply ${plan} --yes --accept-risk`)).code, 0);
  const sameDay = await run(`plan outcome ${plan}`);
  assert.equal(sameDay.code, 2);
  assert.match(sameDay.stderr, /no complete day has passed since\. Sync the store on a later day/);

  world.emulator.advance(8 * 86_400);
  const notStored = await run(`plan outcome ${plan}`);
  assert.equal(notStored.code, 0);
  assert.match(notStored.stderr, /20 of 20 changes have no figures: their days are not all stored/);
  assert.match(notStored.stderr, /Daily spend: unknown.*cannot be compared/);

  assert.equal((await run("sync -m US --report sp_targeting --start -10")).code, 0);
  const shown = await run(`plan outcome ${plan}`);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    shown.stderr,
    /2026-09-23 to 2026-09-29 against 2026-10-01 to 2026-10-07 \(7 days each\)\n.*7 of the days after are immature/,
  );
  assert.match(
    shown.stderr,
    /Daily spend: [+-][\d.]+, estimated [+-][\d.]+ to \+[\d.]+ USD: (within|above|below)/,
  );
  assert.equal(shown.stdout.trim().split("\n").length, 21, "a header and a row for each change, in a pipe");

  const data = JSON.parse((await run(`plan outcome ${plan} --json --days 5`)).stdout);
  assert.deepEqual([data.days, data.after.end, data.immature], [5, "2026-10-05", {
    from: "2026-10-01",
    days: 5,
  }]);
  assert.equal(data.changes.length, 20);
  assert.ok(data.changes.some(({ after }: { after: { clicks: number } }) => after.clicks > 0));
  const { actual, measured } = data.estimate;
  assert.equal(measured, 20);
  const sum = data.changes.reduce(
    (total: number, { before, after }: { before: { cost: number }; after: { cost: number } }) =>
      total + (after.cost - before.cost) / 5,
    0,
  );
  assert.ok(Math.abs(actual - sum) < 1e-6);
});
