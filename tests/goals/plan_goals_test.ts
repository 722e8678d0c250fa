import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { it } from "node:test";
import { after, before } from "../support/hooks.ts";
import {
  type DecidedGoals,
  type GoalsOptions,
  planDecidedGoals,
} from "../../src/account/goals/plan_goals.ts";
import { pacedIn } from "../../src/automation/pacing/managed_ids.ts";
import { parsePacing, runPacing } from "../../src/automation/pacing/mod.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { planOutcome } from "../../src/store/mod.ts";
import { maturities } from "../../src/account/goals/goal_figures.ts";
import { explainGoal } from "../../src/account/goals/explain_goal.ts";
import { openGoalsPlan } from "../../src/account/goals/open_plan.ts";
import { ScheduleState } from "../../src/automation/schedules/schedule_state.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { ChangePlan, PlanStore, PlatformAds, type ProfileClient } from "../../mod.ts";
import { type StoredWorld, storedWorld } from "../account/jobs/stored_world.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { runCli } from "../cli/support/run_cli.ts";

let at: StoredWorld;
let ca: ProfileClient;
before(async () => {
  at = await storedWorld();
  ca = await at.world.ads.profile("CA");
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  await at.store.sync(ca, { reports, start: "2026-09-09", end: "2026-09-29" });
});
after(async () => await at[Symbol.asyncDispose]());

const plan = (goals: string, options: Pick<GoalsOptions, "again" | "paced" | "explained"> = {}) =>
  planDecidedGoals(ca, {
    store: at.store,
    file: parseGoals(`version: 1\nhold_back: 0\ngoals:\n${goals}`, "goals.yaml"),
    sync: false,
    ...options,
  });
const SALES = "  all: { aim: sales, acos: 25% }\n";

it("a goal becomes a plan of bids within its steps and budgets within its month, and nothing is sent", async () => {
  at.world.asked();
  const { plan: made, leftOut, considered, goals: [decided], notes } = await plan(
    "  all: { aim: sales, acos: 25%, limits: { month: 8000, raise: 20%, cut: 15% } }\n",
  );
  equal(at.world.asked().some((line) => /^(PUT|DELETE)/.test(line)), false);
  const bids = made.changes.filter(({ kind }) => kind !== "sp.campaigns");
  equal(bids.length + leftOut.filter(({ kind }) => kind !== "sp.campaigns").length, considered);
  ok(bids.length > 30);
  const rows = new Map(decided?.decision.rows.map((row) => [row.id, row]));
  for (const { id, after, evidence } of bids) {
    const row = rows.get(id ?? "");
    ok(row !== undefined && after["bid"] === row.next);
    ok(row.next <= 1.2 * row.bid + 1e-9 && row.next >= 0.85 * row.bid - 1e-9);
    match(evidence?.reason ?? "", /^all: a click is worth \d.* clicks a day at .* expected [+-]/);
  }
  const { money, campaigns = [] } = decided?.input ?? {};
  ok(money !== undefined);
  const budgets = campaigns.map(({ id, budget }) => decided?.decision.budgets.get(id) ?? budget);
  const all = budgets.reduce((sum, one) => sum + one, 0);
  ok(money.daysLeft === 1 && all <= money.left - money.reserve);
  match(notes.join("\n"), /all: [\d.]+ a day for [\d.]+ of sales \(ACOS [\d.]+ %\) now/);
  match(notes.join("\n"), /it can spend at most [\d.]+ until the end of the month; [\d.]+ are left/);
});

/** Lets a minute pass, so that changes have an order. */
function passMinute(): void {
  at.world.emulator.clock.advance(60);
  at.world.time.advance(60);
}

it("where the month's amount is used up, budgets fall to the lowest of the market, none rises, and bids stay", async () => {
  const { plan: made, goals: [decided], notes, leftOut } = await plan(
    "  all: { aim: sales, acos: 25%, limits: { month: 1, min_budget: 4 } }\n",
  );
  const { campaigns = [] } = decided?.account ?? {};
  ok(campaigns.length > 5 && made.changes.length === campaigns.length);
  ok(campaigns.some(({ highestBid }) => highestBid > 1));
  for (const { id, kind, after, before, evidence } of made.changes) {
    const { highestBid = 0 } = campaigns.find((one) => one.id === id) ?? {};
    const budget = Math.max(1, highestBid);
    deepEqual([kind, after["budget"]], ["sp.campaigns", { ...Object(before["budget"]), budget }]);
    match(
      evidence?.reason ?? "",
      /^all: limits\.month is used up, so the lowest daily budget that the platform takes$/,
    );
  }
  match(
    notes.join("\n"),
    /all: limits\.month is used up: [^]*so every bid stays\nall: budgets stay that low until another plan raises them; the next amount begins on \d{4}-\d\d-01\nall: the month may exceed its amount by up to/,
  );
  ok(leftOut.some(({ reason }) => reason === "amount_too_small"));
  const result = await made.apply(ca, { checkDrift: true });
  equal(result.ok, true, result.summary());
  passMinute();
  equal((await result.rollbackPlan().apply(ca)).ok, true);
  passMinute();
});

it("a plan without a change says why", async () => {
  const { plan: made, notes } = await plan(
    '  all: { aim: sales, acos: 25%, limits: { never: { names: ["*"] } } }\n',
  );
  equal(made.changes.length, 0);
  match(notes.join("\n"), /all: nothing changes: The goal never touches it \(\d+\)/);
});

it("the same files and store give the same plan, with the same part held back", async () => {
  const drawn = async () =>
    (await planDecidedGoals(ca, {
      store: at.store,
      file: parseGoals(`version: 1\ngoals:\n${SALES}`, "goals.yaml"),
      sync: false,
    })).plan;
  const [one, other] = [await drawn(), await drawn()];
  equal(one.fingerprint, other.fingerprint);
  ok(one.experiment !== null && one.experiment.unit === "keyword");
  const bids = one.changes.filter(({ kind }) => kind !== "sp.campaigns").length;
  const { held } = one.experiment;
  ok(Math.abs(held.length / (held.length + bids) - 0.2) < 0.03);
  ok(one.experiment.changes?.every(({ kind }) => kind !== "sp.campaigns"), "budgets are never held back");
  const { comparison } = await planOutcome(at.store, {
    plan: one,
    applied: {
      appliedAt: "2026-09-21T20:00:00Z",
      ok: true,
      summary: "",
      override: undefined,
      changes: one.changes.map(({ id }) => ({ id, outcome: "done" })),
    },
    days: 7,
    now: Date.parse("2026-10-14T12:00:00Z"),
  });
  deepEqual([comparison.unit, comparison.held], ["keyword", held.length]);
  ok(comparison.treated > 100);
});

it("what a goal never touches and what was changed lately stays, with the reason", async () => {
  const { goals: [decided] } = await plan(SALES);
  const moved =
    decided?.account.entities.filter((_, place) =>
      decided.decision.rows[place]?.kept === null && !decided.account.entities[place]?.isInherited
    ) ?? [];
  const [first, second] = moved;
  ok(first !== undefined && second !== undefined);
  await ca.resource(second.kind as string).update([
    { [second.kind === "sp.keywords" ? "keywordId" : "targetId"]: second.id, bid: second.bid + 0.01 },
  ]);
  const never = `  all: { aim: sales, acos: 25%, limits: { never: { ids: ["${first.id}"] } } }\n`;
  const { leftOut } = await plan(never);
  equal(leftOut.find(({ id }) => id === first.id)?.message, "The goal never touches it");
  equal(
    leftOut.find(({ id }) => id === second.id)?.message,
    "Its bid was changed in the last 7 days (limits.cooling)",
  );
  const again = await plan(SALES, { again: true });
  ok(again.plan.changes.some(({ id }) => id === second.id));
});

it("a plan of goals is applied and undone like any other", async () => {
  const { plan: made } = await plan(SALES);
  const before = await ca.sp.keywords.list();
  const result = await made.apply(ca, { checkDrift: true });
  equal(result.ok, true, result.summary());
  equal((await result.rollbackPlan().apply(ca)).ok, true);
  const bids = (keywords: typeof before) => keywords.map(({ keywordId, bid }) => `${keywordId} ${bid}`);
  deepEqual(bids(await ca.sp.keywords.list()), bids(before));
});

it("the arithmetic of a keyword is shown down to its stored days, and why another one stays", async () => {
  const row = (await plan(SALES, { again: true })).goals[0]?.decision.rows.find(({ kept, clicks }) =>
    kept === null && clicks > 1
  );
  const result = await plan(SALES, { again: true, explained: [row?.id ?? ""] });
  const target = result.goals[0]?.input.targets.find(({ id }) => id === row?.id);
  const days = explainGoal(result, row?.id ?? "").flatMap((line) =>
    Number(/^ {4}2026-09-\d\d: (\d+) clicks, cost /.exec(line)?.[1] ?? [])
  );
  ok(days.length > 5);
  equal(
    days.reduce((sum, clicks) => sum + clicks, 0),
    target?.periods.reduce((sum, { clicks }) => sum + clicks, 0),
  );
  const lines = explainGoal(result, row?.id ?? "").join("\n");
  match(lines, /2026-09-09 to 2026-09-29, 21 of them stored/);
  equal(lines.match(/ days, ending \d+ days before the last: bid /g)?.length, 3);
  match(lines, /value {5}[\d.]+ % orders a click: its own clicks count [\d.]+ %/);
  match(lines, /bid {7}[\d.]+ × [\d.]+ \(the same for all\) \/ \([\d.]+ × [\d.]+ for placements\) = [\d.]+/);
  const [out] = result.leftOut.filter(({ reason }) => reason === "not_running");
  match(explainGoal(result, out?.id ?? "").join(), /Its campaign is paused|It is paused|is archived/);
  deepEqual(explainGoal(result, "1"), ["1: no goal selects it"]);
});

it("profit needs a margin of every product, orders keep their cost, and goals may not share campaigns", async () => {
  await rejects(
    plan("  all: { aim: profit, margins: { B000000000: 30% } }\n"),
    /Cannot plan goal all: margins do not name \d+ products \(B0.*Add them, or margin: 30% for all others/,
  );
  const profit = await plan("  all: { aim: profit, margin: 30% }\n");
  match(
    profit.notes.join("\n"),
    /profit changes by -?[\d.]+ a day, -?[\d.]+ to -?[\d.]+ with 95 % confidence/,
  );
  const asin = profit.goals[0]?.account.entities.find(({ products }) => products[0]?.asin)?.products[0]?.asin;
  const some = await plan(`  all: { aim: profit, margin: 30%, margins: { ${asin}: 90% } }\n`);
  match(
    some.plan.warnings.join("\n"),
    /all: margins do not name \d+ products, which count with margin 30 %: B0\w+, /,
  );
  const orders = await plan("  all: { aim: orders, cost_per_order: 30 }\n");
  match(orders.notes.join("\n"), /an order costs [\d.]+, at most 30\.00$/m);
  const dear = await plan("  all: { aim: orders, cost_per_order: 2 }\n");
  match(
    dear.notes.join("\n"),
    /an order costs [\d.]+, at most 2\.00: not reached by this plan, in which [1-9]\d* bids already fall as far/,
  );
  await rejects(
    plan(`${SALES}  other: { aim: sales, acos: 20% }\n`),
    /campaign ".*" belongs to goal all and to goal other/,
  );
  await rejects(
    plan("  all: { aim: sales, acos: 25%, select: { names: [Nothing] } }\n"),
    /goal all selects no campaign of Sponsored Products/,
  );
  await rejects(
    plan("  all: { aim: sales, acos: 25%, currency: USD }\n"),
    /its amounts are in USD, and the profile pays in CAD/,
  );
  await rejects(
    plan("  all: { aim: sales, acos: 25%, limits: { max_bid: 5000 } }\n"),
    /limits\.max_bid is 5000, and CA takes 0\.02 to 1000/,
  );
});

it("too few stored days are refused, and a gap is named and counts for nothing", async () => {
  await rejects(
    planDecidedGoals(ca, {
      store: at.store,
      file: parseGoals(`version: 1\ngoals:\n${SALES}`, "goals.yaml"),
      sync: false,
      today: "2026-09-20",
    }),
    /has 11 of the days .* of the report targeting, and needs 14/,
  );
  const { plan: made, decidedBy } = await planDecidedGoals(ca, {
    store: at.store,
    file: parseGoals(`version: 1\nhold_back: 0\ngoals:\n${SALES}`, "goals.yaml"),
    sync: false,
    today: "2026-10-02",
  });
  equal(decidedBy.range.end, "2026-09-29");
  match(made.warnings.join("\n"), /days of targeting are not stored and were left out/);
});

it("adsctl checks a file of goals, plans it, and lists every fault by line", async () => {
  const folder = await Deno.makeTempDir({ prefix: "goals-test-" });
  const env = settingsOf(at.world.emulator, folder);
  const run = (...words: string[]) => runCli(["plan", "goals", ...words], { env, now: at.world.time.now });
  const path = `${folder}/goals.yaml`;
  await Deno.writeTextFile(
    path,
    `version: 1\ngoals:\n  all: { aim: sales, acos: 25%, limits: { month: 8000 } }\n`,
  );
  const checked = await run(path, "--check");
  deepEqual([checked.code, checked.stdout], [0, `${path}: all: sales, 8000 a month at most\n`]);
  const line = [path, "-m", "CA", "--store", at.store.location, "--no-sync", "--out", `${folder}/plan.json`];
  const made = await run(...line, "--json", "--again");
  equal(made.code, 0, made.stderr);
  const { goals: [goal], left_out_counts: counts, counts: changes } = JSON.parse(made.stdout);
  ok(changes.update > 30 && goal.rows.length > 100 && goal.month.days_left === 1);
  ok(goal.month.most <= goal.month.left - goal.month.reserve);
  ok(counts.not_running > 0);
  const [{ id }] = goal.rows;
  const shown = await run(...line, "--explain", id);
  match(shown.stderr, new RegExp(`Looked at \\d+: [^]*${id}\\), goal all: `));
  // Words of the platform draw nothing on the terminal.
  const standing = await runCli(["plan", "goals", "show", path, "-m", "CA", "--store", at.store.location], {
    ...{ env, now: at.world.time.now },
    fetch: (input, init) =>
      /budgetRules/i.test(new URL(String(input)).pathname)
        ? Promise.resolve(Response.json({ code: "403", details: "Not\u001b[31m yours" }, { status: 403 }))
        : fetch(input, init),
  });
  equal(standing.code, 0, standing.stderr);
  match(standing.stdout, /budget rules: .*Not\\x1b\[31m yours/);
  await Deno.writeTextFile(path, "version: 1\ngoals:\n  all: { aim: sales }\n  b: { aim: profit }\n");
  const wrong = await run(path, "-m", "CA");
  equal(wrong.code, 2);
  match(wrong.stderr, /goals\.yaml:3: goals\.all\.aim: [^]*goals\.yaml:4: goals\.b\.aim: /);
  equal((await run(`${folder}/none.yaml`, "--check")).code, 2);
  await Deno.remove(folder, { recursive: true });
});

it("goals init writes a file from options or answers, with the account's figures, and never over another one", async () => {
  await at.store.sync(ca, { reports: ["sp_campaigns"], start: "2026-08-31", end: "2026-09-08" });
  const folder = await Deno.makeTempDir({ prefix: "goals-init-test-" });
  const env = settingsOf(at.world.emulator, folder);
  const out = `${folder}/goals.yaml`;
  const run = (words: string[], typed?: string) =>
    runCli(["plan", "goals", "init", "-m", "CA", "--store", at.store.location, "--out", out, ...words], {
      ...{ env, now: at.world.time.now },
      ...(typed === undefined ? {} : { stdin: typed, terminal: 100 }),
    });
  const missing = await run(["--aim", "sales"]);
  equal(missing.code, 2);
  match(
    missing.stderr,
    /Cannot ask for the goal: there is no terminal\. Add --select, --target, --month, --never/,
  );
  const wrong = await run([
    "--select",
    "all",
    "--aim",
    "sales",
    "--target",
    "lots",
    "--month",
    "-3",
    "--never",
    "none",
  ]);
  equal(wrong.code, 2);
  match(wrong.stderr, /goals\.main\.acos: [^]*goals\.main\.limits\.month: /);
  const none = await run([
    "--select",
    "Nothing",
    "--aim",
    "sales",
    "--target",
    "25%",
    "--month",
    "none",
    "--never",
    "none",
  ]);
  match(none.stderr, /no running campaign of Sponsored Products has a name like Nothing/);
  const asked = await run([], "SP *\n\n25%\n3000\n*clearance*, brand\n");
  equal(asked.code, 0, asked.stderr);
  match(
    asked.stderr,
    /\d+ campaigns: [\d,]+\.\d\d CAD in the last 30 days for [\d,]+\.\d\d of sales, ACOS [\d.]+ %/,
  );
  const text = await Deno.readTextFile(out);
  match(
    text,
    /select: \{ names: \["SP \*"\] \} # \d+ campaigns: .*\n {4}aim: sales\n {4}acos: 25% # at most; [\d.]+ % in/,
  );
  match(
    text,
    /month: 3000 # [\d,]+\.\d\d in the last 30 days\n {6}never: \{ names: \["\*clearance\*", "brand"\] \}/,
  );
  const { goals: [goal] } = parseGoals(text, out);
  deepEqual([goal?.aim, goal?.acos, goal?.limits.month, goal?.currency], ["sales", 0.25, 3000, "CAD"]);
  const again = await run([
    "--select",
    "all",
    "--aim",
    "orders",
    "--target",
    "8",
    "--month",
    "none",
    "--never",
    "none",
  ]);
  equal(again.code, 2);
  match(again.stderr, /goals\.yaml: the file already exists\. Choose another with --out/);
  equal(await Deno.readTextFile(out), text);
  await Deno.remove(folder, { recursive: true });
});

it("pacing owns the amount of its campaigns: a goal with an amount for them is refused, another leaves their budgets", async () => {
  const paced = pacedIn(at.store.location);
  const { goals: [before], decidedBy } = await plan(SALES);
  const costOf = (id: string): number =>
    decidedBy.campaigns.get(id)?.reduce((sum, { cost }) => sum + cost, 0) ?? 0;
  const [own] = before?.account.campaigns.toSorted((a, b) => costOf(b.id) - costOf(a.id)) ?? [];
  ok(own !== undefined && !own.isFixed);
  const setBudget = async (budget: number): Promise<void> => {
    const budgets = [{ campaignId: own.id, budget: { budgetType: "DAILY" as const, budget } }];
    deepEqual((await ca.sp.campaigns.update(budgets)).errors, []);
  };
  await setBudget(own.highestBid);
  ok((await plan(SALES)).plan.changes.some(({ id }) => id === own.id), "without pacing the goal raises it");
  const file = parsePacing(
    `version: 1\nbudgets:\n  core: { amount: 5000, select: { ids: ["${own.id}"] } }\n`,
    "pacing.yaml",
  );
  await runPacing(ca, { file, store: at.store, write: () => {} });
  deepEqual([...await paced(ca.profileId, "2026-09-30")], [[own.id, "core"]]);
  const { plan: made, goals: [decided] } = await plan(SALES, { paced, again: true });
  // Its placement adjustments may move: pacing owns amounts alone.
  ok(made.changes.every(({ id, after }) => id !== own.id || !Object.hasOwn(after, "budget")));
  equal(decided?.decision.budgets.has(own.id), false);
  const fixed = ({ goals }: DecidedGoals): string[] =>
    goals[0]?.account.campaigns.flatMap(({ id, isFixed }) => isFixed ? [id] : []) ?? [];
  // Two campaigns of the demo account have budget rules of the platform.
  const ruled = fixed(await plan(SALES));
  deepEqual(
    decided?.account.campaigns.flatMap(({ id, isFixed }) => isFixed && !ruled.includes(id) ? [id] : []),
    [own.id],
  );
  match(
    made.warnings.join("\n"),
    /all: pacing owns 1 daily budget, so this goal leaves them and decides bids alone/,
  );
  await rejects(
    plan("  all: { aim: sales, acos: 25%, limits: { month: 8000 } }\n", { paced }),
    /goal all has limits\.month, and the amount core of pacing owns campaign ".*": take limits\.month out of the goal/,
  );
  deepEqual([...await paced(ca.profileId, "2026-10-05")], [], "pacing that no longer runs owns nothing");
  {
    await using state = await ScheduleState.open(at.store.location, { use: "pacing" });
    const base = {
      ...{ kind: "sp.campaigns", id: "77", move: "budget" as const, schedule: "core", label: "C" },
    };
    const kept = { ...base, base: 10, factor: 1, wrote: 12, intends: null, kept: null, why: "a test" };
    await state.keep(ca.profileId, [kept], at.world.time.now());
  }
  deepEqual(
    [...await paced(ca.profileId, "2026-12-05")],
    [["77", "core"]],
    "a budget that pacing has not restored stays its own",
  );
  // A state that cannot be read frees no campaign.
  const folder = await Deno.makeTempDir({ prefix: "goals-pacing-test-" });
  await Deno.writeTextFile(
    `${folder}/ads.sqlite`,
    "not a database, but long enough to be taken for one\n".repeat(40),
  );
  at.world.asked();
  passMinute();
  await setBudget(own.budget);
  await rejects(plan(SALES, { paced: pacedIn(`${folder}/ads.sqlite`) }), /ads\.sqlite/);
  await Deno.remove(folder, { recursive: true });
});

it("what campaigns of a shared portfolio may take from others outside the goal counts against its amount", async () => {
  const [own] =
    (await plan(SALES)).goals[0]?.account.campaigns.filter(({ fields }) => fields["portfolioId"]) ?? [];
  ok(own !== undefined);
  const portfolioId = String(own.fields["portfolioId"]);
  const share = async (featureState: "ENABLED" | "DISABLED"): Promise<void> => {
    const budgetControls = { campaignUnspentBudgetSharing: { featureState } };
    deepEqual((await ca.portfolios.update([{ portfolioId, budgetControls }])).errors, []);
  };
  const input = async () =>
    (await plan(`  one: { aim: sales, acos: 25%, limits: { month: 900 }, select: { ids: ["${own.id}"] } }\n`))
      .goals[0]?.input;
  const alone = await input();
  deepEqual([alone?.campaigns[0]?.isSharing, alone?.money?.lent], [false, 0]);
  await share("ENABLED");
  const sharing = await input();
  const others = (await ca.sp.campaigns.list({ states: ["ENABLED"] })).filter((one) =>
    one.portfolioId === portfolioId && one.campaignId !== own.id
  );
  const budgets = others.reduce((sum, { budget }) => sum + (budget?.budget ?? 0), 0);
  ok(budgets > 0 && sharing?.campaigns[0]?.isSharing === true);
  // This is the last day of the month, and what they left before today comes on top.
  ok(sharing.money?.daysLeft === 1 && (sharing.money.lent ?? 0) > budgets);
  await share("DISABLED");
});

it("a bid that the policy denies is left out with the rule, and a plan that holds a part back names it", async () => {
  const { emulator, time } = at.world;
  const policy = parsePolicy("version: 1\nmax_bid: 0.4\n");
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform, now: time.now, policy });
  const held = await ads.profile("CA");
  const planned = (share: string) =>
    planDecidedGoals(held, {
      ...{ store: at.store, sync: false, again: true },
      file: parseGoals(`version: 1\nhold_back: ${share}\ngoals:\n${SALES}`, "goals.yaml"),
    });
  const { plan: made, leftOut, goals: [decided] } = await planned("0%");
  const over = decided?.decision.rows.filter(({ kept, next }) => kept === null && next > 0.4) ?? [];
  const denied = leftOut.filter(({ message }) => /^The policy denies it \(max_bid\): /.test(message));
  ok(over.length > 0 && denied.length > 0);
  deepEqual(denied.map(({ id }) => id).sort(), over.map(({ id }) => id).sort());
  ok(made.changes.every(({ id }) => !over.some((one) => one.id === id)));
  const drawn = (await planned("20%")).plan;
  ok(
    drawn.experiment !== null &&
      drawn.findings.some(({ level, rule }) => level === "deny" && rule === "max_bid"),
  );
});

it("a plan of the same goals that waits stands for the next one for seven days, until it is applied or refused", async () => {
  const folder = await Deno.makeTempDir({ prefix: "goals-open-test-" });
  const plans = PlanStore.open(folder, { now: at.world.time.now });
  const [goals, others] = [
    "all: { aim: sales, acos: 25% }\n  more: { aim: sales, acos: 20% }",
    "other: { aim: sales, acos: 25% }",
  ]
    .map((text) => parseGoals(`version: 1\ngoals:\n  ${text}\n`, "goals.yaml"));
  const { plan: made } = await plan(SALES, { again: true });
  const waits = (days: number, { file = goals!, profileId = ca.profileId } = {}) =>
    openGoalsPlan(file, { plans, profileId, now: Date.parse(made.createdAt) + days * 86_400_000 });
  equal(await waits(1), undefined);
  await plans.save(made);
  equal((await waits(6.9))?.id, made.id);
  equal(await waits(7.1), undefined, "its figures are old");
  equal(await waits(1, { file: others! }), undefined, "other goals");
  equal(await waits(1, { profileId: "1" }), undefined, "another profile");
  await plans.refuse(made);
  equal(await waits(1), undefined, "a person refused it");
  for (const note of [`Plan ${made.id} with 3 changes: ${made.note}`, "Before the sale", null]) {
    const edited = new ChangePlan({ ...made, id: `edited-${note?.length}`, note });
    await plans.save(edited);
    equal((await waits(1))?.id, edited.id, String(note));
    await plans.refuse(edited);
  }
  await Deno.remove(folder, { recursive: true });
});

it("an amount is spent evenly on the bids that sell most, and brand terms say how much of their sales counts", async () => {
  const limits = "limits: { month: 8000 }";
  const { goals: [spend] } = await plan(`  all: { aim: spend, ${limits} }\n`, { again: true });
  const { goals: [sales] } = await plan(`  all: { aim: sales, acos: 10%, ${limits} }\n`, { again: true });
  ok(spend !== undefined && sales !== undefined);
  ok(spend.decision.expected.cost > sales.decision.expected.cost);
  const { money } = spend.input;
  ok(money !== undefined && (spend.decision.most ?? Infinity) <= money.left - money.reserve);

  const row = spend.decision.rows.find(({ id, kept }) =>
    kept === null && spend.account.entities.some((one) => one.id === id && one.kind === "sp.keywords")
  );
  const term = spend.account.entities.find(({ id }) => id === row?.id)?.fields["keywordText"];
  const { plan: made, goals: [brand] } = await plan(
    `  all: { aim: sales, acos: 25%, brand: { terms: ["${term}"], incremental: 40% } }\n`,
    { again: true },
  );
  const valued = brand?.decision.rows.find(({ id }) => id === row?.id);
  equal(valued?.incremental, 0.4);
  const change = made.changes.find(({ id }) => id === row?.id);
  match(change?.evidence?.reason ?? "", /, counting 40 % of its sales as caused by advertising; /);
});

it("keywords that compete in several campaigns, days of a spent budget and the maturity of orders are recognised", async () => {
  const [keyword] = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  ok(keyword !== undefined);
  const { keywordText, matchType } = keyword;
  ok(keywordText !== undefined && matchType !== undefined);
  const { goals: [before] } = await plan(SALES);
  const other = before?.account.entities.find(({ campaignId }) => campaignId !== keyword.campaignId);
  ok(other !== undefined);
  await ca.sp.keywords.create([{
    ...{ campaignId: other.campaignId, adGroupId: other.adGroupId, state: "ENABLED" },
    ...{ keywordText: keywordText.toUpperCase(), matchType, bid: 0.5 },
  }]);
  const { plan: made, goals: [decided] } = await plan(SALES);
  match(
    made.warnings.join("\n"),
    /all: \d+ keywords? with the same match type in several campaigns, for example .*: they compete/,
  );

  // A day that costs the budget counts as partly out of budget, so its few clicks are not read as weak demand.
  const { rows } = await at.store.query(
    "SELECT campaign_id AS id, date, sum(cost) AS cost FROM sp_campaigns WHERE profile_id = ? GROUP BY campaign_id, date",
    [ca.profileId],
    { maxRows: Infinity },
  );
  const budgets = new Map(decided?.account.campaigns.map(({ id, budget }) => [id, budget]));
  const spent = rows.filter(({ id, cost, date }) =>
    String(date) >= "2026-09-09" && Number(cost) >= 0.95 * (budgets.get(String(id)) ?? Infinity)
  );
  const short =
    decided?.input.targets.filter(({ periods }) => periods.some(({ inBudget }) => inBudget < 1)) ?? [];
  deepEqual(
    [...new Set(short.map(({ campaign }) => campaign))].sort(),
    [...new Set(spent.map(({ id }) => String(id)))].sort(),
  );
  ok(spent.length > 0);

  // The account's own curve takes the place of the assumption as soon as the store knows one.
  const request = { profileId: "1", range: { start: "2026-09-01", end: "2026-09-29" } };
  const storeOf = (missing: number | null) =>
    ({
      query: () => Promise.resolve({ rows: [{ date: "2026-09-29", age: 1, missing }] }),
    }) as unknown as Parameters<typeof maturities>[0];
  const [own, assumed] = [await maturities(storeOf(0.25), request), await maturities(storeOf(null), request)];
  deepEqual([own.isOwn, own.days.get("2026-09-29")], [true, 0.75]);
  deepEqual([assumed.isOwn, assumed.days.get("2026-09-29")], [false, 0.6]);
});
