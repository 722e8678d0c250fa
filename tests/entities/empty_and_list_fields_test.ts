import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import fc from "fast-check";
import { SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import { mergeFields } from "../../src/plans/state/merge_fields.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope } from "../support/fake_scope.ts";

Deno.test("a campaign loses its end date, and gets it back when that is undone", async () => {
  await using world = await emulated();
  const { campaigns } = world.us.sp;
  const [campaign] = await campaigns.list();
  const { campaignId } = campaign!;
  (await campaigns.update([{ campaignId, endDate: "2027-05-01" }])).raiseForErrors();

  const plan = await campaigns.planUpdate([{ campaign_id: campaignId, end_date: null }]);
  deepEqual(plan.table().map(({ field, before, after }) => [field, before, after]), [
    ["endDate", "2027-05-01", null],
  ]);
  const result = await plan.apply(world.us, { checkDrift: true });
  ok(result.ok, result.summary());
  equal((await campaigns.get(campaignId))!.endDate, undefined);
  equal(
    (await campaigns.planUpdate([{ campaignId, endDate: null }])).changes.length,
    0,
    "it has none any more",
  );

  (await result.rollbackPlan().apply(world.us, { checkDrift: true })).raiseForErrors();
  equal((await campaigns.get(campaignId))!.endDate, "2027-05-01");
});

Deno.test("null is sent where a field can be emptied, and nowhere else", async () => {
  const scope = fakeScope(() => ({ campaigns: { success: [{ index: 0, campaignId: "1" }], error: [] } }));
  const { campaigns } = new SponsoredProducts(scope);
  const nothing = { name: null, portfolio_id: null, budget: null, tags: { a: null } } as const;
  await campaigns.update([{ campaignId: "1", ...nothing as Record<string, unknown> }]);
  deepEqual(scope.requests[0]!.json, {
    campaigns: [{ campaignId: "1", portfolioId: null, tags: { a: null } }],
  });
  await rejects(campaigns.update([{ campaignId: "1", name: null as unknown as string }]), TypeError);
});

Deno.test("a plan says which values a null leaves as they are, and what it can empty", async () => {
  await using world = await emulated();
  const { portfolios } = world.us;
  const capped = (await portfolios.list()).find(({ budget }) => budget?.amount !== undefined)!;
  const { portfolioId, name } = capped;
  const items = [{ portfolio_id: portfolioId, budget: null, name: null }] as never;
  const { changes, warnings } = await portfolios.planUpdate(items);
  deepEqual(changes, []);
  deepEqual(warnings, [
    "Kept, because null does not empty them: budget, name. Of a portfolio, null empties budget.amount, " +
    "budget.startDate, budget.endDate",
  ]);
  const inside = [{ portfolioId, name, budget: { policy: null, amount: null } }] as never;
  const plan = await portfolios.planUpdate(inside);
  equal(plan.changes.length, 1);
  match(plan.warnings.join(), /null does not empty them: budget\.policy\./);
  // What the entity does not have needs no word.
  deepEqual((await portfolios.planUpdate([{ portfolioId, noSuch: null }] as never)).warnings, []);
});

Deno.test("one placement of a Brands campaign is planned, applied and undone, and the others stay", async () => {
  await using world = await emulated();
  const { campaigns } = world.us.sb;
  const campaign = (await campaigns.list()).find(({ bidding }) =>
    (bidding?.bidAdjustmentsByPlacement?.length ?? 0) > 1
  )!;
  const { campaignId } = campaign;
  const before = campaign.bidding!.bidAdjustmentsByPlacement!;
  const { placement, percentage } = before[1]!;
  const change = { placement, percentage: percentage + 5 };
  const plan = await campaigns.planUpdate([
    { campaignId, bidding: { bidAdjustmentsByPlacement: [change] } },
  ]);
  const wanted = before.map((item) => item.placement === placement ? change : item);
  deepEqual(
    (plan.changes[0]!.after["bidding"] as typeof campaign.bidding)!.bidAdjustmentsByPlacement,
    wanted,
  );

  const result = await plan.apply(world.us, { checkDrift: true });
  ok(result.ok, result.summary());
  deepEqual((await campaigns.get(campaignId))!.bidding!.bidAdjustmentsByPlacement, wanted);
  (await result.rollbackPlan().apply(world.us, { checkDrift: true })).raiseForErrors();
  deepEqual((await campaigns.get(campaignId))!.bidding!.bidAdjustmentsByPlacement, before);
});

const placements = fc.uniqueArray(
  fc.record({ placement: fc.constantFrom("TOP", "DETAIL", "HOME", "OTHER"), percentage: fc.nat(900) }, {
    noNullPrototype: true,
  }),
  { selector: ({ placement }) => placement },
);

Deno.test("of a list of placements, those that an update names change and the others stay, in their order", () => {
  fc.assert(
    fc.property(placements, placements, (now, wanted) => {
      const merged = mergeFields({ list: now, rest: 1 }, { list: wanted }) as {
        list: typeof now;
        rest: number;
      };
      const named = new Map(wanted.map((item) => [item.placement, item]));
      const kept = now.map((item) => named.get(item.placement) ?? item);
      deepEqual(merged.list.slice(0, now.length), kept);
      deepEqual(
        new Set(merged.list.map(({ placement }) => placement)),
        new Set([...now, ...wanted].map(({ placement }) => placement)),
      );
      equal(merged.rest, 1);
    }),
  );
});

Deno.test("a part that an update names changes, and its siblings stay, at every depth", () => {
  const now = { a: { b: { c: 1, d: 2 }, e: [1, 2] }, f: 3 };
  deepEqual(mergeFields(now, { a: { b: { c: 9 } } }), { a: { b: { c: 9, d: 2 }, e: [1, 2] }, f: 3 });
  deepEqual(mergeFields(now, { a: { e: [7] } }), { a: { b: { c: 1, d: 2 }, e: [7] }, f: 3 });
  deepEqual(mergeFields(now, { a: { b: null, g: null } }), { a: { b: null, e: [1, 2] }, f: 3 });
});

Deno.test("what an update leaves out is named, in a plan and in a result, with what to do instead", async () => {
  const ad = {
    adId: "1",
    campaignId: "11",
    adGroupId: "21",
    name: "a",
    state: "ENABLED",
    landingPage: { pageType: "STORE" },
  };
  const scope = fakeScope(({ method }) =>
    method === "POST" ? { ads: [ad] } : { ads: { success: [{ index: 0, adId: "1" }], error: [] } }
  );
  const { ads } = new SponsoredBrands(scope);
  const landingPage = { pageType: "DETAIL_PAGE" };
  const plan = await ads.planUpdate([{ adId: "1", name: "b", landingPage }]);
  ok(plan.warnings.some((text) => /cannot change them: landingPage\. .*CreateBrandVideoCreative/.test(text)));
  deepEqual(
    (await ads.planUpdate([{ ...ad, name: "b" }])).warnings,
    [],
    "what stays as it is needs no warning",
  );
  deepEqual((await ads.update([{ adId: "1", name: "b", landingPage }])).ignored, ["landingPage"]);
  await rejects(
    ads.update([{ adId: "1", landingPage }]),
    /none of its fields can be changed.*CreateBrandVideoCreative/,
  );
  const nothing = await ads.planUpdate([{ adId: "1", landingPage }]);
  deepEqual(nothing.changes, []);
  deepEqual(nothing.findings.map(({ code, message }) => [code, message]), [
    ["NOTHING_TO_CHANGE", "These Brands ads have nothing to change: 1 a"],
  ]);
  match(nothing.warnings.join(), /CreateBrandVideoCreative/);
});

Deno.test("a campaign leaves its portfolio by a resource, a plan and a call, and a plan undoes either way", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaigns } = us.sp;
  const [portfolio] = await us.portfolios.list();
  const { portfolioId } = portfolio!;
  const [campaign] = await campaigns.list();
  const { campaignId } = campaign!;
  const now = async (): Promise<unknown> => (await campaigns.get(campaignId))!.portfolioId;
  const join = async (): Promise<void> =>
    (await campaigns.update([{ campaignId, portfolioId }])).raiseForErrors();
  const leave = { campaignId, portfolioId: null };

  await join();
  (await campaigns.update([leave])).raiseForErrors();
  equal(await now(), undefined);

  await join();
  await us.call("sponsored-products:UpdateSponsoredProductsCampaigns", { campaigns: [leave] }, {
    check: "strict",
  });
  equal(await now(), undefined);

  const joined = await (await campaigns.planUpdate([{ campaignId, portfolioId }])).apply(us, {
    checkDrift: true,
  });
  equal(await now(), portfolioId);
  const undo = joined.rollbackPlan();
  deepEqual(undo.warnings, []);
  deepEqual(undo.table().map(({ field, before, after }) => [field, before, after]), [[
    "portfolioId",
    portfolioId,
    null,
  ]]);
  (await undo.apply(us, { checkDrift: true })).raiseForErrors();
  equal(await now(), undefined);
});

Deno.test("the preview of one placement shows that placement alone", async () => {
  await using world = await emulated();
  const { campaigns } = world.us.sb;
  const campaign = (await campaigns.list()).find(({ bidding }) =>
    (bidding?.bidAdjustmentsByPlacement?.length ?? 0) > 1
  )!;
  const { placement, percentage } = campaign.bidding!.bidAdjustmentsByPlacement![1]!;
  const plan = await campaigns.planUpdate([{
    campaignId: campaign.campaignId,
    bidding: { bidAdjustmentsByPlacement: [{ placement, percentage: percentage + 5 }] },
  }]);
  deepEqual(plan.table().map(({ field, before, after }) => [field, before, after]), [
    ["bidding.bidAdjustmentsByPlacement[1].percentage", percentage, percentage + 5],
  ]);
});
