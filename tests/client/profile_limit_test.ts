import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { ChangePlan, ConfigurationError, PlatformAds, type ProfileClient } from "../../mod.ts";
import { ACCOUNT_HEADER, advertiserAccounts } from "../../src/platform/transport/advertiser_accounts.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

const GLOBAL = { name: "Everywhere", state: "ENABLED", targetingType: "MANUAL" } as const;

/** A login with a global campaign, and a client of it that is limited to some profiles. */
async function limited(profiles: readonly string[]): Promise<
  & Emulated
  & { readonly own: ProfileClient; readonly limited: PlatformAds; readonly campaignId: string }
> {
  const world = await emulated({ checkRequests: false });
  const { ids } = await world.us.sp.globalCampaigns.create([{ ...GLOBAL, marketplaces: { US: 20, DE: 15 } }]);
  const ads = new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now: () => world.emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(world.emulator.advance(seconds)),
    profiles,
  });
  const own = await ads.profile(profiles[0]!);
  // What a limit looks up is read once, before requests are counted.
  await advertiserAccounts(own, [own.profileId]);
  world.asked();
  return { ...world, limited: ads, own, campaignId: ids[0]! };
}

async function refused(world: Emulated, call: () => unknown, message: RegExp): Promise<void> {
  await rejects(async () => void await call(), (error: unknown) => {
    ok(error instanceof ConfigurationError, String(error));
    match(error.message, message);
    return true;
  });
  deepEqual(world.asked(), [], "nothing is sent");
}

Deno.test("a client of some profiles lists and finds no other", async () => {
  await using world = await limited(["US"]);
  const { limited: ads, us } = world;
  deepEqual((await ads.profiles()).map(({ countryCode }) => countryCode), ["US"]);
  const others = (await world.ads.profiles()).filter(({ countryCode }) => countryCode !== "US");
  for (const { profileId, countryCode } of others) {
    await rejects(ads.profile(profileId), /Cannot find a profile/);
    await rejects(ads.profile(countryCode), /Cannot find a profile/);
    await rejects(ads.profileById(profileId), /Cannot find a profile/);
    throws(() => ads.profileFrom(profileId, "US"), /not one of the profiles that this client is limited to/);
  }
  equal((await ads.profileById(us.profileId)).profileId, us.profileId);
  equal(ads.profileFrom(us.profileId, "US").profileId, us.profileId);
});

Deno.test("global kinds are refused where the account has profiles beyond the limit, by every way", async () => {
  await using world = await limited(["US"]);
  const { own, campaignId } = world;
  const why = /Cannot use global campaigns of profile \d+ \(US\): its account has profiles beyond those/;
  const raise = { campaignId, marketplaces: { DE: 9999 } };
  await refused(world, () => own.sp.globalCampaigns.list(), why);
  await refused(world, () => own.sp.globalCampaigns.getMany([campaignId]), why);
  await refused(world, () => own.sp.globalCampaigns.update([raise]), why);
  await refused(world, () => own.sp.globalCampaigns.create([{ ...GLOBAL, marketplaces: { US: 1 } }]), why);
  await refused(world, () => own.sp.globalCampaigns.delete([campaignId]), why);
  await refused(world, () => own.sp.globalCampaigns.planUpdate([raise]), why);
});

Deno.test("a plan file over another marketplace is refused as a whole before anything is sent", async () => {
  await using world = await limited(["US"]);
  const { own, us, campaignId } = world;
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const first = {
    kind: "sp.campaigns",
    op: "update" as const,
    id: campaign!.campaignId,
    before: { state: "ENABLED" },
    after: { state: "PAUSED" },
    label: "own",
  };
  const beyond = [
    {
      kind: "sp.global_campaigns",
      op: "update" as const,
      id: campaignId,
      before: {},
      after: { marketplaces: { DE: { budget: 9999 } } },
      label: "Everywhere",
    },
    {
      kind: "sp.global_campaigns",
      op: "create" as const,
      id: null,
      before: {},
      after: { ...GLOBAL, startDate: "2026-10-01", marketplaces: { US: { budget: 1 } } },
      label: "New",
    },
    {
      kind: "sp.global_campaigns",
      op: "archive" as const,
      id: campaignId,
      before: {},
      after: {},
      label: "x",
    },
  ];
  for (const change of beyond) {
    const plan = new ChangePlan({ profileId: own.profileId, countryCode: "US", changes: [first, change] });
    await rejects(plan.apply(own), ConfigurationError, change.op);
  }
  const foreign = (await world.ads.profiles()).find(({ countryCode }) => countryCode === "DE")!;
  const call = await us.planCall("profiles:updateProfiles", [{
    profileId: foreign.profileId,
    dailyBudget: 99999,
  }]);
  const calls = new ChangePlan({
    profileId: own.profileId,
    countryCode: "US",
    changes: [first, ...call.changes],
  });
  await rejects(calls.apply(own), /PUT \/v2\/profiles: it reaches beyond the profiles/);
  deepEqual(world.asked().filter((path) => path.startsWith("PUT") || /create|delete|update/.test(path)), []);
});

Deno.test("calls and bare requests that are not about a profile of the limit are refused", async () => {
  await using world = await limited(["US"]);
  const { own, limited: ads } = world;
  const [account] = await advertiserAccounts(own, [own.profileId]);
  const header = { [ACCOUNT_HEADER]: account!.id };
  const beyond = /beyond the profiles that this client is limited to/;
  await refused(world, () => own.call("profiles:listProfiles"), beyond);
  await refused(world, () => ads.call("profiles:listProfiles"), beyond);
  await refused(world, () => own.request("GET", "/v2/profiles"), beyond);
  await refused(world, () => own.request("GET", "/v2/..%2fv2/profiles"), beyond);
  await refused(world, () => own.call("v1-all-advertiser-accounts:QueryAdvertiserAccount", {}), beyond);
  await refused(world, () => own.call("v1-all-labels:QueryLabel", {}, { headers: header }), beyond);
  await refused(
    world,
    () => ads.account(header).call("v1-spglobal-campaigns:SPGlobalQueryCampaign", {}),
    beyond,
  );
  await refused(world, () =>
    own.request("POST", "/adsApi/v1/update/campaigns", {
      json: { campaigns: [{ campaignId: world.campaignId, state: "PAUSED" }] },
      headers: header,
      scoped: false,
    }), beyond);
  await refused(world, () =>
    own.call("v1-all-reports:AdsApiv1CreateReport", {
      accessRequestedAccounts: [{ advertiserAccountId: account!.id }],
      reports: [],
    }, { check: "off" }), beyond);
  await refused(world, () =>
    own.call("v1-sp-campaigns:SPCreateCampaign", {
      campaigns: [{ marketplaces: ["DE"], adProduct: "SPONSORED_PRODUCTS" }],
    }, { check: "off" }), /names the marketplace DE/);
  ok(await own.call("sponsored-products:ListSponsoredProductsCampaigns", {}), "a call about the profile");
});

Deno.test("reports of fields hold rows of the profiles of the limit alone", async () => {
  await using world = await limited(["US"]);
  const { own } = world;
  const foreign = (await world.ads.profiles()).find(({ countryCode }) => countryCode === "CA")!;
  world.asked();
  const report = { fields: ["campaign.id", "metric.clicks"], start: "2026-09-01", end: "2026-09-02" };
  const beyond = /beyond the profiles that this client is limited to/;
  await refused(world, () => own.reports.run({ ...report, wholeAccount: true }), beyond);
  await refused(world, () => own.reports.run({ ...report, filter: { "campaign.country": "DE" } }), beyond);
  await refused(world, () => own.reports.run({ ...report, profiles: [foreign.profileId] }), beyond);
  const rows = await own.reports.run({ ...report, fields: ["campaign.country", "metric.clicks"] });
  deepEqual([...new Set(rows.map((row) => row["campaign.country"]))], ["US"]);
});

Deno.test("where all profiles of an account are allowed, global kinds work, and unknown marketplaces do not", async () => {
  await using all = await emulated();
  const account = await advertiserAccounts(all.us, [all.us.profileId]);
  await using world = await limited([...account[0]!.profiles.keys()]);
  const { limited: ads, campaignId } = world;
  const us = await ads.profile(all.us.profileId);
  equal((await us.sp.globalCampaigns.list()).length, 1);
  const { successes } = await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: 16 } }]);
  equal(successes.length, 1);
  world.asked();
  const strange = { ...GLOBAL, name: "Strange", marketplaces: { US: 5, JP: 500 } };
  await refused(world, () => us.sp.globalCampaigns.create([strange]), /names the marketplace JP/);
  const plan = await all.us.sp.globalCampaigns.planCreate([strange]);
  const own = new ChangePlan({
    profileId: us.profileId,
    countryCode: "US",
    changes: plan.changes,
  });
  await refused(world, () => own.apply(us), /names the marketplace JP/);
});
