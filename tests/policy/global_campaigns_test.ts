import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import type { Policy } from "../../src/plans/policy/policy.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

interface Scene extends AsyncDisposable {
  readonly world: Emulated;
  readonly ads: PlatformAds;
  readonly us: ProfileClient;
  readonly ledger: FolderLedger;
  readonly campaignId: string;
}

/** A client with a policy, one without, and a global campaign in three currencies. */
async function scene(policy: string, marketplaces: Record<string, object | number>): Promise<Scene> {
  const folder = await temporaryFolder();
  const ledger = new FolderLedger(`${folder.path}/days`);
  const world: Emulated = await emulated({
    client: { policy: parsePolicy(`version: 1\n${policy}`, { now: () => NOW, ledger }) },
  });
  const other = await withPolicy(undefined, world);
  const { ids } = await other.sp.globalCampaigns.create([
    { name: "Everywhere", state: "ENABLED", targetingType: "MANUAL", marketplaces },
  ]);
  return {
    world,
    ads: world.ads,
    us: world.us,
    ledger,
    campaignId: ids[0]!,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A client of the same account that another policy judges, or none. */
async function withPolicy(policy: Policy | undefined, { emulator, time }: Emulated): Promise<ProfileClient> {
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    sleep: time.sleep,
    ...(policy === undefined ? {} : { policy }),
  });
  return await ads.profile("US");
}

async function messages(us: ProfileClient, campaignId: string, fields: object): Promise<string[]> {
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, ...fields }]);
  return plan.findings.filter(({ level }) => level === "deny").map(({ message }) => message);
}

Deno.test("a budget limit judges each marketplace by its own amount and in its own currency", async () => {
  await using world = await scene("max_budget: { US: 50, DE: 40, default: 1000 }", {
    US: 20,
    DE: 15,
    AU: 30,
  });
  const { us, campaignId } = world;
  deepEqual(await messages(us, campaignId, { marketplaces: { US: 50, DE: 40, AU: 900 } }), []);
  const [message, ...others] = await messages(us, campaignId, { marketplaces: { US: 45, DE: 45 } });
  match(message ?? "", /^sp\.campaigns \d+ Everywhere in DE: budget 45 EUR is above 40 EUR$/);
  deepEqual(others, []);
  const fresh = await us.sp.globalCampaigns.planCreate([
    { name: "New", state: "ENABLED", targetingType: "AUTO", marketplaces: { US: 60, AU: 2000 } },
  ]);
  deepEqual(fresh.findings.map(({ message }) => message), [
    "sp.campaigns (new) New in US: budget 60 USD is above 50 USD",
    "sp.campaigns (new) New in AU: budget 2000 AUD is above 1000 AUD",
  ]);
  await rejects(fresh.apply(us), PolicyError);
  const woken = await messages(us, campaignId, { marketplaces: { AU: { budget: 1001 } } });
  equal(woken.length, 1, "a raise in one marketplace is seen among others that stay");
});

Deno.test("a limit of increases is held by each marketplace, also where another one falls", async () => {
  await using world = await scene("max_increase: 30%", { US: 20, DE: 20, AU: 30 });
  const { us, campaignId } = world;
  const found = await messages(us, campaignId, { marketplaces: { US: 5, DE: 35 } });
  equal(found.length, 1);
  match(found[0]!, /in DE: .*\b75\.0 %/);
  deepEqual(await messages(us, campaignId, { marketplaces: { US: 25, DE: 25 } }), []);
});

Deno.test("small steps of one day count as one in each marketplace", async () => {
  await using world = await scene("max_increase: 30%", { US: 20, DE: 20 });
  const { us, campaignId } = world;
  const first = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { DE: 25 } }]);
  equal((await first.apply(us)).ok, true);
  const second = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { DE: 28, US: 25 } }]);
  await rejects(second.apply(us), /in DE: .*\b40\.0 %/);
});

Deno.test("a plan that the day of one marketplace refuses leaves nothing in the day of another", async () => {
  await using world = await scene("max_increase: 30%", { US: 20, DE: 20 });
  const { us, campaignId } = world;
  const update = async (client: ProfileClient, marketplaces: Record<string, number>) =>
    equal(
      (await (await client.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces }])).apply(client)).ok,
      true,
    );
  await update(us, { DE: 25 });
  await rejects(update(us, { US: 25, DE: 28 }), /in DE: .*\b40\.0 %/);
  await update(await withPolicy(undefined, world.world), { US: 40 });
  await update(us, { US: 45 });
});

Deno.test("the money of a copy counts in the day of its own profile, in that currency", async () => {
  await using world = await scene("max_changes: 100", { US: 20, DE: 20 });
  const { ads, us, campaignId, ledger } = world;
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { US: 27, DE: 25 } }]);
  equal((await plan.apply(us)).ok, true);
  const de = await ads.profile("DE", { accountType: "seller" });
  const spent = async ({ profileId }: ProfileClient) =>
    (await ledger.totals({ profileId, day: "2026-09-30" })).spendIncrease;
  deepEqual([await spent(de), await spent(us)], [5, undefined], "no exchange rate for the sum of both");
});

Deno.test("a limit of the day's spend refuses what moves in a currency that it cannot weigh", async () => {
  await using world = await scene("max_spend_increase_per_day: 10", { US: 20, DE: 20, AU: 30 });
  const { us, campaignId } = world;
  deepEqual(await messages(us, campaignId, { marketplaces: { US: 29 } }), []);
  const [above] = await messages(us, campaignId, { marketplaces: { US: 31 } });
  match(above ?? "", /\b11\.00 USD/);
  const plan = await us.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces: { DE: 21 } }]);
  match(plan.findings[0]?.message ?? "", /the increase in daily spend is unknown/);
  match(plan.findings[0]?.hint ?? "", /No exchange rate is known for EUR/);
  deepEqual([plan.money?.known, plan.money?.unknown], [0, 1]);
  deepEqual(await messages(us, campaignId, { marketplaces: { DE: 19, AU: 29 } }), [], "lower is no more");
});

Deno.test("a limit of the day's spend weighs a budget that is sent at once", async () => {
  await using world = await scene("max_spend_increase_per_day: 10", { US: 20 });
  const { us, campaignId } = world;
  const send = async (budget: number) =>
    (await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { US: budget } }])).raiseForErrors();
  await rejects(send(31), /\b11\.00 USD/);
  await send(29);
  await rejects(send(31), /\b11\.00 USD/);
});

Deno.test("waking a campaign whose bids were not read is no way around a limit of bids", async () => {
  await using world = await scene("max_bid: 2", { US: 20, DE: { budget: 20, state: "PAUSED" } });
  const { us, campaignId } = world;
  const [message] = await messages(us, campaignId, { marketplaces: { DE: { state: "ENABLED" } } });
  match(
    message ?? "",
    /in DE: the bid is unknown, because the bids of its copy in DE were not read/,
  );
});

Deno.test("kinds, names and rules of a policy are about the whole and its copies alike", async () => {
  await using world = await scene(
    `allow_kinds: [sp.global_campaigns]
protect: { names: ["*Protected*"] }
rules:
  - name: modest
    level: deny
    kinds: [sp.campaigns]
    when: after.budget > 100 && market.country == "AU"
    message: too much for Australia`,
    { US: 20, DE: 20, AU: 30 },
  );
  const { us, campaignId } = world;
  deepEqual(await messages(us, campaignId, { marketplaces: { US: 101, AU: 31 } }), []);
  deepEqual(
    (await messages(us, campaignId, { marketplaces: { AU: 101 } })).map((text) => text.split(": ")[1]),
    [
      "too much for Australia",
    ],
  );
  equal((await us.sp.globalCampaigns.update([{ campaignId, name: "Protected" }])).errors.length, 0);
  const found = await messages(us, campaignId, { marketplaces: { US: 21 } });
  match(found.join("\n"), /"Protected" is protected/);

  await using only = await scene("allow_kinds: [sp.campaigns]", { US: 20 });
  const plan = await only.us.sp.globalCampaigns.planUpdate([{
    campaignId: only.campaignId,
    marketplaces: { US: 21 },
  }]);
  match(plan.findings[0]?.message ?? "", /global-campaigns is not a kind that may be changed/);
});

Deno.test("a whole is protected also where every marketplace overrides what changes in it", async () => {
  await using world = await scene(`protect: { names: ["Every*"] }`, {
    US: { budget: 20, state: "PAUSED" },
    DE: { budget: 20, state: "PAUSED" },
  });
  const { us, campaignId } = world;
  match((await messages(us, campaignId, { state: "PAUSED" })).join("\n"), /"Everywhere" is protected/);
  await rejects(us.sp.globalCampaigns.update([{ campaignId, state: "PAUSED" }]), PolicyError);
});

Deno.test("a write that is sent at once is judged as a plan is", async () => {
  await using world = await scene("max_budget: 50", { US: 20, DE: 20 });
  const { us, campaignId } = world;
  equal((await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: 49 } }])).errors.length, 0);
  await rejects(us.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: 51 } }]), PolicyError);
  const marketplaces = { US: 51 };
  const item = { name: "New", state: "ENABLED", targetingType: "AUTO", marketplaces };
  await rejects(us.sp.globalCampaigns.create([item]), PolicyError);
  equal((await us.sp.globalCampaigns.delete([campaignId])).errors.length, 0);
});

Deno.test("without a policy, an amount that grows threefold in one marketplace asks for a person", async () => {
  await using world = await scene("max_changes: 100", { US: 20, DE: 20 });
  const plan = await world.us.sp.globalCampaigns.planUpdate([{
    campaignId: world.campaignId,
    marketplaces: { DE: 61, US: 50 },
  }]);
  const [finding] = plan.findings;
  equal(finding?.code, "AMOUNT_TRIPLED");
  ok(
    finding?.message.includes("in DE: 61 EUR is 3.0 times") || finding?.message.includes("3.1 times"),
    finding?.message,
  );
});

Deno.test("a copy has one day, whichever profile of the account raises it", async () => {
  await using world = await scene("max_increase: 50%\nmax_changes: 2", { US: 20, DE: 20, AU: 20 });
  const { us, campaignId } = world;
  const raise = async (client: ProfileClient, fields: object): Promise<boolean> =>
    (await (await client.sp.globalCampaigns.planUpdate([{ campaignId, ...fields }])).apply(client)).ok;
  equal(await raise(us, { marketplaces: { US: 29, DE: 29 } }), true);
  const de = await world.ads.profile("DE", { accountType: "seller" });
  await rejects(raise(de, { marketplaces: { US: 43 } }), /in US: an increase of 115\.0 %/);
  await rejects(raise(de, { marketplaces: { DE: 43 } }), /in DE: an increase of 115\.0 %/);
  // Its own campaign in that profile is the same one.
  const copy = (await us.sp.globalCampaigns.get(campaignId))?.marketplaces["DE"]?.campaignId;
  const alone = [{ campaignId: copy!, budget: { budget: 43, budgetType: "DAILY" as const } }];
  await rejects(de.sp.campaigns.update(alone), /an increase of 115\.0 %/);
});

Deno.test("changes of copies count for the day of each profile that they are in", async () => {
  await using world = await scene("max_changes: 2", { US: 20, DE: 20 });
  const { us, campaignId } = world;
  const de = await world.ads.profile("DE", { accountType: "seller" });
  const budgets = async (client: ProfileClient, marketplaces: Record<string, number>): Promise<boolean> =>
    (await (await client.sp.globalCampaigns.planUpdate([{ campaignId, marketplaces }])).apply(client)).ok;
  equal(await budgets(us, { DE: 21 }), true);
  equal(await budgets(us, { DE: 22 }), true);
  await rejects(budgets(de, { DE: 23 }), /3 changes today/);
  await rejects(budgets(us, { DE: 23 }), /3 changes today/);
  const fr = await world.ads.profile("AU");
  await rejects(budgets(fr, { DE: 23 }), /in DE: 3 changes today/);
});

Deno.test("a copy cools down, whichever profile of the account changed it and changes it again", async () => {
  await using world = await scene("cooling: 14d", { US: 20, DE: 20 });
  const { us, ads, campaignId } = world;
  const first = await us.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: 21 } }]);
  equal(first.errors.length, 0);
  for (const client of [us, await ads.profile("DE", { accountType: "seller" })]) {
    await rejects(
      client.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: 22 } }]),
      /in DE: its budget was changed on \S+ and must not change again for 14 days/,
    );
  }
});

Deno.test("a raise that is sent beside a pause of its copy cools down as any other", async () => {
  await using world = await scene("cooling: 14d", { US: 20, DE: 20 });
  const { us, campaignId } = world;
  const send = (own: object): Promise<unknown> =>
    us.sp.globalCampaigns.update([{ campaignId, marketplaces: { DE: own } }]);
  await send({ budget: 21 });
  await rejects(
    send({ budget: 22, state: "PAUSED" }),
    /in DE: its budget was changed on \S+ and must not change again/,
  );
  await send({ budget: 20, state: "PAUSED" });
});

Deno.test("an exception for one copy lifts limits for that copy alone, one for the whole for each of its copies", async () => {
  await using world = await scene("max_changes: 100", { US: 20, DE: 20 });
  const { campaignId, us } = world;
  const copies = (await us.sp.globalCampaigns.get(campaignId))?.marketplaces;
  const denied = async (id: string): Promise<string[]> => {
    const policy = parsePolicy(
      `version: 1
max_budget: 50
exceptions: [{ rule: max_budget, reason: launch, until: 2099-12-31, ids: ["${id}"] }]`,
      { now: () => NOW },
    );
    const client = await withPolicy(policy, world.world);
    return (await messages(client, campaignId, { marketplaces: { US: 51, DE: 52 } }))
      .map((message) => / in (US|DE):/.exec(message)?.[1] ?? message);
  };
  deepEqual(await denied(copies?.["DE"]?.campaignId ?? ""), ["US"]);
  deepEqual(await denied(copies?.["US"]?.campaignId ?? ""), ["DE"]);
  deepEqual(await denied(campaignId), []);
});

Deno.test("what protects a global entity protects its copies from direct writes, on both wires", async () => {
  await using world = await scene("max_changes: 100", { US: 20, DE: 20 });
  const { campaignId, world: { emulator, time, us: free } } = world;
  const marketplaces = { US: { defaultBid: 1 }, DE: { defaultBid: 1 } };
  const place = { campaignId, state: "ENABLED" };
  const group = await free.sp.globalAdGroups.create([{ ...place, name: "Group", marketplaces } as never]);
  const word = await free.sp.globalTargets.create([{
    ...{ ...place, adGroupId: group.ids[0]!, negative: false, keywordText: "tent", matchType: "EXACT" },
    marketplaces: { US: { bid: 1 }, DE: { bid: 1 } },
  } as never]);
  const copies = {
    campaignId: (await free.sp.globalCampaigns.get(campaignId))?.marketplaces["US"]?.campaignId ?? "",
    adGroupId: (await free.sp.globalAdGroups.get(group.ids[0]!))?.marketplaces["US"]?.adGroupId ?? "",
    keywordId: (await free.sp.globalTargets.get(word.ids[0]!))?.marketplaces["US"]?.targetId ?? "",
  };
  let bid = 1;
  const writes: Record<string, (us: ProfileClient) => Promise<unknown>> = {
    campaign: (us) =>
      us.sp.campaigns.update([{ campaignId: copies.campaignId, budget: { budget: 20 + bid } }]),
    adGroup: (us) => us.sp.adGroups.update([{ adGroupId: copies.adGroupId, defaultBid: bid }]),
    keyword: async (us) =>
      (await us.sp.keywords.planUpdate([{ keywordId: copies.keywordId, bid }])).apply(us),
  };
  const everything = ["campaign", "adGroup", "keyword"];
  for (
    const [protect, held] of [
      [`ids: ["${campaignId}"]`, everything],
      [`ids: ["${group.ids[0]}"]`, ["adGroup", "keyword"]],
      [`ids: ["${word.ids[0]}"]`, ["keyword"]],
      ["labels: [kept]", everything],
      ["kinds: [sp.global_campaigns]", ["campaign"]],
      ["kinds: [sp.global_targets]", ["keyword"]],
      [`ids: ["1"]`, []],
    ] as const
  ) {
    const text = `version: 1\nlabels: { kept: ["${campaignId}"] }\nprotect: { ${protect} }`;
    for (const wire of ["legacy", "unified"] as const) {
      const policy = parsePolicy(text, { now: () => NOW });
      const { platform, credentials } = emulator;
      const ads = new PlatformAds(credentials, { platform, now: time.now, sleep: time.sleep, policy, wire });
      const us = await ads.profile("US");
      const refused: string[] = [];
      bid += 0.01;
      for (const [name, write] of Object.entries(writes)) {
        await write(us).catch((error) => {
          match(error.message, /protected/);
          refused.push(name);
        });
      }
      deepEqual(refused, [...held], `${protect} on the ${wire} wire`);
    }
  }

  const policy = parsePolicy(`version: 1\nprotect: { ids: ["${group.ids[0]}"] }`, { now: () => NOW });
  const ads = new PlatformAds(emulator.credentials, {
    ...{ platform: emulator.platform, now: time.now, sleep: time.sleep, policy },
    fetch: (input, init) =>
      input.endsWith("/sp/adGroups/list")
        ? Promise.resolve(new Response("{}", { status: 403 }))
        : emulator.fetch(input, init),
  });
  const us = await ads.profile("US");
  await rejects(us.sp.keywords.update([{ keywordId: copies.keywordId, bid: 1 }]), /unknown whether/);
});
