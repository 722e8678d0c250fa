import { deepEqual, ok } from "../support/assert.ts";
import { compareWires, PlatformAds, PlatformAdsError, type ProfileClient, type WireName } from "../../mod.ts";
import type { WireDifference } from "../../src/client/entities/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { PlanMaker } from "./support/plan_maker.ts";
import { amount } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const SEEDS = amount(10, 20);
const PLANS = amount(2, 30);

Deno.test("random plans made and applied on one wire read the same on the other", async (test) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    await test.step(`seed ${seed}`, async () => {
      await using world = await emulated({ checkRequests: false });
      const wires = await Promise.all(
        (["legacy", "unified"] as const).map((wire) => clientOf(world, wire)),
      );
      const random = new SeededRandom(seed);
      let done = 0;
      for (let number = 0; number < PLANS; number++) {
        const [maker, sender] = [random.pick(wires), random.pick(wires)];
        const plans = new PlanMaker(maker, random);
        await plans.read();
        const plan = await plans.plan();
        try {
          const result = await plan.apply(sender);
          done += result.changes.filter(({ outcome }) => outcome === "done").length;
          for (const { change, outcome, error } of result.changes) {
            ok(outcome !== "unknown", `${change.op} ${change.kind} has a verdict: ${error?.message}`);
          }
        } catch (error) {
          ok(error instanceof PlatformAdsError || error instanceof TypeError, String(error));
        }
      }
      const differences: WireDifference[] = [];
      for await (const comparison of compareWires(wires[0]!)) differences.push(...comparison.differences);
      deepEqual(differences, [], `after ${done} changes`);
    });
  }
});

async function clientOf({ emulator, time }: Emulated, wire: WireName): Promise<ProfileClient> {
  const { now, sleep } = time;
  const { credentials, platform } = emulator;
  const ads = new PlatformAds(credentials, { platform, now, sleep, onWarning: () => {}, wire });
  return await ads.profile("US");
}
