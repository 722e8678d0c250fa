import { ChangePlan, PlanStore, type ProfileClient } from "../../../mod.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import { subjects } from "./drawn_values.ts";
import type { PlannedChange } from "./shown.ts";
import type { Door, Moved, World } from "./world.ts";
import { drawnItems } from "./write_doors.ts";

/** Plans updates and applies them. */
export const planUpdate: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const draft = us.plan();
  for (let more = world.random.integer(1, 3); more > 0; more--) {
    const drawn = drawnItems(world, us);
    for (const item of drawn?.items ?? []) draft.update(drawn!.kind as never, item as never);
  }
  await apply(await draft.build(), us, { world, moved });
};

/** The changes that somebody writes into a plan file: with a true before, a made-up one, or none. */
function writtenChanges(world: World, us: ProfileClient): Change[] {
  const { random, image } = world;
  const all = subjects(image, us.profileId);
  return Array.from({ length: random.integer(1, 3) }, () => drawnItems(world, us)).flatMap((drawn) =>
    (drawn?.items ?? []).flatMap((item): Change[] => {
      const { kind } = drawn!;
      const idField = Object.keys(item).find((name) =>
        /Id$/.test(name) && all.some((one) => one.kind === kind && one.id === String(item[name]))
      );
      if (idField === undefined) return [];
      const id = String(item[idField]);
      const entity = all.find((one) => one.kind === kind && one.id === id)!.entity;
      const { [idField]: _, ...after } = item;
      if (random.integer(0, 5) === 0) {
        // A claim to be somewhere else.
        const elsewhere = random.pick(all.filter((one) => /campaigns$/.test(one.kind)));
        after["campaignId"] = elsewhere.id;
      }
      const before = Object.fromEntries(
        Object.keys(after).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
      );
      const claimed = random.pick([before, before, after, {}]);
      return [{ kind, op: "update", id, before: claimed, after, label: "x" }];
    })
  );
}

/** Applies a plan file that somebody wrote or edited. */
export const planFile: Door = async (world, moved) => {
  const { random } = world;
  const us = random.pick(world.clients);
  const changes = writtenChanges(world, us);
  if (changes.length === 0) return;
  const { profileId, countryCode } = us;
  const reverses = random.integer(0, 5) === 0 ? world.applied.at(-1)?.id ?? null : null;
  const plan = new ChangePlan({ profileId, countryCode, changes, reverses });
  let text = plan.toJson();
  if (random.integer(0, 4) === 0) text = edited(text, random);
  await apply(ChangePlan.fromJson(text), us, { world, moved });
};

/** A text with one of its numbers another one. */
export function edited(text: string, random: SeededRandom): string {
  const numbers = [...text.matchAll(/(?<=[:[,] ?)\d+(\.\d+)?(?=[,}\]\s])/g)];
  const found = numbers.length === 0 ? undefined : random.pick(numbers);
  if (found === undefined) return text;
  const other = String(Math.round(Number(found[0]) * random.pick([0.1, 0.5, 2, 10, 100]) * 100) / 100);
  return text.slice(0, found.index) + other + text.slice(found.index + found[0].length);
}

/** Applies a plan, with and without a journal; the connection may be lost meanwhile. */
export async function apply(
  plan: ChangePlan,
  us: ProfileClient,
  { world, moved }: { world: World; moved: (by: Moved) => void },
): Promise<void> {
  if (plan.changes.length === 0) return;
  const { random } = world;
  moved({ shown: shownBy(plan) });
  const options = { sendAnyway: random.integer(0, 3) > 0 };
  if (random.integer(0, 2) === 0) return void await plan.apply(us, options);
  const store = PlanStore.open(world.folder);
  await store.save(plan);
  world.applied.push(plan);
  if (random.integer(0, 2) === 0) world.loseWrite(random.integer(0, 1), random.integer(0, 1) === 1);
  await store.apply(plan, us, options);
}

/** The changes of a plan as a person is shown them. */
export function shownBy({ profileId, changes }: ChangePlan): PlannedChange[] {
  return changes.map(({ kind, id, op, after }) => ({ profileId, kind, id, op, after }));
}

/** Resumes a plan that was begun, or undoes it, with a journal that somebody may have edited. */
export const resume: Door = async (world, moved) => {
  const { random } = world;
  if (world.applied.length === 0) return;
  const plan = random.pick(world.applied.slice(-4));
  const us = world.clients.find(({ profileId }) => profileId === plan.profileId)!;
  const store = PlanStore.open(world.folder);
  const status = await store.status(plan.id);
  if (random.integer(0, 3) === 0) {
    const hidden = `${world.folder}/.plans`;
    for await (const { name } of Deno.readDir(hidden)) {
      if (!name.includes(plan.id) || !name.includes("journal")) continue;
      const path = `${hidden}/${name}`;
      await Deno.writeTextFile(path, edited(await Deno.readTextFile(path), random));
    }
  }
  if (status.state === "applied" || random.integer(0, 2) === 0) {
    const abandoned = await store.abandon(plan, us);
    if (abandoned.rollback === undefined) return;
    moved({ isUndo: true, shown: shownBy(abandoned.rollback) });
    return void await store.apply(abandoned.rollback, us);
  }
  moved({ shown: shownBy(plan) });
  await store.resume(plan, us, { sendAnyway: true } as never);
};
