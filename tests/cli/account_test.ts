import { deepEqual, equal, match } from "../support/assert.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { plannedIn } from "../support/plan_words.ts";

const CLOCK = { clock: { now: "2026-09-30T12:00:00Z", frozen: true } };

async function pulled(world: Emulated): Promise<{ folder: string; campaign: string }> {
  const folder = `${world.folder}/account`;
  const run = await runCli(["account", "pull", folder, "-m", "CA"], world);
  equal(run.code, 0, run.stderr);
  match(run.stdout, /^Pulled profile \d+ \(CA\) into .*: \d+ files written, 0 removed, 0 unchanged\n$/);
  return { folder, campaign: `${folder}/sp/sp-cast-iron-skillet-exact.yaml` };
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
}

Deno.test("an account is pulled, edited, compared, planned, applied, and is as its files say then", async () => {
  await using world = await emulated(CLOCK);
  const { folder, campaign } = await pulled(world);
  const same = await runCli(["account", "diff", folder], world);
  equal(same.code, 0, same.stderr);
  equal(same.stdout, "No differences\n");

  await edit(
    campaign,
    (text) => text.replace(/^state: .*/m, "state: PAUSED").replace(/^ *- \{ keywordText: .* EXACT.*\n/m, ""),
  );
  const diff = await runCli(["account", "diff", folder], world);
  equal(diff.code, 6, diff.stderr);
  match(
    diff.stdout,
    /To change: 1\n {2}sp\/sp-cast-iron-skillet-exact\.yaml\n {4}~ campaign .* \d+ {2}state ENABLED → PAUSED\n/,
  );
  match(diff.stdout, /Only in the account \(not changed; plan from --prune archives it\): 1\n/);
  const data = JSON.parse((await runCli(["account", "diff", folder, "--json"], world)).stdout);
  equal(data.updates[0].after.state, "PAUSED");
  equal(data.only_in_account.length, 1);

  const out = `${world.folder}/plan.json`;
  const plan = await runCli(["plan", "from", folder, "--prune", "--note", "Rest", "--out", out], world);
  equal(plan.code, 0, plan.stderr);
  match(plan.stdout, /Note: Rest/);
  deepEqual(plannedIn(plan.stdout), [0, 1, 1]);
  match(
    plan.stderr,
    /To archive, permanently: 1\n {2}sp\/sp-cast-iron-skillet-exact\.yaml\n {4}- keyword .* \d+$/m,
  );
  const policy = `${world.folder}/policy.yaml`;
  await Deno.writeTextFile(policy, 'version: 1\nprotect:\n  names: ["SP | Cast Iron*"]\n');
  const denied = ["plan", "from", folder, "--out", `${world.folder}/none.json`, "--policy", policy];
  match(
    (await runCli(denied, world)).stderr,
    /The policy denies 1 of its changes\. --skip-denied leaves these out/,
  );
  const skipped = await runCli([...denied, "--skip-denied"], world);
  match(skipped.stderr, /Left out 1, for example .*The policy denies it \(protect\)/);
  deepEqual(plannedIn(skipped.stdout), [0, 0, 0]);
  const applied = await runCli(["plan", "apply", out, "--yes"], world);
  equal(applied.code, 0, applied.stderr);
  equal((await runCli(["account", "diff", folder, "-m", "CA"], world)).code, 0);
  const again = await runCli(["account", "pull", folder, "-m", "CA"], world);
  equal(again.code, 0, again.stderr);
});

Deno.test("account files that cannot be used end with every problem, as text and as data, and send nothing", async () => {
  await using world = await emulated(CLOCK);
  const { folder, campaign } = await pulled(world);
  await edit(
    campaign,
    (text) => text.replace("state:", "stat:").replace("targetingType: MANUAL", "targetingType: [1]"),
  );
  const before = world.emulator.requests().length;
  const run = await runCli(["plan", "from", folder, "-m", "CA"], world);
  equal(run.code, 2);
  match(
    run.stderr,
    /sp\/sp-cast-iron-skillet-exact\.yaml:3: stat: "stat" is not known. Did you mean "state"\?\n/,
  );
  const json = await runCli(["account", "diff", folder, "-m", "CA", "--json"], world);
  const { problems } = JSON.parse(json.stderr);
  equal(problems[0].line, 3);
  equal(problems[0].file, "sp/sp-cast-iron-skillet-exact.yaml");
  equal(world.emulator.requests().length, before, "nothing was read or sent");
  const refused = await runCli(["account", "pull", folder, "-m", "CA"], world);
  equal(refused.code, 2);
  match(refused.stderr, /was edited since the last pull[^]*--force/);
  equal((await runCli(["account", "pull", folder, "-m", "CA", "--force"], world)).code, 0);
  equal((await runCli(["account", "diff", `${world.folder}/nowhere`, "-m", "CA"], world)).code, 2);
});

Deno.test("campaigns are copied by name to another market, with the rate between the currencies", async () => {
  await using world = await emulated(CLOCK);
  const out = `${world.folder}/plan.json`;
  const line = ["copy", "SP | Trail Tent 2P | *", "-m", "US", "--to", "CA", "--out", out];
  const refused = await runCli(line, world);
  equal(refused.code, 2);
  match(refused.stderr, /without a rate: give the value of one USD in CAD \(--rate\)/);
  equal((await runCli([...line, "--rate", "lots"], world)).code, 2);
  const none = await runCli(["account", "copy", "Nothing", "-m", "US", "--to", "CA"], world);
  match(none.stderr, /Cannot copy "Nothing": profile \d+ \(US\) has no campaign/);
  const run = await runCli([...line, "--rate", "1.37", "--state", "PAUSED"], world);
  equal(run.code, 0, run.stderr);
  match(run.stdout, /New campaign SP \| Trail Tent 2P \| Exact/);
  const { changes, profile_id: profileId } = JSON.parse(await Deno.readTextFile(out));
  equal(changes.filter(({ kind }: { kind: string }) => kind === "sp.campaigns").length, 4);
  equal(
    world.emulator.requests().some(({ method, path }) => method === "PUT" || path === `/na/sp/campaigns`),
    false,
  );
  equal(typeof profileId, "string");
});

Deno.test("drift names the plan that made a change, and ends with 6 when somebody else made one", async () => {
  await using world = await emulated(CLOCK);
  const now = (): number => Date.parse(CLOCK.clock.now);
  const { folder, campaign } = await pulled(world);
  await edit(campaign, (text) => text.replace(/^state: .*/m, "state: PAUSED"));
  const out = `${world.folder}/plan.json`;
  equal((await runCli(["plan", "from", folder, "--out", out, "--note", "Pause"], { ...world, now })).code, 0);
  equal((await runCli(["plan", "apply", out, "--yes"], { ...world, now })).code, 0);
  const line = ["drift", "-m", "CA", "--since", "-1h", "--plans", world.folder, "--json"];
  const ours = await runCli(line, { ...world, now });
  equal(ours.code, 0, ours.stderr);
  const [{ by, note, change, kind }] = JSON.parse(ours.stdout);
  equal(`${by.slice(0, 5)} ${note} ${change} ${kind}`, "plan  Pause STATUS sp.campaigns");
  const others = await runCli([...line.slice(0, 5), "--json"], { ...world, now });
  equal(others.code, 6);
  match(
    others.stderr,
    /Since 2026-09-30T11:00:00.000Z: 1 changes, 0 by your plans, 0 by the platform, 1 by someone else/,
  );
  const ignored = await runCli([...line.slice(0, 5), "--ignore", "sp.campaigns.state"], { ...world, now });
  equal(ignored.code, 0);
});

Deno.test("drift compares the entities of a store, and refuses a store that is not there", async () => {
  await using world = await emulated(CLOCK);
  const store = `${world.folder}/ads.sqlite`;
  const line = ["drift", "-m", "CA", "--since", "-1h", "--store", store, "--json"];
  equal((await runCli(line, world)).code, 2);
  equal((await runCli(["sync", "-m", "CA", "--entities", "--store", store], world)).code, 0);
  const run = await runCli(line, { ...world, now: () => Date.parse(CLOCK.clock.now) });
  equal(run.code, 0, run.stderr);
  equal(JSON.parse(run.stdout).length, 0);
});
