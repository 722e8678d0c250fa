import assert from "node:assert/strict";
import { openAttempt } from "../../../src/plans/apply/journal_reading.ts";
import { PlanPlaces } from "../../../src/plans/store/plan_places.ts";
import { readIfThere } from "../../../src/base/runtime/read_named_file.ts";
import {
  approvalBeside,
  leaveToQueue,
  leftToQueue,
  takeFromQueue,
} from "../../../src/plans/store/queued_plan.ts";
import { withFailingFiles } from "../../support/failing_files.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { bid, inStore, modeOf, planOf } from "./store_scene.ts";

Deno.test("a plan that is left to a queue cannot be applied from the store, nor left to another queue", () =>
  inStore(async ({ store, target }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    await leaveToQueue(store, plan, "db one");
    await leaveToQueue(store, plan, "db one");
    assert.equal((await store.status("p1")).state, "queued");
    await assert.rejects(store.apply(plan, target), /it has been queued at db one/);
    await assert.rejects(leaveToQueue(store, plan, "db two"), /it has been queued at db one/);
    await assert.rejects(store.look(plan, target), /plan p1 is queued at db one/);
    assert.deepEqual(target.writes, []);
  }));

Deno.test("a plan that was refused, begun or applied is not left to a queue", () =>
  inStore(async ({ store, target, hidden }) => {
    const [refused, begun, applied] = ["p1", "p2", "p3"].map((id) => planOf([bid("1")], { id }));
    await store.refuse(refused!);
    await store.apply(applied!, target);
    await Deno.writeTextFile(hidden("p2", "journal.jsonl"), "");
    await assert.rejects(leaveToQueue(store, refused!, "db"), /refused/);
    await assert.rejects(leaveToQueue(store, begun!, "db"), /applying it began/);
    await assert.rejects(leaveToQueue(store, applied!, "db"), /it was applied at/);
    assert.equal(await readIfThere(hidden("p1", "journal.jsonl")), undefined);
  }));

Deno.test("a plan that a person refuses in the moment it is queued is taken back from the queue", () =>
  inStore(async ({ store }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    const status = store.status.bind(store);
    store.status = async (id) => {
      const found = await status(id);
      if (found.state === "open") await store.refuse(plan);
      return found;
    };
    await assert.rejects(leaveToQueue(store, plan, "db"), /refused/);
    assert.equal(await leftToQueue(store, "p1"), undefined);
    assert.equal((await status("p1")).state, "refused");
  }));

Deno.test("what the workers did is taken into the store, for the owner alone", () =>
  inStore(async ({ store, hidden }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    await store.save(plan);
    const undo = planOf([bid("1")], { id: "p1-undo", reverses: "p1" });
    const result = { applied_at: "t", ok: true, summary: "s", rollback_plan_id: "p1-undo" };
    const begin = JSON.stringify({ event: "begin", plan: "p1", fingerprint: plan.fingerprint, at: "t" });
    const work = { journal: `${begin}\n`, result: JSON.stringify(result) };
    await leaveToQueue(store, plan, "db");
    await takeFromQueue(store, "p1", { ...work, rollback: undefined });
    const status = { state: "applied", at: "t", ok: true, summary: "s" };
    assert.deepEqual(await store.status("p1"), { ...status, rollbackPlanId: undefined });
    await takeFromQueue(store, "p1", { ...work, rollback: { id: "p1-undo", text: undo.toJson() } });
    assert.deepEqual(await store.status("p1"), { ...status, rollbackPlanId: "p1-undo" });
    const files = [hidden("p1", "journal.jsonl"), hidden("p1", "result.json"), hidden("p1-undo", "json")];
    for (const file of files) assert.equal(await modeOf(file), 0o600);
    assert.equal(openAttempt((await readIfThere(files[0]!))!)!.text, work.journal);
  }));

Deno.test("only what has the form of an approval is taken for one", () =>
  inStore(async ({ store, hidden }) => {
    const approval = { plan_id: "p1", fingerprint: "f", approved_at: "a", expires_at: "b", signature: "c" };
    assert.equal(await approvalBeside(store, "p1"), undefined);
    const path = await store.saveApproval(approval);
    assert.equal(await modeOf(path), 0o600);
    assert.deepEqual(await approvalBeside(store, "p1"), approval);
    for (const name of Object.keys(approval)) {
      await Deno.writeTextFile(hidden("p1", "approval.json"), JSON.stringify({ ...approval, [name]: 5 }));
      assert.equal(await approvalBeside(store, "p1"), undefined);
    }
  }));

Deno.test("a file belongs to the store of its folder, one of the hidden place to that of the folder above", () => {
  assert.equal(PlanPlaces.folderOf("/a/plans/plan-x.json"), "/a/plans");
  assert.equal(PlanPlaces.folderOf("/a/plans/.plans/plan-x.json"), "/a/plans");
});

Deno.test("a file that is there and cannot be read is not taken for none", async () => {
  await using folder = await temporaryFolder();
  assert.equal(await readIfThere(folder.file("none")), undefined);
  await assert.rejects(readIfThere(folder.path), /it is a folder/);
});

Deno.test("what was done is reported where it cannot be written down", () =>
  inStore(async ({ store, target }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    const full = { path: /(-undo\.json|result\.json)/, code: "ENOSPC" };
    const applied = await withFailingFiles(full, () => store.apply(plan, target));
    assert.equal(applied.result.ok, true);
    assert.equal(applied.rollback!.changes.length, 1);
    assert.deepEqual([applied.resultPath, applied.rollbackPath], [undefined, undefined]);
    assert.equal(applied.notWritten.length, 2);
    for (const error of applied.notWritten) {
      assert.match(error.message, /^Cannot write ".*": the disk is full/);
    }
    const onlyUndo = { path: /-undo\.json/, code: "ENOSPC" };
    const { resultPath, notWritten } = await withFailingFiles(
      onlyUndo,
      () => store.apply(planOf([bid("2")], { id: "p2" }), target),
    );
    assert.equal(notWritten.length, 1);
    assert.equal(JSON.parse(await Deno.readTextFile(resultPath!)).rollback_file, null);
  }));
