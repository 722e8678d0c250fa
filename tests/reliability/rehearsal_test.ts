import { deepEqual, ok } from "../support/assert.ts";
import { ChangePlan, PlatformAds, type ProfileClient } from "../../mod.ts";
import { packSnapshot, snapshotAccount, unpackSnapshot } from "../../src/account/mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { emulated } from "../support/emulated.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { PlanMaker } from "./support/plan_maker.ts";
import { emptyAccounts, fillAtRandom } from "./support/random_account.ts";
import { amount, SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };

async function packed(us: ProfileClient): Promise<Awaited<ReturnType<typeof unpackSnapshot>>> {
  return await unpackSnapshot(packSnapshot(await snapshotAccount(us)));
}

Deno.test("random plans have the same verdicts on an account and on its copy", async () => {
  await using world = await emulated({ checkRequests: false });
  emptyAccounts(world.emulator);
  const plans = amount(24, 504);
  let sent = 0;
  let refused = 0;
  for (const [index, country] of ["US", "UK", "JP"].entries()) {
    const us = await world.ads.profile(country);
    const random = new SeededRandom(SEED * 77 + index);
    await fillAtRandom(us, random);
    const second = await Emulator.start({ clock: CLOCK, account: await packed(us) });
    try {
      const copy = await new PlatformAds(second.credentials, {
        platform: second.platform,
        now: world.time.now,
        sleep: world.time.sleep,
      }).profile(country);
      const starts = [world.emulator.snapshot(), second.snapshot()] as const;
      const maker = new PlanMaker(us, random);
      await maker.read();
      for (let turn = 0; turn < plans / 3; turn++) {
        const plan = await maker.plan();
        const verdicts = [];
        for (const client of [us, copy]) {
          const { changes } = await new ChangePlan(plan).apply(client, { sendAnyway: true });
          verdicts.push(
            changes.map((
              { outcome, error },
            ) => [outcome, error?.code, error?.message.replace(/ \(request id .*\)$/, "")]),
          );
        }
        deepEqual(verdicts[1], verdicts[0], `${country} plan ${turn} of seed ${SEED}`);
        sent += verdicts[0]!.length;
        refused += verdicts[0]!.filter(([outcome]) => outcome === "refused").length;
        world.emulator.restore(starts[0]);
        second.restore(starts[1]);
      }
    } finally {
      await second.stop();
    }
  }
  console.log(
    `${plans} plans with ${sent} changes, ${refused} refused, alike on account and copy; seed ${SEED}`,
  );
  ok(sent > plans && refused > plans / 10, "the plans change something, and some are refused");
});
