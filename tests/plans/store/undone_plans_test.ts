import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { partOfPlan } from "../../../src/plans/change_plan/part_of_plan.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { stateSince, stateWord } from "../../../src/plans/store/plan_status.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { experimentsIn } from "../../../src/plans/store/running_experiments.ts";
import { listedStatus, withUndone } from "../../../src/plans/store/undone_plans.ts";
import { bid, inStore, NOW, planOf, type StoreScene } from "./store_scene.ts";

async function stateOf(id: string, stores: readonly PlanStore[], isRehearsal = false): Promise<unknown> {
  const lists = await withUndone(await Promise.all(stores.map((store) => store.list())), { isRehearsal });
  const [first] = lists.flat().flatMap((one) =>
    one.id === id && "status" in one ? [stateWord(one.status)] : []
  );
  return first;
}

async function applied({ target }: StoreScene, plan: ChangePlan, store: PlanStore): Promise<ChangePlan> {
  await store.save(plan);
  return (await store.apply(plan, target)).rollback!;
}

/** A plan of its own id that makes one change of an undo. */
function part(undo: ChangePlan, id: string, of: number): ChangePlan {
  return new ChangePlan({
    ...partOfPlan(undo, (change, at) => at === of ? change : undefined, "Part"),
    id,
  });
}

Deno.test("a plan of creates is undone by parts only when each created entity is archived", () =>
  inStore(async (scene) => {
    const { store, target } = scene;
    const create = (name: string): Change =>
      bid("", { kind: "sp.campaigns", op: "create", id: null, before: {}, after: { name }, label: name });
    const undo = await applied(scene, planOf([create("A"), create("B")], { id: "p1" }), store);
    equal(undo.changes.length, 2);
    target.troubles["archive sp.campaigns"] = { outcomes: { 0: "refused" } };
    await applied(scene, part(undo, "refused", 0), store);
    equal(await stateOf("p1", [store]), "applied", "nothing was archived");
    delete target.troubles["archive sp.campaigns"];
    await applied(scene, part(undo, "first", 0), store);
    equal(await stateOf("p1", [store]), "applied", "one of two is archived");
    await applied(scene, part(undo, "second", 1), store);
    equal(await stateOf("p1", [store]), "undone");
    equal(stateWord(await listedStatus("p1", [store])), "undone");
    await Deno.remove(scene.hidden("p1-undo", "json"));
    equal(await stateOf("p1", [store]), "applied", "without its undo, nobody knows what it created");
  }));

Deno.test("a plan is undone when all that the platform did of it was put back for certain, in fields and entities", () =>
  inStore(async (scene) => {
    const { store, target } = scene;
    const both = { before: { bid: 1, state: "PAUSED" }, after: { bid: 2, state: "ENABLED" } };
    target.entities["sp.keywords"]!["1"] = { ...target.entities["sp.keywords"]!["1"], state: "PAUSED" };
    target.troubles["update sp.keywords"] = { outcomes: { 2: "refused" } };
    const undo = await applied(scene, planOf([bid("1", both), bid("2"), bid("3")], { id: "p1" }), store);
    deepEqual(undo.changes.map(({ id }) => id), ["2", "1"]);
    delete target.troubles["update sp.keywords"];
    const only = (field: string, id: string): ChangePlan =>
      new ChangePlan({
        ...partOfPlan(undo, ({ before, after, ...change }) =>
          change.id !== "1" ? undefined : {
            ...change,
            before: { [field]: before[field] },
            after: { [field]: after[field] },
          }, "Part"),
        id,
      });
    await applied(scene, only("bid", "bid"), store);
    await applied(scene, part(undo, "second", 0), store);
    equal(await stateOf("p1", [store]), "applied", "a state is not put back");
    target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown" } };
    await applied(scene, only("state", "unknown"), store);
    equal(await stateOf("p1", [store]), "applied", "of the state nobody knows");
    delete target.troubles["update sp.keywords"];
    await applied(scene, only("state", "state"), store);
    equal(await stateOf("p1", [store]), "undone");
  }));

Deno.test("a plan is applied again once the plan that put it back is undone itself", () =>
  inStore(async (scene) => {
    const { store, target } = scene;
    const plan = planOf([bid("1")], { id: "p1" });
    const undo = await applied(scene, plan, store);
    const other = part(undo, "other", 0);
    await applied(scene, other, store);
    equal(await stateOf("p1", [store]), "undone");
    const again = (await store.openUndo(other))!;
    await applied(scene, part(again, "again", 0), store);
    equal(await stateOf("other", [store]), "undone");
    equal(await stateOf("p1", [store]), "applied", "an undo of another id was put back");
    await store.rollBack(await store.get("again"), target);
    equal(await stateOf("p1", [store]), "undone", "and holds again once that is put back too");
    await store.rollBack(other, target);
    equal(await stateOf("p1", [store]), "applied");
    deepEqual((await store.openUndo(plan))?.changes.map(({ id }) => id), ["1"]);
  }));

Deno.test("a plan whose undo was undone names the plan to undo instead", () =>
  inStore(async (scene) => {
    const { store, target } = scene;
    const plan = planOf([bid("1")], { id: "p1" });
    const undo = await applied(scene, plan, store);
    await store.rollBack(plan, target);
    await store.rollBack(undo, target);
    equal(stateWord(await listedStatus("p1", [store])), "applied");
    const refused =
      /it was undone at 2026\S+, and plan p1-undo2 made its changes again at 2026\S+ Undo plan p1-undo2/;
    for (const step of [() => store.rollBack(plan, target), () => store.openUndo(plan)]) {
      await rejects(step, refused);
    }
    await store.rollBack(await store.get("p1-undo2"), target);
    equal(stateWord(await listedStatus("p1", [store])), "undone");
    await rejects(() => store.rollBack(plan, target), /with lookOnly shows what was undone/);
  }));

Deno.test("a plan is applied again once the undo of another id was put back in part", () =>
  inStore(async (scene) => {
    const { store } = scene;
    const plan = planOf([bid("1"), bid("2")], { id: "p1" });
    const undo = await applied(scene, plan, store);
    const other = new ChangePlan({ ...undo, id: "other" });
    await applied(scene, other, store);
    equal(await stateOf("p1", [store]), "undone");
    await applied(scene, part((await store.openUndo(other))!, "again", 0), store);
    deepEqual([await stateOf("other", [store]), await stateOf("p1", [store])], ["applied", "applied"]);
  }));

Deno.test("an undo stays one in part while nobody knows whether its call was sent, also after its rest was", () =>
  inStore(async (scene) => {
    const { store, hidden } = scene;
    const plan = planOf([bid("1"), bid("2")], { id: "p1" });
    await applied(scene, plan, store);
    const write = (id: string, ending: string, data: object): Promise<void> =>
      Deno.writeTextFile(hidden(id, ending), JSON.stringify(data));
    const call = { op: "call", outcome: "unknown" };
    await write("p1-undo", "result.json", {
      ...{ ok: false, applied_at: NOW },
      changes: [call, { op: "update", outcome: "refused" }],
    });
    await write("p1-undo-again", "json", {});
    await write("p1-undo-again", "result.json", {
      ...{ ok: true, applied_at: NOW },
      changes: [{ op: "update", outcome: "done" }],
    });
    const status = await store.status("p1");
    deepEqual(status.state === "applied" && status.undone, { at: NOW, by: "p1-undo-again", isPart: true });
    equal(stateWord(status), "applied");
  }));

Deno.test("of a rehearsal, plans of other folders put nothing back", () =>
  inStore(async (scene) => {
    const { store } = scene;
    const copy = PlanStore.open(`${store.path}/copy`, { now: () => Date.parse(NOW) });
    const undo = await applied(scene, planOf([bid("1")], { id: "p1" }), store);
    await applied(scene, part(undo, "elsewhere", 0), copy);
    equal(await stateOf("p1", [store, copy], true), "applied");
    equal(await stateOf("p1", [store, copy]), "undone");
  }));

Deno.test("a plan that was undone in part is still applied, and its experiment runs, until the rest is put back", () =>
  inStore(async (scene) => {
    const { target } = scene;
    let now = Date.parse(NOW);
    const store = PlanStore.open(scene.store.path, { now: () => now });
    const experiment = {
      ...{ seed: "s", share: 0.5, unit: "keyword", why: "because", weeks: 2 } as const,
      ...{ held: ["3"], strata: { "1": 0, "2": 0, "3": 0 } },
    };
    const plan = planOf([bid("1"), bid("2")], { id: "p1", experiment });
    await applied(scene, plan, store);
    const states = async (): Promise<unknown> => {
      const status = await store.status("p1");
      const [begun] = await experimentsIn(store.path, now);
      return [stateWord(status), stateSince(status), begun?.state, await stateOf("p1", [store])];
    };
    now += 60_000;
    target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
    await store.rollBack(plan, target);
    deepEqual(await states(), ["applied", NOW, "running", "applied"]);
    const partly = await store.applied("p1");
    deepEqual([partly?.undoneAt, partly?.isUndoneInPart], [new Date(now).toISOString(), true]);

    target.troubles["update sp.keywords"] = { outcomes: { 0: "refused" } };
    now += 60_000;
    await store.rollBack(plan, target);
    deepEqual(await states(), ["applied", NOW, "running", "applied"], "the rest was refused again");

    delete target.troubles["update sp.keywords"];
    now += 60_000;
    const rest = await store.rollBack(plan, target);
    deepEqual(rest!.result.plan.changes.map(({ id }) => id), ["1"]);
    deepEqual(await states(), ["undone", new Date(now).toISOString(), "undone", "undone"]);
    equal((await store.applied("p1"))?.isUndoneInPart, undefined);
  }));

Deno.test("the experiment of a plan runs on once the undo of the plan was undone", () =>
  inStore(async (scene) => {
    const { store, target } = scene;
    const experiment = {
      ...{ seed: "s", share: 0.5, unit: "keyword", why: "because", weeks: 2 } as const,
      ...{ held: ["3"], strata: { "1": 0, "2": 0, "3": 0 } },
    };
    const plan = planOf([bid("1"), bid("2")], { id: "p1", experiment });
    const undo = await applied(scene, plan, store);
    const state = async () =>
      (await experimentsIn(store.path, Date.parse(NOW))).find(({ planId }) => planId === "p1")?.state;
    await store.rollBack(plan, target);
    equal(await state(), "undone");
    await store.rollBack(undo, target);
    equal(await state(), "running");
    await store.rollBack(await store.get("p1-undo2"), target);
    equal(await state(), "undone");
  }));
