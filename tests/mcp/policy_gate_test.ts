import { equal, match, ok, rejects } from "../support/assert.ts";
import { approvePlan } from "../../src/plans/review/approval.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import process from "node:process";
import { main } from "../../src/interfaces/mcp/main.ts";
import { approvalInConsole } from "../../src/interfaces/mcp/tools/console_approval.ts";
import type { ToolCall } from "../../src/interfaces/mcp/tooling/tool.ts";
import { ApprovalError } from "../../src/plans/model/plan_errors.ts";
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
    /Cannot approve plan \S+ without the policy that it was made under\. Pass that policy to the client.*\n {2}approve: .*0\.5/,
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

Deno.test("the list of profiles says which policy judges changes", async () => {
  await using world = await World.start();
  const policy = await policyIn(
    world,
    "max_bid: { US: 3 }\nmax_increase: 50%\nrules:\n  - { name: calm, when: 'after.bid > 1.0', level: approve, message: the bid is high }\n",
  );
  await using agent = await Agent.connect(world.context({ policy }));
  const { text } = await agent.call("list_profiles");
  match(
    text,
    /Policy, which judges every change: \{"max_bid":\{"US":3\},"max_increase":0\.5\}; rules: the bid is high/,
  );
  await using free = await Agent.connect(world.context());
  ok(!(await free.call("list_profiles")).text.includes("Policy"));
});

Deno.test("a server whose policy cannot be read does not start", async () => {
  const log: string[] = [];
  const { env, stdin, stdout } = process;
  const io = {
    env: { HOME: env["HOME"] ?? "/" },
    stdin,
    stdout,
    stopped: AbortSignal.abort(),
    log: (line: string) => void log.push(line),
  };
  equal(await main(["--demo", "--policy", "/none/policy.yaml"], io), 2);
  match(log.join("\n"), /Cannot read the policy file "\/none\/policy\.yaml"/);
});

Deno.test("a server of reading tools does not describe plans", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context({ toolsets: ["read"] }));
  const text = agent.client.getInstructions() ?? "";
  ok(!/plan_bids|call apply_plan|approves/.test(text), text);
  match(text, /No tool of this server changes anything/);
  const { tools } = await agent.client.listTools();
  ok(tools.some(({ name }) => name === "find_waste"));
  await using whole = await Agent.connect(world.context());
  match(whole.client.getInstructions() ?? "", /call apply_plan with plan_id/);
});

Deno.test("the wait for the console ends by the clock, however long each look takes", async () => {
  await using world = await World.start();
  const context = world.context({ approval: "console" });
  await using agent = await Agent.connect(context);
  const { plan_id: id } = await bidPlan(agent, 0.64);
  let clock = 100_000;
  let looks = 0;
  const slow = Object.assign(Object.create(context.plans), {
    ensureOpen: () => Promise.resolve(),
    ensureApproved: () => {
      looks++;
      clock += 10_000;
      return Promise.reject(new ApprovalError("not yet", "missing"));
    },
  });
  const call = {
    context: { plans: slow, settings: context.settings, now: () => clock },
    mcp: { mcpReq: {} },
    progress: () => Promise.resolve(),
    signal: new AbortController().signal,
  } as unknown as ToolCall;
  const options = { began: 90_000, sleep: () => Promise.resolve() };
  await rejects(
    approvalInConsole(await reviewIn(world, id), call, options),
    /not yet\. Ask the person to approve it/,
  );
  equal(looks, 4, "10 s had passed before, and 45 s are the most");
});
