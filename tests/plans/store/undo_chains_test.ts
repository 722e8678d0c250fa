import fc from "fast-check";
import { deepEqual, ok } from "../../support/assert.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { undoId } from "../../../src/plans/change_plan/inverse.ts";
import { partOfPlan } from "../../../src/plans/change_plan/part_of_plan.ts";
import { stateWord } from "../../../src/plans/store/plan_status.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { listedStatus, withUndone } from "../../../src/plans/store/undone_plans.ts";
import { emulated } from "../../support/emulated.ts";
import { long } from "../../support/long.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { withoutPolicy } from "../../support/without_policy.ts";

/** Undoes one of the plans that were applied by then. */
interface Step {
  /** Which of them. */
  readonly of: number;
  /** Fields to put back, as bits; all of them for 0. */
  readonly fields: number;
  /** True to undo it under the id of its own undo, where that is still open. */
  readonly isOwn: boolean;
  /** True to leave out what the account holds already, in place of writing it once more. */
  readonly skips: boolean;
}

const STEPS = fc.array(
  fc.record({ of: fc.nat(), fields: fc.nat(7), isOwn: fc.boolean(), skips: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

/** Undoes a plan, that undo, and so on. */
const CHAIN: readonly Step[] = [0, 1, 2, 3].map((of) => ({ of, fields: 0, isOwn: true, skips: false }));
const COPIES: readonly Step[] = CHAIN.slice(0, 3).map((step) => ({ ...step, isOwn: false }));
/** One field of the undo is undone, then the rest of it, then that rest. */
const PARTS: readonly Step[] = [[0, 0], [1, 1], [1, 6], [3, 2]]
  .map(([of = 0, fields = 0]) => ({ of, fields, isOwn: true, skips: false }));
/** A copy of the undo, its undo, and then the undo itself. */
const SIBLINGS: readonly Step[] = [[0, false], [1, true], [0, true]]
  .map(([of, isOwn]) => ({ of: Number(of), fields: 0, isOwn: Boolean(isOwn), skips: false }));

type Values = Readonly<Record<string, unknown>>;

async function valuesOf(us: ProfileClient, ids: readonly string[]): Promise<Values> {
  const found = await us.sp.keywords.getMany(ids);
  return Object.fromEntries(
    [...found].flatMap(([id, { bid, state }]) => [[`${id} bid`, bid], [`${id} state`, state]]),
  );
}

async function check(
  chains: (run: (steps: readonly Step[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  await using world = await emulated();
  const { us } = world;
  const [first, second] = (await us.sp.keywords.list({ states: ["ENABLED"] }))
    .filter(({ bid }) => bid !== undefined);
  const ids = [first!.keywordId, second!.keywordId];
  const original = [{ bid: first!.bid! }, { bid: second!.bid!, state: "ENABLED" as const }];
  const reset = async (): Promise<void> => {
    const items = original.map((fields, at) => ({ keywordId: ids[at]!, ...fields }));
    ok((await us.sp.keywords.update(items)).ok);
  };
  const run = async (steps: readonly Step[]): Promise<void> => {
    await reset();
    await using folder = await temporaryFolder();
    let now = Date.parse("2026-09-30T12:00:00Z");
    const store = PlanStore.open(folder.file("plans"), { now: () => now });
    const applied: ChangePlan[] = [];
    const apply = async (plan: ChangePlan, skips: boolean): Promise<void> => {
      now += 60_000;
      await store.save(plan);
      const { result } = await store.apply(plan, us, { skipDrifted: skips });
      // Of an entity that the account holds in part, nothing is sent.
      ok(result.ok || skips, result.summary());
      applied.push(plan);
    };
    const plan = await us.sp.keywords.planUpdate([
      { keywordId: ids[0]!, bid: original[0]!.bid + 0.1 },
      { keywordId: ids[1]!, bid: original[1]!.bid + 0.1, state: "PAUSED" },
    ]);
    await apply(plan, false);
    for (const [number, { of, fields, isOwn, skips }] of steps.entries()) {
      const undone = applied[of % applied.length]!;
      const whole = (await store.find(undoId(undone.id)))?.plan;
      // Where nothing was sent, there is nothing to undo.
      if (whole === undefined) continue;
      const isOpen = (await store.status(whole.id)).state === "open";
      const wanted = ["0 bid", "1 bid", "1 state"].filter((_, bit) =>
        fields === 0 || (fields & 1 << bit) !== 0
      );
      const part = partOfPlan(whole, (change) => {
        const names = Object.keys(change.after)
          .filter((name) => wanted.includes(`${ids.indexOf(change.id!)} ${name}`));
        const only = (all: Values): Values => Object.fromEntries(names.map((name) => [name, all[name]]));
        return names.length === 0
          ? undefined
          : { ...change, before: only(change.before), after: only(change.after) };
      }, "Part");
      if (part.changes.length === 0) continue;
      await apply(
        isOwn && isOpen && fields === 0 ? whole : new ChangePlan({ ...part, id: `step${number}` }),
        skips,
      );
      await compare();
    }

    async function compare(): Promise<void> {
      const account = await valuesOf(us, ids);
      const [listed = []] = await withUndone([await store.list()]);
      for (const { id } of applied) {
        const undo = (await store.find(undoId(id)))?.plan;
        const held = (undo?.changes ?? []).flatMap((change) =>
          Object.keys(change.after).map((field) => account[`${change.id} ${field}`] === change.before[field])
        );
        const expected = held.every((isHeld) => isHeld)
          ? ["applied", undefined]
          : held.includes(true)
          ? ["applied", true]
          : ["undone", undefined];
        const found = listed.find((one) => one.id === id);
        const statuses = [found && "status" in found ? found.status : undefined];
        if (id === plan.id) statuses.push(await listedStatus(id, [store]));
        for (const status of statuses) {
          const undone = status?.state === "applied" ? status.undone : undefined;
          const family = applied.map((one) => `${one.id} (undoes ${one.reverses})`).join(", ");
          deepEqual([status && stateWord(status), undone?.isPart], expected, `${id} of ${family}`);
        }
      }
    }
  };
  await chains(run);
}

withoutPolicy("its plans are applied without an approval");
Deno.test("a plan is applied again once its undo was undone, in a chain of any length, in whole and in part", () =>
  check(async (run) => {
    for (const steps of [CHAIN, COPIES, PARTS, SIBLINGS]) await run(steps);
  }));

withoutPolicy("its plans are applied without an approval");
long();
Deno.test("whatever undoes whatever, a plan is undone as far as the account holds nothing of it", () =>
  check((run) => fc.assert(fc.asyncProperty(STEPS, run), { seed: 1, numRuns: 10 })));
