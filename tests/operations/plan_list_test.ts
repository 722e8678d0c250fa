import { Rollout } from "../../src/account/rollout/rollout.ts";
import { planList } from "../../src/operations/reads/plan_list.ts";
import { ChangePlan } from "../../mod.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { consoleWorld, signIn } from "../console/support/console_world.ts";
import { deepEqual, equal, match } from "../support/assert.ts";

Deno.test("a plan in two folders is listed once, by the copy that was applied, and rollouts by the states of their plans", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { plans: here, agentPlans: agents, rolloutPlans, us } = world;
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const plan = async (at: number) => {
    const { keywordId, bid = 1 } = keywords[at]!;
    return await us.sp.keywords.planUpdate([{ keywordId, bid: Math.round(bid * 110) / 100 }]);
  };
  const [twice, open, staged, sent] = [await plan(0), await plan(1), await plan(2), await plan(3)];
  const both = ChangePlan.merge([
    await plan(4),
    await us.sp.campaigns.planUpdate([{ campaignId: keywords[0]!.campaignId, state: "PAUSED" }]),
  ]);
  await here.save(twice);
  await agents.save(twice);
  await agents.save(open);
  await agents.apply(twice, us);
  await Rollout.create(rolloutPlans.path, [staged]);
  // A copy of a rollout's plan that was applied elsewhere, and a plan that was stopped half-way.
  await rolloutPlans.save(sent);
  await agents.save(sent);
  await agents.apply(sent, us);
  await here.save(both);
  const stop = new AbortController();
  await here.apply(both, us, { stop: stop.signal, onResults: () => stop.abort() });
  await here.save(staged);
  await Deno.writeTextFile(`${here.path}/plan-broken.json`, "{}");
  await agents.refuse(open);

  const stores = [here, rolloutPlans, agents];
  const { plans, rollouts } = await planList.run({ stores }, {});
  const shown = Object.fromEntries(plans.map((one) => [one.id, [one.state, one.folder, one.rollout]]));
  deepEqual(shown, {
    [twice.id]: ["applied", agents.path, null],
    [open.id]: ["refused", agents.path, null],
    [staged.id]: ["open", rolloutPlans.path, rolloutPlans.path],
    [sent.id]: ["applied", agents.path, null],
    [both.id]: ["applied", here.path, null],
    broken: ["unusable", here.path, null],
  });
  deepEqual(plans.map((one) => "next" in one && one.id === both.id ? one.next : null).filter(Boolean), [
    "resume",
  ]);
  deepEqual(rollouts.map(({ folder, state, data }) => [folder, state, data?.plans.length]), [
    [rolloutPlans.path, "open", 1],
  ]);
  const every = (await planList.run({ stores }, { all: true })).plans.map(({ id }) => id);
  deepEqual(
    new Set(every.filter((id) => shown[id] === undefined)),
    new Set([twice, sent, both].map(({ id }) => `${id}-undo`)),
  );

  const { data } = await page.ask("/api/plans");
  deepEqual(
    Object.fromEntries(
      data.plans.map(({ id, state, maker, next }: Record<string, string>) => [id, [state, maker, next]]),
    ),
    {
      [twice.id]: ["applied", "agent", null],
      [open.id]: ["refused", "agent", null],
      [staged.id]: ["waiting", "person", "apply"],
      [sent.id]: ["applied", "agent", null],
      [both.id]: ["failed", "person", "resume"],
      broken: ["unusable", "person", undefined],
    },
  );
  const list = await runCli(["plan", "list", "--folder", rolloutPlans.path, "--json"], { env: {} });
  equal(list.code, 0, list.stderr);
  const [rollout, ...own] = JSON.parse(list.stdout);
  match(rollout.does, /^rollout: change 1 keyword$/);
  equal(rollout.state, "open");
  deepEqual(Object.fromEntries(own.map(({ id, next }: Record<string, string>) => [id, next])), {
    [staged.id]: "apply",
    [sent.id]: "apply",
  });
});

Deno.test("where only some profiles are reached, plans of others and those that cannot be read are left out", async () => {
  await using world = await consoleWorld();
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await world.us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.77 }]);
  await world.plans.save(plan);
  await Deno.writeTextFile(`${world.plans.path}/plan-broken.json`, "{}");
  const reached = async (wanted: string) => {
    const isReached = ({ profileId }: { profileId: string }) => profileId === wanted;
    return (await planList.run({ stores: [world.plans], isReached }, {})).plans.map(({ id }) => id);
  };
  deepEqual(await reached(world.us.profileId), [plan.id]);
  deepEqual(await reached("1"), []);
});
