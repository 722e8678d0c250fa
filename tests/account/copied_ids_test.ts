import { deepEqual, equal } from "../support/assert.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { snapshotAccount } from "../../src/account/mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("what is created in a copy gets ids that nothing has which was created in its original", async () => {
  await using world = await emulated();
  const draft = (name: string): Parameters<ProfileClient["sp"]["campaigns"]["create"]>[0][number] => ({
    name,
    state: "PAUSED",
    targetingType: "MANUAL",
    budget: { budget: 10, budgetType: "DAILY" },
    startDate: "2026-10-01",
  });
  const names = Array.from({ length: 20 }, (_, at) => `Original ${at}`);
  (await world.us.sp.campaigns.create(names.map(draft))).raiseForErrors();
  const copy = await snapshotAccount(world.us);
  // The copy counts its ids from the same seed as the original did.
  const second = await Emulator.start({
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
    account: copy,
  });
  try {
    const client = await new PlatformAds(second.credentials, { platform: second.platform }).profile("US");
    const created = await client.sp.campaigns.create(names.map((name) => draft(`Copy of ${name}`)));
    created.raiseForErrors();
    const before = new Set(
      (copy.profiles[0]!.collections["sp.campaigns"] ?? []).map((one) => String(one["campaignId"])),
    );
    equal(created.ids.length, 20);
    deepEqual(created.ids.filter((id) => before.has(id)), []);
  } finally {
    await second.stop();
  }
});
