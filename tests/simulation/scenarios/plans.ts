import { deepEqual, equal, ok } from "../../support/assert.ts";
import { type Change, PlanStore, PlatformAdsError } from "../../../mod.ts";
import type { AppliedRecord, AppliedVerdict } from "../../../src/plans/mod.ts";
import { TestAccount } from "../../reliability/support/test_account.ts";
import { clientIn, fetchOf, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const FOLDER = "/plans";
/** Rounds in which programs are started while faults happen. */
const ROUNDS = 5;
/** Longer than anything that a dead program sent can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;

export const PLANS: Scenario = {
  name: "plans",
  seeds: 22,
  about:
    "Two programs at once apply, resume and undo a plan of a store; both are killed and frozen at any await",
  async run(world) {
    const account = await TestAccount.of(world.emulator, { fetch: fetchOf(world) });
    const { chance } = world;
    const size = (name: string, most: number): number => chance.integer(`size ${name}`, 0, most);
    const plan = account.plan({
      bids: 1 + size("bids", 11),
      budgets: size("budgets", 7),
      adGroups: size("adGroups", 23),
      keywords: size("keywords", 8),
      archives: size("archives", 5),
      brandBids: size("brandBids", 5),
      brandKeywords: size("brandKeywords", 5),
      brandTargets: size("brandTargets", 5),
    });
    const disk = new Disk();
    disk.put(`${FOLDER}/plan-${plan.id}.json`, plan.toJson());
    const profile = () => clientIn(world).profileFrom(account.profileId, "CA");
    const goOn = async (): Promise<void> => {
      const store = PlanStore.open(FOLDER);
      // Each program has the plan from the file: a plan in memory knows that it was applied before.
      const read = await store.get(plan.id);
      const { state } = await store.status(plan.id);
      if (state === "open") await store.apply(read, profile());
      else if (state === "unfinished") await store.resume(read, profile());
    };
    const name = (change: Change): string => `${change.op} ${change.kind} ${change.label}`;
    const checkOnce = (): void => {
      deepEqual(plan.changes.filter((change) => account.timesDone(change) > 1).map(name), []);
    };

    world.drawFaults();
    for (let round = 1; round <= ROUNDS; round++) {
      const programs = [...Array(chance.integer("programs at once", 1, 2)).keys()].map((index) =>
        world.spawn(`round ${round}.${index}`, {
          disk,
          main: goOn,
          skew: chance.integer("skew", -3600, 3600) * 1000,
        })
      );
      await world.run(Promise.all(programs.map(({ ended }) => ended)));
      for (const { error } of programs) {
        ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
      }
      checkOnce();
      if (chance.happens("power cut", 0.2)) world.cutPower(disk);
    }

    world.faults = CALM;
    await world.run(world.pass(ALL_ARRIVED));
    await runProgram(world, { name: "last", disk, main: goOn });
    checkOnce();
    const applied: AppliedRecord | undefined = await runProgram(world, {
      name: "reader",
      disk,
      main: () => PlanStore.open(FOLDER).applied(plan.id),
    });
    ok(applied !== undefined, "the plan has a result at last");
    for (const [index, change] of plan.changes.entries()) {
      const { outcome }: AppliedVerdict = applied.changes[index]!;
      const times = account.timesDone(change);
      if (outcome === "done") equal(times, 1, `${name(change)} is called done`);
      if (outcome === "refused" || outcome === "not_sent") {
        equal(times, 0, `${name(change)} is called ${outcome}`);
      }
    }

    const undone = await runProgram(world, {
      name: "undo",
      disk,
      main: () => PlanStore.open(FOLDER).rollBack(plan, profile()),
    });
    equal(undone?.result.ok ?? true, true, undone?.result.summary());
    const lasting = plan.changes.filter((change, index) =>
      change.op !== "archive" && applied.changes[index]!.outcome === "done" && !account.isUndone(change)
    );
    deepEqual(lasting.map(name), []);
  },
};
