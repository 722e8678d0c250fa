import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { planPart } from "../../src/operations/plans/plan_part.ts";
import { interfaces } from "./support/interfaces.ts";

Deno.test("a part of a plan is one plan in every interface, chosen by positions or ids", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const keywords = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const plan = await ca.sp.keywords.planUpdate(
    keywords.slice(0, 4).map(({ keywordId, bid = 1 }) => ({ keywordId, bid: Math.round(bid * 110) / 100 })),
    { note: "Winners" },
  );
  await at.context.plans.save(plan);
  await at.consolePlans.save(plan);
  const [, second, third, fourth] = plan.changes;
  const input = { plan_id: plan.id, leave_out: [0], leave_out_ids: [third!.id, fourth!.id] };

  const tool = await at.tool(planPart, input);
  equal(tool.isError, false, tool.text);
  const ofTool = await at.context.plans.get(tool.data.plan_id);
  deepEqual(ofTool.changes, [second]);
  equal(ofTool.note, `Plan ${plan.id} without 3 of its 4 changes: Winners`);
  equal((await at.context.plans.status(plan.id)).state, "open");

  const out = `${at.world.folder}/part.json`;
  const command = await at.adsctl(planPart, input, ["--out", out]);
  equal(command.code, 0, command.stderr);
  const ofCommand = await ChangePlan.load(out);
  deepEqual([ofCommand.changes, ofCommand.note], [[second], ofTool.note]);
  deepEqual(ofCommand.findings, ofTool.findings);

  const { plan_id: _, ...body } = input;
  const { status, data } = await at.page.ask(`/api/plans/${plan.id}/part`, {
    ...body,
    fingerprint: plan.fingerprint,
  });
  equal(status, 200, JSON.stringify(data));
  deepEqual((await at.consolePlans.get(data.plan_id)).changes, [second]);

  const wrong = [
    [{ leave_out: [4] }, `Cannot leave out 4: plan ${plan.id} has 4 changes, counted from 0`],
    [{ leave_out_ids: ["7"] }, `Cannot leave out 7: plan ${plan.id} does not change it`],
    [{ leave_out: [0, 1, 2, 3] }, "Cannot make a plan: no changes are left"],
  ] as const;
  for (const [more, message] of wrong) {
    const told = await at.tool(planPart, { plan_id: plan.id, ...more });
    ok(told.isError && told.text.includes(message), told.text);
    const run = await at.adsctl(planPart, { plan_id: plan.id, ...more });
    deepEqual([run.code, run.stderr.includes(message)], [2, true], run.stderr);
    const page = await at.page.ask(`/api/plans/${plan.id}/part`, { ...more, fingerprint: plan.fingerprint });
    ok(page.status >= 400);
    equal(page.data.error.message, message);
  }

  await at.context.plans.refuse(plan);
  const refused = await at.tool(planPart, { plan_id: plan.id, leave_out: [0] });
  ok(refused.isError);
  match(refused.text, /a person refused these changes/);
  const run = await at.adsctl(planPart, { plan_id: plan.id, leave_out: [0] });
  ok(run.code !== 0 && run.stderr.includes("a person refused these changes"), run.stderr);
});
