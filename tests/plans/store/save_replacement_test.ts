import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { changeDraft, dropClosedDrafts } from "../../../src/plans/store/edit_draft.ts";
import { saveReplacement } from "../../../src/plans/store/save_replacement.ts";
import type { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { withFailingFiles } from "../../support/failing_files.ts";
import { bid, inStore, planOf, type StoreScene } from "./store_scene.ts";

function bothPlans(): { readonly old: ChangePlan; readonly made: ChangePlan } {
  return { old: planOf([bid("1"), bid("2")], { id: "old" }), made: planOf([bid("1")], { id: "new" }) };
}

/** Begins a draft of a plan. */
async function draftOf({ store }: StoreScene, planId: string): Promise<void> {
  const place = { folder: store.path, profileId: "100", revises: { planId, edits: [] } };
  const edit = { kind: "sp.keywords", id: "1", field: "bid", value: 3, seen: 1, label: "k1" };
  await changeDraft(place, { revision: 0, set: [edit] });
}

Deno.test("a crash at any write of a replacement leaves exactly one of both plans open, and no hint to a missing one", async () => {
  const seen: string[] = [];
  for (let writes = 0, isDone = false; !isDone; writes++) {
    await inStore(async (scene) => {
      const { store, target } = scene;
      const { old, made } = bothPlans();
      await store.save(old);
      await draftOf(scene, "old");
      await withFailingFiles(
        { path: /./, code: "EIO", after: writes },
        () => saveReplacement(store, old, made),
      )
        .then(() => (isDone = true), () => {});
      const [was, is] = [await store.status("old"), await store.status("new")];
      seen.push(`${was.state}, ${await store.find("new") === undefined ? "none" : is.state}`);
      if (was.state === "refused") {
        assert.equal(was.replacedBy, "new");
        assert.ok((await store.apply(await store.get("new"), target)).result.ok);
        await assert.rejects(store.apply(old, target), /a person replaced it at .* by plan new/);
      } else {
        if (await store.find("new") !== undefined) {
          await assert.rejects(store.apply(made, target), /was to replace plan old, which was not closed/);
        }
        assert.ok((await store.apply(old, target)).result.ok);
      }
    });
  }
  assert.deepEqual(seen, ["open, none", "open, none", "open, refused", "refused, open"]);
});

Deno.test("a plan that was begun in the moment it is replaced stays, and nothing is saved", () =>
  inStore(async ({ store, target }) => {
    const { old, made } = bothPlans();
    await store.save(old);
    const save = store.save.bind(store);
    store.save = async (plan) => {
      await store.apply(old, target);
      return await save(plan);
    };
    await assert.rejects(
      saveReplacement(store, old, made),
      /Cannot replace plan old: it is applied\. Nothing/,
    );
    assert.equal(await store.find("new"), undefined);
    assert.equal((await store.status("old")).state, "applied");
    // What another process refuses later is not held up by a trace of this.
    assert.ok(!existsSync(`${store.path}/.plans/plan-old.refused.json`));
  }));

Deno.test("the edits of a plan are deleted when it is replaced, refused or applied", () =>
  inStore(async (scene) => {
    const { store, target, hidden } = scene;
    const plans = ["a", "b", "c", "d"].map((id) => planOf([bid("1")], { id }));
    for (const plan of plans) {
      await store.save(plan);
      await draftOf(scene, plan.id);
    }
    await saveReplacement(store, plans[0]!, bothPlans().made);
    await store.refuse(plans[1]!);
    await store.apply(plans[2]!, target);
    const left = ["a", "b", "c", "d"].filter((id) => existsSync(hidden(id, "draft.json")));
    assert.deepEqual(left, ["d"]);
  }));

Deno.test("edits of plans that another program closed, or that are gone, are deleted later; others stay", () =>
  inStore(async (scene) => {
    const { store, hidden } = scene;
    for (const id of ["open", "closed"]) {
      await store.save(planOf([bid("1")], { id }));
      await draftOf(scene, id);
    }
    await draftOf(scene, "gone");
    await changeDraft({ folder: store.path, profileId: "100" }, { revision: 0, set: [] });
    writeFileSync(hidden("damaged", "draft.json"), "{");
    writeFileSync(hidden("closed", "refused.json"), "{}");
    assert.deepEqual((await dropClosedDrafts(store)).sort(), ["closed", "gone"]);
    const left = ["open", "closed", "gone", "100", "damaged"].filter((id) =>
      existsSync(hidden(id, "draft.json"))
    );
    assert.deepEqual(left, ["open", "100", "damaged"]);
  }));
