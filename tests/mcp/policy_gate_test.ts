import { equal, match, ok, rejects } from "../support/assert.ts";
import { approvePlan } from "../../src/plans/approve/approval.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/approve/approval_key.ts";
import { unlistedTool } from "../../src/interfaces/mcp/tools/find_tools.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { reviewIn, World } from "./support/world.ts";

async function policyIn(world: World, text: string): Promise<string> {
  const path = `${world.folder}/policy.yaml`;
  await Deno.writeTextFile(path, `version: 1\n${text}`);
  return path;
}

Deno.test("a plan that the policy denies is answered with what may be planned instead, never with how to approve it", async () => {
  await using world = await World.start();
  const policy = await policyIn(world, "max_bid: { US: 3 }\n");
  await using agent = await Agent.connect(world.context({ policy, approval: "terminal" }));
  const { data: { rows } } = await agent.call("list_entities", {
    market: "US",
    entity: "keywords",
    limit: 100,
  });
  const [high, low] = rows.filter(({ bid }: { bid?: number }) => bid !== undefined);
  const items = [{ keywordId: high.keywordId, bid: 3.2 }, { keywordId: low.keywordId, bid: 0.31 }];
  const call = { market: "US", entity: "keywords", items };
  const { data, text } = await agent.call("plan_update", call);
  match(
    text,
    /Denied by the policy: apply_plan refuses this plan.* within what is allowed \(up to 3 USD\).*skip_denied/,
  );
  equal(data.next, text.split("\n").findLast((line) => line.startsWith("Denied by the policy")));
  ok(!/adsctl|Show the table/.test(data.next));
  const refused = await agent.call("apply_plan", { plan_id: data.plan_id, fingerprint: data.fingerprint });
  match(refused.text, /Plan again within the allowed values, or without these changes/);
  ok(!/--skip-denied|policy explain/.test(refused.text), refused.text);

  const rest = await agent.call("plan_update", { ...call, skip_denied: true });
  equal(rest.data.total_changes, 1);
  equal(rest.data.left_out[0].id, high.keywordId);
  match(rest.text, /Left out, because the policy denies them: 1/);
});

Deno.test("who approves a plan judges by the server's policy, or signs nothing", async () => {
  await using world = await World.start();
  const key = approvalKeyFiles(world.folder);
  await createApprovalKey(key);
  const policy = await policyIn(world, "max_bid: { US: 0.4 }\nlevels: { max_bid: approve }\n");
  const context = world.context({ policy, approval: "terminal", approvalKey: key.public });
  await using agent = await Agent.connect(context);
  const plan = await bidPlan(agent, 0.5);
  const { text } = await agent.call("apply_plan", plan);
  ok(
    text.endsWith(`adsctl plan approve ${plan.plan_id} --folder ${world.planFolder} --policy ${policy}`),
    text,
  );
  await rejects(
    approvePlan(await reviewIn(world, plan.plan_id), { key }),
    /Cannot approve plan \S+ without the policy that it was made under\. Name its file with --policy.*\n {2}approve: .*0\.5/,
  );
  const small = await bidPlan(agent, 0.35);
  await approvePlan(await reviewIn(world, small.plan_id), { key });
});

Deno.test("without forms, what needs a person is refused in one sentence", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const { text } = await agent.call("apply_plan", await bidPlan(agent, 30));
  equal(text.match(/Cannot apply plan/g)?.length, 1, text);
  match(text, /without a person's approval\. Findings that need approval:\n/);
});

Deno.test("an agent that looks for a tool to approve with learns that only a person approves", () => {
  for (const name of ["approve_plan", "plan_approve", "sign_plan"]) {
    const text = unlistedTool(name, ["apply_plan"], []);
    match(text, /only a person approves a plan/);
    ok(!text.includes("Did you mean"));
  }
});
