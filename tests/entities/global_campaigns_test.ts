import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import type { ProfileClient } from "../../mod.ts";
import type { GlobalCampaign } from "../../src/client/entities/sp.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { resumePlan } from "../../src/plans/change_plan/resume_plan.ts";
import { changeRows } from "../../src/plans/model/differences.ts";
import { MemoryJournal } from "../support/memory_journal.ts";
import { emulated } from "../support/emulated.ts";

const EVERYWHERE = {
  name: "Everywhere",
  state: "ENABLED",
  targetingType: "MANUAL",
  marketplaces: { US: 20, DE: { budget: 15 }, AU: { budget: 30, state: "PAUSED" } },
};

async function created(us: ProfileClient): Promise<GlobalCampaign> {
  const result = await us.sp.globalCampaigns.create([EVERYWHERE]);
  deepEqual(result.errors, []);
  return (await us.sp.globalCampaigns.get(result.ids[0]!))!;
}

/** Budgets of a global campaign as the account has them, by country. */
async function budgets(us: ProfileClient): Promise<Record<string, number>> {
  const [campaign] = await us.sp.globalCampaigns.list({ states: null });
  return Object.fromEntries(
    Object.entries(campaign!.marketplaces).map(([country, { budget }]) => [country, budget]),
  );
}

Deno.test("a plan creates a global campaign in every marketplace, and its undo archives all of its copies", async () => {
  await using scene = await emulated();
  const { us, ads } = scene;
  const plan = await us.sp.globalCampaigns.planCreate([EVERYWHERE]);
  deepEqual(plan.findings, []);
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  const [campaign] = await us.sp.globalCampaigns.list();
  deepEqual(
    Object.entries(campaign!.marketplaces).map(([country, { budget, state }]) => [country, budget, state]),
    [
      ["US", 20, undefined],
      ["DE", 15, undefined],
      ["AU", 30, "PAUSED"],
    ],
  );
  for (const [country, filter] of [["US", {}], ["DE", { accountType: "seller" }], ["AU", {}]] as const) {
    const profile = await ads.profile(country, filter);
    const [copy] = await profile.sp.campaigns.list({ name: "Everywhere" });
    equal(copy?.campaignId, campaign!.marketplaces[country]?.campaignId);
    equal(copy?.["globalCampaignId"], campaign!.campaignId);
    equal(copy?.startDate, "2026-09-30", "the first day is today there");
  }
  const undone = await result.rollbackPlan().apply(us);
  equal(undone.ok, true, undone.summary());
  deepEqual(await us.sp.campaigns.list({ name: "Everywhere" }), []);
  equal((await us.sp.globalCampaigns.get(campaign!.campaignId))?.state, "ARCHIVED");
  const again = await us.sp.globalCampaigns.planCreate([{ ...EVERYWHERE, name: "everywhere" }]);
  equal(again.changes.length, 1, "an archived one is not in the way");
});

Deno.test("its requests name the account in place of the profile, which is looked up once", async () => {
  const asked: { readonly path: string; readonly headers: Headers }[] = [];
  const fetchOf = (): typeof fetch => (input, init) => {
    const { pathname: path } = new URL(String(input));
    if (path.includes("/adsApi/")) asked.push({ path, headers: new Headers(init?.headers) });
    return fetch(input, init);
  };
  await using scene = await emulated({ fetchOf });
  const { us } = scene;
  await created(us);
  await us.sp.globalCampaigns.list();
  const lookUps = asked.filter(({ path }) => path.endsWith("/advertiserAccounts"));
  equal(lookUps.length, 2, "global accounts and others, once");
  const others = asked.filter((entry) => !lookUps.includes(entry));
  ok(others.length >= 3);
  for (const { headers, path } of others) {
    match(headers.get("platform-ads-accountid") ?? "", /^ads-account\.g\./, path);
    equal(headers.get("platform-advertising-api-scope"), null, path);
  }
});

Deno.test("an update of one marketplace leaves the others as they are, planned or sent at once", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const { campaignId } = await created(us);
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { de: 17.5 } }]);
  const rows = changeRows(plan.changes).filter(({ before, after }) => before !== after);
  deepEqual(rows.map(({ field, before, after }) => [field, before, after]), [
    ["marketplaces.DE.budget", 15, 17.5],
  ]);
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  deepEqual(await budgets(us), { US: 20, DE: 17.5, AU: 30 });
  equal((await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { US: 21 } }])).errors.length, 0);
  deepEqual(await budgets(us), { US: 21, DE: 17.5, AU: 30 });
  const undone = await result.rollbackPlan().apply(us);
  equal(undone.ok, true, undone.summary());
  deepEqual(await budgets(us), { US: 20, DE: 15, AU: 30 });
  equal((await us.sp.globalCampaigns.pause([campaignId])).errors.length, 0);
  const [copy] = await us.sp.campaigns.list({ name: "Everywhere" });
  equal(copy?.state, "PAUSED");
});

Deno.test("a partial verdict says what each marketplace refused, and its undo takes the rest back", async () => {
  await using scene = await emulated({ checkRequests: false });
  const { us } = scene;
  const { campaignId } = await created(us);
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { US: 25, DE: 0.1 } }]);
  deepEqual(plan.findings.map(({ code, message }) => [code, message]), [
    ["BUDGET_TOO_LOW", "marketplaces.DE.budget 0.1 is outside the marketplace's range"],
  ]);
  const journal = new MemoryJournal();
  const result = await plan.apply(us, { sendAnyway: true, journal });
  equal(result.ok, false);
  match(result.summary(), /1 failed, 1 of them done in part/);
  const [{ outcome, id, error }] = result.failures as [typeof result.failures[0]];
  deepEqual([outcome, id, error.code, error.transient], [
    "partial",
    campaignId,
    "FIELD_VALUE_IS_BELOW_MINIMUM_LIMIT",
    false,
  ]);
  match(error.message, /^DE: /);
  deepEqual(await budgets(us), { US: 25, DE: 15, AU: 30 });

  // What another process finds in the journal is the same: nothing to send again, and a part to take back.
  const found = await resumePlan(plan, us, { journal, lookOnly: true });
  deepEqual(found.changes.map(({ outcome, id }) => [outcome, id]), [["partial", campaignId]]);
  const undo = found.rollbackPlan();
  const undone = await undo.apply(us, { checkDrift: true });
  equal(undone.ok, true, undone.summary());
  deepEqual(await budgets(us), { US: 20, DE: 15, AU: 30 });
  await rejects(undo.apply(us, { checkDrift: true }), /the account changed since it was made/);
});

Deno.test("a campaign that was created in some marketplaces alone is archived by the undo", async () => {
  await using scene = await emulated({ checkRequests: false });
  const { us, emulator } = scene;
  const marketplaces = { US: 20, DE: 0.1 };
  const plan = await us.sp.globalCampaigns.planCreate([{ ...EVERYWHERE, marketplaces }]);
  const journal = new MemoryJournal();
  const result = await plan.apply(us, { sendAnyway: true, journal });
  const [first] = result.changes;
  equal(first?.outcome, "partial");
  const sent = (): number =>
    emulator.requests().filter(({ path }) => path.endsWith("/create/campaigns")).length;
  equal(sent(), 1);
  const resumed = await resumePlan(plan, us, { journal });
  equal(sent(), 1, "it is not created a second time");
  const undone = await resumed.rollbackPlan().apply(us);
  equal(undone.ok, true, undone.summary());
  equal((await us.sp.globalCampaigns.get(first!.id!))?.state, "ARCHIVED");
});

Deno.test("what a global campaign cannot take is said before anything is sent", async () => {
  await using scene = await emulated();
  const { us, asked } = scene;
  const { campaignId } = await created(us);
  const { globalCampaigns } = us.sp;
  asked();
  await rejects(
    globalCampaigns.planCreate([{ ...EVERYWHERE, marketplaces: { XX: 5, US: { budget: "much" as never } } }]),
    /"XX" is not a marketplace; the budget of US is not an amount: "much"/,
  );
  await rejects(
    globalCampaigns.planUpdate([{
      campaignId,
      marketplaces: { US: { state: "ARCHIVED", colour: 1 } as never },
    }]),
    /US cannot be set to "ARCHIVED": expected ENABLED or PAUSED; US has no colour/,
  );
  await rejects(
    globalCampaigns.planUpdate([{ campaignId, marketplaces: {} }]),
    /give an amount or fields by country/,
  );
  deepEqual(asked(), []);
  const added = await globalCampaigns.planUpdate([{ campaignId, marketplaces: { CA: 10 } }]);
  match(added.findings[0]!.message, /not in CA, and an update adds no marketplace: it is in US, DE, AU/);
  asked();
  const result = await globalCampaigns.update([{ campaignId, marketplaces: { CA: 10 } }]);
  deepEqual(result.errors.map(({ outcome }) => outcome), ["not_sent"]);
  deepEqual(asked(), ["POST /adsApi/v1/query/campaigns"]);
  const without = await globalCampaigns.planCreate([{
    ...EVERYWHERE,
    name: "B",
    marketplaces: { US: 5, DE: {} },
  }]);
  match(without.findings[0]!.message, /"marketplaces.DE.budget" is missing/);
  const high = await globalCampaigns.planUpdate([{ campaignId, marketplaces: { AU: 30.005 } }]);
  match(high.findings[0]!.message, /marketplaces.AU.budget 30.005 has more than 2 decimals/);
});

Deno.test("a profile of no global account is refused with the reason", async () => {
  await using scene = await emulated();
  const mx = await scene.ads.profile("MX");
  await rejects(
    mx.sp.globalCampaigns.list(),
    /profile \d+ \(MX\): its advertiser account ads-account\.g\.\w+ is not a global one/,
  );
  await rejects(mx.sp.globalCampaigns.create([EVERYWHERE]), ConfigurationError);
});

Deno.test("a marketplace whose copy was archived takes no change, and the others still do", async () => {
  await using scene = await emulated();
  const { us, ads } = scene;
  const { campaignId, marketplaces } = await created(us);
  const de = await ads.profile("DE", { accountType: "seller" });
  await de.sp.campaigns.delete([marketplaces["DE"]!.campaignId!]);
  const update = await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { US: 22 } }]);
  deepEqual(update.errors, []);
  deepEqual(await budgets(us), { US: 22, DE: 15, AU: 30 });
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { DE: 16 } }]);
  match(plan.findings[0]!.message, /The copy of the global campaign in DE is archived/);
});

Deno.test("a campaign without a first day begins today in every marketplace, also where that is tomorrow", async () => {
  // Evening in the United States, morning of the next day in Australia.
  const now = "2026-10-01T01:00:00Z";
  await using scene = await emulated({
    emulator: { clock: { now, frozen: true } },
    client: { now: () => Date.parse(now) },
  });
  const { us, ads } = scene;
  await created(us);
  const firstDay = async (profile: ProfileClient): Promise<string | undefined> =>
    (await profile.sp.campaigns.list({ name: "Everywhere" }))[0]?.startDate;
  deepEqual([await firstDay(us), await firstDay(await ads.profile("AU"))], ["2026-09-30", "2026-10-01"]);
});

Deno.test("every field comes back from the wire as it was given, in the days of each marketplace", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const bidding = {
    strategy: "AUTO_FOR_SALES",
    placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 40 }],
  };
  const item = {
    ...EVERYWHERE,
    startDate: "2026-10-05",
    endDate: "2026-12-31",
    dynamicBidding: bidding,
    tags: { team: "blue" },
    marketplaces: {
      US: { budget: 20 },
      AU: {
        budget: 30,
        name: "Down under",
        startDate: "2026-10-07",
        endDate: "2026-11-30",
        tags: { team: "red" },
        dynamicBidding: { strategy: "LEGACY_FOR_SALES", placementBidding: [] },
      },
    },
  };
  const { ids, errors } = await us.sp.globalCampaigns.create([item]);
  deepEqual(errors, []);
  const campaign = await us.sp.globalCampaigns.get(ids[0]!);
  const { campaignId: _, ...rest } = us.sp.globalCampaigns.comparable(campaign!);
  deepEqual(rest, item);
  const au = await scene.ads.profile("AU");
  const [copy] = await au.sp.campaigns.list({ name: "Down under" });
  deepEqual([copy?.startDate, copy?.endDate, copy?.tags], ["2026-10-07", "2026-11-30", { team: "red" }]);
});
