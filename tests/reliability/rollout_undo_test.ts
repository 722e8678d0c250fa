import assert from "node:assert/strict";
import { type ChangePlan, PlatformAds, type ProfileClient } from "../../mod.ts";
import { Rollout, type RolloutResult } from "../../src/account/mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { amount } from "./support/size.ts";

const PROFILES = amount(12, 300);

Deno.test(`a rollout over ${PROFILES} profiles is undone in stages, goes on where it was interrupted, and sends nothing twice`, async () => {
  await using folder = await temporaryFolder();
  const emulator = await Emulator.start({ profiles: PROFILES, journalLimit: 200_000 });
  try {
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
    const clientOf = ({ profileId, countryCode }: ChangePlan): ProfileClient =>
      ads.profileFrom(profileId, countryCode);
    const made: ChangePlan[] = [];
    const places: { readonly client: ProfileClient; readonly campaignId: string }[] = [];
    for (const { profileId } of await ads.profiles()) {
      const client = await ads.profile(profileId);
      const [campaign] = await client.sp.campaigns.list({ states: ["ENABLED"] });
      const campaignId = campaign!.campaignId;
      places.push({ client, campaignId });
      made.push(await client.sp.campaigns.planUpdate([{ campaignId, state: "PAUSED" }]));
    }
    assert.equal(made.length, PROFILES);
    await Rollout.create(folder.path, made);
    const applied = await (await Rollout.open(folder.path)).apply(clientOf);
    assert.ok(applied.ok);

    const stages: number[] = [];
    const undo = async (stopAfter: number): Promise<RolloutResult> => {
      const stop = new AbortController();
      const back = await (await Rollout.open(folder.path)).rollback(clientOf);
      return await back.apply(clientOf, {
        serial: [1, "10%", "100%"],
        checkDrift: true,
        stop: stop.signal,
        onPlan: (_, stage) => {
          stages.push(stage);
          if (stages.length === stopAfter) stop.abort();
        },
      });
    };
    const third = Math.ceil(PROFILES / 3);
    const cut = await undo(third);
    assert.equal(cut.stopped, "It was interrupted");
    assert.ok(stages.length >= third && stages.length < PROFILES, `${stages.length} plans were begun`);
    const rest = await undo(Infinity);
    assert.ok(rest.ok, JSON.stringify(rest.entries.filter(({ state }) => state !== "done")));
    assert.equal(new Set(stages).size, 3);

    const states = await Promise.all(places.map(async ({ client, campaignId }) => {
      const [now] = await client.sp.campaigns.list({ ids: [campaignId] });
      return now?.state;
    }));
    assert.deepEqual(new Set(states), new Set(["ENABLED"]));
    const writes = emulator.requests().filter(({ operation = "" }) =>
      operation.endsWith(":UpdateSponsoredProductsCampaigns")
    );
    assert.equal(writes.length, 2 * PROFILES);
  } finally {
    await emulator.stop();
  }
});
