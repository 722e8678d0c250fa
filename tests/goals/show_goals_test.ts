import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { it } from "node:test";
import { after, before } from "../support/hooks.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { openGoalsPlan } from "../../src/account/goals/open_plan.ts";
import { planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import type { GoalAccount } from "../../src/account/goals/read_goals.ts";
import { showGoals, standingLines } from "../../src/account/goals/show_goals.ts";
import { salesColumns } from "../../src/store/views/sales_columns.ts";
import { PlanStore, type ProfileClient } from "../../mod.ts";
import { type StoredWorld, storedWorld } from "../account/jobs/stored_world.ts";

let at: StoredWorld;
let ca: ProfileClient;
let folder: string;
let plans: PlanStore;
before(async () => {
  at = await storedWorld();
  ca = await at.world.ads.profile("CA");
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  await at.store.sync(ca, { reports, start: "2026-09-09", end: "2026-09-29" });
  folder = await Deno.makeTempDir({ prefix: "goals-show-test-" });
  plans = PlanStore.open(folder, { now: at.world.time.now });
});
after(async () => {
  await Deno.remove(folder, { recursive: true });
  await at[Symbol.asyncDispose]();
});

const file = (hold: string, goal: string) =>
  parseGoals(`version: 1\nhold_back: ${hold}\ngoals:\n  all: ${goal}\n`, "goals.yaml");
const show = async (
  goals: ReturnType<typeof file>,
  { scheduled = new Set<string>(), paced = new Map<string, string>() } = {},
) => {
  const [found] = await showGoals(ca, goals, {
    ...{ store: at.store, plans: [plans], now: at.world.time.now(), scheduled, paced },
  });
  ok(found !== undefined);
  return found;
};

it("goals are shown as understood: figures of the account, who decides what, the last plan and the proof", async () => {
  const goals = file("20%", "{ aim: sales, acos: 25%, explore: 5%, limits: { month: 8000 } }");
  const before = await show(goals);
  equal(before.last_plan, null);
  equal(before.proof.verdict, "not_known");
  deepEqual([before.aim, before.target, before.explore, before.hold_back], ["sales", 0.25, 0.05, 0.2]);
  const { rows: [sums] } = await at.store.query(
    `SELECT sum(cost) AS cost, sum(${
      salesColumns("sp").orders
    }) AS orders FROM sp_campaigns WHERE profile_id = ?`,
    [ca.profileId],
  );
  equal(before.last30d.days, 21);
  ok(Math.abs(before.last30d.cost - Number(sums?.["cost"])) < 0.01);
  equal(before.last30d.orders, Number(sums?.["orders"]));
  deepEqual([before.month?.amount, before.month?.days_left], [8000, 1]);
  equal(Object.values(before.bids_by).reduce((all, one) => all + one, 0), before.bids);

  const { plan, goals: [decided] } = await planDecidedGoals(ca, {
    store: at.store,
    file: goals,
    sync: false,
    again: true,
    note: "Mine",
  });
  await plans.save(plan);
  const planned = await show(goals);
  deepEqual([planned.last_plan?.plan_id, planned.last_plan?.state], [plan.id, "open"]);
  equal(planned.last_plan?.changes, plan.changes.length);
  const trials = plan.changes.filter(({ evidence }) => evidence?.reason?.includes("trial:")).length;
  equal(planned.last_plan?.trials, trials);
  await plans.refuse(plan);
  equal((await show(goals)).last_plan?.state, "refused");

  const [keyword] = plan.changes.filter(({ kind }) => kind === "sp.keywords");
  const campaign = decided?.account.campaigns.at(-1);
  const others = await show(file("0%", `{ aim: sales, acos: 25%, limits: { never: { names: ["*"] } } }`));
  deepEqual(Object.keys(others.bids_by), ["never"]);
  equal(others.budgets_by.goal, 0);
  const free = file("0%", "{ aim: sales, acos: 25% }");
  const usual = await show(free);
  const owned = await show(free, {
    scheduled: new Set([keyword?.id ?? ""]),
    paced: new Map([[campaign?.id ?? "", "September"]]),
  });
  equal(owned.bids_by["scheduled"], 1);
  equal(owned.budgets_by.others, usual.budgets_by.others + 1);
  const lines = standingLines(ca, owned).join("\n");
  match(lines, /^all: sales, at most 25 % ACOS; \d+ campaigns, \d+ running bids, \d+ not running$/m);
  match(lines, /decided {3}bids: .*1 by a schedule.*; daily budgets: \d+ by this goal, \d+ by others/);
  match(lines, /proof {5}0 % of changed bids held back; Not known: /);
});

it("campaigns that rules of the platform move are recognised: their bids or budgets stay, and the plan says so", async () => {
  const options = { store: at.store, sync: false, again: true } as const;
  const goals = file("0%", "{ aim: sales, acos: 25%, limits: { month: 8000 } }");
  const { plan, goals: [decided] } = await planDecidedGoals(ca, { ...options, file: goals });
  const moved = new Set(plan.changes.map(({ id }) => id));
  const campaignOf = new Map(
    decided?.account.entities.flatMap((one) => moved.has(one.id) ? [[one.id, one.campaignId] as const] : []),
  );
  const [campaignId = "", other = ""] =
    decided?.account.campaigns.flatMap(({ id, isFixed }) =>
      !isFixed && [...campaignOf.values()].includes(id) ? [id] : []
    ) ?? [];
  const made = await ca.call("sponsored-products:CreateBudgetRulesForSPCampaigns", {
    budgetRulesDetails: [{
      name: "Weekends",
      ruleType: "SCHEDULE",
      duration: { dateRangeTypeRuleDuration: { startDate: "20260930" } },
      recurrence: { type: "DAILY" },
      budgetIncreaseBy: { type: "PERCENT", value: 30 },
    }],
  });
  const { responses: [{ ruleId }] } = made as unknown as { responses: [{ ruleId: string }] };
  await ca.sp.campaigns.addBudgetRules(campaignId, [ruleId]);
  const bids = await ca.sp.campaigns.get(other);
  await ca.sp.campaigns.update([{
    campaignId: other,
    dynamicBidding: { ...bids?.dynamicBidding, strategy: "RULE_BASED" },
  }]);
  const ruled = await planDecidedGoals(ca, { ...options, file: goals });
  const isFixed = ({ account: { campaigns } }: { account: GoalAccount }) =>
    campaigns.find(({ id }) => id === campaignId)?.isFixed;
  equal(isFixed(ruled.goals[0]!), false, "the month's amount comes first");
  const free = await planDecidedGoals(ca, { ...options, file: file("0%", "{ aim: sales, acos: 25% }") });
  equal(isFixed(free.goals[0]!), true);
  match(
    free.plan.warnings.join("\n"),
    /all: budget rules of the platform raise .*, which this goal leaves alone/,
  );
  ok(ruled.plan.changes.some(({ id }) => campaignOf.get(id ?? "") === campaignId));
  match(
    ruled.plan.warnings.join("\n"),
    /all: budget rules of the platform raise .*limits\.month does not count what/,
  );
  const left = ruled.leftOut.filter(({ reason }) => reason === "platform_rule");
  ok(left.length > 0 && left.every((one) => one.campaignId === other));
  equal((await show(goals)).bids_by["platform_rule"], left.length);
});

it("plans that take a goals plan back are neither its open plan nor its last one", async () => {
  const goals = file("0%", "{ aim: sales, acos: 25% }");
  const { plan } = await planDecidedGoals(ca, { store: at.store, file: goals, sync: false, again: true });
  ok(plan.changes.length > 0);
  await plans.save(plan);
  const open = () => openGoalsPlan(goals, { plans, profileId: ca.profileId, now: at.world.time.now() });
  equal((await open())?.id, plan.id);
  ok((await plans.apply(plan, ca)).result.ok);
  equal(await open(), undefined, "not its saved undo plan");
  const inverse = plan.inverse();
  await plans.save(inverse);
  equal(await open(), undefined, "nor its inverse");
  const { last_plan: last } = await show(goals);
  deepEqual([last?.plan_id, last?.state], [plan.id, "applied"]);
});
