import { ok } from "../../support/assert.ts";
import { PlanStore, PolicyError } from "../../../mod.ts";
import { FolderLedger, loadPolicy } from "../../../src/plans/policy/mod.ts";
import { TestAccount } from "../../reliability/support/test_account.ts";
import { clientIn, fetchOf, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

/** Changes a day that the policy allows, and those that the programs plan between them. */
const ALLOWED = 20;
const PER_PLAN = 8;
const PLANS = 5;

export const LIMITS: Scenario = {
  name: "limits",
  seeds: 13,
  about:
    "Five programs share a policy's limit of the day; lock holders are killed, frozen and meet full disks",
  async run(world) {
    const account = await TestAccount.of(world.emulator, { fetch: fetchOf(world) });
    const { chance } = world;
    const disk = new Disk();
    disk.put("/policy.yaml", `version: 1\nmax_changes: ${ALLOWED}\n`);
    const all = account.plan({
      bids: PER_PLAN * PLANS,
      budgets: 0,
      adGroups: 0,
      keywords: 0,
      archives: 0,
      brandBids: 0,
      brandKeywords: 0,
      brandTargets: 0,
    }).changes;
    const plans = [...Array(PLANS).keys()].map((index) =>
      account.planOf(all.slice(index * PER_PLAN, (index + 1) * PER_PLAN))
    );
    for (const plan of plans) disk.put(`/plans/plan-${plan.id}.json`, plan.toJson());
    const goOn = (index: number) => async (): Promise<void> => {
      const policy = await loadPolicy("/policy.yaml", { ledger: new FolderLedger("/days") });
      const profile = clientIn(world, { policy }).profileFrom(account.profileId, "CA");
      const store = PlanStore.open("/plans");
      // Each program has the plan from the file: a plan in memory knows that it was applied before.
      const plan = await store.get(plans[index]!.id);
      const { state } = await store.status(plan.id);
      if (state === "open") await store.apply(plan, profile);
      else if (state === "unfinished") await store.resume(plan, profile);
    };
    const sent = (): number => all.filter((change) => account.timesDone(change) > 0).length;

    world.drawFaults(["kill", "freeze", "diskFull", "slow", "loseResponse"]);
    for (let round = 1; round <= 3; round++) {
      const programs = plans.flatMap((_, index) =>
        chance.happens("takes part", 0.7)
          ? [world.spawn(`plan ${index} round ${round}`, { disk, main: goOn(index) })]
          : []
      );
      await world.run(Promise.all(programs.map(({ ended }) => ended)));
      ok(sent() <= ALLOWED, `${sent()} changes were sent where ${ALLOWED} a day are allowed`);
    }
    world.faults = CALM;
    const last = plans.map((_, index) => world.spawn(`plan ${index} at last`, { disk, main: goOn(index) }));
    await world.run(Promise.all(last.map(({ ended }) => ended)));
    for (const { name, error } of last) {
      ok(error === undefined || error instanceof PolicyError, `${name} cannot go on: ${error}`);
    }
    ok(sent() <= ALLOWED, `${sent()} changes were sent where ${ALLOWED} a day are allowed`);
    // Whoever is refused has no room: what programs took before they died is not lost for the day.
    ok(sent() > ALLOWED - PER_PLAN, `${sent()} changes were sent, and a plan of ${PER_PLAN} was refused`);
  },
};
