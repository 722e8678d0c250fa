import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

interface Change {
  readonly id: string;
}
interface Drifted {
  readonly id: string;
  readonly held_by: string | null;
  readonly note: string;
}
interface PlanData {
  readonly changes: readonly Change[];
  readonly experiment: { readonly held: string[]; readonly unit: string; readonly seed: string };
}

/** The store after a sync of 60 days, which every test begins with: their accounts are the same. */
let synced: Uint8Array | undefined;

/** An account with sixty days of stored figures, and a way to run commands on it. */
async function world() {
  const at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = {
    ...at.env,
    PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite`,
    // The folder of the tool server is always known.
    PLATFORM_ADS_MCP_PLAN_DIR: `${at.folder}/elsewhere`,
  };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("@", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stdout}${done.stderr}`);
    return done;
  };
  const planOf = async (name: string) =>
    JSON.parse(await Deno.readTextFile(`${at.folder}/${name}`)) as PlanData;
  if (synced === undefined) {
    await run(`${SYNC} -60`);
    synced = await Deno.readFile(env.PLATFORM_ADS_STORE);
  } else await Deno.writeFile(env.PLATFORM_ADS_STORE, synced);
  return { at, run, tried, planOf, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

const BIDS = "plan bids -m US --entity keywords,targets --no-sync";
const SYNC = "sync -m US --report sp_targeting --start";

Deno.test("an experiment over four weeks finds what bids do to clicks and their cost, and touches nothing that it holds back", async () => {
  await using place = await world();
  const { at, run, tried, planOf } = place;
  const made = await run(
    `${BIDS} --where clicks30d>=3 --change +60% --hold-back 40% --hold-back-unit keyword --seed four-weeks --out @/p.json`,
  );
  assert.match(made.stdout, /Held back for comparison: (\d+) of (\d+) keywords and targets for 4 weeks\./);
  assert.match(
    made.stderr,
    /% chance to find \+10 % sales in 4 weeks, with 40 % of \d+ keywords and targets held back/,
  );
  const { experiment, changes } = await planOf("p.json");
  assert.ok(experiment.held.length > 30 && changes.length > 50);
  assert.ok(changes.every(({ id }) => !experiment.held.includes(id)));

  // The platform's own state before and after: nobody touches what is held back.
  const bids = async (): Promise<Map<string, number>> => {
    const { stdout } = await run("list keywords -m US --limit 5000 --json");
    return new Map(
      (JSON.parse(stdout) as { keywordId: string; bid: number }[]).map(({ keywordId, bid }) =>
        [keywordId, bid] as const
      ),
    );
  };
  const before = await bids();
  await run(`plan apply @/p.json --yes --accept-risk`);
  const after = await bids();
  const held = new Set(experiment.held);
  assert.ok([...held].some((id) => before.has(id)));
  for (const id of held) assert.equal(after.get(id), before.get(id));
  assert.ok(changes.some(({ id }) => (after.get(id) ?? 0) > (before.get(id) ?? 0) * 1.5));

  const listed = await run("plan experiments @ --json");
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ state, until, held }: Record<string, unknown>) => ({
      state,
      until,
      held,
    })),
    [{ state: "running", until: "2026-10-28", held: experiment.held.length }],
  );
  at.emulator.advance(10 * 86_400);
  await run(`${SYNC} -11`);
  assert.match((await run("plan outcome @/p.json")).stderr, /Too early: .* ask again from 2026-10-22 on/);

  at.emulator.advance(36 * 86_400);
  await run(`${SYNC} -60`);
  const shown = await run("plan outcome @/p.json --figure cost");
  assert.match(shown.stderr, /\nMore: \+\d+ % cost, between \+\d+ % and \+\d+ % with 95 % confidence\n/);
  const outcome = JSON.parse((await run("plan outcome @/p.json --margin 30% --json")).stdout);
  const { effects, profit_per_day: profit, held: heldUnits, treated } = outcome.comparison;
  assert.deepEqual([heldUnits, treated], [experiment.held.length, changes.length]);
  // The emulator's market: clicks follow the bid to the power of 0.6, and each costs in proportion to it.
  const truth = { clicks: 1.6 ** 0.6 - 1, cost: 1.6 ** 1.6 - 1, acos: 0.6 };
  for (const [figure, value] of Object.entries(truth)) {
    assert.ok(
      effects[figure].low < value && effects[figure].high > value && effects[figure].low > 0,
      `${figure} ${JSON.stringify(effects[figure])}, in truth ${value}`,
    );
  }
  assert.ok(profit.high < 0, JSON.stringify(profit));
  // Sales of so few orders cannot show a third more: their interval is wide, and the answer is not "more".
  assert.ok(["no_difference", "too_small"].includes(outcome.verdict), outcome.comparison.reason);
  const ended = JSON.parse((await run("plan experiments @ --json")).stdout);
  assert.equal(ended[0].state, "ended");
  const bad = await tried("plan outcome @/p.json --figure profit");
  assert.equal(bad.code, 2);
});

Deno.test("an experiment over four weeks with a change that does nothing finds no difference", async () => {
  await using place = await world();
  const { at, run, tried, planOf } = place;
  // A cent more for every second keyword and a cent less for the others: together they bring what they brought before.
  const keywords: { keywordId: string; bid?: number }[] = JSON.parse(
    (await run("list keywords -m US --state enabled --limit 5000 --json")).stdout,
  );
  const rows = keywords.flatMap(({ keywordId, bid }, at) =>
    bid === undefined ? [] : [`${keywordId},${(bid + (at % 2 === 0 ? 0.01 : -0.01)).toFixed(2)}`]
  );
  await at.write("bids.csv", `id,bid\n${rows.join("\n")}\n`);
  await run(
    "plan update keywords @/bids.csv -m US --hold-back 50% --hold-back-unit keyword --seed nothing --out @/p.json",
  );
  const { experiment, changes } = await planOf("p.json");
  // What is in an archived ad group is left out.
  assert.ok([0, 3].includes((await tried("plan apply @/p.json --yes --accept-risk")).code));
  at.emulator.advance(46 * 86_400);
  // The days since the first sync, and those before it whose clicks could still change.
  await run(`${SYNC} -50`);
  for (const figure of ["clicks", "cost"]) {
    const shown = await run(`plan outcome @/p.json --figure ${figure}`);
    assert.match(
      shown.stderr,
      new RegExp(
        `\nNo difference found: The effect on ${figure} could have been between -\\d+ % and \\+\\d+ %\n`,
      ),
      figure,
    );
  }
  const { comparison } = JSON.parse((await run("plan outcome @/p.json --figure clicks --json")).stdout);
  assert.ok(comparison.held === experiment.held.length && comparison.treated > changes.length / 2);
});

Deno.test("later plans leave alone what is held back, until the experiment ends, is undone, or is touched on purpose", async () => {
  await using place = await world();
  const { at, run, tried, planOf } = place;
  const plan = `${BIDS} --where clicks30d>=3 --change +10%`;
  await run(`${plan} --hold-back 25% --hold-back-unit keyword --seed s --out @/first.json`);
  await run("plan apply @/first.json --yes --accept-risk");
  const { experiment } = await planOf("first.json");
  const held = new Set(experiment.held);
  const touched = async (name: string): Promise<number> =>
    (await planOf(name)).changes.filter(({ id }) => held.has(id)).length;

  const second = await run(`${plan} --out @/second.json`);
  assert.equal(await touched("second.json"), 0);
  assert.match(
    second.stdout,
    new RegExp(`${held.size} left alone: plan \\S+ holds them back for comparison until 2026-10-28`),
  );
  const [id] = [...held];
  const file = await at.write("one.csv", `id,bid\n${id},0.77\n`);
  const kind = JSON.parse((await run(`list keywords -m US --id ${id} --json`)).stdout).length > 0
    ? "keywords"
    : "targets";
  const update = await run(`plan update ${kind} ${file} -m US --out @/update.json`);
  assert.match(
    update.stdout,
    /1 left alone: plan \S+ holds it back .*\(changing them with --touch-experiments voids the comparison/,
  );
  const archive = await run(`plan archive ${kind} ${id} -m US --out @/archive.json`);
  assert.match(archive.stdout, /1 left alone: plan \S+ holds it back/);
  await run(`plan archive ${kind} ${id} -m US --touch-experiments --out @/archive.json`);
  assert.equal(await touched("archive.json"), 1);
  await Deno.mkdir(`${at.folder}/elsewhere`);
  await run(`plan update ${kind} ${file} -m US --touch-experiments --out @/elsewhere/touch.json`);
  assert.equal(await touched("elsewhere/touch.json"), 1);

  // A record that somebody edited is no reason to touch what it no longer names.
  const [record] = [...Deno.readDirSync(`${at.folder}/.plans`)].filter(({ name }) =>
    name.endsWith("experiment.json")
  );
  const path = `${at.folder}/.plans/${record!.name}`;
  const whole = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, whole.replaceAll(id!, "7"));
  const refused = await tried(`${plan} --out @/no.json`);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /Cannot read held-back entities: .*experiment\.json was edited or is damaged/);
  assert.match(
    (await run("plan experiments @")).stderr,
    /Skipped because it was edited or is damaged: .*experiment\.json/,
  );
  await Deno.writeTextFile(path, whole);
  at.emulator.advance(3600);
  await run("plan apply @/elsewhere/touch.json --yes --accept-risk");
  const drift = JSON.parse(
    (await tried("account drift -m US --since -1 --plans @ --json")).stdout,
  ) as Drifted[];
  const spoiled = drift.filter(({ held_by: by }) => by !== null);
  assert.deepEqual(new Set(spoiled.map(({ id }) => id)), new Set([id]), "of many changes, this one");
  assert.match(
    spoiled[0]!.note,
    /held back for comparison until 2026-10-28 by plan \S+; this change spoils it$/,
  );

  at.emulator.advance(40 * 86_400);
  await run(`${SYNC} -60`);
  const { comparison } = JSON.parse((await run("plan outcome @/first.json --json")).stdout);
  // A tenth more of a bid is six percent more clicks, which so few keywords cannot show.
  assert.ok(["too_small", "no_difference"].includes(comparison.verdict), comparison.reason);
  assert.deepEqual(comparison.voided, [id]);
  assert.equal(comparison.held, held.size - 1);
  await run(`${plan} --out @/third.json`);
  assert.ok(await touched("third.json") > 0, "it has ended");

  await run("plan undo @/first.json --yes --skip-drifted");
  assert.equal(JSON.parse((await run("plan experiments @ --json")).stdout)[0].state, "undone");

  // What was undone after three days shows nothing of the weeks since.
  await run(`${plan} --hold-back 25% --hold-back-unit keyword --seed s --out @/brief.json`);
  await run("plan apply @/brief.json --yes --accept-risk");
  at.emulator.advance(3 * 86_400);
  await run("plan undo @/brief.json --yes");
  at.emulator.advance(30 * 86_400);
  await run(`${SYNC} -34`);
  assert.match(
    (await run("plan outcome @/brief.json")).stderr,
    /\nNot known: It was undone on 2026-11-12, before 7 days had passed\n/,
  );
});

Deno.test("without a part held back it is not known what a plan did, and what stands beside it is said", async () => {
  await using place = await world();
  const { at, run, tried } = place;
  await run(
    `${BIDS} --where 'acos30d < 0.2 && clicks30d >= 5' --change +20% --out @/p.json`.replaceAll("'", '"'),
  );
  await run("plan apply @/p.json --yes --accept-risk");
  at.emulator.advance(36 * 86_400);
  await run(`${SYNC} -51`);
  const { stderr } = await run("plan outcome @/p.json");
  assert.match(
    stderr,
    /\nNot known: Nothing was held back for comparison, and keywords and targets chosen by their figures regress to the mean on their own\n/,
  );
  assert.match(stderr, /sales: changed entities [+-][\d.]+ %, others of the same kind [+-][\d.]+ %/);
  assert.match(stderr, /\d+ orders; [\d.]+ expected from their clicks, at rates smoothed towards/);
  assert.equal(JSON.parse((await run("plan outcome @/p.json --json")).stdout).verdict, "not_known");

  const keywords: { keywordId: string }[] = JSON.parse(
    (await run("list keywords -m US --limit 12 --json")).stdout,
  );
  const file = await at.write(
    "bids.csv",
    `id,bid\n${keywords.map(({ keywordId: id }) => `${id},0.77`).join("\n")}\n`,
  );
  const update = await run(
    `plan update keywords ${file} -m US --hold-back 25% --hold-back-weeks 2 --out @/u.json`,
  );
  assert.match(update.stdout, /Held back for comparison: 3 of 12 keywords and targets for 2 weeks/);
  assert.match(update.stderr, /\n\d+ % chance to find \+10 % sales in 2 weeks, with 25 % of 12 keywords/);

  for (
    const [more, message] of [
      ["--hold-back 25% --where clicks30d>=999999", /Nothing to change|too few for a random split/],
      ["--hold-back 120% --where clicks30d>=3", /not a share such as 25%/],
      ["--seed x --where clicks30d>=3", /without --hold-back/],
      ["--hold-back 0.1% --where clicks30d>=3", /too few for a random split, which needs two in each group/],
      ["--hold-back 25% --seed ../x --where clicks30d>=3", /as a seed/],
    ] as const
  ) {
    const { code, stderr, stdout } = await tried(`${BIDS} --change +10% ${more} --out @/bad.json`);
    assert.match(`${stderr}${stdout}`, message, more);
    if (!/999999/.test(more)) assert.equal(code, 2, more);
  }
});
