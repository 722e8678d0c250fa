import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { ConfigurationError } from "../../../src/errors.ts";
import type { Experiment } from "../../../src/plans/model/experiment.ts";
import {
  type BegunExperiment,
  experimentsIn,
  heldAt,
  heldBy,
  heldIn,
} from "../../../src/plans/store/running_experiments.ts";
import { experimentRecord } from "../../../src/plans/store/experiment_record.ts";
import { bid, inStore, NOW, planOf } from "../store/store_scene.ts";

const EXPERIMENT: Experiment = {
  ...{ seed: "s", share: 0.5, unit: "keyword", why: "because", weeks: 2 },
  ...{ held: ["9"], strata: { "8": 0, "9": 0 } },
};

type Plans = Readonly<Record<string, readonly [day: string, experiment?: Partial<Experiment>]>>;

/** Runs with the folder of plans by id that were applied at noon of a day, some of which were undone. */
function inFolder(
  { plans, undone = [] }: { readonly plans: Plans; readonly undone?: readonly string[] },
  run: (folder: string, path: (id: string) => string) => Promise<void>,
): Promise<void> {
  return inStore(async ({ store, hidden }) => {
    await Deno.mkdir(`${store.path}/.plans`, { recursive: true });
    const path = (id: string): string => hidden(id, "experiment.json");
    for (const [id, [day, more]] of Object.entries(plans)) {
      const plan = planOf([bid("8")], { id, experiment: { ...EXPERIMENT, ...more } });
      await Deno.writeTextFile(path(id), experimentRecord(plan, `${day}T12:00:00.000Z`));
    }
    for (const id of undone) {
      const changes = [{ id: "8", outcome: "done" }];
      await Deno.writeTextFile(
        hidden(`${id}-undo`, "result.json"),
        JSON.stringify({ applied_at: NOW, changes }),
      );
    }
    await run(store.path, path);
  });
}

async function begun(plans: Plans, undone: readonly string[] = []): Promise<BegunExperiment[]> {
  let found: BegunExperiment[] = [];
  await inFolder({ plans, undone }, async (folder) => {
    found = await experimentsIn(folder, Date.parse(NOW));
  });
  return found;
}

async function experiments(...of: Parameters<typeof begun>): Promise<unknown[]> {
  return (await begun(...of)).map(({ planId, state, until }) => [planId, state, until]);
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

Deno.test("what an experiment held back at a moment is known by its profile, its days and its units", async () => {
  const plans: Plans = { a: ["2026-09-25"], b: ["2026-09-20", { held: ["8"] }] };
  const own = await begun(plans, ["b"]);
  const holder = (one: { id?: string; profileId?: string; at?: string }, from = own): string | undefined =>
    heldAt(from, { profileId: "100", id: "9", at: "2026-09-26T12:00:00.000Z", ...one })?.planId;
  equal(holder({}), "a");
  equal(holder({ at: "2026-09-25T12:00:00.000Z" }), "a");
  equal(holder({ at: "2026-09-25T11:00:00.000Z" }), undefined);
  equal(holder({ at: "2026-10-09T12:00:00.000Z" }), "a");
  equal(holder({ at: "2026-10-10T12:00:00.000Z" }), undefined);
  equal(holder({ profileId: "101" }), undefined);
  equal(holder({ id: "100" }), undefined);
  equal(holder({ id: "8" }), undefined, "its plan was undone");
  const whole = await begun({ c: ["2026-09-25", { unit: "profile", held: ["101"], strata: { "101": 0 } }] });
  equal(holder({ profileId: "101" }, whole), "c", "all of a profile that is held back");
  equal(holder({ id: "101" }, whole), undefined);
});

Deno.test("new plans leave alone what running experiments hold back", async () => {
  const plans: Plans = {
    a: ["2026-09-25"],
    b: ["2026-09-26", { held: ["8"] }],
    c: ["2026-09-02", { held: ["8"] }],
  };
  deepEqual([...heldBy(await begun(plans, ["b"]), "100")], [["9", { planId: "a", until: "2026-10-09" }]]);
  deepEqual([...heldBy(await begun(plans), "101")], []);
  await inFolder({ plans: { a: plans["a"]! } }, async (folder) => {
    const now = () => Date.parse(NOW);
    for (const folders of [[folder], () => Promise.resolve([folder])]) {
      deepEqual([...(await heldIn(folders, now)("100")).keys()], ["9"]);
    }
  });
});

Deno.test("a record that was edited is told and left out of the list, and no plan is made beside it", () =>
  inFolder({ plans: { a: ["2026-09-25"], b: ["2026-09-26"] } }, async (folder, path) => {
    const text = await Deno.readTextFile(path("a"));
    await Deno.writeTextFile(path("a"), text.replace('"9"', '"8"'));
    const damaged: string[] = [];
    const found = await experimentsIn(folder, Date.parse(NOW), (one) => damaged.push(one));
    deepEqual([found.map(({ planId }) => planId), damaged], [["b"], [path("a")]]);
    await rejects(
      heldIn([folder], () => Date.parse(NOW))("100"),
      (error) => error instanceof ConfigurationError && /was edited or is damaged/.test(error.message),
    );
  }));
