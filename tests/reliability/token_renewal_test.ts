import { equal, ok } from "../support/assert.ts";
import { amount } from "./support/size.ts";
import { World } from "./support/world.ts";

const HOUR = 3600;

Deno.test("a token that dies in mid-run costs one renewal, however many requests it was good for", async () => {
  await using world = await World.start();
  const { ads, tap } = world.client();
  const profile = await ads.profile("CA");
  const campaigns = await profile.sp.campaigns.list();
  equal(tap.tokenRequests.length, 1);
  const deaths = amount(5, 30);
  const rounds = [...Array(deaths).keys()];
  for (const round of rounds) {
    // It dies when a few requests are through; slow ones learn of it when a new token is in place already.
    world.emulator.setFaults([
      { skip: round % 7, times: 1, effects: { expireToken: true } },
      { every: 3, effects: { delay: 4 } },
    ]);
    await Promise.all([...Array(40).keys()].map(async (caller) => {
      const campaign = campaigns[caller % campaigns.length]!;
      ok(await profile.sp.campaigns.get(campaign.campaignId));
      await profile.sp.campaigns.list({ pageSize: 5 });
    }));
  }
  equal(tap.tokenRequests.length, 1 + deaths);
  const refused = tap.exchanges.filter(({ status }) => status === 401).length;
  ok(refused > deaths, `${refused} requests met a dead token`);
});

Deno.test("a dead token loses no write and repeats none", async () => {
  await using world = await World.start();
  const { ads, tap } = world.client();
  const profile = await ads.profile("CA");
  const [campaign] = await profile.sb.campaigns.list();
  const items = [...Array(60).keys()].map((index) => ({
    campaignId: campaign!.campaignId,
    name: `token ${index}`,
    state: "ENABLED",
  }));
  world.emulator.setFaults([{
    match: { operation: "CreateSponsoredBrandsAdGroups" },
    every: 2,
    effects: { expireToken: true },
  }]);
  const result = await profile.sb.adGroups.create(items);
  equal(result.ok, true, result.summary());
  const made = world.truth(profile.profileId, "sb.ad_groups").filter(({ name }) =>
    String(name).startsWith("token ")
  );
  equal(made.length, items.length);
  equal(new Set(made.map(({ name }) => name)).size, items.length);
  const deaths = tap.exchanges.filter(({ status }) => status === 401).length;
  equal(tap.tokenRequests.length, 1 + deaths);
});

Deno.test("over a long run the token is renewed ahead of its hour, and only then", async () => {
  await using world = await World.start();
  const { ads, tap } = world.client();
  const profile = await ads.profile("CA");
  const began = world.time.now();
  await Promise.all([...Array(10).keys()].map(async (caller) => {
    for (let request = 0; request < 48; request++) {
      await world.time.sleep(600 + caller);
      await profile.portfolios.list();
    }
  }));
  const hours = (world.time.now() - began) / 1000 / HOUR;
  ok(hours >= 8);
  equal(tap.exchanges.filter(({ status }) => status === 401).length, 0);
  ok(
    tap.tokenRequests.length <= 1 + Math.ceil(hours * HOUR / (HOUR - 120 - 600)),
    "not more than one an hour",
  );
  ok(tap.tokenRequests.length >= Math.floor(hours));
});
