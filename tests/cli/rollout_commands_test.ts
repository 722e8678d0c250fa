import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { emulated } from "./support/emulated.ts";
import { type CliRun, type CliWorld, runCli } from "./support/run_cli.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";
import { long } from "../support/long.ts";

interface World extends AsyncDisposable {
  readonly folder: string;
  readonly rollout: string;
  /** Moves the platform's clock. */
  readonly advance: (seconds: number) => void;
  readonly puts: () => number;
  readonly run: (words: readonly string[], world?: Partial<CliWorld>) => Promise<CliRun>;
}

/** The rollout of the first test, and the account and store that it was made of: fetching figures takes most of a test. */
let prepared: { readonly folder: string; readonly snapshot: string } | undefined;

async function copy(from: string, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    if (!isDirectory) await Deno.copyFile(source, target);
    else {
      await Deno.mkdir(target, { recursive: true });
      await copy(source, target);
    }
  }
}

/** A rollout of bids for three markets; where it was made is remembered in a state folder that is `fresh`. */
async function world(
  { fresh = false, judging }: { fresh?: boolean; judging?: Judging } = {},
): Promise<World> {
  const at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = {
    ...at.env,
    XDG_CONFIG_HOME: `${at.folder}/config`,
    PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite`,
    ...judging?.variables,
  };
  const rollout = `${at.folder}/rollout`;
  if (prepared !== undefined) {
    at.emulator.restore(prepared.snapshot);
    if (!fresh) await copy(prepared.folder, at.folder);
    else await Deno.copyFile(`${prepared.folder}/ads.sqlite`, env.PLATFORM_ADS_STORE);
  }
  const run: World["run"] = (words, more) =>
    runCli(words, { env, now: () => at.emulator.clock.now(), ...more });
  // A few dozen changes for each market: what is tried here does not depend on more.
  const where = "clicks30d >= 25";
  const line = ["plan", "bids", "--profiles", "US,CA,UK", "--where", where, "--change", "+10%"];
  if (prepared === undefined || fresh) {
    const made = await run([...line, "--out", rollout, "--json"]);
    equal(made.code, 0, made.stderr);
    equal(JSON.parse(made.stdout).length, 3);
    const folder = await Deno.makeTempDir();
    globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
    await copy(at.folder, folder);
    prepared = { folder, snapshot: at.emulator.snapshot() };
  }
  return {
    folder: at.folder,
    rollout,
    run,
    advance: (seconds) => at.emulator.advance(seconds),
    puts: () => at.emulator.requests().filter(({ method }) => method === "PUT").length,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

// Under a policy, a rollout of commands is in `rollout_test.ts` and in the next test.
long();
Deno.test("a rollout is approved, applied, measured and undone by its folder", async () => {
  await using at = await world();
  const { run, rollout } = at;
  const unsigned = await run(["plan", "approve", rollout]);
  match(unsigned.stderr, /Cannot approve a plan without a terminal/);
  // Rollouts that a program made name no accounts.
  const file = `${rollout}/rollout.json`;
  const whole = await Deno.readTextFile(file);
  const { plans: [first, ...others], ...listed } = JSON.parse(whole);
  delete first.account_name;
  await Deno.writeTextFile(file, JSON.stringify({ ...listed, plans: [first, ...others] }));
  const no = await run(["plan", "approve", rollout], { terminal: 120, stdin: "n\n" });
  await Deno.writeTextFile(file, whole);
  match(no.stderr, /Not approved/);
  equal(no.stderr.match(/^.*Plan.* for [^\d,]+, [A-Z]{2}$/gm)?.length, 3, no.stderr);
  ok(!/\d{12}/.test(no.stderr), "ids are for -v");
  equal(no.stderr.match(/^Spend in (USD|CAD|GBP): /gm)?.length, 3, no.stderr);
  const signed = await run(["plan", "approve", rollout, "--minutes", "600"], {
    terminal: 120,
    stdin: "y\n\n",
  });
  equal(signed.code, 0, signed.stderr);
  match(signed.stderr, /May exactly these 3 plans be applied\?[^]*Approved until .*: 3 plans in /);

  const early = await run(["plan", "outcome", rollout]);
  equal(early.code, 4, early.stderr);
  const applied = await run(["plan", "apply", rollout, "--yes", "--json"]);
  equal(applied.code, 0, applied.stderr);
  match(applied.stderr, /To undo it:\n {2}adsctl plan undo .*rollout/);
  ok(JSON.parse(applied.stdout).plans.every((one: { account_name: string }) => one.account_name.length > 0));
  match((await run(["plan", "approve", rollout], { terminal: 120 })).stderr, /none of its plans is open/);

  at.advance(8 * 86_400);
  equal(
    (await run(["sync", "-m", "US", "-m", "CA", "--report", "sp_targeting", "--start", "-10"])).code,
    0,
  );
  const outcome = await run(["plan", "outcome", rollout, "--format", "table"]);
  equal(outcome.code, 0, outcome.stderr);
  match(outcome.stdout, /^Account name +Market/);
  match(outcome.stderr, /USD: [\d.]+ a day before, [\d.]+ a day after, in 1 accounts\n/);
  match(outcome.stderr, /GBP: unknown; 1 without stored figures/);
  const data = JSON.parse((await run(["plan", "outcome", rollout, "--json"])).stdout);
  const us = data.plans.find((one: { country_code: string }) => one.country_code === "US");
  ok(us.totals.before.cost > 0 && us.totals.after.clicks > 0);
  const moved = us.totals.after.cost_per_day - us.totals.before.cost_per_day;
  ok(Math.abs(moved - us.estimate.actual) < 1e-6, "the estimate and the totals count the same entities");

  const puts = at.puts();
  equal((await run(["plan", "undo", rollout])).code, 2, "there is nobody to ask");
  equal((await run(["plan", "undo", rollout, "--serial", "many", "--yes"])).code, 2);
  const no2 = await run(["plan", "undo", rollout], { terminal: 120, stdin: "n\n" });
  match(no2.stderr, /Undo 3 plans in 3 profiles\? \[y\/N\]/);
  equal(at.puts(), puts);
  const undone = await run(["plan", "undo", rollout, "--yes", "--serial", "1,100%", "--json"]);
  equal(undone.code, 0, undone.stderr);
  deepEqual(
    JSON.parse(undone.stdout).plans.map(({ state }: { state: string }) => state),
    Array(3).fill("done"),
  );
  ok(at.puts() > puts);
  const after = at.puts();
  equal((await run(["plan", "undo", rollout, "--yes"])).code, 0, "nothing is left to undo");
  const again = await run(["plan", "apply", rollout, "--yes"]);
  equal(again.code, 4, again.stderr);
  match(again.stderr, /its undo was started at .*"adsctl plan undo/);
  equal(at.puts(), after);
  const shown = JSON.parse((await run(["plan", "show", rollout, "--json"])).stdout);
  deepEqual(shown.map(({ state }: { state: string }) => state), Array(3).fill("undone"));
});

long();
withAndWithoutPolicy(
  "the inverse of a rollout is a rollout, and resume --roll-back undoes one",
  async (judging) => {
    await using at = await world({ judging });
    const { run, rollout } = at;
    const inverse = await run(["plan", "undo", "--only-plan", rollout, "--json"]);
    equal(inverse.code, 0, inverse.stderr);
    const [plan, back] = await Promise.all([rollout, `${rollout}-inverse`].map(async (folder) => {
      const shown = await run(["plan", "show", folder, "--json"]);
      return JSON.parse(shown.stdout) as { account_name: string; change: number; country_code: string }[];
    }));
    deepEqual(
      back!.map(({ account_name, change, country_code }) => [account_name, change, country_code]),
      plan!.map(({ account_name, change, country_code }) => [account_name, change, country_code]),
    );
    equal(
      (await run(["plan", "undo", "--only-plan", rollout])).code,
      4,
      "the folder holds a rollout already",
    );
    equal((await run(["plan", "apply", rollout, "--yes", "--accept-risk"])).code, 0);
    const undone = await run(["plan", "resume", rollout, "--roll-back", "--yes"]);
    equal(undone.code, 0, undone.stderr);
    const single = await run(["plan", "undo", "plan.json", "--serial", "1"]);
    match(single.stderr, /are for a rollout/);
  },
);

long();
Deno.test("drift and the list of plans know a rollout wherever its folder is", async () => {
  await using at = await world({ fresh: true });
  const { run, rollout } = at;
  const list = async (): Promise<Record<string, string>[]> => {
    const all = JSON.parse((await run(["plan", "list", "--json"])).stdout) as Record<string, string>[];
    return all.filter((row) => row["rollout"] === rollout);
  };
  const [open, ...plans] = await list();
  deepEqual([open!["state"], open!["account"], open!["applied_at"]], ["open", "3 accounts", null]);
  match(open!["does"]!, /^rollout: change \d+ keywords/);
  equal(plans.length, 3);
  ok(plans.every((row) => /^(US|CA|UK) .+/.test(row["account"]!) && row["account_name"] !== null));
  equal((await run(["plan", "apply", rollout, "--yes", "--accept-risk"])).code, 0);
  const [applied, ...sent] = await list();
  deepEqual([applied!["state"], sent.length], ["applied", 3], "plans that undo others are left out");
  equal(applied!["applied_at"], "2026-09-30T19:00:00.000Z");

  at.advance(3600);
  const drift = await run(["drift", "--profiles", "US,CA,UK", "--since", "-3h", "--json"]);
  equal(drift.code, 0, drift.stderr);
  const rows = JSON.parse(drift.stdout) as { by: string; account_name: string }[];
  ok(rows.length > 3 && rows.every(({ by }) => by.startsWith("plan ")));
  ok(rows.every(({ account_name }) => account_name.length > 0));
  const id = sent[0]!["id"]!;
  match((await run(["plan", "show", id])).stdout, new RegExp(`^Plan ${id} for profile`));

  const table = await run(["plan", "list", "--folder", rollout, "--no-color"], { terminal: 80 });
  match(table.stdout, /^Note +Account +State +Age/);
  match(table.stdout, / US .* applied /);
  ok(table.stdout.split("\n").every((line) => line.length <= 80));
  const review = await run(["plan", "show", rollout, "--no-color"], { terminal: 80 });
  match(review.stdout, / {2}\+0\.00 to \+[\d.]+ USD {2}/, "an amount keeps its currency");
  equal((await run(["plan", "undo", rollout, "--yes"])).code, 0);
  equal((await list())[0]!["state"], "undone");
  at.advance(3600);
  equal(
    (await run(["drift", "--profiles", "US,CA,UK", "--since", "-5h"])).code,
    0,
    "undoing is ours as well",
  );
});
