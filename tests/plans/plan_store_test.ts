import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { BatchResult } from "../../src/platform/batch/batch_result.ts";
import { failure } from "../../src/platform/batch/item_error.ts";
import { ForbiddenError } from "../../src/errors.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { ApprovalError } from "../../src/plans/model/plan_errors.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import type { PlanResource, PlanTarget } from "../../src/plans/model/plan_target.ts";

type Update = PlanResource["update"];

function planOf(ids: readonly string[]): ChangePlan {
  const changes = ids.map((id) => ({
    kind: "sp.keywords",
    op: "update" as const,
    id,
    before: { bid: 1 },
    after: { bid: 2 },
    label: id,
  }));
  return new ChangePlan({ profileId: "1", countryCode: "US", changes });
}

function target(update: Update): PlanTarget {
  const resource = {
    kind: "sp.keywords",
    idField: "keywordId",
    archivable: true,
    update,
  } as unknown as PlanResource;
  return { profileId: "1", countryCode: "US", resource: () => resource };
}

const accepting: Update = async (items, options) => {
  await options?.onSending?.(items.map((_, index) => index));
  const result = new BatchResult(
    items.map((item, index) => ({ index, id: "9", item, entity: undefined })),
    [],
  );
  await options?.onVerdicts?.(result);
  return result;
};

async function inFolder(work: (folder: PlanStore) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await work(PlanStore.open(`${path}/plans`, { now: () => Date.parse("2026-09-30T12:00:00Z") }));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

function visible({ path }: PlanStore): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).filter((name) => !name.startsWith(".")).sort();
}

Deno.test("a plan is applied once, its result and its undoing are in the folder", () =>
  inFolder(async (folder) => {
    const plan = planOf(["9"]);
    await folder.save(plan);
    deepEqual(await folder.status(plan.id), { state: "open" });
    const { result, rollback, resultPath, notWritten } = await folder.apply(
      await folder.get(plan.id),
      target(accepting),
    );
    equal(result.ok, true);
    deepEqual(notWritten, []);
    equal(JSON.parse(await Deno.readTextFile(resultPath!)).rollback_plan_id, rollback!.id);
    equal((await folder.get(rollback!.id)).reverses, plan.id);
    deepEqual(await folder.status(plan.id), {
      state: "applied",
      at: "2026-09-30T12:00:00.000Z",
      ok: true,
      summary: "update sp.keywords: 1 succeeded, 0 failed",
      rollbackPlanId: rollback!.id,
    });
    await rejects(folder.apply(plan, target(accepting)), /it was applied at .*Make a new plan/);
  }));

Deno.test("of many who apply a plan at the same moment one sends", () =>
  inFolder(async (folder) => {
    const plan = planOf(["9"]);
    await folder.save(plan);
    let sent = 0;
    const counting: Update = (items, options) => {
      sent++;
      return accepting(items, options);
    };
    // Each loads the plan anew, as another process would.
    const tries = Array.from({ length: 20 }, async () => {
      const own = PlanStore.open(folder.path);
      return await own.apply(await own.get(plan.id), target(counting));
    });
    const outcomes = await Promise.allSettled(tries);
    equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    equal(sent, 1);
  }));

Deno.test("a failure before anything is done gives the plan back", () =>
  inFolder(async (folder) => {
    const plan = planOf(["9"]);
    await folder.save(plan);
    const refuse: Update = () => {
      throw new ForbiddenError("No", { statusCode: 403, method: "PUT", url: "http://x/" });
    };
    await rejects(folder.apply(plan, target(refuse)), ForbiddenError);
    deepEqual(await folder.status(plan.id), { state: "open" });
    deepEqual(visible(folder), [`plan-${plan.id}.json`]);
    equal((await folder.apply(await folder.get(plan.id), target(accepting))).result.ok, true);
  }));

Deno.test("a plan of which nothing can be undone has no rollback plan, and says why", () =>
  inFolder(async (folder) => {
    const plan = planOf(["9"]);
    await folder.save(plan);
    const lost: Update = (items) =>
      Promise.resolve(
        new BatchResult([], [
          failure({ index: 0, item: items[0], outcome: "unknown" }, { code: "X", message: "lost" }),
        ]),
      );
    const applied = await folder.apply(plan, target(lost));
    equal(applied.rollback, undefined);
    match(applied.rollbackWarnings.join(), /it may have been applied in full or in part/);
  }));

Deno.test("a refused plan stays refused, and an interrupted one is not taken for open", () =>
  inFolder(async (folder) => {
    const [no, cut] = [planOf(["9"]), planOf(["10"])];
    await folder.save(no);
    await folder.save(cut);
    await folder.refuse(no);
    await folder.refuse(no);
    await rejects(folder.apply(no, target(accepting)), /a person refused these changes .*final/);
    await rejects(
      folder.ensureOpen(no.id),
      (error) => error instanceof ApprovalError && error.reason === "declined",
    );
    await Deno.writeTextFile(`${folder.path}/.plans/plan-${cut.id}.journal.jsonl`, "");
    equal((await folder.status(cut.id)).state, "unfinished");
    await rejects(folder.apply(cut, target(accepting)), /resumePlan\(/);
  }));

Deno.test("ids cannot leave the folder, and a renamed file is not taken for the plan", () =>
  inFolder(async (folder) => {
    for (const id of ["../x", "a/b", "", "x".repeat(65), "a.b", "\0"]) {
      await rejects(folder.get(id), /a plan id is letters, digits and hyphens/);
      await rejects(folder.status(id), /a plan id is letters, digits and hyphens/);
    }
    const plan = planOf(["9"]);
    const path = await folder.save(plan);
    await Deno.copyFile(path, `${folder.path}/plan-other.json`);
    await rejects(folder.get("other"), /it holds plan "/);
    deepEqual((await folder.ids()).sort(), [plan.id, "other"].sort());
    await rejects(folder.get("none"), /Cannot find plan none: there is no such plan in/);
  }));

Deno.test("a folder that is not there holds no plans", async () => {
  deepEqual(await PlanStore.open("/nowhere/at/all").ids(), []);
});
