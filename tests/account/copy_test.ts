import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { copyCampaigns } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("a campaign is copied to another market with all that is in it and its amounts converted", async () => {
  await using world = await emulated();
  const { us } = world;
  const ca = await world.ads.profile("CA");
  const campaigns = await us.sp.campaigns.list();
  const original = campaigns.find(({ targetingType, name }) =>
    targetingType === "MANUAL" && name.endsWith("Exact")
  )!;
  const { campaignId, name } = original;
  const before = await us.sp.keywords.list({ campaignIds: [campaignId] });

  await rejects(copyCampaigns(us, ca, { campaignIds: [campaignId] }), /from USD to CAD without a rate/);
  await rejects(
    copyCampaigns(us, us, { campaignIds: [campaignId] }),
    /would have two campaigns of that name/,
  );
  await rejects(
    copyCampaigns(us, ca, { campaignIds: ["1"], rate: 2 }),
    /Cannot copy campaign 1: profile \d+ \(US\) has no such campaign/,
  );
  await rejects(
    copyCampaigns(us, us, { campaignIds: [campaignId], rate: 2, rename: "x" }),
    /both profiles have their amounts in USD/,
  );

  const plan = await copyCampaigns(us, ca, {
    campaignIds: [campaignId],
    rate: 2,
    state: "PAUSED",
    rename: "{name} ($& CA)",
  });
  deepEqual([plan.profileId, plan.countryCode], [ca.profileId, "CA"]);
  match(plan.warnings.join("\n"), /1 of the copies are in no portfolio/);
  (await plan.apply(ca)).raiseForErrors();
  const [copy] = await ca.sp.campaigns.list({ name: `${name} ($& CA)` });
  deepEqual([copy?.state, copy?.budget.budget], ["PAUSED", original.budget.budget * 2]);
  const after = await ca.sp.keywords.list({ campaignIds: [copy!.campaignId] });
  deepEqual(
    after.map(({ keywordText, matchType, bid }) => [keywordText, matchType, bid]).sort(),
    before.map((
      { keywordText, matchType, bid },
    ) => [keywordText, matchType, bid === undefined ? undefined : Number((bid * 2).toFixed(2))]).sort(),
  );
});

Deno.test("a Brands campaign is copied in its own profile, and stays in its portfolio", async () => {
  await using world = await emulated();
  const { us } = world;
  const original = (await us.sb.campaigns.list()).find(({ portfolioId }) => portfolioId !== undefined)!;
  const plan = await copyCampaigns(us, us, { campaignIds: [original.campaignId], rename: "{name} copy" });
  ok(plan.changes.some(({ kind }) => kind === "sb.ads"));
  (await plan.apply(us)).raiseForErrors();
  const [copy] = await us.sb.campaigns.list({ name: `${original.name} copy` });
  deepEqual([copy?.portfolioId, copy?.budget], [original.portfolioId, original.budget]);
  equal(
    (await us.sb.ads.list({ campaignIds: [copy!.campaignId] })).length,
    (await us.sb.ads.list({ campaignIds: [original.campaignId] })).length,
  );
});

Deno.test("a Display campaign is copied to another market with its audiences, amounts converted", async () => {
  await using world = await emulated();
  const { us } = world;
  const ca = await world.ads.profile("CA");
  const original = (await us.sd.campaigns.list()).find(({ tactic }) => tactic === "T00030")!;
  const { campaignId, name, budget } = original;
  const plan = await copyCampaigns(us, ca, { campaignIds: [campaignId], rate: 2, rename: "{name} copy" });
  deepEqual(plan.findings.filter(({ refused }) => refused), []);
  (await plan.apply(ca)).raiseForErrors();
  const [copy] = await ca.sd.campaigns.list({ name: `${name} copy` });
  deepEqual([copy?.tactic, copy?.budget], ["T00030", budget * 2]);
  for (const kind of ["sd.ad_groups", "sd.product_ads", "sd.targets", "sd.negative_targets"]) {
    const count = async (client: typeof us, id: string): Promise<number> =>
      (await client.resource(kind).list({ campaignIds: [id] })).length;
    equal(await count(ca, copy!.campaignId), await count(us, campaignId), kind);
  }
  const bids = (list: readonly { bid?: number }[]): number[] => list.map(({ bid = 0 }) => bid).sort();
  deepEqual(
    bids(await ca.sd.targets.list({ campaignIds: [copy!.campaignId] })),
    bids(await us.sd.targets.list({ campaignIds: [campaignId] })).map((bid) => Number((bid * 2).toFixed(2))),
  );
});

Deno.test("a copy into a vendor's profile names its products by ASIN alone, and says that the other profile must sell them", async () => {
  await using world = await emulated();
  const { us } = world;
  const jp = await world.ads.profile("JP");
  const [original] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = original!;
  const ads = await us.sp.productAds.list({ campaignIds: [campaignId] });
  ok(ads.some(({ sku }) => sku !== undefined));
  const plan = await copyCampaigns(us, jp, { campaignIds: [campaignId], rate: 150 });
  match(
    plan.warnings.join("\n"),
    new RegExp(`${ads.length} product ads? for products of profile .* does not sell`),
  );
  equal(plan.note?.startsWith("Copy of 1 campaign of profile"), true, plan.note ?? "");
  const copies = plan.changes.filter(({ kind }) => kind === "sp.product_ads");
  deepEqual(copies.map(({ after }) => after["asin"]).sort(), ads.map(({ asin }) => asin).sort());
  ok(copies.every(({ after }) => !("sku" in after)));
  const own = await copyCampaigns(us, us, { campaignIds: [campaignId], rename: "{name} copy" });
  deepEqual(own.warnings.filter((warning) => warning.includes("product ad")), []);
});
