import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { PlanStore } from "../../mod.ts";
import {
  accountDrift,
  AccountFiles,
  copyCampaigns,
  diffAccount,
  pullAccount,
} from "../../src/account/mod.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";
import { mostlyOnOneWire } from "../support/on_both_wires.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const GLOBAL = "sp_global/everywhere.yaml";
const COPY = "sp/everywhere.yaml";

/** An account with a global campaign, and what is in its copy in the United States. */
async function scene(
  options?: EmulatedOptions,
): Promise<Emulated & { readonly campaignId: string; readonly copyId: string }> {
  const world = await emulated(options);
  const { us } = world;
  const { ids } = await us.sp.globalCampaigns.create([{
    name: "Everywhere",
    state: "ENABLED",
    targetingType: "MANUAL",
    startDate: "2026-10-05",
    marketplaces: { US: 20, DE: { budget: 15, state: "PAUSED" } },
  }]);
  const [copy] = await us.sp.campaigns.list({ name: "Everywhere" });
  const { campaignId: copyId } = copy!;
  await us.sp.adGroups.create([{ campaignId: copyId, name: "Lanterns", state: "ENABLED", defaultBid: 0.5 }]);
  return Object.assign(world, { campaignId: ids[0]!, copyId });
}

function edited(files: AccountFiles, edits: Record<string, (text: string) => string>): AccountFiles {
  const texts = new Map(files.texts);
  for (const [path, edit] of Object.entries(edits)) texts.set(path, edit(texts.get(path) ?? ""));
  return AccountFiles.fromTexts(texts, { lock: files.lock });
}

Deno.test("files hold a global campaign once, and of its copy what is inside", async () => {
  await using world = await scene();
  const { us, campaignId } = world;
  const files = await pullAccount(us);
  deepEqual(
    files.texts.get(GLOBAL)?.split("\n").slice(1),
    [
      "name: Everywhere",
      "state: ENABLED",
      "targetingType: MANUAL",
      "startDate: 2026-10-05",
      "marketplaces: { US: { budget: 20 }, DE: { budget: 15, state: PAUSED } }",
      "dynamicBidding: { strategy: LEGACY_FOR_SALES }",
      "",
    ].filter((line) => !line.startsWith("dynamicBidding")),
  );
  deepEqual(files.texts.get(COPY)?.split("\n").slice(1, 5), [
    "name: Everywhere",
    `globalCampaignId: "${campaignId}"`,
    "ad_groups:",
    "  - name: Lanterns",
  ]);
  const diff = await diffAccount(us, files);
  ok(diff.isEmpty, diff.summary());
});

Deno.test("an edited budget of a marketplace is one change of the global campaign", async () => {
  await using world = await scene();
  const { us, campaignId } = world;
  const files = await pullAccount(us);
  const diff = await diffAccount(
    us,
    edited(files, { [GLOBAL]: (text) => text.replace("DE: { budget: 15", "DE: { budget: 18.5") }),
  );
  deepEqual(diff.updates.map(({ kind, id }) => [kind, id]), [["sp.global_campaigns", campaignId]]);
  const plan = await diff.plan();
  deepEqual(plan.findings, []);
  (await plan.apply(us)).raiseForErrors();
  const campaign = await us.sp.globalCampaigns.get(campaignId);
  deepEqual([campaign?.marketplaces["DE"]?.budget, campaign?.marketplaces["US"]?.budget], [18.5, 20]);
  const bare = await diffAccount(
    us,
    edited(files, { [GLOBAL]: (text) => text.replace("US: { budget: 20 }", "US: 21") }),
  );
  deepEqual((await bare.plan()).changes[0]?.after["marketplaces"], {
    US: { budget: 21 },
    DE: { budget: 15, state: "PAUSED" },
  });
  const wrong = edited(files, { [GLOBAL]: (text) => text.replace("US: {", "XX: {") });
  match(
    await diffAccount(us, wrong).then(() => "taken", (error: Error) => error.message),
    /everywhere\.yaml.*"XX" is not a marketplace/s,
  );
});

Deno.test("a global campaign that a file adds is created once, and its copy is not created again", async () => {
  await using world = await emulated();
  const { us } = world;
  const files = await pullAccount(us);
  const added = edited(files, {
    "sp_global/new.yaml": () =>
      "name: New one\nstate: PAUSED\ntargetingType: MANUAL\nmarketplaces: { US: 20, AU: { budget: 30 } }\n",
    "sp/new.yaml": () =>
      'name: New one\nglobalCampaignId: "1"\nad_groups:\n  - name: Group\n    state: ENABLED\n    defaultBid: 0.5\n',
  });
  const diff = await diffAccount(us, added);
  deepEqual(diff.creates.map(({ kind, label }) => `${kind} ${label}`), ["sp.global_campaigns New one"]);
  match(
    diff.notes.join("\n"),
    /creates the copies of a global campaign itself\. Apply this plan, then plan again/,
  );
  (await (await diff.plan()).apply(us)).raiseForErrors();
  equal((await us.sp.campaigns.list({ name: "New one" })).length, 1);
  const next = await diffAccount(us, added);
  deepEqual(next.creates.map(({ kind, label }) => `${kind} ${label}`), ["sp.ad_groups Group"]);
});

Deno.test("a profile without global campaigns is read as before", async () => {
  await using world = await emulated();
  world.asked();
  const files = await pullAccount(world.us);
  ok(!world.asked().some((path) => path.includes("/adsApi/")));
  ok(![...files.texts.keys()].some((path) => path.startsWith("sp_global/")));
});

Deno.test("a copy of the copy is an ordinary campaign with all that it is", async () => {
  await using world = await scene();
  const { us, copyId } = world;
  const plan = await copyCampaigns(us, us, { campaignIds: [copyId], rename: "{name} alone" });
  const [campaign] = plan.changes;
  deepEqual([campaign?.kind, campaign?.after["name"], campaign?.after["budget"]], [
    "sp.campaigns",
    "Everywhere alone",
    { budget: 20, budgetType: "DAILY" },
  ]);
  equal(campaign?.after["globalCampaignId"], undefined);
});

Deno.test("what a plan does to a global campaign is ours in each of its copies, and names the whole", async () => {
  await using folder = await temporaryFolder();
  await using world = await scene();
  const { us, ads, campaignId, copyId, emulator, time } = world;
  const store = PlanStore.open(folder.path, { now: time.now });
  const pass = (seconds: number): void => {
    emulator.advance(seconds);
    time.advance(seconds);
  };
  pass(3600);
  const since = time.now();
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { US: 22 } }]);
  await store.save(plan);
  await store.apply(plan, us);
  pass(3600);
  await us.sp.campaigns.update([{ campaignId: copyId, budget: 25 }]);
  const { entries } = await accountDrift(us, { since, plans: [store] });
  deepEqual(
    entries.map((
      { id, change, after, by, plan, globalCampaignId },
    ) => [id, change, after, by, plan?.planId, globalCampaignId]),
    [
      [copyId, "BUDGET_AMOUNT", "22", "plan", plan.id, campaignId],
      [copyId, "BUDGET_AMOUNT", "25", "other", undefined, campaignId],
    ],
  );
  const de = await ads.profile("DE", { accountType: "seller" });
  deepEqual((await accountDrift(de, { since, plans: [store] })).entries, [], "nothing changed there");
});

mostlyOnOneWire(
  "what a plan does to an ad group or target of a global campaign is ours in their copies",
  async (options) => {
    await using folder = await temporaryFolder();
    await using world = await scene(options);
    const { us, campaignId, emulator, time } = world;
    const marketplaces = { US: 0.5, DE: 0.4 };
    const { ids: [adGroupId] } = await us.sp.globalAdGroups.create([
      { campaignId, name: "Shoes", state: "ENABLED", marketplaces },
    ]);
    const { ids: [targetId] } = await us.sp.globalTargets.create([{
      campaignId,
      adGroupId: adGroupId!,
      negative: false,
      state: "ENABLED",
      keywordText: "shoes",
      matchType: "EXACT",
      marketplaces,
    }]);
    const store = PlanStore.open(folder.path, { now: time.now });
    const pass = (seconds: number): void => {
      emulator.advance(seconds);
      time.advance(seconds);
    };
    pass(3600);
    const since = time.now();
    for (
      const plan of [
        await us.sp.globalAdGroups.planUpdate([{ adGroupId: adGroupId!, marketplaces: { US: 0.55 } }]),
        await us.sp.globalTargets.planUpdate([{ targetId: targetId!, marketplaces: { US: 0.65 } }]),
      ]
    ) {
      await store.save(plan);
      await store.apply(plan, us);
    }
    pass(3600);
    const { entries } = await accountDrift(us, { since, plans: [store] });
    deepEqual(
      entries.map(({ kind, after, by, campaign }) => [kind, after, by, campaign]).sort(),
      [["sp.ad_groups", "0.55", "plan", "Everywhere"], ["sp.keywords", "0.65", "plan", "Everywhere"]],
    );
  },
);
