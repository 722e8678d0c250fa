import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { planUndo } from "../../../src/operations/plans/plan_undo.ts";
import { planApply } from "../../../src/operations/plans/plan_apply.ts";
import { reviewRollout } from "../../../src/operations/plans/send_rollout.ts";
import { inputFrom } from "../../../src/operations/model/field.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { partOfPlan } from "../../../src/plans/change_plan/part_of_plan.ts";
import { Rollout } from "../../../src/account/rollout/rollout.ts";
import { judgeStored } from "../../../src/plans/store/judge_stored.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import type { AppliedPlan } from "../../../src/plans/store/write_result.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { PublishedCheck } from "../../support/published_check.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { withoutPolicy } from "../../support/without_policy.ts";

const WORKFLOW = { workflowId: "reach", sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };

interface Scene {
  readonly world: Emulated;
  readonly us: ProfileClient;
  readonly store: PlanStore;
  /** A call that creates a workflow, and a bid. */
  readonly plan: ChangePlan;
  /** Applies a plan a minute later. */
  apply(plan: ChangePlan): Promise<AppliedPlan>;
  /** Does something once, before the next request for keywords. */
  beforeKeywords(step: () => Promise<void>): void;
  /** The calls that were sent, and whether the bid is as the plan left it. */
  look(): Promise<{ calls: string[]; isRaised: boolean }>;
}

async function inScene(step: (scene: Scene) => Promise<void>): Promise<void> {
  const published = new PublishedCheck();
  let before: (() => Promise<void>) | undefined;
  await using world = await emulated({
    fetchOf: (emulator) => {
      const sent = published.fetch(emulator.url, { request: true });
      return async (input, init) => {
        const step = before;
        if (step !== undefined && /keywords/i.test(String(input))) {
          before = undefined;
          await step();
        }
        return await sent(input, init);
      };
    },
  });
  await using folder = await temporaryFolder();
  const { us, ads, emulator } = world;
  let now = Date.parse("2026-09-30T12:00:00Z");
  const store = PlanStore.open(folder.file("plans"), { now: () => now });
  const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
  const room = await ads.cleanRoom(String(instanceId));
  const keyword = (await us.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) => bid !== undefined);
  const { keywordId, bid = 1 } = keyword!;
  const raised = Math.round(bid * 110) / 100;
  const plan = ChangePlan.merge([
    await us.planCall<string>("workflow-management-service:createWorkflow", WORKFLOW, room.place),
    await us.sp.keywords.planUpdate([{ keywordId, bid: raised }]),
  ]);
  await step({
    world,
    us,
    store,
    plan,
    apply: async (one) => {
      now += 60_000;
      await store.save(one);
      return await store.apply(one, us, { checkDrift: true });
    },
    beforeKeywords: (one) => void (before = one),
    look: async () => ({
      calls: emulator.requests().filter(({ method, path }) =>
        /POST|DELETE/.test(method) && /\/workflows(\/reach)?$/.test(path)
      ).map(({ method }) => method),
      isRaised: (await us.sp.keywords.get(keywordId))?.bid === raised,
    }),
  });
  await published.verify();
}

/** A plan of its own id that does a part of another: what is a call, or what is not. */
function part(plan: ChangePlan, id: string, of: "call" | "update"): ChangePlan {
  return new ChangePlan({
    ...partOfPlan(plan, (change) => change.op === of ? change : undefined, "Part"),
    id,
  });
}

const verdicts = ({ result }: AppliedPlan): unknown[] =>
  result.changes.map(({ change: { op }, outcome, error }) => [op, outcome, error?.code]);

const byPerson = { asker: () => ({ by: "Ann", may: "policy" } as const), isUnattended: true };

withoutPolicy("its plans are applied without an approval");
Deno.test("a call that a plan of another id put back is not sent by plan undo, and the rest is", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const { rollback } = await apply(plan);
    await apply(part(rollback!, "other", "call"));
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: true });
    const context = { plan, store, profile: us, ...byPerson };
    const undone = await planUndo.run(context, inputFrom(planUndo.input, { plan_id: plan.id }));
    deepEqual(verdicts(undone!), [["update", "done", undefined], ["call", "not_sent", "PUT_BACK"]]);
    match(
      undone!.result.failures[0]!.error.message,
      /^Never sent, because plan other put it back at 2026-09-30T12:02:00/,
    );
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: false });

    // Now nothing but the call is left.
    await rejects(
      planUndo.run(context, inputFrom(planUndo.input, { plan_id: plan.id })),
      /Cannot apply plan \S+-undo-again: call .*:deleteWorkflow: plan other put it back at 2026-09-30T12:02:00.*Nothing was sent/,
    );
    await rejects(
      planApply.run(
        { ...context, plan: await saved(store, part(rollback!, "third", "call")) },
        inputFrom(planApply.input, { plan_id: "third" }),
      ),
      /Cannot apply plan third: call .*: plan other put it back/,
    );
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: false });
  }));

async function saved(store: PlanStore, plan: ChangePlan): Promise<ChangePlan> {
  await store.save(plan);
  return plan;
}

withoutPolicy("its plans are applied without an approval");
Deno.test("a call is sent by the undo again once the plan that put it back was undone, and never twice", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const { rollback } = await apply(plan);
    const other = new ChangePlan({ ...rollback!, id: "other" });
    const redo = (await apply(other)).rollback!;
    // Both at once would create the workflow twice.
    const copy = new ChangePlan({ ...redo, id: "copy" });
    const redone = await apply(redo);
    equal(redone.result.ok, true);
    deepEqual(verdicts(await apply(part(copy, "calls", "call"))), [["call", "not_sent", "PUT_BACK"]]);
    deepEqual(await look(), { calls: ["POST", "DELETE", "POST"], isRaised: true });
    equal((await store.rollBack(plan, us, { checkDrift: true }))?.result.ok, true);
    deepEqual(await look(), { calls: ["POST", "DELETE", "POST", "DELETE"], isRaised: false });
    // It undoes the undo of an undo, which is undone by now.
    const last = part(redone.rollback!, "last", "call");
    const { findings, unsent } = await judgeStored(last, us, { store });
    deepEqual(findings.map(({ code, message }) => [code, message]), [
      ["PUT_BACK", `plan ${rollback!.id} put it back at 2026-09-30T12:04:00.000Z`],
    ]);
    deepEqual([...unsent], [0]);
    deepEqual(verdicts(await apply(last)), [["call", "not_sent", "PUT_BACK"]]);
    deepEqual((await look()).calls, ["POST", "DELETE", "POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call whose outcome another plan does not know is not sent either", () =>
  inScene(async ({ world, us, store, plan, apply, look }) => {
    const { rollback } = await apply(plan);
    const operation = "workflow-management-service:deleteWorkflow";
    world.emulator.setFaults([{ match: { operation }, effects: { drop: "after" } }]);
    const other = part(rollback!, "other", "call");
    deepEqual(verdicts(await apply(other)), [["call", "unknown", "UNKNOWN"]]);
    world.emulator.setFaults([]);
    const undone = await store.rollBack(plan, us, { checkDrift: true });
    deepEqual(verdicts(undone!), [["update", "done", undefined], ["call", "not_sent", "PUT_BACK"]]);
    match(undone!.result.failures[0]!.error.message, /plan other may have put it back at/);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call that a plan of a folder beside put back is not sent again", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const call = part(plan, "call", "call");
    const { rollback } = await apply(call);
    const beside = PlanStore.open(`${store.path}/beside`);
    const other = new ChangePlan({ ...rollback!, id: "other" });
    await beside.save(other);
    equal((await beside.apply(other, us)).result.ok, true);
    deepEqual(await store.putBackCalls(rollback!), [], "of this folder none did");
    const known = PlanStore.open(store.path, { beside: [`${store.path}/none`, beside.path] });
    deepEqual(verdicts((await known.rollBack(call, us))!), [["call", "not_sent", "PUT_BACK"]]);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a copy of an undo in another folder counts as another plan, and another spelling of its folder does not", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const call = part(plan, "call", "call");
    const { rollback } = await apply(call);
    const beside = PlanStore.open(`${store.path}/beside`);
    await beside.save(rollback!);
    const spelled = PlanStore.open(`${store.path}/beside`, { beside: [`${store.path}/./beside/../beside`] });
    equal((await spelled.apply(rollback!, us)).result.ok, true);
    const known = PlanStore.open(store.path, { beside: [beside.path] });
    deepEqual(verdicts((await known.rollBack(call, us))!), [["call", "not_sent", "PUT_BACK"]]);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a rollout is undone past a plan whose call others had put back", () =>
  inScene(async ({ us, store, plan, look, world }) => {
    const ca = await world.ads.profile("CA");
    const [campaign] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
    const pause = await ca.sp.campaigns.planUpdate([
      { campaignId: campaign!.campaignId, state: "PAUSED" },
    ]);
    const clientOf = ({ profileId, countryCode }: ChangePlan) =>
      world.ads.profileFrom(profileId, countryCode);
    const approvedBy = (): string => "Ann";
    const call = part(plan, plan.id, "call");
    const rollout = await Rollout.create(store.path, [call, pause], { note: "Both" });
    ok((await rollout.apply(clientOf, { approvedBy })).ok);
    const other = new ChangePlan({ ...await store.get(`${call.id}-undo`), id: "other" });
    await store.save(other);
    ok((await store.apply(other, us)).result.ok);
    const undo = await (await Rollout.open(store.path)).rollback(clientOf);
    const { entries } = await undo.apply(clientOf, { approvedBy, serial: [1], checkDrift: true });
    deepEqual(entries.map(({ state, onlyLeftOut }) => [state, onlyLeftOut]), [["failed", true], [
      "done",
      undefined,
    ]]);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
    equal((await ca.sp.campaigns.get(campaign!.campaignId))?.state, "ENABLED");
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a rollout does not send a call that a plan of a folder beside it put back", () =>
  inScene(async ({ us, store, plan, look, world }) => {
    const clientOf = ({ profileId, countryCode }: ChangePlan) =>
      world.ads.profileFrom(profileId, countryCode);
    const call = part(plan, "call", "call");
    await Rollout.create(store.path, [call], { note: "One" });
    const beside = PlanStore.open(`${store.path}/beside`);
    // It is found anew for each plan.
    const folders: string[] = [];
    const open = () => Rollout.open(store.path, { beside: () => Promise.resolve(folders) });
    ok((await (await open()).apply(clientOf, { approvedBy: () => "Ann" })).ok);
    const undo = await (await open()).rollback(clientOf);
    deepEqual(
      (await reviewRollout({ rollout: undo, clientOf }, { verb: "undo" })).map(({ unsent }) => unsent.size),
      [
        0,
      ],
    );
    const other = new ChangePlan({ ...await store.get("call-undo"), id: "other" });
    await beside.save(other);
    equal((await beside.apply(other, us)).result.ok, true);
    folders.push(beside.path);
    deepEqual(
      (await reviewRollout({ rollout: undo, clientOf }, { verb: "undo" })).map(({ unsent }) => [...unsent]),
      [
        [0],
      ],
    );
    const { entries: [entry] } = await undo.apply(clientOf, { approvedBy: () => "Ann" });
    deepEqual([entry?.state, entry?.onlyLeftOut], ["failed", true]);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call is not sent by a second plan while the first is still being sent", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const { rollback } = await apply(plan);
    const other = part(rollback!, "other", "call");
    let second: AppliedPlan | undefined;
    await store.apply(rollback!, us, {
      // The bid was answered, and the call is yet to come.
      onResults: async () => void (second ??= await apply(other)),
    });
    deepEqual(verdicts(second!), [["call", "not_sent", "PUT_BACK"]]);
    match(second!.result.failures[0]!.error.message, /plan \S+-undo may have put it back/);
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: false });
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call that another plan sent while the account was read is not sent again, and the plan stays open", () =>
  inScene(async ({ us, store, plan, apply, beforeKeywords, look }) => {
    const { rollback } = await apply(plan);
    beforeKeywords(async () => void await apply(part(rollback!, "other", "call")));
    await rejects(
      store.apply(rollback!, us, { checkDrift: true }),
      /Cannot apply plan \S+-undo: it has a call, and plan other put it back at \S+ Nothing was sent/,
    );
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: true });
    equal((await store.status(rollback!.id)).state, "open");
    const { result } = await store.apply(rollback!, us, { checkDrift: true });
    deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "not_sent"]);
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: false });
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call is not sent by a second plan while a plan that was stopped before it is resumed", () =>
  inScene(async ({ us, store, plan, apply, beforeKeywords, look }) => {
    const undo = (await apply(plan)).rollback!;
    const { result } = await store.apply(undo, us, { stop: AbortSignal.abort() });
    deepEqual(result.changes.map(({ outcome }) => outcome), ["not_sent", "not_sent"]);
    let second: AppliedPlan | undefined;
    beforeKeywords(async () => void (second = await apply(part(undo, "other", "call"))));
    equal((await store.resume(undo, us, { checkDrift: true })).result.ok, true);
    deepEqual(verdicts(second!), [["call", "not_sent", "PUT_BACK"]]);
    match(second!.result.failures[0]!.error.message, /plan \S+-undo may have put it back/);
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: false });
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a call that another plan sent since is not sent when a stopped plan is resumed", () =>
  inScene(async ({ us, store, plan, apply, look }) => {
    const undo = (await apply(plan)).rollback!;
    const stop = new AbortController();
    const { result } = await store.apply(undo, us, {
      stop: stop.signal,
      onResults: () => stop.abort(),
    });
    deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "not_sent"]);
    deepEqual(await look(), { calls: ["POST"], isRaised: false });
    deepEqual(verdicts(await apply(part(undo, "other", "call"))), [["call", "done", undefined]]);
    const resumed = await store.resume(undo, us);
    deepEqual(verdicts(resumed), [["update", "done", undefined], ["call", "not_sent", "PUT_BACK"]]);
    deepEqual((await look()).calls, ["POST", "DELETE"]);
  }));

withoutPolicy("its plans are applied without an approval");
Deno.test("a stopped plan is not resumed if a plan of another folder sends its call meanwhile", () =>
  inScene(async ({ us, store, plan, apply, beforeKeywords, look }) => {
    const undo = (await apply(plan)).rollback!;
    const { result } = await store.apply(undo, us, { stop: AbortSignal.abort() });
    deepEqual(result.changes.map(({ outcome }) => outcome), ["not_sent", "not_sent"]);
    const beside = PlanStore.open(`${store.path}/beside`);
    const other = part(undo, "other", "call");
    await beside.save(other);
    beforeKeywords(async () => void await beside.apply(other, us));
    const known = PlanStore.open(store.path, { beside: [beside.path] });
    await rejects(
      known.resume(undo, us, { checkDrift: true }),
      /Cannot resume plan \S+-undo: it has a call, and plan other put it back at \S+ Nothing was sent/,
    );
    deepEqual(await look(), { calls: ["POST", "DELETE"], isRaised: true });

    // Nobody sends it any more, so that its call keeps no other back.
    equal((await beside.rollBack(other, us))?.result.ok, true);
    deepEqual(verdicts(await apply(part(undo, "third", "call"))), [["call", "done", undefined]]);
    deepEqual((await look()).calls, ["POST", "DELETE", "POST", "DELETE"]);
  }));
