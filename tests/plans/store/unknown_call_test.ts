import { deepEqual, equal, match, rejects } from "../../support/assert.ts";
import { planUndo } from "../../../src/operations/plans/plan_undo.ts";
import { inputFrom } from "../../../src/operations/model/field.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { stateWord } from "../../../src/plans/store/plan_status.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { withoutPolicy } from "../../support/without_policy.ts";

withoutPolicy("its plans are applied without an approval");
Deno.test("after an undo with a call of unknown outcome and its rest, plan undo names the plan that resume settles", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const { us, emulator, time } = world;
  const store = PlanStore.open(folder.file("plans"), { now: time.now });
  const operation = "sponsored-display:updateCreatives";
  const [creative] = await us.call("sponsored-display:listCreatives") as { creativeId: string }[];
  const keyword = (await us.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) => bid !== undefined);
  const { keywordId, bid = 1 } = keyword!;
  const plan = ChangePlan.merge([
    await us.planCall<string>(operation, [
      { creativeId: creative!.creativeId, properties: { headline: "Light" } },
    ]),
    await us.sp.keywords.planUpdate([{ keywordId, bid: Math.round(bid * 110) / 100 }]),
  ]);
  await store.save(plan);
  equal((await store.apply(plan, us)).result.ok, true);

  const entities = emulator.state.profile(us.profileId)!.collection("sp.keywords");
  const entity = entities.get(keywordId)!;
  entities.replace({ ...entity, state: "ARCHIVED" });
  emulator.setFaults([{ match: { operation }, effects: { drop: "after" } }]);
  const first = await store.rollBack(plan, us);
  deepEqual(first!.result.changes.map(({ change: { op }, outcome }) => [op, outcome]), [
    ["update", "not_sent"],
    ["call", "unknown"],
  ]);
  entities.replace({ ...entities.get(keywordId)!, state: "ENABLED" });
  emulator.setFaults([]);
  const rest = await store.rollBack(plan, us);
  deepEqual([rest!.result.plan.id, rest!.result.ok], [`${plan.id}-undo-again`, true]);

  const context = { plan, store, profile: us, asker: () => ({ by: "Ann", may: "policy" } as const) };
  const again = () => planUndo.run(context, inputFrom(planUndo.input, { plan_id: plan.id }));
  await rejects(again, (error: Error) => {
    match(error.message, new RegExp(`the outcome of a call of plan ${plan.id}-undo is unknown`));
    match(error.message, new RegExp(`resumePlan\\(".*plan-${plan.id}-undo\\.json"\\) finds out`));
    return true;
  });
  equal(stateWord(await store.status(plan.id)), "applied");
  const resumed = await store.resume(await store.get(`${plan.id}-undo`), us, {
    settleAfter: 0,
    skipDrifted: true,
  });
  deepEqual(resumed.result.changes.map(({ outcome }) => outcome), ["already", "done"]);
  equal(stateWord(await store.status(plan.id)), "undone");
  await rejects(again, new RegExp(`resumePlan\\(".*plan-${plan.id}-undo-again\\.json"\\) with lookOnly`));
});
