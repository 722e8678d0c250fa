import { ChangePlan, PlanStore, type ProfileClient } from "../../../mod.ts";
import { ask, type Asker } from "../../../src/plans/review/ask.ts";
import { judge, type Review } from "../../../src/plans/review/judge.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { findingText } from "../../../src/plans/view/plan_lines.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import { claimed, often, subjects } from "./drawn_values.ts";
import type { PlannedChange } from "./shown.ts";
import { type Door, type Moved, NOW, type World } from "./world.ts";
import { drawnItems, drawnUpdates } from "./write_doors.ts";

/** Plans updates and applies them. */
export const planUpdate: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  const draft = us.plan();
  for (const { kind, item } of drawnUpdates(world, us)) draft.update(kind as never, item as never);
  await apply(await draft.build(), us, { world, moved });
};

/** Fields that an update of most kinds may have. */
const USUAL = /^(name|state|bid|defaultBid|budget|dynamicBidding|bidding|portfolioId|endDate)$/;

/** The changes that somebody writes into a plan file: with a true before, a made-up one, or none. */
function writtenChanges(world: World, us: ProfileClient): Change[] {
  const { random, image, habits } = world;
  const all = subjects(image, us.profileId);
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => drawnItems(world, us)).flatMap((drawn) =>
    (drawn?.items ?? []).flatMap((item): Change[] => {
      const { kind } = drawn!;
      const idField = Object.keys(item).find((name) =>
        /Id$/.test(name) && all.some((one) => one.kind === kind && one.id === String(item[name]))
      );
      if (idField === undefined) return [];
      const id = String(item[idField]);
      const entity = all.find((one) => one.kind === kind && one.id === id)!.entity;
      const isPlain = random.integer(0, 4) > 0;
      const after = Object.fromEntries(
        Object.entries(item).filter(([name]) => name !== idField && (!isPlain || USUAL.test(name))),
      );
      if (Object.keys(after).length === 0) return [];
      if (world.limits.excepted === undefined ? random.integer(0, 7) === 0 : random.integer(0, 2) > 0) {
        // A claim to be somewhere else.
        const isPortfolio = /campaigns$/.test(kind);
        const places = all.filter((one) =>
          isPortfolio ? one.kind === "portfolios" : /campaigns$/.test(one.kind)
        );
        after[isPortfolio ? "portfolioId" : "campaignId"] = claimed(places, world);
      }
      const before = Object.fromEntries(
        Object.keys(after).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
      );
      const said = often(habits.invents, random) ? after : random.pick([before, before, {}]);
      const change: Change = { kind, op: "update", id, before: said, after, label: "x" };
      return often(habits.invents, random) ? [change, change] : [change];
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
  if (often(world.habits.invents, random)) return await resumeForged(changes, us, { world, moved });
  const plan = new ChangePlan({ profileId, countryCode, changes, reverses });
  let text = plan.toJson();
  if (random.integer(0, 9) === 0) text = edited(text, random);
  await apply(ChangePlan.fromJson(text), us, { world, moved });
};

/**
 * Resumes a plan that was never begun, by a journal that says that a part of it is done; often a change that gives the
 * account other values than it has.
 */
async function resumeForged(
  changes: readonly Change[],
  us: ProfileClient,
  { world, moved }: { world: World; moved: (by: Moved) => void },
): Promise<void> {
  const { profileId, countryCode } = us;
  const claims = changes.filter(() => world.random.integer(0, 1) === 0).map((one) => ({
    ...one,
    before: one.after,
  }));
  const plan = new ChangePlan({ profileId, countryCode, changes: [...claims, ...changes] });
  const store = PlanStore.open(world.folder);
  await store.save(plan);
  // A part of it is done, and a part is left.
  const left = world.random.integer(0, plan.changes.length - 1);
  const done = plan.changes.flatMap((_, change) =>
    change !== left && world.random.integer(0, 2) > 0 ? [{ change, outcome: "done" }] : []
  );
  const lines = [
    { event: "begin", at: NOW, plan: plan.id, fingerprint: plan.fingerprint, attempt: "theirs" },
    { event: "sending", at: NOW, changes: done.map(({ change }) => change) },
    { event: "answered", at: NOW, verdicts: done },
  ];
  const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
  await Deno.mkdir(`${world.folder}/.plans`, { recursive: true });
  await Deno.writeTextFile(`${world.folder}/.plans/plan-${plan.id}.journal.jsonl`, text);
  moved({ shown: shownBy(plan) });
  await store.resume(plan, us, { sendAnyway: true });
}

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
  const sendAnyway = random.integer(0, 3) > 0;
  // The question of adsctl and of workers, which no person answers, or one that a person reads and says yes to.
  const by = random.pick(["nobody", "a person", "a program"] as const);
  let read: string | undefined;
  const yes = (review: Review): Promise<boolean> => {
    read = review.shown.findings.map(findingText).join("\n");
    return Promise.resolve(true);
  };
  const asker: Asker = by === "nobody" ? { by, may: "nothing" } : { by, may: "policy", ask: yes };
  const consent = by === "a program" ? {} : await ask(await judge(plan, us, { sendAnyway }), asker);
  moved({
    ...{ shown: shownBy(plan), isUnasked: by === "nobody" },
    ...(read === undefined ? {} : { read }),
  });
  const options = { sendAnyway, ...consent };
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
