import { deepEqual, equal, match } from "../support/assert.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { approvePlan } from "../../src/plans/review/approval.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { reviewIn, World } from "./support/world.ts";

Deno.test("with PLATFORM_ADS_MCP_APPROVAL=form a client without forms needs a signature, one with forms a yes", async () => {
  await using world = await World.start();
  const key = approvalKeyFiles(world.folder);
  await createApprovalKey(key);
  const context = world.context({ approval: "form", approvalKey: key.public });
  await using bare = await Agent.connect(context);
  const plan = await bidPlan(bare, 0.5);
  match((await bare.call("get_plan", { plan_id: plan.plan_id })).text, /Open/);
  const refused = await bare.call("apply_plan", plan);
  match(
    refused.text,
    /it is not approved yet\. Ask the person to run this in a terminal[^]*adsctl plan approve/,
  );
  deepEqual(world.writes(), []);
  await PlanStore.open(world.planFolder).saveApproval(
    await approvePlan(await reviewIn(world, plan.plan_id), { key }),
  );
  equal((await bare.call("apply_plan", plan)).data.approved_by, "signed_approval");
  let questions = 0;
  await using asked = await Agent.connect(context, { person: () => (questions++, "yes") });
  equal((await asked.call("apply_plan", await bidPlan(asked, 0.51))).data.approved_by, "person");
  equal(questions, 1);
});

Deno.test("with PLATFORM_ADS_MCP_APPROVAL=terminal only a signed approval opens the gate", async (t) => {
  await using world = await World.start();
  const key = approvalKeyFiles(world.folder);
  await createApprovalKey(key);
  const folder = PlanStore.open(world.planFolder);
  const context = world.context({ approval: "terminal", approvalKey: key.public });
  let questions = 0;
  const person = () => {
    questions++;
    return "yes" as const;
  };
  await using agent = await Agent.connect(context, { person });
  const refused = async (plan: { plan_id: string; fingerprint: string }, why: RegExp): Promise<void> => {
    const { isError, text } = await agent.call("apply_plan", plan);
    equal(isError, true);
    match(text, why);
    match(text, /Ask the person to run this in a terminal[^]*adsctl plan approve \S+ --folder \S+plans$/);
  };

  await t.step("plans say so", async () => {
    const { data: { rows } } = await agent.call("list_entities", {
      market: "US",
      entity: "keywords",
      limit: 1,
    });
    const items = [{ keywordId: rows[0].keywordId, bid: 0.9 }];
    const { text } = await agent.call("plan_update", { market: "US", entity: "keywords", items });
    match(text, /who approves it in a terminal with\n {2}adsctl plan approve \S+ --folder /);
  });

  await t.step("without an approval nothing is sent, whatever the client says", async () => {
    await refused(await bidPlan(agent, 0.5), /it is not approved yet/);
    equal(questions, 0);
  });

  await t.step("what the model can write is no approval", async () => {
    const plan = await bidPlan(agent, 0.51);
    const path = `${world.planFolder}/.plans/plan-${plan.plan_id}.approval.json`;
    const made = {
      ...plan,
      approved_at: new Date().toISOString(),
      expires_at: "2099-01-01T00:00:00.000Z",
      signature: btoa("yes"),
    };
    await Deno.mkdir(`${world.planFolder}/.plans`, { recursive: true });
    await Deno.writeTextFile(path, JSON.stringify(made));
    await refused(plan, /signature does not match the person's key/);
    const own = approvalKeyFiles(`${world.folder}/models-own`);
    await createApprovalKey(own);
    await folder.saveApproval(await approvePlan(await reviewIn(world, plan.plan_id), { key: own }));
    await refused(plan, /signature does not match the person's key/);
  });

  await t.step("an approval of another plan, or one that has expired, is none", async () => {
    const [plan, other] = [await bidPlan(agent, 0.52), await bidPlan(agent, 0.53)];
    const approval = await approvePlan(await reviewIn(world, other.plan_id), { key });
    await Deno.writeTextFile(
      `${world.planFolder}/.plans/plan-${plan.plan_id}.approval.json`,
      JSON.stringify(approval),
    );
    await refused(plan, /it is for another plan/);
    const hourAgo = () => Date.now() - 3_600_000;
    await folder.saveApproval(await approvePlan(await reviewIn(world, plan.plan_id), { key, now: hourAgo }));
    await refused(plan, /it expired at/);
    deepEqual(world.writes(), []);
  });

  await t.step("the person's approval opens it, once", async () => {
    const plan = await bidPlan(agent, 0.54);
    await folder.saveApproval(await approvePlan(await reviewIn(world, plan.plan_id), { key }));
    const unchecked = await agent.call("apply_plan", { ...plan, check_drift: false });
    match(unchecked.text, /without checking the account: leave out check_drift/);
    const { data } = await agent.call("apply_plan", plan);
    equal(data.ok, true);
    equal(data.approved_by, "signed_approval");
    match((await agent.call("apply_plan", plan)).text, /it was applied at/);
    equal(questions, 0);
    equal(world.writes().length, 1);
  });
});
