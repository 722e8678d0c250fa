import { deepEqual, equal, rejects } from "../support/assert.ts";
import { readRecommendations } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("recommendations are those of the profile's account, and follow what it holds", async () => {
  await using world = await emulated();
  const [found, ...none] = await readRecommendations(world.us);
  deepEqual(none, []);
  equal(found!.recommendationType, "AUTOMATIC_GLOBAL_ADS_ENROLLMENT");
  const campaigns = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  deepEqual(
    found!.recommendedObjects.map((
      { recommendedObjectId, displayName },
    ) => [recommendedObjectId, displayName]),
    campaigns.map(({ campaignId, name }) => [campaignId, name]),
  );
  await world.us.sp.campaigns.pause(campaigns.map(({ campaignId }) => campaignId));
  deepEqual(await readRecommendations(world.us), []);
});

Deno.test("recommendations are asked for by ad product, type, country and language", async () => {
  await using world = await emulated();
  const count = async (options: Parameters<typeof readRecommendations>[1]): Promise<number> =>
    (await readRecommendations(world.us, options)).length;
  equal(await count({ adProducts: ["SPONSORED_PRODUCTS"], marketplaces: ["us"], language: "en_US" }), 1);
  equal(await count({ types: ["AUTOMATIC_GLOBAL_ADS_ENROLLMENT"] }), 1);
  equal(await count({ adProducts: ["SPONSORED_DISPLAY"] }), 0);
  equal(await count({ marketplaces: ["UK"] }), 0);
  equal(await count({ language: "de_DE" }), 0);
});

Deno.test("recommendations for a country that there is not are refused before anything is sent", async () => {
  await using world = await emulated();
  const before = world.emulator.requests().length;
  await rejects(
    readRecommendations(world.us, { marketplaces: ["US", "XX"] }),
    /Cannot use the marketplace "XX"/,
  );
  equal(world.emulator.requests().length, before);
});
