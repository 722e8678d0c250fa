import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import type { Comparison } from "../../src/store/mod.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

interface Keyword {
  readonly keywordId: string;
  readonly campaignId: string;
  readonly keywordText: string;
}

Deno.test("an outcome counts and names what plans and others changed, archived and left unstored in between", async () => {
  await using at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...at.env, PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite` };
  const run = async (line: string): Promise<{ stdout: string; stderr: string }> => {
    const done = await runCli(line.replaceAll("~", at.folder), { env, now: () => at.emulator.clock.now() });
    assert.equal(done.code, 0, `${line}\n${done.stdout}${done.stderr}`);
    return done;
  };
  let count = 0;
  const update = async (what: string, row: string): Promise<void> => {
    await at.write("one.csv", row);
    const name = `~/first/later${count++}.json`;
    await run(`plan update ${what} ~/one.csv -m US --touch-experiments --out ${name}`);
    await run(`plan apply ${name} --yes --accept-risk`);
  };
  const outcome = async (): Promise<{ comparison: Comparison; text: string }> => ({
    comparison: JSON.parse((await run("plan outcome ~/first/p.json --json")).stdout).comparison,
    text: (await run("plan outcome ~/first/p.json")).stderr,
  });

  await run("sync -m US --report sp_targeting --start -40");
  const listed: Keyword[] = JSON.parse(
    (await run("list keywords -m US --state enabled --limit 500 --json")).stdout,
  );
  const rows = listed.filter((_, at) => at % 4 === 0).slice(0, 40).map(({ keywordId }) =>
    `${keywordId},0.77`
  );
  await at.write("bids.csv", `id,bid\n${rows.join("\n")}\n`);
  await Deno.mkdir(`${at.folder}/first`);
  await run(
    "plan update keywords ~/bids.csv -m US --hold-back 40% --hold-back-unit keyword --seed s --out ~/first/p.json",
  );
  await run("sync -m US --entities");
  at.emulator.advance(60);
  await run("plan apply ~/first/p.json --yes --accept-risk");
  const plan = JSON.parse(await Deno.readTextFile(`${at.folder}/first/p.json`)) as {
    changes: { id: string }[];
    experiment: { held: string[] };
  };
  const early = await runCli(`plan held-back ${at.folder}/first/p.json`, {
    env,
    now: () => at.emulator.clock.now(),
  });
  assert.equal(early.code, 4, early.stderr);
  assert.match(
    early.stderr,
    /Cannot plan the held-back part of plan \S+: its experiment runs until 2026-10-28/,
  );
  const [heldByPlan, heldByOther, heldLate] = plan.experiment.held;
  const [again, gone, byOther, goneByOther] = plan.changes.map(({ id }) => id);
  const textOf = (id: string | undefined): string =>
    listed.find(({ keywordId }) => keywordId === id)?.keywordText ?? "";
  at.emulator.advance(5 * 86_400);

  await update("keywords", `id,bid\n${heldByPlan},0.51\n${again},0.52\n`);
  await run(`plan archive keywords ${gone} -m US --out ~/first/gone.json`);
  await run("plan apply ~/first/gone.json --yes --accept-risk");
  const campaignOf = (id: string | undefined): string | undefined =>
    listed.find(({ keywordId }) => keywordId === id)?.campaignId;
  const campaignId = campaignOf(again);
  const otherCampaign = plan.changes.map(({ id }) => campaignOf(id)).find((id) => id !== campaignId);
  await update("campaigns", `id,budget.budget\n${campaignId},31\n`);
  // Somebody else does so too, outside of plans.
  const { credentials, platform } = at.emulator;
  const us = await new PlatformAds(credentials, { platform, now: () => at.emulator.clock.now() }).profile(
    "US",
  );
  await us.sp.keywords.update([
    { keywordId: heldByOther!, bid: 0.61 },
    { keywordId: byOther!, bid: 0.62 },
  ]);
  await us.sp.keywords.delete([goneByOther!]);
  await us.sp.campaigns.update([{ campaignId: otherCampaign!, budget: { budget: 47, budgetType: "DAILY" } }]);
  at.emulator.advance(3600);
  await run("sync -m US --entities");

  at.emulator.advance(40 * 86_400);
  const missing = await outcome();
  assert.equal(missing.comparison.missing.length, 1);
  assert.match(
    missing.text,
    /\nNot known: Days are not stored: targeting from 2026-\d\d-\d\d to 2026-\d\d-\d\d\. Sync/,
  );
  // What happens after the end of the experiment spoils nothing.
  await update("keywords", `id,bid\n${heldLate},0.53\n`);
  await run("sync -m US --report sp_targeting --entities --start -49");
  const { comparison, text } = await outcome();
  const sorted = (...ids: (string | undefined)[]): (string | undefined)[] => ids.sort();
  assert.deepEqual(comparison.voided, sorted(heldByPlan, heldByOther));
  assert.deepEqual(comparison.changed_again, sorted(again, gone));
  assert.deepEqual(comparison.changed_by_others, sorted(heldByOther, byOther, goneByOther));
  assert.deepEqual(comparison.archived, sorted(gone, goneByOther));
  assert.deepEqual(comparison.budgets_changed, sorted(campaignId, otherCampaign));
  assert.equal(comparison.held, plan.experiment.held.length - 2);
  assert.equal(comparison.missing.length, 0);
  for (
    const line of [
      /\n {2}2 held back but changed since, and not counted: /,
      /\n {2}2 changed again by later plans: /,
      /\n {2}3 changed by others, outside of plans: /,
      /\n {2}2 archived since: /,
      /\n {2}2 of their campaigns got another budget in between: /,
    ]
  ) assert.match(text, line);
  // What was held back is planned too, but for what was changed in the meantime.
  const rest = await run("plan held-back ~/first/p.json --out ~/rest.json");
  assert.match(rest.stdout, /3 left out, changed since: /);
  const { changes } = JSON.parse(await Deno.readTextFile(`${at.folder}/rest.json`)) as typeof plan;
  const changed = new Set([heldByPlan, heldByOther, heldLate]);
  assert.deepEqual(
    changes.map(({ id }) => id).sort(),
    plan.experiment.held.filter((id) => !changed.has(id)).sort(),
  );
  assert.ok(text.includes(`"${textOf(byOther)}" (EXACT) (${byOther})`), text);
});
