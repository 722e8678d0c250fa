import { deepEqual } from "../../support/assert.ts";
import type { Experiment } from "../../../src/plans/model/experiment.ts";
import { experimentRecord, experimentsIn } from "../../../src/plans/store/running_experiments.ts";
import { bid, inStore, NOW, planOf } from "../store/store_scene.ts";

const EXPERIMENT: Experiment = {
  ...{ seed: "s", share: 0.5, unit: "keyword", why: "because", weeks: 2 },
  ...{ held: ["9"], strata: { "8": 0, "9": 0 } },
};

/** The experiments of plans by id, each with the day on which it was applied. */
function experiments(
  plans: Readonly<Record<string, readonly [day: string, experiment?: Partial<Experiment>]>>,
  undone: readonly string[] = [],
): Promise<unknown[]> {
  let found: unknown[] = [];
  return inStore(async ({ store, hidden }) => {
    await Deno.mkdir(`${store.path}/.plans`, { recursive: true });
    for (const [id, [day, more]] of Object.entries(plans)) {
      const plan = planOf([bid("8")], { id, experiment: { ...EXPERIMENT, ...more } });
      await Deno.writeTextFile(hidden(id, "experiment.json"), experimentRecord(plan, `${day}T12:00:00.000Z`));
    }
    for (const id of undone) {
      const changes = [{ id: "8", outcome: "done" }];
      await Deno.writeTextFile(
        hidden(`${id}-undo`, "result.json"),
        JSON.stringify({ applied_at: NOW, changes }),
      );
    }
    found = (await experimentsIn(store.path, Date.parse(NOW))).map(({ planId, until, state }) => [
      ...[planId, state, until],
    ]);
  }).then(() => found);
}

Deno.test("experiments are listed the newest first, with their last day", async () => {
  deepEqual(
    await experiments({ a: ["2026-09-02"], b: ["2026-09-25"], c: ["2026-09-20"] }, ["c"]),
    [["b", "running", "2026-10-09"], ["c", "undone", "2026-10-04"], ["a", "ended", "2026-09-16"]],
  );
});

Deno.test("the plans of a rollout are one experiment, which runs as long as any of them", async () => {
  const unit = "profile" as const;
  const rollout = {
    a: ["2026-09-20", { unit }],
    b: ["2026-09-02", { unit }],
    c: ["2026-09-25", { unit }],
  } as const;
  deepEqual(await experiments(rollout), [["b", "running", "2026-10-09"]]);
  deepEqual(await experiments(rollout, ["c"]), [["b", "running", "2026-10-04"]]);
  deepEqual(await experiments(rollout, ["a", "c"]), [["b", "ended", "2026-09-16"]]);
  deepEqual(await experiments(rollout, ["a", "b", "c"]), [["b", "undone", "2026-10-09"]]);
  const other = { ...rollout, c: ["2026-09-25", { unit, seed: "t" }] } as const;
  deepEqual(await experiments(other), [["c", "running", "2026-10-09"], ["b", "running", "2026-10-04"]]);
});
