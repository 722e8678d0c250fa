import assert from "node:assert/strict";
import { ChangePlan } from "../../mod.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

function writes(world: Emulated): number {
  return world.emulator.requests().filter(({ method }) => method === "PUT").length;
}

/** Plans one bid for a keyword of Canada and gives the path of the plan. */
async function planBid(world: Emulated, bid: string): Promise<string> {
  const listed = await runCli(["list", "keywords", "-m", "CA", "--state", "enabled", "--json"], world);
  const keywords = JSON.parse(listed.stdout) as { keywordId: string; bid?: number }[];
  const id = keywords.find((one) => one.bid !== undefined && one.bid > 0.3 && one.bid < 2)?.keywordId;
  const file = await world.write("bids.csv", `keywordId,bid\n${id},${bid}\n`);
  const out = `${world.folder}/plan-${bid}.json`;
  const made = await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
  assert.equal(made.code, 0, made.stderr);
  return out;
}

Deno.test("a policy that denies lets nothing through, with --yes too, and names rule and limit", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 2.5\n");
  const plan = await planBid(world, "3");
  const applied = await runCli(["plan", "apply", plan, "--yes", "--policy", policy], world);
  assert.equal(applied.code, 4);
  assert.match(applied.stderr, /Denied by the policy, so nothing was sent:\n.*bid 3 CAD .*\b2.5 CAD/);
  assert.equal(writes(world), 0);

  const asData = await runCli(["plan", "apply", plan, "--yes", "--json"], {
    ...world,
    env: { ...world.env, PLATFORM_ADS_POLICY: policy },
  });
  assert.equal(asData.code, 4);
  assert.equal(JSON.parse(asData.stderr).code, "POLICY");
  assert.equal(writes(world), 0);

  const apply = async (bid: string) =>
    await runCli(["plan", "apply", await planBid(world, bid), "--yes", "--policy", policy], world);
  const warned = await apply("2.4");
  assert.equal(warned.code, 4, "the default warnings stay beside a policy");
  assert.match(warned.stderr, /2\.4 CAD is 6\.9 times the current 0\.35 CAD/);
  assert.equal(writes(world), 0);
  const allowed = await apply("0.9");
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.equal(writes(world), 1);
});

Deno.test("policy check judges the requests of a plan, as applying does", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 2.5\n");
  const made = ChangePlan.fromJson(await Deno.readTextFile(await planBid(world, "0.9")));
  const [change] = made.changes;
  const edited = new ChangePlan({
    ...made.toData(),
    profileId: made.profileId,
    countryCode: made.countryCode,
    changes: [{ ...change!, after: { ...change!.after, campaignId: "1" } }],
  });
  const path = await edited.save(`${world.folder}/edited.json`);
  for (const command of [["policy", "check", path], ["plan", "apply", path, "--yes"]]) {
    const { code, stderr } = await runCli([...command, "--policy", policy], world);
    assert.equal(code, 4, stderr);
    assert.match(stderr, /its contents differ from the requests it would send.*\n.*campaignId is not sent/);
  }
  assert.equal(writes(world), 0);
});

Deno.test("a policy that cannot be read lets nothing through", async () => {
  await using world = await emulated();
  const plan = await planBid(world, "0.9");
  const broken = await world.write("broken.yaml", "version: 1\nmax_bids: 2\n");
  for (const policy of [broken, `${world.folder}/nowhere.yaml`]) {
    const { code, stderr } = await runCli(["plan", "apply", plan, "--yes", "--policy", policy], world);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /broken\.yaml, so nothing may be sent:\n {2}Line 2|nowhere\.yaml/);
  }
  assert.equal(writes(world), 0);
});

Deno.test("limits of a day count what was applied before, by another process too", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_changes: 1\n");
  const first = await runCli(
    ["plan", "apply", await planBid(world, "0.9"), "--yes", "--policy", policy],
    world,
  );
  assert.equal(first.code, 0, first.stderr);
  const second = await runCli(
    ["plan", "apply", await planBid(world, "0.8"), "--yes", "--policy", policy],
    world,
  );
  assert.equal(second.code, 4);
  assert.match(second.stderr, /2 changes today including this plan; at most 1 are allowed/);
});

Deno.test("undoing what was applied under a policy passes its limits of the day, and asks a person about fixed ones", async () => {
  await using world = await emulated();
  const plan = await planBid(world, "0.9");
  const once = await world.write("once.yaml", "version: 1\nmax_changes: 1\n");
  const applied = await runCli(["plan", "apply", plan, "--yes", "--policy", once, "--json"], world);
  assert.equal(applied.code, 0, applied.stderr);
  const { rollback_file: rollback } = JSON.parse(applied.stdout) as { rollback_file: string };
  const other = await world.write("other.yaml", "version: 1\nallow_kinds: [sp.campaigns]\n");
  const fixed = await runCli(["plan", "undo", plan, "--yes", "--policy", other], world);
  assert.notEqual(fixed.code, 0);
  assert.match(fixed.stderr, /keywords is not a kind that may be changed/);
  const again = await runCli(
    ["plan", "apply", await planBid(world, "0.8"), "--yes", "--policy", once],
    world,
  );
  assert.equal(again.code, 4, "the limit of the day holds for all else");
  const undone = await runCli(["plan", "apply", rollback, "--yes", "--policy", once], world);
  assert.equal(undone.code, 0, undone.stderr);
});

Deno.test("a plan file that claims to undo another is judged like any other, unless it does", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_changes: 0\n");
  const plan = await planBid(world, "0.9");
  const made = await runCli(
    ["plan", "undo", "--only-plan", plan, "--out", `${world.folder}/inverse.json`],
    world,
  );
  assert.equal(made.code, 0, made.stderr);
  const inverse = ["plan", "apply", `${world.folder}/inverse.json`, "--yes", "--no-check-drift", "--policy"];
  assert.equal((await runCli([...inverse, policy], world)).code, 4, "the plan was not applied yet");
  const free = await runCli(["plan", "apply", plan, "--yes"], world);
  assert.equal(free.code, 0, free.stderr);
  assert.equal((await runCli([...inverse, policy], world)).code, 4, "nothing was recorded without a policy");
});

Deno.test("policy init, test, check and explain work on the account's own figures", async () => {
  await using world = await emulated();
  const policy = `${world.folder}/policy.yaml`;
  const made = await runCli(["policy", "init", "-m", "CA", "--out", policy], world);
  assert.equal(made.code, 0, made.stderr);
  const asked = new Set(world.emulator.requests().map(({ path }) => path.replace(/^\/\w+/, "")));
  for (const path of ["/sp/keywords/list", "/sp/targets/list", "/sb/keywords", "/sb/targets/list"]) {
    assert.ok(asked.has(path), `bids of ${path}`);
  }
  assert.equal(
    (await runCli(["policy", "init", "-m", "CA", "--out", policy], world)).code,
    2,
    "not overwritten",
  );

  const tested = await runCli(["policy", "test", "--policy", policy], world);
  assert.equal(tested.code, 0, tested.stderr);
  assert.match(tested.stderr, /1 passed, 0 failed/);
  const cases = await world.write("cases.yaml", "tests: [{ name: no, kind: sp.keywords, expect: deny }]");
  assert.equal((await runCli(["policy", "test", cases, "--policy", policy], world)).code, 1);

  const plan = await planBid(world, "999");
  for (const offline of [[], ["--offline"]]) {
    const checked = await runCli(["policy", "check", plan, "--policy", policy, "--json", ...offline], world);
    assert.equal(checked.code, 4, checked.stderr);
    const rules = (JSON.parse(checked.stdout) as { rule: string }[]).map(({ rule }) => rule);
    assert.deepEqual(rules, ["max_bid", "max_increase"]);
  }
  const explained = await runCli(["policy", "explain", plan, "--policy", policy], world);
  assert.equal(explained.code, 0, explained.stderr);
  assert.match(explained.stdout, /max_bid\tdeny\t/, "the first change that is denied");
  assert.match(explained.stdout, /max_decrease\tpass\t/);
  assert.equal(
    (await runCli(["policy", "explain", plan, "--change", "2", "--policy", policy], world)).code,
    2,
  );

  assert.equal((await runCli(["policy", "check", "--policy", policy], world)).code, 0);
  assert.equal((await runCli(["policy", "check"], world)).code, 2, "no policy is named");
});
