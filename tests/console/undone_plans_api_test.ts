import { deepEqual, equal, match } from "../support/assert.ts";
import type { ChangePlan } from "../../mod.ts";
import { consoleWorld, type SignedIn, signIn } from "./support/console_world.ts";
import { interruptedPlan } from "./support/interrupted_plan.ts";

async function send(page: SignedIn, id: string): Promise<boolean> {
  const { data: review } = await page.ask(`/api/plans/${id}/review`);
  const { status, data } = await page.ask(`/api/plans/${id}/apply`, {
    fingerprint: review.plan.fingerprint,
    accepted: review.findings.map(({ code, change }: { code: string; change?: number }) =>
      change === undefined ? code : `${code} ${change}`
    ),
    shown: review.shown,
  });
  equal(status, 200, JSON.stringify(data));
  return data.ok;
}

async function stateIn(page: SignedIn, { id }: ChangePlan): Promise<unknown> {
  const { data: { plans } } = await page.ask("/api/plans");
  return plans.find((plan: { id: string }) => plan.id === id)?.state;
}

Deno.test("created campaigns are undone in the list once the parts of the undo archived all of them", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const campaign = (name: string) => ({
    ...{ name, targetingType: "MANUAL", state: "PAUSED", startDate: "2099-03-01" },
    budget: { budgetType: "DAILY", budget: 20 },
  } as const);
  const plan = await world.us.sp.campaigns.planCreate([campaign("A"), campaign("B")]);
  await world.plans.save(plan);
  equal(await send(page, plan.id), true);
  for (const leave_out of [[0], [1]]) {
    equal(await stateIn(page, plan), "applied");
    const { data: { plan_id: undo } } = await page.ask(`/api/plans/${plan.id}/undo`, {});
    const { data: { plan: { fingerprint } } } = await page.ask(`/api/plans/${undo}`);
    const { data: part } = await page.ask(`/api/plans/${undo}/part`, { fingerprint, leave_out });
    equal(await send(page, part.plan_id), true);
  }
  equal(await stateIn(page, plan), "undone");
  equal((await page.ask(`/api/plans/${plan.id}`)).data.state, "undone");
});

Deno.test("a plan of which the platform refused to put one bid back is applied, and its undo leads to that bid", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] }))
    .filter(({ bid }) => bid !== undefined).slice(0, 2);
  const plan = await world.us.sp.keywords.planUpdate(
    keywords.map(({ keywordId, bid = 1 }) => ({ keywordId, bid: Math.round(bid * 110) / 100 })),
  );
  await world.plans.save(plan);
  equal(await send(page, plan.id), true);
  const { data: { plan_id: undo } } = await page.ask(`/api/plans/${plan.id}/undo`, {});
  const entities = world.emulator.state.profile(world.us.profileId)!.collection("sp.keywords");
  const first = entities.get(keywords[0]!.keywordId)!;
  entities.replace({ ...first, state: "ARCHIVED" });
  equal(await send(page, undo), false);

  const { data: shown } = await page.ask(`/api/plans/${plan.id}`);
  deepEqual([shown.state, shown.status.undone.isPart], ["applied", true]);
  equal(await stateIn(page, plan), "applied");
  const { data: { plan_id: rest } } = await page.ask(`/api/plans/${plan.id}/undo`, {});
  const { data: { plan: left } } = await page.ask(`/api/plans/${rest}`);
  equal(left.counts.update, 1);
  entities.replace(first);
  equal(await send(page, rest), true);
  equal(await stateIn(page, plan), "undone");
});

Deno.test("undo of a plan that is applied again leads to the plan that can be sent", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const [keyword] = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid);
  const { keywordId, bid = 1 } = keyword!;
  const plan = await world.us.sp.keywords.planUpdate([{ keywordId, bid: Math.round(bid * 110) / 100 }]);
  await world.plans.save(plan);
  equal(await send(page, plan.id), true);
  const undoOf = async (id: string): Promise<string> =>
    (await page.ask(`/api/plans/${id}/undo`, {})).data.plan_id;
  const undo = await undoOf(plan.id);
  equal(await send(page, undo), true);
  equal(await undoOf(plan.id), undo, "it is undone");
  equal(await send(page, await undoOf(undo)), true);
  const { data: { state, rollback_plan_id: shown } } = await page.ask(`/api/plans/${plan.id}`);
  equal(state, "applied");
  const last = await undoOf(plan.id);
  equal(last, shown);
  equal(await send(page, last), true);
  equal(await stateIn(page, plan), "undone");
  equal((await world.us.sp.keywords.get(keywordId))?.bid, bid);
});

Deno.test("undo of a plan that is applied again leads past an undo that was refused, in whole or in part", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] }))
    .filter(({ bid }) => bid !== undefined).slice(0, 2);
  const plan = await world.us.sp.keywords.planUpdate(
    keywords.map(({ keywordId, bid = 1 }) => ({ keywordId, bid: Math.round(bid * 110) / 100 })),
  );
  await world.plans.save(plan);
  const undoOf = async (id: string): Promise<string> => {
    const { status, data } = await page.ask(`/api/plans/${id}/undo`, {});
    equal(status, 200, JSON.stringify(data));
    return data.plan_id;
  };
  equal(await send(page, plan.id), true);
  const undo = await undoOf(plan.id);
  equal(await send(page, undo), true);
  equal(await send(page, await undoOf(undo)), true);

  const third = await undoOf(plan.id);
  const { data: { plan: { fingerprint } } } = await page.ask(`/api/plans/${third}`);
  equal((await page.ask(`/api/plans/${third}/refuse`, { fingerprint })).status, 200);
  const again = await undoOf(plan.id);
  deepEqual([third, again], [`${plan.id}-undo3`, `${plan.id}-undo3-again`]);
  const entities = world.emulator.state.profile(world.us.profileId)!.collection("sp.keywords");
  const first = entities.get(keywords[0]!.keywordId)!;
  entities.replace({ ...first, state: "ARCHIVED" });
  equal(await send(page, again), false);
  equal(await stateIn(page, plan), "applied");

  const rest = await undoOf(plan.id);
  equal(rest, `${plan.id}-undo3-again2`);
  entities.replace(first);
  equal(await send(page, rest), true);
  equal(await stateIn(page, plan), "undone");
  const bids = await Promise.all(keywords.map(({ keywordId }) => world.us.sp.keywords.get(keywordId)));
  deepEqual(bids.map((one) => one?.bid), keywords.map(({ bid }) => bid));
});

Deno.test("undoing an interrupted plan gives its rest up only once a person has agreed to that", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await interruptedPlan(world);
  equal(await stateIn(page, plan), "unfinished");

  for (const body of [{}, { give_up: "yes" }]) {
    const { status, data: { error } } = await page.ask(`/api/plans/${plan.id}/undo`, body);
    deepEqual([status, error.code, error.not_sent, error.unknown, error.undone], [409, "GIVES_UP", 2, 0, 1]);
    match(error.message, /2 changes not sent\. What would be undone: 1 change/);
  }
  equal(await stateIn(page, plan), "unfinished", "it can still be finished");
  const { status, data: { plan_id: undo } } = await page.ask(`/api/plans/${plan.id}/undo`, { give_up: true });
  equal(status, 200);
  equal((await page.ask(`/api/plans/${plan.id}/resume`, {})).status, 409);
  equal(await send(page, undo), true);
  equal(await stateIn(page, plan), "undone");
});
