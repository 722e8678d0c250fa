import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";

async function acme(step: (us: ProfileClient, bodies: () => string) => Promise<void>): Promise<void> {
  const emulator = await Emulator.start({ wireWord: "acme" });
  try {
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
    const bodies = (): string =>
      emulator.requests().filter(({ method }) => method !== "GET").map(({ body }) => body ?? "").join("\n");
    await step(await ads.profile("US"), bodies);
  } finally {
    await emulator.stop();
  }
}

const CAMPAIGN = {
  name: "For business platform",
  state: "PAUSED",
  targetingType: "MANUAL",
  startDate: "2027-01-01",
  budget: { budget: 20, budgetType: "DAILY" },
  dynamicBidding: {
    strategy: "MANUAL",
    placementBidding: [{ placement: "SITE_PLATFORM_BUSINESS", percentage: 10 }],
  },
} as const;

/** What the platform must see: its own word as the value, the neutral word where it is only text. */
const ON_WIRE = /"name":"For business platform".*"placement":"SITE_ACME_BUSINESS"/;

const WAYS: readonly (readonly [string, (us: ProfileClient) => Promise<unknown>])[] = [
  ["a resource", async (us) => await us.sp.campaigns.create([CAMPAIGN])],
  [
    "a plan",
    async (us) => await (await us.sp.campaigns.planCreate([CAMPAIGN])).apply(us, { sendAnyway: true }),
  ],
  [
    "a call",
    async (us) =>
      await us.call("sponsored-products:CreateSponsoredProductsCampaigns", { campaigns: [CAMPAIGN] }),
  ],
  ["a bare request", async (us) =>
    await us.request("POST", "/sp/campaigns", {
      json: { campaigns: [CAMPAIGN] },
      contentType: "application/vnd.spCampaign.v3+json",
      accept: "application/vnd.spCampaign.v3+json",
    })],
];

for (const [way, create] of WAYS) {
  Deno.test(`the platform's own word goes out and is taken out again by ${way}`, () =>
    acme(async (us, bodies) => {
      await create(us);
      match(bodies(), ON_WIRE);
      ok(!bodies().includes("SITE_PLATFORM"), bodies());
      const [created] = await us.sp.campaigns.list({ states: null, name: CAMPAIGN.name });
      deepEqual(created!.dynamicBidding?.placementBidding?.map(({ placement }) => placement), [
        "SITE_PLATFORM_BUSINESS",
      ]);
      const listed = await us.call("sponsored-products:ListSponsoredProductsCampaigns", {
        nameFilter: { queryTermMatchType: "EXACT_MATCH", include: [CAMPAIGN.name] },
      }) as { campaigns: { name: string; dynamicBidding: unknown }[] };
      equal(listed.campaigns[0]!.name, CAMPAIGN.name);
      match(JSON.stringify(listed.campaigns[0]!.dynamicBidding), /SITE_PLATFORM_BUSINESS/);
    }));
}

Deno.test("a plan that changes a place with the platform's own word finds no drift", () =>
  acme(async (us, bodies) => {
    await us.sp.campaigns.create([CAMPAIGN]);
    const [campaign] = await us.sp.campaigns.list({ states: null, name: CAMPAIGN.name });
    const { campaignId } = campaign!;
    const plan = await us.sp.campaigns.planUpdate([
      {
        campaignId,
        dynamicBidding: { placementBidding: [{ placement: "SITE_PLATFORM_BUSINESS", percentage: 15 }] },
      },
    ]);
    const result = await plan.apply(us, { checkDrift: true });
    equal(result.ok, true, result.summary());
    match(bodies().split("\n").at(-1)!, /SITE_ACME_BUSINESS/);
    equal((await result.rollbackPlan().apply(us, { checkDrift: true })).ok, true);
  }));
