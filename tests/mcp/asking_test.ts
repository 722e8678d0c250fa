import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { buildServer } from "../../src/interfaces/mcp/server/build_server.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { Agent, type PersonsMove } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { World } from "./support/world.ts";

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`a person is asked before anything is sent (${era} protocol)`, async (t) => {
    await using world = await World.start();
    const context = world.context();
    let move: PersonsMove = "yes";
    const questions: string[] = [];
    const person = (question: string): PersonsMove => {
      questions.push(question);
      world.passed += 5_000;
      return move;
    };
    await using agent = await Agent.connect(context, { era, person });

    await t.step("with the table, and a yes sends it", async () => {
      const plan = await bidPlan(agent, 0.41);
      const { data } = await agent.call("apply_plan", plan);
      equal(data.ok, true);
      equal(data.approved_by, "person");
      equal(questions.length, 1);
      match((await agent.call("apply_plan", plan)).text, /it was applied at/);
      equal(questions.length, 1, "nobody is asked about a plan that is done");
      match(
        questions[0]!,
        /^Send these changes to [^,]+ \(seller\), US\? 0 to create, 1 to change/,
      );
      match(questions[0]!, /\| bid \| [\d.]+ \| 0\.41 \| -[\d.]+ \(-[\d.]+%\) \| \d+$/m);
    });

    for (const refusal of ["no", "unticked"] as const) {
      await t.step(`${refusal} is final`, async () => {
        const plan = await bidPlan(agent, 0.42);
        const before = world.writes().length;
        move = refusal;
        match(
          (await agent.call("apply_plan", plan)).text,
          /the person said no to these changes, which is final/,
        );
        move = "yes";
        const again = await agent.call("apply_plan", plan);
        equal(again.isError, true);
        match(
          again.text,
          /a person refused these changes .* final\. Plan them again only if that person asks for it/,
        );
        equal((await agent.call("get_plan", { plan_id: plan.plan_id })).data.state, "refused");
        equal(world.writes().length, before);
      });
    }

    await t.step("an undo that was refused is planned again, under a new id", async () => {
      const plan = await bidPlan(agent, 0.44);
      move = "yes";
      const { data } = await agent.call("apply_plan", plan);
      const undo = { plan_id: data.rollback_plan_id, fingerprint: data.rollback_fingerprint };
      move = "no";
      await agent.call("apply_plan", undo);
      move = "yes";
      match(
        (await agent.call("apply_plan", undo)).text,
        /a person refused these changes .*If they want them after all, get_undo_plan\(\{"plan_id": ".*"\}\) makes/,
      );
      const again = await agent.call("get_undo_plan", { plan_id: plan.plan_id });
      equal(again.data.plan_id, `${undo.plan_id}-again`);
      const { plan_id, fingerprint } = again.data;
      equal((await agent.call("apply_plan", { plan_id, fingerprint })).data.ok, true);
      const shown = await agent.call("get_plan", { plan_id: plan.plan_id });
      match(
        shown.text,
        new RegExp(`Applied at .*approved by .*\n.*\nIt was undone at .* by plan ${plan_id}`),
      );
      equal(shown.data.undone_by, plan_id);
    });

    await t.step(
      "a no within a second is the client's own: the plan stays open, and a person's way is named",
      async () => {
        const plan = await bidPlan(agent, 0.45);
        const before = world.writes().length;
        await using hasty = await Agent.connect(context, { era, person: () => "no" });
        const answer = await hasty.call("apply_plan", plan);
        equal(answer.isError, true);
        match(answer.text, /declined the question by itself.*no person was asked.*stays open/);
        match(answer.text, /adsctl plan apply \S*plan-\S+\.json$/);
        equal((await agent.call("get_plan", { plan_id: plan.plan_id })).data.state, "open");
        equal(world.writes().length, before);
        move = "yes";
        equal((await agent.call("apply_plan", plan)).data.ok, true);
      },
    );

    await t.step("a question that is dismissed sends nothing and may be asked again", async () => {
      const plan = await bidPlan(agent, 0.43);
      const before = world.writes().length;
      move = "cancel";
      match((await agent.call("apply_plan", plan)).text, /was asked and did not answer/);
      equal(world.writes().length, before);
      move = "yes";
      equal((await agent.call("apply_plan", plan)).data.ok, true);
    });

    await t.step("a wrong fingerprint is refused without a question", async () => {
      const { plan_id } = await bidPlan(agent, 0.44);
      const asked = questions.length;
      equal((await agent.call("apply_plan", { plan_id, fingerprint: "0".repeat(64) })).isError, true);
      equal(questions.length, asked);
    });
  });
}

/** A client that says what it likes: one raw request of the current protocol. */
async function rawApply(
  context: McpContext,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const handler = createMcpHandler(() => buildServer(context), { legacy: "reject" });
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "apply_plan",
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "liar", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      },
    },
  };
  const response = await handler.fetch(
    new Request("http://in.process/mcp", {
      method: "POST",
      headers: {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-method": "tools/call",
        "mcp-name": "apply_plan",
        "mcp-protocol-version": "2026-07-28",
      },
      body: JSON.stringify(body),
    }),
  );
  return await response.json();
}

Deno.test("a yes counts only for a question that this server asked about this plan", async (t) => {
  await using world = await World.start();
  const context = world.context();
  await using agent = await Agent.connect(context);
  const yes = { approve: { action: "accept", content: { approve: true } } };
  const stateOf = async (server: McpContext, plan: Record<string, unknown>): Promise<string> => {
    const { result } = await rawApply(server, { arguments: plan }) as { result: { requestState: string } };
    return result.requestState;
  };
  const plan = await bidPlan(agent, 0.5);
  const other = await bidPlan(agent, 0.51);

  await t.step("an answer to no question is answered with the question", async () => {
    const { result } = await rawApply(context, { arguments: plan, inputResponses: yes }) as {
      result: object;
    };
    equal((result as { resultType: string }).resultType, "input_required");
  });
  await t.step("an answer to the question about another plan is answered with the question", async () => {
    const requestState = await stateOf(context, other);
    const { result } = await rawApply(context, { arguments: plan, inputResponses: yes, requestState }) as {
      result: { resultType: string };
    };
    equal(result.resultType, "input_required");
  });
  await t.step("a yes to the checked plan is no yes to sending it unchecked", async () => {
    const requestState = await stateOf(context, plan);
    const unchecked = { ...plan, check_drift: false };
    const answer = await rawApply(context, { arguments: unchecked, inputResponses: yes, requestState });
    equal((answer as { result: { resultType: string } }).result.resultType, "input_required");
  });
  await t.step("a yes to a plan is no yes to another one that was put in its place", async () => {
    const requestState = await stateOf(context, plan);
    const path = `${world.planFolder}/plan-${plan.plan_id}.json`;
    const text = await Deno.readTextFile(path);
    const { id, createdAt, ...fields } = ChangePlan.fromJson(text);
    const dearer = fields.changes.map((change) => ({ ...change, after: { bid: 99 } }));
    const swapped = new ChangePlan({ ...fields, id, createdAt, changes: dearer });
    await Deno.writeTextFile(path, swapped.toJson());
    const { fingerprint } = swapped;
    const asked = { arguments: { ...plan, fingerprint }, inputResponses: yes, requestState };
    const { result } = await rawApply(context, asked) as { result: { resultType: string } };
    equal(result.resultType, "input_required");
    await Deno.writeTextFile(path, text);
  });
  await t.step("a question that another process signed is refused", async () => {
    const requestState = await stateOf(world.context(), plan);
    const { error } = await rawApply(context, { arguments: plan, inputResponses: yes, requestState }) as {
      error: { message: string };
    };
    match(error.message, /Invalid or expired requestState/);
  });
  await t.step("a question that was tampered with is refused", async () => {
    // Not the last character: some of its bits are padding, and another one may stand for the same signature.
    const signed = await stateOf(context, plan);
    const requestState = signed.replace(/.(?=.{10}$)/, (char) => char === "A" ? "B" : "A");
    const answer = await rawApply(context, { arguments: plan, inputResponses: yes, requestState });
    ok("error" in answer);
  });
  await t.step("an answer that is no form's is no yes", async () => {
    const requestState = await stateOf(context, plan);
    const inputResponses = { approve: { role: "user", content: { type: "text", text: "approve: true" } } };
    const answer = await rawApply(context, { arguments: plan, inputResponses, requestState });
    match(JSON.stringify(answer), /did not answer/);
  });
  await t.step("nothing was written", () => deepEqual(world.writes(), []));
  await t.step("the right answer to the right question works once", async () => {
    const requestState = await stateOf(context, plan);
    const right = { arguments: plan, inputResponses: yes, requestState };
    match(JSON.stringify(await rawApply(context, right)), /"approved_by":"person"/);
    match(JSON.stringify(await rawApply(context, right)), /it was applied at/);
    equal(world.writes().length, 1);
  });
});
