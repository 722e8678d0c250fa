import assert from "node:assert/strict";
import { ConfigurationError, ForbiddenError } from "../../../src/errors.ts";
import { ApplyJournal } from "../../../src/plans/apply/apply_journal.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { queueOf, timeOf } from "../../../src/plans/store/read_record.ts";
import { bid, inStore, modeOf, NOW, planOf } from "./store_scene.ts";

Deno.test("plans are below the user's state folder, those of the demo account apart", () => {
  const env = { XDG_STATE_HOME: "/state", HOME: "/home/x", LOCALAPPDATA: "C:\\state" };
  const names = [{}, { demo: false }, { demo: true }].map((options) =>
    PlanStore.defaultPath(env, options).split(/[\\/]/).at(-1)
  );
  assert.deepEqual(names, ["plans", "plans", "demo-plans"]);
});

Deno.test("a list has every plan, the newest first, whatever its file is called, and what cannot be used", () =>
  inStore(async ({ store }) => {
    const day = (number: number) => ({ id: `p${number}`, createdAt: `2026-09-0${number}T00:00:00.000Z` });
    for (const number of [1, 3]) await store.save(planOf([bid("1")], day(number)));
    await planOf([bid("1")], day(2)).save(`${store.path}/raise.json`);
    await planOf([bid("2")], day(4)).save(`${store.path}/other.json`);
    await Deno.writeTextFile(`${store.path}/settings.json`, "{}");
    await planOf([bid("1")], day(5)).save(`${store.path}/of-another-ending.txt`);
    await Deno.writeTextFile(`${store.path}/plan-p9.json`, "{}");
    const list = await store.list();
    assert.deepEqual(list.map(({ id }) => id), ["p4", "p3", "p2", "p1", "p9"]);
    assert.deepEqual(await store.ids(), ["p9", "p3", "p1"]);
    assert.equal((await store.get("p2")).changes[0]!.id, "1");
    assert.equal((await store.find("p2"))!.path, `${store.path}/raise.json`);
    const damaged = list.at(-1)!;
    assert.ok("problem" in damaged && damaged.problem instanceof ConfigurationError);
    const gone = await store.entry("gone");
    assert.ok("problem" in gone && /Cannot find plan gone: there is no such plan/.test(gone.problem.message));
  }));

Deno.test("a result says when it was applied, else the journal does, else nobody knows", () =>
  inStore(async ({ store, hidden }) => {
    await store.save(planOf([bid("1")], { id: "p1" }));
    await Deno.mkdir(`${store.path}/.plans`);
    const write = (ending: string, text: string) => Deno.writeTextFile(hidden("p1", ending), text);
    const result = { ok: true, summary: "s", rollback_plan_id: "gone" };
    await write("result.json", JSON.stringify(result));
    const status = { state: "applied", ok: true, summary: "s", rollbackPlanId: undefined };
    assert.deepEqual(await store.status("p1"), { ...status, at: "an unknown time" });
    await write("journal.jsonl", `{"event":"begin","at":"${NOW}"}\n`);
    assert.deepEqual(await store.status("p1"), { ...status, at: NOW });
    await write("result.json", JSON.stringify({ ...result, applied_at: "later", rollback_plan_id: "../p1" }));
    assert.deepEqual(await store.status("p1"), { ...status, at: "later" });
    await write("result.json", JSON.stringify({ ...result, rollback_plan_id: "p1" }));
    assert.deepEqual(await store.status("p1"), { ...status, at: NOW, rollbackPlanId: "p1" });
    await write("result.json", "{");
    const damaged = { ...status, at: NOW, ok: false, summary: "its result file is damaged" };
    assert.deepEqual(await store.status("p1"), damaged);
    assert.equal(await store.applied("p1"), undefined);
  }));

Deno.test("a plan that is not applied is begun, on a queue, refused or open", () =>
  inStore(async ({ store, hidden }) => {
    await store.save(planOf([bid("1")], { id: "p1" }));
    assert.equal(await store.applied("p1"), undefined);
    await store.refuse({ id: "p1" });
    assert.deepEqual(await store.status("p1"), { state: "refused", at: NOW });
    assert.equal(await modeOf(hidden("p1", "refused.json")), 0o600);
    await Deno.writeTextFile(hidden("p1", "refused.json"), '{"refused_at":5}');
    assert.deepEqual(await store.status("p1"), { state: "refused", at: "an unknown time" });
    const journal = (text: string) => Deno.writeTextFile(hidden("p1", "journal.jsonl"), text);
    await journal("");
    assert.deepEqual(await store.status("p1"), { state: "unfinished", at: "this moment" });
    await journal(`{"event":"begin","at":"${NOW}"}\n`);
    assert.deepEqual(await store.status("p1"), { state: "unfinished", at: NOW });
    await Deno.copyFile(hidden("p1", "journal.jsonl"), hidden("p2", "journal.jsonl"));
    await assert.rejects(store.ensureOpen("p2"), /resumePlan\("p2"\) with lookOnly shows what was done/);
    await journal(`{"event":"begin","at":"${NOW}"}\n{"event":"queued","where":"db"}\n`);
    assert.deepEqual(await store.status("p1"), { state: "queued", at: NOW, where: "db" });
    await journal('{"event":"queued","where":"db"}');
    assert.deepEqual(await store.status("p1"), { state: "queued", at: "an unknown time", where: "db" });
    await assert.rejects(store.ensureOpen("p1"), /it has been queued at db/);
  }));

Deno.test("a journal tells when it was begun and where it is queued, as far as it can be read", () => {
  assert.equal(timeOf(`{"at":"${NOW}"}\n{"at":"later"}\n`), NOW);
  for (const text of ["", `{"at":"${NOW}"}`, "\n", "{\n", '{"at":5}\n']) {
    assert.equal(timeOf(text), undefined);
  }
  const queued = (where: unknown) => `{"event":"begin"}\n${JSON.stringify({ event: "queued", where })}\n`;
  assert.equal(queueOf(queued("db")), "db");
  for (const text of ["", '{"event":"begin","where":"db"}', queued(5), '{"event":"queued"']) {
    assert.equal(queueOf(text), undefined);
  }
});

Deno.test("what was applied is on record, with the plan that undoes it, for the owner alone", () =>
  inStore(async ({ store, target, hidden }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    const { resultPath, rollbackPath } = await store.apply(plan, target);
    const applied = await store.applied("p1");
    assert.deepEqual([applied!.appliedAt, applied!.ok, applied!.changes], [NOW, true, [
      { id: "1", outcome: "done" },
    ]]);
    assert.equal(rollbackPath, hidden("p1-undo", "json"));
    assert.deepEqual([await modeOf(resultPath!), await modeOf(rollbackPath!)], [0o600, 0o600]);
    const result = JSON.parse(await Deno.readTextFile(resultPath!));
    assert.deepEqual([result.rollback_plan_id, result.rollback_file], ["p1-undo", rollbackPath]);
    // A plan that was never saved is named by its id.
    await assert.rejects(store.ensureOpen("p1"), /Cannot apply plan p1: it was applied at/);
  }));

Deno.test("of a plan of which nothing was done the record names no plan that undoes it", () =>
  inStore(async ({ store, target }) => {
    target.troubles["update sp.keywords"] = { outcomes: { 0: "refused" } };
    const { resultPath } = await store.apply(planOf([bid("1")], { id: "p1" }), target);
    const result = JSON.parse(await Deno.readTextFile(resultPath!));
    assert.deepEqual([result.rollback_plan_id, result.rollback_file, result.ok], [null, null, false]);
  }));

Deno.test("whoever is a moment too late hears what the other one does, and a failure of its own as it is", () =>
  inStore(async ({ store, target, hidden }) => {
    const plan = planOf([bid("1")], { id: "p1" });
    await store.save(plan);
    const late = Object.assign(target, {
      judge: async () => {
        await new ApplyJournal(hidden("p1", "journal.jsonl"), () => Date.parse(NOW)).begin(plan);
        return { findings: [], settle: () => Promise.resolve() };
      },
    });
    await assert.rejects(store.apply(plan, late), (error: Error) => {
      assert.match(
        error.message,
        /^Cannot apply plan p1: applying it began at 2026-09-30T12:00:00\.000Z/,
      );
      return error.message.includes(`${store.path}/plan-p1.json`);
    });
    const refusing = Object.assign(target, {
      judge: async () => {
        await store.refuse({ id: "p2" });
        throw new ForbiddenError("No", { statusCode: 403, method: "PUT", url: "http://x/" });
      },
    });
    await assert.rejects(store.apply(planOf([bid("1")], { id: "p2" }), refusing), ForbiddenError);
  }));
