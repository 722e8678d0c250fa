import assert from "node:assert/strict";
import type { Change } from "../../../src/plans/model/change.ts";
import { restores } from "../../../src/plans/state/sent_record.ts";
import { planState } from "../../../src/plans/state/plan_state.ts";
import { readPriorState } from "../../../src/plans/state/read_prior_state.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { partOfPlan } from "../../../src/plans/change_plan/part_of_plan.ts";
import { stateWord } from "../../../src/plans/store/plan_status.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { withUndone } from "../../../src/plans/store/undone_plans.ts";
import { withAndWithoutPolicy } from "../../support/judging.ts";
import { parsePolicy } from "../../../src/plans/policy/mod.ts";
import { bid, IN_GROUP, inStore, NOW, planOf, type StoreScene } from "./store_scene.ts";

/** A plan of three changes of which the first is done and the others were never sent. */
async function cutOff({ store, target, hidden }: StoreScene): Promise<ChangePlan> {
  const plan = planOf([bid("1"), bid("2"), bid("3")], { id: "p1" });
  await store.save(plan);
  const { result } = await store.apply(planOf([bid("1")], { id: "p1" }), target);
  assert.equal(result.ok, true);
  for (const name of ["result.json"]) await Deno.remove(hidden("p1", name));
  await Deno.remove(hidden("p1-undo", "json"));
  const journal = await Deno.readTextFile(hidden("p1", "journal.jsonl"));
  const lines = journal.trim().split("\n").slice(0, -1).join("\n");
  const { fingerprint } = planOf([bid("1")]);
  await Deno.writeTextFile(
    hidden("p1", "journal.jsonl"),
    `${lines.replace(fingerprint, plan.fingerprint)}\n`,
  );
  target.writes.length = 0;
  return plan;
}

const outcomes = (result: { changes: readonly { outcome: string }[] }): string[] =>
  result.changes.map(({ outcome }) => outcome);

withAndWithoutPolicy(
  "looking at a plan that was cut off sends and writes nothing",
  (judging) =>
    inStore(async (scene) => {
      const { store, target, hidden } = scene;
      const plan = await cutOff(scene);
      const before = await Deno.readTextFile(hidden("p1", "journal.jsonl"));
      assert.deepEqual(outcomes(await store.look(plan, target)), ["done", "not_sent", "not_sent"]);
      assert.deepEqual(target.writes, []);
      assert.equal(await Deno.readTextFile(hidden("p1", "journal.jsonl")), before);
      assert.equal((await store.status("p1")).state, "unfinished");
    }, judging),
);

withAndWithoutPolicy(
  "a plan that was cut off is finished, and its record covers both runs",
  (judging) =>
    inStore(async (scene) => {
      const { store, target } = scene;
      const plan = await cutOff(scene);
      const { result, rollback } = await store.resume(plan, target);
      assert.deepEqual(outcomes(result), ["done", "done", "done"]);
      assert.deepEqual(target.writes.flatMap(({ items }) => items), [
        { keywordId: "2", bid: 2 },
        { keywordId: "3", bid: 2 },
      ]);
      assert.deepEqual(rollback!.changes.map(({ id }) => id), ["3", "2", "1"]);
      assert.equal((await store.status("p1")).state, "applied");
    }, judging),
);

withAndWithoutPolicy(
  "a plan that was cut off is undone as far as it was done, once, and never finished",
  (judging) =>
    inStore(async (scene) => {
      const { store, target, hidden } = scene;
      const plan = await cutOff(scene);
      const undone = await store.rollBack(plan, target);
      assert.deepEqual(target.writes.map(({ op, items }) => [op, items]), [
        ["update", [{ keywordId: "1", bid: 1 }]],
      ]);
      assert.equal(undone!.result.plan.id, "p1-undo");
      const refused =
        /Cannot resume or undo plan p1: (?:it was undone|its undo was started) at 2026.*resumePlan\(".*plan-p1-undo\.json"\) with lookOnly/;
      for (const status of ["applied", "unfinished"]) {
        if (status === "unfinished") await Deno.remove(hidden("p1-undo", "result.json"));
        assert.equal((await store.status("p1-undo")).state, status);
        for (const again of ["resume", "abandon", "rollBack"] as const) {
          await assert.rejects(store[again](plan, target), refused);
        }
      }
      assert.equal(target.writes.length, 1);
    }, judging),
);

withAndWithoutPolicy(
  "an undo that a person refused can be made again under a new id, and the plan's own record stays as it is",
  (judging) =>
    inStore(async ({ store, target, hidden }) => {
      const plan = planOf([bid("1")], { id: "p1" });
      await store.save(plan);
      const { rollback } = await store.apply(plan, target, { approvedBy: "Ann" });
      const record = (): Promise<string[]> =>
        Promise.all(
          ["result.json", "journal.jsonl"].map((ending) => Deno.readTextFile(hidden("p1", ending))),
        );
      const before = await record();
      assert.equal(JSON.parse(before[0]!).approved_by, "Ann");
      await store.refuse(rollback!);
      await assert.rejects(
        store.apply(rollback!, target),
        /a person refused these changes at .*undo\(\) of "p1" makes a new plan/,
      );
      const later = PlanStore.open(store.path, { now: () => Date.parse(NOW) + 60_000 });
      const open = await later.openUndo(plan);
      assert.deepEqual([open!.id, open!.reverses], ["p1-undo-again", "p1"]);
      assert.deepEqual(open!.changes, rollback!.changes);
      assert.equal((await later.status("p1") as { rollbackPlanId: string }).rollbackPlanId, "p1-undo-again");
      await later.refuse(open!);
      const undone = await later.rollBack(plan, target);
      assert.equal(undone!.result.plan.id, "p1-undo-again2");
      assert.equal(undone!.result.ok, true);
      assert.deepEqual(await record(), before);
      const status = await later.status("p1");
      assert.deepEqual(status.state === "applied" && [status.at, status.undone], [
        NOW,
        { at: new Date(Date.parse(NOW) + 60_000).toISOString(), by: "p1-undo-again2" },
      ]);
      assert.equal((await later.applied("p1"))?.undoneAt, new Date(Date.parse(NOW) + 60_000).toISOString());
      await assert.rejects(later.rollBack(plan, target), /Cannot resume or undo plan p1: it was undone/);
    }, judging),
);

Deno.test("a plan that a person refuses while its sending is prepared is not sent", () =>
  inStore(async ({ store, target }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    await store.save(plan);
    const judge = target.judge!;
    let isRefused = false;
    target.judge = async (request) => {
      if (!isRefused) await store.refuse(plan);
      isRefused = true;
      return await judge(request);
    };
    await assert.rejects(store.apply(plan, target), /a person refused/);
    assert.deepEqual(target.writes, []);
    assert.equal((await store.status("p1")).state, "refused");
  }, { policy: parsePolicy("version: 1\nmax_bid: 100\napproval: client\n") }));

withAndWithoutPolicy(
  "a plan is listed as undone when plans of other ids and folders put all of it back, and not before",
  (judging) =>
    inStore(async ({ store, target }) => {
      const elsewhere = PlanStore.open(`${store.path}/elsewhere`, { now: () => Date.parse(NOW) });
      const stateOf = async (id: string) => {
        const listed = await withUndone([await store.list(), await elsewhere.list()]);
        return listed.flat().flatMap((one) =>
          one.id === id && "status" in one ? [stateWord(one.status)] : []
        );
      };
      const plan = planOf([bid("1"), bid("2")], { id: "p1" });
      await store.save(plan);
      const { rollback } = await store.apply(plan, target);
      const part = (id: string, of: number, more: Partial<ChangePlan> = {}) =>
        new ChangePlan({
          ...partOfPlan(rollback!, (change, at) => at === of ? change : undefined, "Part"),
          ...more,
          id,
        });
      const applied = async (one: ChangePlan, by = store): Promise<void> => {
        await by.save(one);
        await by.apply(one, target);
      };
      await applied(part("first", 0));
      assert.deepEqual(await stateOf("p1"), ["applied"], "one of two bids");
      await applied(part("again", 0));
      assert.deepEqual(await stateOf("p1"), ["applied"], "the same bid twice");
      target.troubles["update sp.keywords"] = { outcomes: { 0: "refused" } };
      await applied(part("refused", 1));
      delete target.troubles["update sp.keywords"];
      assert.deepEqual(await stateOf("p1"), ["applied"], "the other bid was refused");
      await applied(part("second", 1), elsewhere);
      assert.deepEqual(await stateOf("p1"), ["undone"]);
      assert.equal((await store.openUndo(plan))?.id, rollback!.id, "what it is undone by decides no sending");

      const other = planOf([bid("3")], { id: "p2" });
      await applied(other);
      const { id: _, ...copied } = other.inverse();
      await applied(new ChangePlan({ ...copied, reverses: "p3" }), elsewhere);
      assert.deepEqual(await stateOf("p2"), ["applied"]);
      await applied(new ChangePlan(copied), elsewhere);
      assert.deepEqual(await stateOf("p2"), ["undone"]);
    }, judging),
);

withAndWithoutPolicy(
  "an undo that the platform refused is no undo, and can be made again",
  (judging) =>
    inStore(async ({ store, target }) => {
      const plan = planOf([bid("1")], { id: "p1" });
      await store.save(plan);
      const { rollback } = await store.apply(plan, target);
      target.troubles["update sp.keywords"] = { outcomes: { 0: "refused" } };
      await store.apply(rollback!, target);
      delete target.troubles["update sp.keywords"];
      const status = await store.status("p1");
      assert.equal(status.state === "applied" && status.undone, undefined);
      assert.equal((await store.applied("p1"))?.undoneAt, undefined);
      assert.equal((await store.openUndo(plan))?.id, "p1-undo-again");
    }, judging),
);

withAndWithoutPolicy(
  "undoing a plan of which nothing was done sends nothing, and the plan is never sent",
  (judging) =>
    inStore(async ({ store, target }) => {
      const plan = planOf([bid("1")], { id: "p1" });
      await store.apply(plan, target, { stop: AbortSignal.abort() });
      target.troubles["update sp.keywords"] = { outcomes: { 0: "not_sent" } };
      const other = planOf([bid("1")], { id: "p2" });
      await store.apply(other, target);
      target.writes.length = 0;
      assert.equal(await store.rollBack(other, target), undefined);
      assert.deepEqual(target.writes, []);
      delete target.troubles["update sp.keywords"];
      await assert.rejects(store.resume(other, target), /it was abandoned/);
    }, judging),
);

withAndWithoutPolicy(
  "what was never begun can neither be looked at, finished nor undone",
  (judging) =>
    inStore(async ({ store, target }) => {
      const plan = planOf([bid("1")], { id: "p1" });
      for (const way of ["look", "resume", "abandon", "rollBack"] as const) {
        await assert.rejects(
          store[way](plan, target),
          /Cannot resume plan p1: it was never started, according to ".*"\. Apply it/,
        );
      }
    }, judging),
);

/** Applies a plan whose fields had and had not a value before, of which the second change is refused. */
async function applied({ store, target }: StoreScene): Promise<{ plan: ChangePlan; undo: ChangePlan }> {
  const create = bid("", {
    op: "create",
    id: null,
    before: {},
    after: { bid: 3, ...IN_GROUP },
    label: "new",
  });
  const plan = planOf([bid("1", { after: { bid: 2, endDate: "2026-12-31" } }), bid("2"), create], {
    id: "p1",
  });
  await store.save(plan);
  target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
  const { rollback } = await store.apply(plan, target);
  delete target.troubles["update sp.keywords"];
  return { plan, undo: rollback! };
}

const copy = (plan: ChangePlan): ChangePlan => ChangePlan.fromJson(plan.toJson());
const forged = (undo: ChangePlan, changes: readonly Change[], more = {}): ChangePlan =>
  copy(new ChangePlan({ ...undo, changes, ...more }));

/** True where all that a plan does is to put back what the journal of another says, on the account as it is. */
async function restored({ store, target }: StoreScene, plan: ChangePlan): Promise<boolean> {
  const sent = await store.sentBefore(plan);
  const { steps } = planState(plan.changes, await readPriorState(plan.changes, target));
  return steps.every((step) => restores(step, sent));
}

/** The account as the plan of {@linkcode applied} leaves it. */
function written({ target }: StoreScene): void {
  target.entities["sp.keywords"] = {
    "1": { bid: 2, endDate: "2026-12-31" },
    "2": { bid: 1 },
    "3": { bid: 1 },
    new0: { bid: 3 },
  };
}

withAndWithoutPolicy(
  "a plan restores where all that it does is to put back what another did, wherever its file came from",
  (judging) =>
    inStore(async (scene) => {
      const { undo } = await applied(scene);
      written(scene);
      assert.equal(undo.changes.length, 2);
      const [archive, update] = undo.changes;
      Object.assign(scene.target.entities["sp.keywords"]!, { [archive!.id!]: { bid: 3 } });
      assert.equal(await restored(scene, copy(undo)), true);
      assert.equal(await restored(scene, forged(undo, [update!])), true, "a part of it");
      // The field that was empty may be emptied again, where the kind allows it.
      const emptied = {
        ...update!,
        before: { bid: 2, endDate: "2026-12-31" },
        after: { bid: 1, endDate: null },
      };
      assert.equal(await restored(scene, forged(undo, [archive!, emptied])), true);
      scene.target.entities["sp.keywords"]!["1"] = { bid: 2.5, endDate: "2026-12-31" };
      assert.equal(await restored(scene, copy(undo)), false, "somebody has changed it since");
    }, judging),
);

withAndWithoutPolicy(
  "a plan that only claims to undo another restores nothing",
  (judging) =>
    inStore(async (scene) => {
      const { store } = scene;
      const { plan, undo } = await applied(scene);
      written(scene);
      const [archive, update] = undo.changes;
      Object.assign(scene.target.entities["sp.keywords"]!, { [archive!.id!]: { bid: 3 } });
      const claims: readonly ChangePlan[] = [
        plan,
        forged(undo, undo.changes, { reverses: null }),
        forged(undo, undo.changes, { reverses: "p2" }),
        forged(undo, undo.changes, { profileId: "101" }),
        forged(undo, [archive!, { ...update!, after: { bid: 99 } }]),
        forged(undo, [archive!, { ...update!, id: "3" }]),
        forged(undo, [...undo.changes, { ...update!, id: "2", label: "k2" }]),
        forged(undo, [{ ...archive!, id: "3" }]),
        new ChangePlan({
          ...undo,
          changes: undo.changes.map((change) => ({ ...change })),
          reverses: "../p1",
        }),
      ];
      for (const claim of claims) {
        assert.equal(await restored(scene, claim), false, JSON.stringify(claim.toData()));
      }
      // The plan that it names was never applied.
      await store.save(planOf(plan.changes, { id: "p3" }));
      assert.equal(await restored(scene, forged(undo, undo.changes, { reverses: "p3" })), false);
    }, judging),
);

/** What applying a plan puts on record about who approved it. */
async function approvalOnRecord(store: PlanStore, scene: StoreScene, plan: ChangePlan): Promise<unknown> {
  const finding = { code: "POLICY_LIMIT", level: "approve" as const, message: "m" };
  const judged = Object.assign(scene.target, {
    judge: () => Promise.resolve({ findings: [finding], settle: () => Promise.resolve() }),
  });
  const { result } = await store.apply(plan, judged, { approvedBy: "Ann" });
  return result.override?.approval;
}

withAndWithoutPolicy(
  "the approval beside a plan is kept with its result, if it is of the plan as it is",
  (judging) =>
    inStore(async (scene) => {
      const { store, hidden } = scene;
      const approvalOf = ({ id, fingerprint }: ChangePlan) => ({
        plan_id: id,
        fingerprint,
        approved_at: "a",
        expires_at: "b",
        signature: "c",
      });
      const [plan, other, none] = ["p1", "p2", "p3"].map((id) => planOf([bid("1")], { id }));
      const publicKey = "/nowhere/key.pub.json";
      await assert.rejects(
        store.ensureApproved({ plan: plan!, asks: [], parts: {} }, { publicKey }),
        /it is not approved yet/,
      );
      const path = await store.saveApproval(approvalOf(plan!));
      assert.equal(path, hidden("p1", "approval.json"));
      await assert.rejects(
        store.ensureApproved({ plan: plan!, asks: [], parts: {} }, { publicKey }),
        /key\.pub\.json/,
      );
      assert.deepEqual(await approvalOnRecord(store, scene, plan!), approvalOf(plan!));
      await store.saveApproval({ ...approvalOf(other!), fingerprint: "of an earlier state" });
      assert.equal(await approvalOnRecord(store, scene, other!), null);
      assert.equal(await approvalOnRecord(store, scene, none!), null);
    }, judging),
);

withAndWithoutPolicy(
  "a program that wakes after another has finished its plan leaves the other's result",
  (judging) =>
    inStore(async ({ store, target }) => {
      target.entities["sp.campaigns"] = { "7": { campaignId: "7", name: "old" } };
      const rename = bid("7", { kind: "sp.campaigns", before: { name: "old" }, after: { name: "new" } });
      const plan = planOf([bid("1"), rename], { id: "p1" });
      await store.save(plan);
      let other: Awaited<ReturnType<PlanStore["resume"]>> | undefined;
      const late = await store.apply(plan, target, {
        onResults: async () => {
          other ??= await store.resume(await store.get("p1"), target);
        },
      });
      assert.equal(other?.result.ok, true);
      assert.equal(late.result.takenOver, true);
      assert.deepEqual(outcomes(late.result), ["done", "done"], "what the other has done is known");
      assert.deepEqual([late.resultPath, late.rollback], [undefined, undefined]);
      assert.deepEqual(outcomes((await store.applied("p1"))!), ["done", "done"]);
      assert.equal((await store.get("p1-undo")).changes.length, 2);
      assert.deepEqual(target.writes.length, 2, "and it is sent once");
    }, judging),
);

withAndWithoutPolicy(
  "a plan whose file has another name of the same pattern is found by its id",
  (judging) =>
    inStore(async ({ store, target }) => {
      const plan = planOf([bid("1")], { id: "p1" });
      await plan.save(`${store.path}/plan-bids.json`);
      assert.deepEqual((await store.list()).map(({ id }) => id), ["p1"]);
      const { rollback } = await store.apply(plan, target);
      const written = [{ kind: "sp.keywords", id: "1", was: { bid: 1 }, wrote: { bid: 2 } }];
      assert.deepEqual(await store.sentBefore(rollback!), written);
    }, judging),
);

withAndWithoutPolicy(
  "what an undo did not know to be done is put back by the plan that goes on with it",
  (judging) =>
    inStore(async ({ store, target }) => {
      const plan = planOf([bid("1"), bid("2"), bid("3")], { id: "p1" });
      await store.save(plan);
      await store.apply(plan, target);
      target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown", 2: "not_sent" } };
      const undone = await store.rollBack(plan, target);
      assert.deepEqual(outcomes(undone!.result), ["unknown", "done", "not_sent"]);
      const rest = await store.restOfUndo(plan);
      assert.deepEqual(rest!.changes.map(({ id }) => id), ["3", "1"]);
    }, judging),
);
