import { deepEqual, equal, match } from "../support/assert.ts";
import { announceConsole } from "../../src/interfaces/console/announced_console.ts";
import { approvePlan } from "../../src/plans/review/approval.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { reviewIn, World } from "./support/world.ts";

Deno.test("with PLATFORM_ADS_MCP_APPROVAL=console apply_plan waits for the approval and then applies", async () => {
  await using world = await World.start();
  const key = approvalKeyFiles(world.folder);
  await createApprovalKey(key);
  await announceConsole(world.folder, { url: "http://127.0.0.1:7799", folders: [world.planFolder] });
  const context = world.context({ approval: "console", approvalKey: key.public });
  await using agent = await Agent.connect(context);
  const plan = await bidPlan(agent, 0.61);
  const store = PlanStore.open(world.planFolder);
  const applying = agent.call("apply_plan", plan);
  const first = await Promise.race([
    applying.then(() => "answered"),
    new Promise((done) => setTimeout(done, 400, "waits")),
  ]);
  equal(first, "waits");
  equal((await store.status(plan.plan_id)).state, "open");
  await store.saveApproval(await approvePlan(await reviewIn(world, plan.plan_id), { key }));
  const { isError, data } = await applying;
  deepEqual([isError ?? false, data.approved_by, data.ok], [false, "signed_approval", true]);
});

Deno.test("a plan that is refused in the console ends the wait, and one that nobody approves names the address", async () => {
  await using world = await World.start();
  const key = approvalKeyFiles(world.folder);
  await createApprovalKey(key);
  const context = world.context({ approval: "console", approvalKey: key.public });
  await using agent = await Agent.connect(context);
  const store = PlanStore.open(world.planFolder);

  const refused = await bidPlan(agent, 0.62);
  const applying = agent.call("apply_plan", refused);
  await store.refuse({ id: refused.plan_id });
  match((await applying).text, /refused/);

  const open = await bidPlan(agent, 0.63);
  const atOnce = async () =>
    JSON.stringify(
      await agent.client.callTool({ name: "apply_plan", arguments: { ...open }, _meta: { timeout: 0.1 } }),
    );
  match(await atOnce(), /it is not approved yet[^]*adsctl console --folder \S+plans"/);
  await announceConsole(world.folder, { url: "http://127.0.0.1:7799", folders: [world.planFolder] });
  match(
    await atOnce(),
    new RegExp(`approve it in the console[^]*http://127.0.0.1:7799/plans/${open.plan_id}"`),
  );
  const unchecked = await agent.call("apply_plan", { ...open, check_drift: false });
  match(unchecked.text, /without checking the account/);
});
