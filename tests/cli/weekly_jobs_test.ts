import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { plannedIn } from "../support/plan_words.ts";

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
  assert.match(made.stderr, /The store lacks targeting from 2026-08-17 to 2026-09-15: fetching/);
  assert.match(made.stderr, /Figures: targeting, brands-targeting, 2026-08-17 to 2026-09-15/);
  assert.match(
    made.stderr,
    /Looked at \d+: \d+ changes, \d+ left out\n {2}\d+ {2}It does not meet the condition/,
  );
  assert.match(
    made.stderr,
    /\d+ of these cost \d+\.\d\d CAD without a sale: plan bids --preset no-sales$/m,
  );
  const [creates, changed, archives] = plannedIn(made.stdout);
  assert.ok(creates === 0 && changed > 0 && archives === 0, made.stdout);
  assert.equal(writes(at), 0);

  const again = await runCli([...line, "--no-sync", "--json"], { ...at, now });
  assert.equal(again.code, 0, again.stderr);
  const data = JSON.parse(again.stdout);
  assert.equal(data.figures.last_day, "2026-09-15");
  assert.equal(data.left_out.length + data.counts.update, data.considered);
  assert.equal(
    data.left_out_counts.no_match,
    data.left_out.filter((one: { reason: string }) => one.reason === "no_match").length,
  );

  const applied = await runCli(["plan", "apply", out, "--yes"], at);
  assert.equal(applied.code, 0, applied.stderr);
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

Deno.test("plan negatives says what the terms cost, and plan harvest plans what the map names and suggests the rest", async () => {
  await using at = await world();
  const store = `${at.folder}/ads.sqlite`;
  const negatives = await runCli(
    [
      "plan",
      "negatives",
      "-m",
      "CA",
      "--min-clicks",
      "10",
      "--store",
      store,
      "--json",
      "--out",
      `${at.folder}/negatives.json`,
    ],
    { ...at, now },
  );
  assert.equal(negatives.code, 0, negatives.stderr);
  const { waste, counts, left_out } = JSON.parse(negatives.stdout);
  assert.equal(waste.currency, "CAD");
  assert.equal(waste.terms.length, counts.create + left_out.length);

  const map = await at.write("map.csv", "source,target,bid\nKnife Set auto,Knife Set exact,0.7\n");
  const line = ["plan", "harvest", "-m", "CA", "--min-orders", "1", "--map", map, "--store", store];
  const harvest = await runCli([...line, "--out", `${at.folder}/harvest.json`], { ...at, now });
  assert.equal(harvest.code, 0, harvest.stderr);
  assert.match(harvest.stdout, /\+ new keyword.*bid 0\.7/);
  assert.match(harvest.stdout, /\+ new negative keyword/);
  const [, ...sums] =
    /Looked at (\d+): (\d+) planned in (\d+) changes, (\d+) left out/.exec(harvest.stderr) ?? [];
  const [terms = 0, planned = 0, changes = 0, left = 0] = sums.map(Number);
  assert.equal(planned + left, terms, "terms are counted apart from changes");
  assert.ok(changes > planned);
  assert.match(harvest.stderr, /The map does not name \d+ ad groups. Suggested lines/);
  assert.match(
    harvest.stderr,
    /\d+,\d+,"Cast Iron Skillet auto has \d+ terms with \d+ orders; Cast Iron Skillet exact/,
  );
  assert.equal(writes(at), 0);
  const applied = await runCli(["plan", "apply", `${at.folder}/harvest.json`, "--yes"], at);
  assert.equal(applied.code, 0, applied.stderr);
});

Deno.test("plan harvest names every line of a map that cannot be used, and what columns it has", async () => {
  await using at = await world();
  const bad = await at.write("bad.csv", "source,target\nKnife Set auto,Knife Set exakt\n,1\n");
  const line = ["plan", "harvest", "-m", "CA", "--store", `${at.folder}/ads.sqlite`, "--map"];
  const named = await runCli([...line, bad], { ...at, now });
  assert.equal(named.code, 2);
  assert.match(
    named.stderr,
    /3 problems:\n.*row 2: target "Knife Set exakt".*"Knife Set exact"\?\n.*row 3: source is empty/s,
  );
  const wrong = await at.write("wrong.csv", "from,to\n1,2\n");
  const columns = await runCli([...line, wrong], { ...at, now });
  assert.equal(columns.code, 2);
  assert.match(columns.stderr, /expected the columns source and target.*found from, to/);
});

Deno.test("plan budgets raises what ran out, and tells the rest", async () => {
  await using at = await world();
  const line = ["plan", "budgets", "-m", "CA", "--store", `${at.folder}/ads.sqlite`];
  const made = await runCli([...line, "--max", "60", "--json", "--out", `${at.folder}/plan.json`], {
    ...at,
    now,
  });
  assert.equal(made.code, 0, made.stderr);
  const { counts, left_out, pressure } = JSON.parse(made.stdout);
  assert.ok(counts.update > 0);
  assert.equal(counts.update + left_out.length, pressure.length);
  assert.ok(pressure[0].full_days >= 3 && pressure[0].usage_percent >= 0);
  const applied = await runCli(["plan", "apply", `${at.folder}/plan.json`, "--yes"], at);
  assert.equal(applied.code, 0, applied.stderr);
});

Deno.test("report compare says what moved the cost, by campaign, keyword and placement", async () => {
  await using at = await world();
  const store = `${at.folder}/ads.sqlite`;
  const line = ["report", "compare", "-m", "CA", "--store", store, "--limit", "2"];
  const run = await runCli(line, { ...at, now });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /2026-09-23 to 2026-09-29 against 2026-09-16 to 2026-09-22, in CAD\n/);
  assert.match(
    run.stderr,
    /Change in cost: -?\d+\.\d\d from clicks, -?\d+\.\d\d from CPC/,
  );
  const again = await runCli(
    [...line, "--no-sync", "--json", "--before-start", "-14", "--before-end", "-10"],
    {
      ...at,
      now,
    },
  );
  assert.equal(again.code, 0, again.stderr);
  const rows = JSON.parse(again.stdout) as { by: string }[];
  assert.deepEqual(
    rows.map(({ by }) => by),
    ["total", "campaign", "campaign", "keyword", "keyword", "placement", "placement"],
  );
  assert.match(again.stderr, /a day's average/);
  const bad = await runCli([...line, "--no-sync", "--by", "product"], { ...at, now });
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /"product" is not one of campaign, keyword, placement/);
});

Deno.test("the policy judges a plan of bids by the store that the command names, and by no other", async () => {
  await using at = await world();
  const policy = `${at.folder}/policy.yaml`;
  await Deno.writeTextFile(
    policy,
    `version: 1
rules:
  - name: no-raise-of-sellers
    when: has(figures.clicks30d) && figures.clicks30d >= 10.0 && has(change.increase) && change.increase > 0.0
    level: deny
    message: it has clicks
`,
  );
  const named = ["--store", `${at.folder}/mine/ads.sqlite`, "--out", `${at.folder}/plan.json`];
  const line = [...BIDS, "--policy", policy, "--lag", "0", ...named];
  await Deno.mkdir(`${at.folder}/mine`);
  const { code, stdout, stderr } = await runCli(line, { ...at, now });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /[1-9]\d* {2}The policy denies it \(no-raise-of-sellers\): .*it has clicks/);
  assert.doesNotMatch(stdout, /it has clicks/);
});

long();
Deno.test("presets, the best and the worst choose what is planned, and a policy's denials are left out and counted", async () => {
  await using at = await world();
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const bids = async (...line: string[]) => {
    const made = await runCli([
      "plan",
      "bids",
      "-m",
      "CA",
      ...line,
      ...store,
      "--json",
      "--out",
      `${at.folder}/bids.json`,
    ], { ...at, now });
    assert.equal(made.code, 0, made.stderr);
    return JSON.parse(made.stdout);
  };
  const unsold = ["--where", "orders30d == 0 && clicks30d >= 15", "--change", "-25%"];
  const noSales = await bids(...unsold);
  assert.ok(noSales.counts.update > 3);
  const preset = await bids("--preset", "no-sales");
  assert.ok(preset.counts.update < noSales.counts.update, "few clicks without an order are no reason");
  assert.equal(preset.left_out_counts.unknown_figure, undefined, "what had no sales is judged");
  const worst = await bids("--worst", "5", "--change", "-20%");
  assert.ok(worst.counts.update > 2 && worst.considered === 5);
  const best = await bids("--best", "5", "--change", "+5%");
  assert.equal(best.considered, 5);
  for (
    const [line, message] of [
      [["--change", "+5%"], /choose entities with --where, --preset, --best or --worst/],
      [["--where", "clicks30d > 3"], /give --change such as -10%, or a --preset/],
      [["--best", "3", "--worst", "3", "--change", "+5%"], /choose one/],
    ] as const
  ) {
    const { code, stderr } = await runCli(["plan", "bids", "-m", "CA", ...line, ...store], { ...at, now });
    assert.equal(code, 2);
    assert.match(stderr, message);
  }

  const policy = await at.write("policy.yaml", 'version: 1\nprotect:\n  names: ["SP | Knife Set*"]\n');
  const out = `${at.folder}/p.json`;
  const judged = await runCli(
    ["plan", "bids", "-m", "CA", ...unsold, ...store, "--policy", policy, "--out", out],
    { ...at, now },
  );
  assert.equal(judged.code, 0, judged.stderr);
  assert.match(judged.stderr, /[1-9]\d* {2}The policy denies it \(protect\): .*, for example/);
  assert.doesNotMatch(judged.stdout, /SP \| Knife Set|denied/i);
  assert.ok(plannedIn(judged.stdout)[1] > 0);

  type Shown = { campaign_name: string | null; changes: { id: string; kind: string }[] };
  const keywordIn = (isDenied: boolean): string | undefined =>
    (noSales.campaigns as Shown[]).filter(({ campaign_name: name }) =>
      /SP \| Knife Set/.test(name ?? "") === isDenied
    )
      .flatMap(({ changes }) => changes).find(({ kind }) => kind === "sp.keywords")?.id;
  const [kept, denied] = [keywordIn(false), keywordIn(true)];
  const file = await at.write("bids.csv", `keywordId,bid\n${kept},0.31\n${denied},0.32\n`);
  const update = ["plan", "update", "keywords", file, "-m", "CA", "--policy", policy];
  const plain = await runCli([...update, "--out", `${at.folder}/plain.json`], { ...at, now });
  assert.match(plain.stdout, /2 to change/);
  assert.match(
    plain.stderr,
    /The policy denies 1 of its changes\. --skip-denied leaves these out; why:\n {2}adsctl policy explain .*plain\.json/,
  );
  const refused = await runCli(["plan", "apply", `${at.folder}/plain.json`, "--yes", "--policy", policy], {
    ...at,
    now,
  });
  assert.match(refused.stderr, /Plan again with --skip-denied to leave these out/);
  const skipped = await runCli([...update, "--skip-denied", "--out", `${at.folder}/skip.json`], {
    ...at,
    now,
  });
  assert.match(skipped.stderr, /Left out 1, for example .*: The policy denies it \(protect\)/);
  assert.match(skipped.stdout, /1 to change/);
  assert.match(skipped.stderr, /To apply it:\n {2}adsctl plan apply /);
  const cheap = await at.write("cheap.yaml", "version: 1\nmax_bid: { CA: 1 }\n");
  const copied = await runCli(
    [
      "copy",
      "SP | Knife Set | Exact",
      "-m",
      "CA",
      "--to",
      "CA",
      "--rename",
      "SP | Knife Set 2",
      "--skip-denied",
    ]
      .concat("--policy", cheap, "--out", `${at.folder}/copy.json`),
    { ...at, now },
  );
  assert.match(copied.stderr, /Left out [1-9]\d*, for example /);
});

Deno.test("harvest writes its suggestions as a map that the next harvest reads", async () => {
  await using at = await world();
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const map = `${at.folder}/map.csv`;
  const first = await runCli(["plan", "harvest", "-m", "CA", ...store, "--write-map", map], { ...at, now });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /Wrote .*map\.csv: 0 lines of the map, [1-9]\d* suggested/);
  const second = await runCli([
    "plan",
    "harvest",
    "-m",
    "CA",
    ...store,
    "--map",
    map,
    "--json",
    "--out",
    `${at.folder}/h.json`,
  ], {
    ...at,
    now,
  });
  assert.equal(second.code, 0, second.stderr);
  assert.ok(JSON.parse(second.stdout).counts.create > 0);
});
