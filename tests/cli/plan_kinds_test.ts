import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { plannedIn } from "../support/plan_words.ts";

interface Row {
  [field: string]: unknown;
}

async function list(world: Emulated, line: string): Promise<Row[]> {
  const { code, stdout, stderr } = await runCli(`list ${line} -m CA --json`, world);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Runs a plan command and gives the plan's view and file. */
async function plan(
  world: Emulated,
  args: string[],
  name = "made",
): Promise<{ view: Row; file: string; run: CliRun }> {
  const file = `${world.folder}/${name}.json`;
  const run = await runCli(["plan", ...args, "-m", "CA", "--out", file, "--json"], world);
  assert.equal(run.code, 0, run.stderr);
  return { view: JSON.parse(run.stdout), file, run };
}

Deno.test("plan create makes entities, and its rollback archives them", async () => {
  await using world = await emulated();
  const [adGroup] = await list(world, "ad-groups --state enabled");
  const file = await world.write(
    "new.csv",
    "campaignId,adGroupId,keywordText,matchType,state,bid\n" +
      `${adGroup!.campaignId},${adGroup!.adGroupId},quite new shoes,EXACT,ENABLED,0.55\n`,
  );
  const made = await plan(world, ["create", "keywords", file]);
  assert.deepEqual(made.view.counts, { create: 1, update: 0, archive: 0 });
  const applied = await runCli(["plan", "apply", made.file, "--yes", "--json"], world);
  assert.equal(applied.code, 0, applied.stderr);
  const created = (await list(world, "keywords")).find((row) => row.keywordText === "quite new shoes");
  assert.equal(created!.bid, 0.55);
  const undone = await runCli(["plan", "apply", JSON.parse(applied.stdout).rollback_file, "--yes"], world);
  assert.equal(undone.code, 0, undone.stderr);
  const [archived] = await list(world, `keywords --all-states --id ${created!.keywordId}`);
  assert.equal(archived!.state, "ARCHIVED");
});

Deno.test("plan archive takes ids from the command line, a list, a CSV and standard input", async () => {
  await using world = await emulated();
  const ids = (await list(world, "keywords --limit 4")).map(({ keywordId }) => String(keywordId));
  const csv = await world.write(
    "ids.csv",
    `Keyword ID,keywordText\n${ids.map((id) => `${id},x`).join("\n")}\n`,
  );
  const plain = await world.write("ids.txt", `${ids.join("\r\n")}\n`);
  const cases: [string[], string?][] = [[ids], [[ids.join(",")]], [[csv]], [[plain]], [
    ["-"],
    ids.join("\n"),
  ]];
  for (const [words, stdin] of cases) {
    const run = await runCli(
      ["plan", "archive", "keywords", ...words, "-m", "CA", "--out", `${world.folder}/a.json`, "--json"],
      { ...world, ...(stdin === undefined ? {} : { stdin }) },
    );
    assert.equal(run.code, 0, run.stderr);
    assert.equal(JSON.parse(run.stdout).counts.archive, 4);
  }
});

Deno.test("a plan that archives says that it is for good", async () => {
  await using world = await emulated();
  const [keyword] = await list(world, "keywords --limit 1");
  const out = `${world.folder}/a.json`;
  const run = await runCli([
    "plan",
    "archive",
    "keywords",
    String(keyword!.keywordId),
    "-m",
    "CA",
    "--out",
    out,
  ], world);
  assert.match(run.stdout, /^ {2}- keyword .* archived for good {2}\d+$/m);
  assert.deepEqual(plannedIn(run.stdout), [0, 0, 1]);
});

Deno.test("plan inverse is the way back, made without the platform", async () => {
  await using world = await emulated();
  const [campaign] = await list(world, "campaigns --state enabled --limit 1");
  const file = await world.write("c.csv", `id,budget.budget\n${campaign!.campaignId},*2\n`);
  const made = await plan(world, ["update", "campaigns", file]);
  const budget = (campaign!.budget as { budget: number }).budget;
  assert.deepEqual(made.view.daily_budgets, {
    raised: 1,
    lowered: 0,
    before: budget,
    after: budget * 2,
    difference: budget,
  });
  const requests = world.emulator.requests().length;
  const out = `${world.folder}/back.json`;
  const inverse = await runCli(["plan", "undo", "--only-plan", made.file, "--out", out, "--json"], world);
  assert.equal(inverse.code, 0, inverse.stderr);
  assert.equal(world.emulator.requests().length, requests);
  const view = JSON.parse(inverse.stdout);
  assert.equal(view.reverses, made.view.id);
  assert.equal(view.daily_budgets.difference, -budget);
});

Deno.test("plan from-history puts back what was changed since a moment", async () => {
  await using world = await emulated({ clock: { now: "2026-11-20T10:00:00Z", frozen: true } });
  const now = () => world.emulator.clock.now();
  const keyword = (await list(world, "keywords --state enabled")).find(({ bid }) => bid !== undefined)!;
  world.emulator.advance(3600);
  const file = await world.write("k.csv", `id,bid,state\n${keyword.keywordId},*3,paused\n`);
  const made = await plan(world, ["update", "keywords", file]);
  assert.equal((await runCli(["plan", "apply", made.file, "--yes"], world)).code, 0);
  world.emulator.advance(60);
  const policy = await world.write("p.yaml", `version: 1\nprotect: { ids: ["${keyword.keywordId}"] }\n`);
  const kept = ["--policy", policy, "--skip-denied", "--out", `${world.folder}/kept.json`];
  const skipped = await runCli(["plan", "from-history", "-m", "CA", "--since", "-30m", ...kept], {
    ...world,
    now,
  });
  assert.match(skipped.stderr, /Left out 1, for example .*The policy denies it \(protect\)/);
  assert.deepEqual(plannedIn(skipped.stdout), [0, 0, 0]);
  const out = `${world.folder}/restore.json`;
  const restore = await runCli([
    "plan",
    "from-history",
    "-m",
    "CA",
    "--since",
    "-30m",
    "--out",
    out,
    "--json",
  ], { ...world, now });
  assert.equal(restore.code, 0, restore.stderr);
  assert.equal((await runCli(["plan", "apply", out, "--yes"], world)).code, 0);
  assert.deepEqual(await list(world, `keywords --id ${keyword.keywordId}`), [keyword]);
});

Deno.test("plan from-history undoes what changed until a moment, and archives what was created where told to", async () => {
  await using world = await emulated({ clock: { now: "2026-11-20T10:00:00Z", frozen: true } });
  const now = () => world.emulator.clock.now();
  const campaign = (await list(world, "campaigns --state enabled"))[0]!;
  const change = async (budget: number): Promise<void> => {
    world.emulator.advance(600);
    const file = await world.write("c.csv", `id,budget\n${campaign.campaignId},${budget}\n`);
    const made = await plan(world, ["update", "campaigns", file]);
    assert.equal((await runCli(["plan", "apply", made.file, "--yes", "--accept-risk"], world)).code, 0);
  };
  await change(310);
  world.emulator.advance(600);
  const body = "name,state,targetingType,budget\nSince,ENABLED,MANUAL,12\n";
  const made = await plan(world, ["create", "campaigns", await world.write("n.csv", body)], "new");
  assert.equal((await runCli(["plan", "apply", made.file, "--yes", "--accept-risk"], world)).code, 0);
  world.emulator.advance(60);
  const restore = async (options: string): Promise<[string, string][]> => {
    const args = `plan from-history -m CA --since -50m ${options} --out ${world.folder}/r.json --json`;
    const { code, stdout, stderr } = await runCli(args.split(" "), { ...world, now });
    assert.equal(code, 0, stderr);
    const view = JSON.parse(stdout) as { campaigns: { changes: { op: string; label: string }[] }[] };
    return view.campaigns.flatMap(({ changes }) =>
      changes.map(({ op, label }): [string, string] => [op, label])
    );
  };
  assert.deepEqual(await restore("--until -5m"), [["update", campaign.name]]);
  assert.deepEqual(
    (await restore("--created archive")).toSorted(),
    [["archive", "Since"], ["update", campaign.name]],
  );
});

Deno.test("relative bids of entities without a bid are left out and told; unknown ids are listed as not found", async () => {
  await using world = await emulated();
  const keywords = await list(world, "keywords --state enabled");
  const bare = keywords.find(({ bid }) => bid === undefined)!;
  const paid = keywords.find(({ bid }) => bid !== undefined)!;
  const file = await world.write(
    "k.csv",
    `id,bid\n${bare.keywordId},+10%\n${paid.keywordId},+10%\n77,+10%\n78,0.5\n`,
  );
  const { view } = await plan(world, ["update", "keywords", file, "--allow-missing"]);
  assert.deepEqual(view.counts, { create: 0, update: 1, archive: 0 });
  assert.deepEqual(new Set(view.missing as string[]), new Set(["77", "78"]));
  assert.match(
    String((view.warnings as string[])[0]),
    new RegExp(`${bare.keywordId}.*has no "bid" of its own`),
  );
});

Deno.test("amounts are rounded to the decimals of the market's currency", async () => {
  await using world = await emulated();
  const { stdout } = await runCli("list keywords -m JP --json --state enabled", world);
  const keyword = (JSON.parse(stdout) as Row[]).find(({ bid }) => typeof bid === "number" && bid % 10 !== 0)!;
  const file = await world.write("k.csv", `id,bid\n${keyword.keywordId},+13%\n`);
  const run = await runCli(
    ["plan", "update", "keywords", file, "-m", "JP", "--json", "--out", `${world.folder}/p.json`],
    world,
  );
  const [field] = JSON.parse(run.stdout).campaigns[0].changes[0].fields;
  assert.equal(field.after, Math.round(keyword.bid as number * 1.13));
  assert.ok(Number.isInteger(field.after));
});

Deno.test("plan show prints the same plan as a diff, rows and data", async () => {
  await using world = await emulated();
  const keyword = (await list(world, "keywords --state enabled")).find(({ bid }) => bid !== undefined)!;
  const file = await world.write("k.csv", `id,bid,state\n${keyword.keywordId},+10%,paused\n`);
  const made = await plan(world, ["update", "keywords", file]);
  const text = (await runCli(["plan", "show", made.file], world)).stdout;
  assert.match(text, /bid [\d.]+ → [\d.]+ {2}\+[\d.]+ \(\+\d+\.\d%\)/);
  assert.match(text, /state ENABLED → PAUSED/);
  const csv = (await runCli(["plan", "show", made.file, "--format", "csv"], world)).stdout.split("\r\n");
  assert.equal(csv[0], "kind,id,label,field,before,after");
  assert.equal(csv.length, 4);
  const data = JSON.parse((await runCli(["plan", "show", made.file, "--json"], world)).stdout);
  assert.equal(data.fingerprint, made.view.fingerprint);
  assert.equal(data.campaigns[0].changes[0].fields.length, 2);
  const fromStdin = await runCli("plan show -", { ...world, stdin: await Deno.readTextFile(made.file) });
  assert.equal(fromStdin.stdout, text);
});
