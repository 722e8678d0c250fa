import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { it } from "node:test";
import { after, before } from "../support/hooks.ts";
import { explainGoal } from "../../src/account/goals/explain_goal.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { type GoalsOptions, planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { type StoredWorld, storedWorld } from "../account/jobs/stored_world.ts";

let at: StoredWorld;
let ca: ProfileClient;
before(async () => {
  at = await storedWorld();
  ca = await at.world.ads.profile("CA");
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  await at.store.sync(ca, { reports, start: "2026-08-20", end: "2026-09-29" });
});
after(async () => await at[Symbol.asyncDispose]());

const plan = (share: string, options: Partial<GoalsOptions> = {}, profile = ca) =>
  planDecidedGoals(profile, {
    store: at.store,
    file: parseGoals(
      `version: 1\nhold_back: ${share}\ngoals:\n  all: { aim: sales, acos: 25%, limits: { month: 6000 } }\n`,
      "goals.yaml",
    ),
    sync: false,
    ...options,
  });
const adjustmentsNow = async (): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await ca.sp.campaigns.list()).map(({ campaignId, dynamicBidding }) => [
      campaignId,
      // An adjustment that was taken back is one of 0 %.
      JSON.stringify(
        (dynamicBidding?.placementBidding ?? []).filter(({ percentage }) => Number(percentage) > 0),
      ),
    ]),
  );

it("where keywords are held back for comparison, adjustments stay, which the plan says", async () => {
  const { plan: made, goals: [decided] } = await plan("20%", { again: true });
  equal(made.experiment?.unit, "keyword");
  equal(decided?.decision.adjustments.size, 0);
  ok(made.changes.every(({ after }) => !Object.hasOwn(after, "dynamicBidding")));
  match(
    made.warnings.join("\n"),
    /Placement adjustments stay: they would move held-back bids, too\. hold_back: 0% lets them move/,
  );
});

it("placement adjustments follow their clicks together with bids: a row of the plan, with reason, sending and undo", async () => {
  const { plan: made, goals: [decided], notes } = await plan("0%", { again: true });
  const { adjustments } = decided!.decision;
  ok(adjustments.size > 2);
  match(notes.join("\n"), /all: placement adjustments of \d+ campaigns follow what their clicks bring/);
  const rows = made.changes.filter(({ after }) => Object.hasOwn(after, "dynamicBidding"));
  deepEqual(rows.map(({ id }) => id).sort(), [...adjustments.keys()].sort());
  for (const { evidence } of rows) {
    match(
      evidence?.reason ?? "",
      /all: placements: top of search .*\(\d+ clicks, \d+ orders; a click counts \d\.\d\d times one of the worst placement\); product pages .*; bids make room for them$/,
    );
  }
  const [id, next = []] = [...adjustments][0]!;
  // Base bids make room: the same worth divided by the new mean factor.
  const own = decided!.decision.rows.filter((_, at) => decided!.input.targets[at]?.campaign === id);
  ok(own.every(({ multiplier }) => multiplier >= 1) && next.some((one) => one > 0));
  const lines = explainGoal({ ...(await plan("0%", { again: true })) }, own[0]!.id).join("\n");
  match(lines, /^ {2}places {4}all: placements: top of search /m);
  const before = await adjustmentsNow();
  const result = await made.apply(ca, { checkDrift: true });
  equal(result.ok, true, result.summary());
  const sent = await adjustmentsNow();
  for (const [campaign, shares] of adjustments) {
    const list: { placement: string; percentage: number }[] = JSON.parse(sent.get(campaign) ?? "[]");
    const percents = ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"].map((name) =>
      list.find(({ placement }) => placement === name)?.percentage ?? 0
    );
    deepEqual(percents, shares.map((share) => Math.round(100 * share)));
  }

  // Three days later they cool down, and the days before count with the adjustments that they had.
  at.world.emulator.clock.advance(3 * 86_400);
  at.world.time.advance(3 * 86_400);
  const later = await plan("0%", { again: true });
  const input = later.goals[0]!.input;
  for (const { id, keepsPlacements } of input.campaigns) {
    if (!adjustments.has(id)) continue;
    equal(keepsPlacements, true);
    equal(later.goals[0]!.decision.adjustments.has(id), false);
  }
  const factor = (one: typeof decided, campaign: string): number | undefined =>
    one!.input.targets.find((target) => target.campaign === campaign)?.periods.at(-1)?.multiplier;
  const now = ({ placements = [] }: typeof input.campaigns[number]): number => {
    const clicks = placements.reduce((all, one) => all + one.clicks + 1, 0);
    return placements.reduce((all, one) => all + (one.clicks + 1) * (1 + one.adjustment), 0) / clicks;
  };
  // The history does not name the rest of search.
  const changed = input.campaigns.filter((one) =>
    adjustments.get(one.id)?.at(2) === 0 && Math.abs(now(one) - (factor(decided, one.id) ?? 1)) > 0.02
  );
  ok(changed.length > 0);
  for (const { id } of changed) {
    ok(Math.abs((factor(later.goals[0], id) ?? 0) - (factor(decided, id) ?? 1)) < 0.005, id);
  }
  const { emulator, time } = at.world;
  const worded = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (!/\/history(\?|$)/.test(new URL(String(input)).pathname)) return answer;
      const text = (await answer.text()).replaceAll(/"previousValue":"[^"]*"/g, '"previousValue":"NONE"');
      return new Response(text, answer);
    },
  });
  const { goals: [odd] } = await plan("0%", { again: true }, await worded.profile("CA"));
  ok(odd!.input.targets.every(({ periods }) => periods.every((one) => Number.isFinite(one.multiplier))));
  equal((await result.rollbackPlan().apply(ca)).ok, true);
  deepEqual(await adjustmentsNow(), before);
});

it("where adjustments move, whole campaigns are held back, which keep bids and adjustments but not their budgets", async () => {
  const drawn = await plan("20%", { again: true, holdBack: { share: 0.4, unit: "campaign", seed: "s" } });
  const { experiment, changes } = drawn.plan;
  equal(experiment?.unit, "campaign");
  const held = new Set(experiment?.held);
  ok(held.size >= 2);
  const campaignOf = new Map(drawn.goals[0]!.account.entities.map((one) => [one.id, one.campaignId]));
  for (const { kind, id, after } of changes) {
    if (!held.has(kind === "sp.campaigns" ? id ?? "" : campaignOf.get(id ?? "") ?? "")) continue;
    deepEqual([kind, Object.keys(after)], ["sp.campaigns", ["budget"]]);
  }
  const { budgets, adjustments } = drawn.goals[0]!.decision;
  const planned = changes.filter(({ after }) => Object.hasOwn(after, "budget")).map(({ id }) => id).sort();
  deepEqual(planned, [...budgets.keys()].sort(), "the month's amount needs all budgets");
  const heldAdjustments = experiment?.changes?.filter(({ kind }) => kind === "sp.campaigns") ?? [];
  deepEqual(
    heldAdjustments.map(({ id, after }) => [id, Object.keys(after)]),
    [...adjustments.keys()].filter((id) => held.has(id)).map((id) => [id, ["dynamicBidding"]]),
  );
  const [goal] = experiment?.goals ?? [];
  deepEqual(Object.keys(goal?.worth ?? {}).sort(), Object.keys(experiment?.strata ?? {}).sort());
  match(drawn.notes.join("\n"), /with 40 % held back, a difference of 10 % takes about \d+ orders/);
});
