import { deepEqual, equal, match } from "../support/assert.ts";
import { Agent, type PersonsMove } from "./support/agent.ts";
import { World } from "./support/world.ts";

const UPDATE = "sponsored-display:updateCreatives";

async function someCreative(agent: Agent): Promise<{ creativeId: unknown; headline: string }> {
  const { data } = await agent.call("call_operation", {
    market: "US",
    operation: "sponsored-display:listCreatives",
  });
  const [{ creativeId, properties: { headline } }] = data.result;
  return { creativeId, headline };
}

Deno.test("a write by operation is planned, shown to a person, sent on a yes, and undone", async () => {
  await using world = await World.start();
  const questions: string[] = [];
  let move: PersonsMove = "yes";
  const person = (question: string): PersonsMove => {
    questions.push(question);
    world.passed += 5_000;
    return move;
  };
  await using agent = await Agent.connect(world.context(), { person });
  const { creativeId, headline } = await someCreative(agent);
  const args = {
    market: "US",
    operation: UPDATE,
    body: [{ creativeId, properties: { headline: "Light" } }],
    note: "more",
  };

  const refused = await agent.call("call_operation", { market: "US", operation: UPDATE, body: args.body });
  equal(refused.isError, true);
  match(refused.text, /it can change data\. Plan it with plan_call/);

  const planned = await agent.call("plan_call", args);
  equal(planned.isError, false, planned.text);
  deepEqual(
    planned.data.changes.map(({ field, before, after }: Record<string, unknown>) => [field, before, after]),
    [["request", null, "PUT /sd/creatives"], ["body[0].properties.headline", headline, "Light"]],
  );
  match(planned.text, /0 to archive, 1 to call/);
  deepEqual(world.writes(), []);

  const { plan_id, fingerprint } = planned.data;
  move = "no";
  match(
    (await agent.call("apply_plan", { plan_id, fingerprint })).text,
    /the person said no to these changes, which is final/,
  );
  move = "yes";
  const again = (await agent.call("plan_call", args)).data;
  const applied = await agent.call("apply_plan", { plan_id: again.plan_id, fingerprint: again.fingerprint });
  equal(applied.data.ok, true, applied.text);
  deepEqual(applied.data.responses, [[{ code: "SUCCESS", creativeId }]]);
  match(questions.at(-1)!, /PUT \/sd\/creatives/);
  match(questions.at(-1)!, /The effect of sponsored-display:updateCreatives on spend is unknown/);
  equal((await someCreative(agent)).headline, "Light");

  const { rollback_plan_id, rollback_fingerprint } = applied.data;
  const undone = await agent.call("apply_plan", {
    plan_id: rollback_plan_id,
    fingerprint: rollback_fingerprint,
  });
  equal(undone.data.ok, true, undone.text);
  equal((await someCreative(agent)).headline, headline);
});

Deno.test("no way leads around a person for a call, and nothing is sent by planning", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const { creativeId, headline } = await someCreative(agent);
  const body = [{ creativeId, properties: { headline: `${headline}!` } }];
  const { plan_id, fingerprint } =
    (await agent.call("plan_call", { market: "US", operation: UPDATE, body })).data;
  const alone = await agent.call("apply_plan", { plan_id, fingerprint });
  equal(alone.isError, true);
  match(alone.text, /without a person/);
  const wrong: [object, RegExp][] = [
    [{ operation: "sponsored-display:listCampaigns" }, /it changes nothing/],
    [{ operation: UPDATE, body, headers: { "X-HTTP-Method-Override": "GET" } }, /could turn it into another/],
    [{ operation: UPDATE, body, headers: { Cookie: "x" } }, /it documents/],
    [{ operation: "sponsored-brands-v3:archiveTarget" }, /targetId/],
    [{ operation: UPDATE, body: [{ creativeId, headlien: "x" }], check: "strict" }, /headlien/],
    [
      { operation: "sponsored-products:UpdateSponsoredProductsKeywords", body: { keywords: [{ bid: 1 }] } },
      /the platform would create/,
    ],
  ];
  for (const [more, why] of wrong) {
    const { isError, text } = await agent.call("plan_call", { market: "US", ...more });
    equal(isError, true, text);
    match(text, why);
  }
  deepEqual(world.writes(), []);
});
