import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

const PROFILES = 8;

Deno.test("a rollout holds whole profiles back, leaves them alone, and is compared with them", async () => {
  await using at = await emulated({
    profiles: PROFILES,
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...at.env, PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite` };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("@", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stderr}`);
    return done;
  };
  const bids = "plan bids --entity keywords --no-sync --where clicks14d>=2 --change +100% --hold-back";
  await run("sync --all-profiles --report sp_targeting --start -15");
  for (
    const [line, message] of [
      [
        `${bids} 10% --all-profiles --out @/few`,
        /10 % of 8 profiles: too few for a random split.*--hold-back-unit keyword/,
      ],
      [
        `${bids} 25% --hold-back-unit profile -m 141810961081710`,
        /Cannot hold back whole profiles in one plan/,
      ],
      [`${bids} 100% --all-profiles`, /not a share such as 25%/],
    ] as const
  ) {
    const refused = await tried(line);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, message);
  }

  const made = await run(`${bids} 38% --seed s --all-profiles --out @/r`);
  assert.match(made.stderr, /\nHeld back for comparison: 3 of 8 profiles for 4 weeks\. Units are profiles/);
  assert.match(made.stderr, /\n3 left out: Held back for comparison\n/);
  assert.match(made.stderr, /\nCannot measure power over 4 weeks: .* lacks targeting of 8 profiles from/);
  const within = await run(`${bids} 25% --hold-back-unit keyword --profiles JP,AU --out @/within`);
  assert.match(
    within.stderr,
    /\n2 plans \(2 open\).*\nHeld back for comparison: \d+ of \d+ keywords and targets for 4 weeks/,
  );
  const { plans, left_out: held } = JSON.parse(await Deno.readTextFile(`${at.folder}/r/rollout.json`));
  assert.deepEqual([plans.length, held.length], [5, 3]);
  const view = await run(`plan show @/r/plan-${plans[0].plan_id}.json`);
  assert.match(view.stdout, /Held back for comparison: 3 of 8 profiles for 4 weeks/);
  const id = held[0].profile_id;
  const bidsOf = async (profile: string): Promise<string> =>
    (await run(`list keywords -m ${profile} --limit 5000 --fields keywordId,bid --json`)).stdout;
  const [left, changed] = [await bidsOf(id), await bidsOf(plans[0].profile_id)];
  await run("sync --all-profiles --entities");
  at.emulator.advance(60);
  await run("plan apply @/r --yes --accept-risk");
  assert.equal(await bidsOf(id), left);
  assert.notEqual(await bidsOf(plans[0].profile_id), changed);

  const alone = await tried(`${bids.replace(" --hold-back", "")} --profiles ${id} --out @/alone`);
  assert.match(alone.stderr, /0 plans \(none\)/, `${alone.stdout}${alone.stderr}`);
  const listed = JSON.parse((await run("plan experiments @/r --json")).stdout);
  assert.deepEqual(
    listed.map((
      { type, state, held, units, plan }: Record<string, unknown>,
    ) => [type, state, held, units, plan]),
    [["rollout", "running", 3, "8 profiles", `${at.folder}/r`]],
  );

  // Somebody else changes a bid in a profile that is held back, outside of plans.
  at.emulator.advance(5 * 86_400);
  const { credentials, platform } = at.emulator;
  const ads = new PlatformAds(credentials, { platform, now: () => at.emulator.clock.now() });
  const [keyword] = JSON.parse(await bidsOf(id)) as { keywordId: string }[];
  await (await ads.profile(id)).sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.83 }]);
  at.emulator.advance(3600);
  await run("sync --all-profiles --entities");
  at.emulator.advance(45 * 86_400);
  await run("sync --all-profiles --report sp_campaigns --start -80");
  const outcome = JSON.parse((await run("plan outcome @/r --figure cost --json")).stdout);
  const { comparison, verdict } = outcome;
  assert.equal(verdict, "more", comparison.reason);
  assert.deepEqual([comparison.treated, comparison.held, comparison.unit], [5, 3, "profile"]);
  assert.deepEqual(
    [comparison.changed_by_others, comparison.voided, comparison.others_known_until],
    [[id], [], "2026-11-19"],
  );
  const shown = await run("plan outcome @/r --figure cost");
  assert.match(
    shown.stderr,
    /\nMore: \+\d+ % cost, between .*\n {2}5 profiles changed against 3 held back, 2026-09-02 to 2026-09-29/,
  );
  assert.match((await run("plan power @/r --figure clicks")).stdout, /with 38 % of 8 profiles held back/);
  assert.match((await run("plan power @/r --figure clicks --effect -5%")).stdout, / to find -5 % clicks /);
  assert.match(
    (await run(`plan outcome @/r/plan-${plans[0].plan_id}.json`)).stderr,
    /Not known: .* outcome of its folder/,
  );
  assert.equal(JSON.parse((await run("plan experiments @/r --json")).stdout)[0].state, "ended");
});
