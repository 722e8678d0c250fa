import assert from "node:assert/strict";
import { ChangePlan } from "../../mod.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { plannedIn, sentIn } from "../support/plan_words.ts";

interface Keyword {
  keywordId: string;
  campaignId: string;
  keywordText: string;
  bid?: number;
  state: string;
}

async function keywords(world: Emulated, ids?: string[]): Promise<Keyword[]> {
  const line = [
    "list",
    "keywords",
    "-m",
    "CA",
    "--json",
    ...(ids === undefined ? [] : ["--id", ids.join(",")]),
  ];
  const { code, stdout, stderr } = await runCli(line, world);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function withBids(world: Emulated, count: number): Promise<Keyword[]> {
  return (await keywords(world)).filter(({ bid, state }) => bid !== undefined && state === "ENABLED").slice(
    0,
    count,
  );
}

function writes(world: Emulated): number {
  return world.emulator.requests().filter(({ method }) => method === "PUT" || method === "DELETE").length;
}

Deno.test("a plan is made from a file, shown, applied with the refused item told, and undone", async () => {
  await using world = await emulated();
  const [a, b, c] = await withBids(world, 3);
  const file = await world.write(
    "bids.csv",
    `keywordId,bid\n${a!.keywordId},+10%\n${b!.keywordId},*1.2\n${c!.keywordId},5000\n`,
  );
  const out = `${world.folder}/plan.json`;

  const made = await runCli(
    [
      "plan",
      "update",
      "keywords",
      file,
      "-m",
      "CA",
      "--out",
      out,
      "--note",
      "profiles() with the option force",
    ],
    world,
  );
  assert.equal(made.code, 0, made.stderr);
  assert.match(
    made.stdout,
    /Note: profiles\(\) with the option force/,
    "what the plan holds is shown as it is",
  );
  assert.match(made.stdout, /Campaign SP \| .* \(\d+\)/);
  assert.deepEqual(plannedIn(made.stdout), [0, 2, 0]);
  assert.match(made.stdout, /^Plan: .*; 1 will not be sent$/m);
  assert.equal(writes(world), 0, "planning sends nothing");

  const hurried = await runCli(["plan", "apply", out, "--yes"], world);
  assert.equal(hurried.code, 4);
  assert.match(
    hurried.stderr,
    /--yes is not enough for this plan.*5000 CAD is \d+\.\d times the current .* CAD.*--accept-risk/s,
  );
  assert.equal(writes(world), 0);

  const applied = await runCli(["plan", "apply", out, "--yes", "--accept-risk"], world);
  assert.equal(applied.code, 3, applied.stderr);
  assert.deepEqual(sentIn(applied.stdout), [2, 1]);
  assert.match(applied.stdout, /BID_OUT_OF_MARKET_PLACE_RANGE.*Allowed: 0\.02 to 1000/);
  assert.match(applied.stderr, /adsctl plan undo .*plan\.json/);
  const ids = [a!, b!, c!].map(({ keywordId }) => keywordId);
  const changed = new Map((await keywords(world, ids)).map(({ keywordId, bid }) => [keywordId, bid]));
  assert.deepEqual(ids.map((id) => changed.get(id)), [cents(a!.bid! * 1.1), cents(b!.bid! * 1.2), c!.bid]);

  const undone = await runCli(["plan", "undo", out, "--yes"], world);
  assert.equal(undone.code, 0, undone.stderr);
  const restored = new Map((await keywords(world, ids)).map(({ keywordId, bid }) => [keywordId, bid]));
  assert.deepEqual(ids.map((id) => restored.get(id)), [a!.bid, b!.bid, c!.bid]);
});

Deno.test("plan apply keeps result, rollback and journal beside the plan, and refuses the plan a second time", async () => {
  await using world = await emulated();
  const plan = await onePlan(world);
  const first = await runCli(["plan", "apply", plan, "--yes", "--json"], world);
  assert.equal(first.code, 0, first.stderr);
  const result = JSON.parse(first.stdout);
  assert.equal(result.ok, true);
  const stored = JSON.parse(await Deno.readTextFile(result.result_file));
  assert.equal(stored.fingerprint, result.fingerprint);
  assert.equal(JSON.parse(await Deno.readTextFile(result.rollback_file)).reverses, result.plan_id);
  const before = writes(world);
  const second = await runCli(["plan", "apply", plan, "--yes"], world);
  assert.equal(second.code, 4);
  assert.match(second.stderr, /it was applied at/);
  assert.equal(writes(world), before, "nothing is sent");
});

Deno.test("plan apply asks on a terminal, and sends nothing unless the answer is yes", async () => {
  await using world = await emulated();
  const plan = await onePlan(world);
  for (const stdin of ["n\n", "\n", "yess\n", ""]) {
    const { code, stderr } = await runCli(["plan", "apply", plan], { ...world, terminal: 100, stdin });
    assert.equal(code, 1, JSON.stringify(stdin));
    // deno-lint-ignore no-control-regex
    assert.match(stderr.replace(/\x1b\[\d+m/g, ""), /^Plan for Maple & Main Kitchen \(seller\), CA$/m);
    assert.match(stderr, /Apply these changes to Maple & Main Kitchen \(seller\), CA\? \[y\/N\]/);
    assert.doesNotMatch(stderr, /\d{12}/, "ids are for -v");
    assert.match(stderr, /Not applied/);
  }
  assert.equal(writes(world), 0);
  const yes = await runCli(["plan", "apply", plan], { ...world, terminal: 100, stdin: "y\n" });
  assert.equal(yes.code, 0, yes.stderr);
  assert.equal(writes(world), 1);
});

Deno.test("plan apply without a terminal refuses to go on unless --yes is given", async () => {
  await using world = await emulated();
  const plan = await onePlan(world);
  const { code, stderr } = await runCli(["plan", "apply", plan], world);
  assert.equal(code, 2);
  assert.match(stderr, /there is no terminal. Pass --yes/);
  assert.equal(writes(world), 0);
});

Deno.test("plans that are edited, of another profile, no plan or not there are refused before anything is sent", async () => {
  await using world = await emulated();
  const plan = await onePlan(world);
  const text = await Deno.readTextFile(plan);
  const edited = await world.write("edited.json", text.replace(/"bid": ([\d.]+)/, '"bid": 99'));
  const noPlan = await world.write("none.json", "{}");
  const cases: [string[], number, RegExp][] = [
    [["plan", "show", edited], 4, /it was edited after it was made/],
    [["plan", "apply", plan, "--yes", "-m", "US"], 4, /is for profile \d+ \(CA\), and -m US means/],
    [["plan", "apply", noPlan, "--yes"], 4, /it is not a plan/],
    [["plan", "apply", `${world.folder}/nowhere.json`, "--yes"], 2, /there is no such file/],
    [["plan", "apply", "-", "--yes"], 2, /name a file/],
  ];
  for (const [args, code, message] of cases) {
    const run = await runCli(args, world);
    assert.equal(run.code, code, args.join(" ") + run.stderr);
    assert.match(run.stderr, message);
    assert.equal(run.stdout, "");
  }
  assert.equal(writes(world), 0);
});

Deno.test("amounts are worked out of the reading that the plan is made of", async () => {
  await using world = await emulated();
  const [a, b, c] = await withBids(world, 3);
  const reads = async (lines: string): Promise<number> => {
    const file = await world.write("bids.csv", `keywordId,bid\n${lines}\n999,+10%\n`);
    const before = world.emulator.requests().length;
    const out = `${world.folder}/plan.json`;
    const line = ["plan", "update", "keywords", file, "-m", "CA", "--out", out, "--allow-missing"];
    assert.equal((await runCli(line, world)).code, 0);
    const plan = JSON.parse(await Deno.readTextFile(out));
    assert.deepEqual([plan.changes.length, plan.missing], [2, ["999"]]);
    return world.emulator.requests().slice(before).filter(({ path, body }) =>
      path.endsWith("/sp/keywords/list") && JSON.stringify(body).includes("keywordIdFilter")
    ).length;
  };
  assert.equal(await reads(`${a!.keywordId},+10%\n${b!.keywordId},${b!.bid! + 0.01}`), 1);
  assert.equal(await reads(`${a!.keywordId},*1.1\n${c!.keywordId},-1%`), 1);
});

async function onePlan(world: Emulated, name = "plan.json", change = "+10%"): Promise<string> {
  const [keyword] = await withBids(world, 1);
  const file = await world.write(`${name}.csv`, `id,bid\n${keyword!.keywordId},${change}\n`);
  const out = `${world.folder}/${name}`;
  const { code, stderr } = await runCli(
    ["plan", "update", "keywords", file, "-m", "CA", "--out", out],
    world,
  );
  assert.equal(code, 0, stderr);
  return out;
}

function cents(amount: number): number {
  return Math.round(Number((amount * 100).toPrecision(12))) / 100;
}

Deno.test("a file that a plan was applied from takes no second plan, and an empty plan replaces an older one", async () => {
  await using world = await emulated();
  const [keyword] = await withBids(world, 1);
  const csv = (bid: number) => world.write("bids.csv", `keywordId,bid\n${keyword!.keywordId},${bid}\n`);
  const out = `${world.folder}/plan.json`;
  const plan = async (bid: number) =>
    await runCli(["plan", "update", "keywords", await csv(bid), "-m", "CA", "--out", out], world);
  assert.equal((await plan(1.11)).code, 0);
  const empty = await plan(keyword!.bid!);
  assert.match(empty.stderr, /Nothing to change. Saved the empty plan to .*plan\.json/);
  const nothing = await runCli(["plan", "apply", out, "--yes"], world);
  assert.deepEqual([nothing.code, writes(world)], [0, 0], "the older plan is gone");

  assert.equal((await plan(1.22)).code, 0);
  assert.equal((await runCli(["plan", "apply", out, "--yes"], world)).code, 0);
  const refused = await plan(1.33);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /it holds plan \S+, which is applied\. Choose another --out/);
  assert.match(await Deno.readTextFile(out), /1\.22/);

  const policy = await world.write("limits.yaml", "version: 1\nmax_bid: 3\n");
  const other = await runCli(
    ["plan", "update", "keywords", await csv(1.33), "-m", "CA", "--out", policy],
    world,
  );
  assert.equal(other.code, 2);
  assert.match(other.stderr, /Cannot save the plan to ".*limits\.yaml": that file holds something else/);
  assert.equal(await Deno.readTextFile(policy), "version: 1\nmax_bid: 3\n");
});

Deno.test("plan show --fields prints the changes as rows with those fields", async () => {
  await using world = await emulated();
  const [keyword] = await withBids(world, 1);
  const out = `${world.folder}/plan.json`;
  const csv = await world.write("bids.csv", `keywordId,bid\n${keyword!.keywordId},1.11\n`);
  await runCli(["plan", "update", "keywords", csv, "-m", "CA", "--out", out], world);
  const { stdout } = await runCli(["plan", "show", out, "--fields", "id,after"], world);
  assert.equal(stdout, `id\tafter\n${keyword!.keywordId}\t1.11\n`);
});

Deno.test("plan resume of a plan that is done asks nothing and sends nothing", async () => {
  await using world = await emulated();
  const [keyword] = await withBids(world, 1);
  const file = await world.write("bids.csv", `keywordId,bid\n${keyword!.keywordId},0.77\n`);
  const out = `${world.folder}/plan.json`;
  await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
  assert.equal((await runCli(["plan", "apply", out, "--yes"], world)).code, 0);
  const sent = writes(world);
  const { code, stdout, stderr } = await runCli(["plan", "resume", out], { ...world, terminal: 80 });
  assert.equal(code, 0, stderr);
  assert.deepEqual(sentIn(stdout), [1, 0]);
  assert.doesNotMatch(stderr, /\[y\/N\]/);
  assert.equal(writes(world), sent);
});

Deno.test("the question before the rest of a plan is sent shows the rest alone, and names the account", async () => {
  await using world = await emulated();
  const own = await withBids(world, 3);
  const file = await world.write(
    "bids.csv",
    `keywordId,bid\n${own.map(({ keywordId }) => `${keywordId},0.77`).join("\n")}\n`,
  );
  const out = `${world.folder}/plan.json`;
  await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
  const plan = await ChangePlan.load(out);
  const [first, ...rest] = plan.changes;
  const verdicts = [{ change: 0, outcome: "done", id: first!.id }];
  const lines = [
    { event: "begin", plan: plan.id, fingerprint: plan.fingerprint, at: plan.createdAt },
    { event: "sending", changes: [0], at: plan.createdAt },
    { event: "answered", verdicts, at: plan.createdAt },
  ];
  await Deno.mkdir(`${world.folder}/.plans`, { recursive: true });
  await Deno.writeTextFile(
    `${world.folder}/.plans/plan-${plan.id}.journal.jsonl`,
    lines.map((line) => JSON.stringify(line) + "\n").join(""),
  );
  const { code, stderr } = await runCli(["plan", "resume", out], {
    ...world,
    terminal: 200,
    stdin: "n\n",
  });
  assert.equal(code, 1, stderr);
  assert.ok(!stderr.includes(first!.label), stderr);
  for (const { label } of rest) assert.equal(stderr.split(label).length, 2, `${label} once in ${stderr}`);
  assert.deepEqual(plannedIn(stderr), [0, 2, 0]);
  assert.match(stderr, /Plan: .*; 1 settled before/);
  assert.match(stderr, /Send the rest to [^\d]+\? \[y\/N\]/);
  assert.doesNotMatch(stderr, /failed|\d{9}/);
});
