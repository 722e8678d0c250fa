import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { type Answered, Caller } from "./caller.ts";
import { PRODUCTS } from "./unified_caller.ts";

const budgets = (amounts: Readonly<Record<string, number>>) => [{
  budgetType: "MONETARY",
  recurrenceTimePeriod: "DAILY",
  budgetValue: {
    monetaryBudgetValue: {
      marketplaceSettings: Object.entries(amounts).map(([marketplace, value]) => ({
        marketplace,
        monetaryBudget: { value },
      })),
    },
  },
}];
const CAMPAIGN = {
  adProduct: PRODUCTS,
  name: "Global one",
  state: "ENABLED",
  budgets: budgets({ US: 25, DE: 20, AU: 30 }),
  marketplaces: ["US", "DE", "AU"],
  autoCreationSettings: { autoCreateTargets: false },
  marketplaceScope: "GLOBAL",
  startDateTime: "2026-10-01T07:00:00.000Z",
};

/** Id of the global account, which the profile of the United States belongs to. */
async function accountId(caller: Caller): Promise<string> {
  const { json } = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", {}, { profile: null });
  const found = json.advertiserAccounts.find(({ alternateIds }: { alternateIds: JsonObject[] }) =>
    alternateIds.some(({ profileId }) => profileId === caller.profile("US"))
  );
  assert.equal(found.isGlobalAccount, true);
  assert.deepEqual(found.alternateIds.map(({ countryCode }: JsonObject) => countryCode), ["US", "DE", "AU"]);
  return found.advertiserAccountId;
}

/** Sends a request about global campaigns: with the account's header and without a profile. */
async function ask(caller: Caller, verb: string, body: unknown, headers = {}): Promise<Answered> {
  return await caller.call("POST", `/adsApi/v1/${verb}/campaigns`, body, {
    profile: null,
    type: "application/json",
    headers: { "Platform-Ads-AccountId": await accountId(caller), ...headers },
  });
}

const filter = { adProductFilter: { include: [PRODUCTS] } };

Deno.test("a global campaign has a copy in the profile of each marketplace, which names it", async () => {
  await using caller = await Caller.start();
  const { status, json } = await ask(caller, "create", {
    campaigns: [{
      ...CAMPAIGN,
      marketplaceConfigurations: [{ marketplace: "AU", overrides: { state: "PAUSED" } }],
    }],
  });
  assert.equal(status, 207);
  assert.deepEqual([json.error, json.partialSuccess], [[], []]);
  const { campaign } = json.success[0];
  const configurations = campaign.marketplaceConfigurations as { marketplace: string; campaignId: string }[];
  assert.deepEqual(configurations.map(({ marketplace }) => marketplace), ["US", "DE", "AU"]);
  for (const { record, id, region } of caller.emulator.state.profiles()) {
    const { json } = await caller.call("POST", "/sp/campaigns/list", {
      nameFilter: { queryTermMatchType: "EXACT_MATCH", include: ["Global one"] },
    }, { profile: id, host: region, type: "application/vnd.spCampaign.v3+json" });
    const copy = configurations.find(({ campaignId }) => campaignId === json.campaigns[0]?.campaignId);
    if (json.campaigns.length === 0) continue;
    assert.equal(json.campaigns[0].globalCampaignId, campaign.campaignId, record.countryCode);
    assert.equal(copy?.marketplace, record.countryCode);
    assert.equal(json.campaigns[0].state, record.countryCode === "AU" ? "PAUSED" : "ENABLED");
    assert.equal(json.campaigns[0].budget.budget, { US: 25, DE: 20, AU: 30 }[record.countryCode]);
  }
  const listed = await ask(caller, "query", { ...filter, marketplaceScopeFilter: { include: ["GLOBAL"] } });
  assert.deepEqual(listed.json.campaigns, [campaign]);
  assert.deepEqual(campaign.budgets[0].budgetValue.monetaryBudgetValue.marketplaceSettings[1], {
    marketplace: "DE",
    monetaryBudget: { currencyCode: "EUR", value: 20 },
  });
});

Deno.test("what one marketplace refuses is a partial success with its errors, and nothing done anywhere an error", async () => {
  await using caller = await Caller.start();
  const { json } = await ask(caller, "create", {
    campaigns: [
      { ...CAMPAIGN, budgets: budgets({ US: 25, DE: 0.1, AU: 30 }) },
      { ...CAMPAIGN, name: "Nowhere", marketplaces: ["MX", "DE"], budgets: budgets({ MX: 90, DE: 0.1 }) },
    ],
  });
  assert.deepEqual(json.success, []);
  const [{ index, errors, campaign }] = json.partialSuccess;
  assert.equal(index, 0);
  assert.deepEqual(errors.map(({ code, marketplace }: JsonObject) => [code, marketplace]), [
    ["FIELD_VALUE_IS_BELOW_MINIMUM_LIMIT", "DE"],
  ]);
  assert.deepEqual(campaign.marketplaces, ["US", "AU"]);
  assert.equal(json.error[0].index, 1);
  assert.deepEqual(
    json.error[0].errors.map(({ code, marketplace }: JsonObject) => [code, marketplace]),
    [["UNSUPPORTED_MARKETPLACE", "MX"], ["FIELD_VALUE_IS_BELOW_MINIMUM_LIMIT", "DE"]],
  );

  const { campaignId } = campaign;
  const change = { campaignId, name: "Renamed", budgets: budgets({ US: 26, AU: 0.1 }) };
  const changed = (await ask(caller, "update", { campaigns: [change] })).json;
  assert.deepEqual([changed.success, changed.error], [[], []]);
  const now = changed.partialSuccess[0].campaign;
  assert.equal(now.name, "Renamed");
  assert.deepEqual(
    now.budgets[0].budgetValue.monetaryBudgetValue.marketplaceSettings.map((one: JsonObject) =>
      (one.monetaryBudget as JsonObject).value
    ),
    [26, 30],
  );
  // The copy that refused its part keeps all of what it was.
  assert.deepEqual(now.marketplaceConfigurations[1].overrides, { name: "Global one" });
});

Deno.test("an update leaves alone what a marketplace has of its own, and a delete archives every copy", async () => {
  await using caller = await Caller.start();
  const made = await ask(caller, "create", {
    campaigns: [{
      ...CAMPAIGN,
      marketplaceConfigurations: [{ marketplace: "DE", overrides: { state: "PAUSED" } }],
    }],
  });
  const { campaignId } = made.json.success[0].campaign;
  const paused = await ask(caller, "update", { campaigns: [{ campaignId, state: "PAUSED" }] });
  assert.equal(paused.json.success[0].campaign.state, "PAUSED");
  const woken =
    (await ask(caller, "update", { campaigns: [{ campaignId, state: "ENABLED" }] })).json.success[0];
  assert.deepEqual(
    woken.campaign.marketplaceConfigurations.map(({ overrides }: { overrides: JsonObject }) =>
      overrides.state
    ),
    [undefined, "PAUSED", undefined],
  );
  const gone = await ask(caller, "delete", { campaignIds: [campaignId] });
  assert.equal(gone.json.success[0].campaign.state, "ARCHIVED");
  const copy = caller.emulator.state.profiles("EU").flatMap((profile) =>
    profile.collection("sp.campaigns").all().filter(({ globalCampaignId }) => globalCampaignId === campaignId)
  );
  assert.deepEqual(copy.map(({ state }) => state), ["ARCHIVED"]);
  const again = await ask(caller, "update", { campaigns: [{ campaignId, state: "PAUSED" }] });
  assert.equal(again.json.error[0].errors[0].code, "ARCHIVED_RESOURCE_CANNOT_EDIT");
});

Deno.test("global campaigns are asked for by the account alone, and by one that is global", async () => {
  await using caller = await Caller.start();
  const type = "application/json";
  const both = await ask(caller, "query", filter, { "Platform-Advertising-API-Scope": caller.profile("US") });
  assert.equal(both.status, 200);
  assert.equal(
    both.json.campaigns.filter(({ marketplaceScope }: JsonObject) => marketplaceScope === "GLOBAL").length,
    0,
  );
  const strange = await ask(caller, "query", filter, { "Platform-Ads-AccountId": "ads-account.g.none" });
  assert.deepEqual([strange.status, strange.json.code], [403, "FORBIDDEN"]);
  const { json } = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", {
    isGlobalAccountFilter: { include: [false] },
  }, { profile: null });
  const { advertiserAccountId } = json.advertiserAccounts[0];
  const local = await ask(caller, "query", filter, { "Platform-Ads-AccountId": advertiserAccountId });
  assert.match(local.json.message, /is not a global account/);
  const none = await caller.call("POST", "/adsApi/v1/query/campaigns", filter, { profile: null, type });
  assert.equal(none.status, 401);
  const scoped = await caller.call("POST", "/adsApi/v1/create/campaigns", { campaigns: [CAMPAIGN] }, {
    type,
  });
  assert.notDeepEqual(scoped.json.success?.length, 1, "a profile takes no campaign of several marketplaces");
  const brands = await ask(caller, "query", { adProductFilter: { include: ["SPONSORED_BRANDS"] } });
  assert.equal(brands.status, 400);
});

Deno.test("the published sizes hold for global campaigns", async () => {
  await using caller = await Caller.start();
  const many = Array.from({ length: 1001 }, (_, at) => ({ ...CAMPAIGN, name: `Global ${at}` }));
  assert.equal((await ask(caller, "create", { campaigns: many })).status, 413);
  assert.equal((await ask(caller, "query", { ...filter, maxResults: 5001 })).status, 400);
  const ids = Array.from({ length: 1001 }, (_, at) => String(at));
  assert.equal((await ask(caller, "query", { ...filter, campaignIdFilter: { include: ids } })).status, 400);
  assert.equal((await ask(caller, "query", { ...filter, adGroupIdFilter: { include: ["1"] } })).status, 400);
  await ask(caller, "create", { campaigns: many.slice(0, 3) });
  const names: unknown[] = [];
  let nextToken: string | undefined;
  do {
    const { json } = await ask(caller, "query", { ...filter, maxResults: 2, nextToken });
    names.push(...json.campaigns.map(({ name }: JsonObject) => name));
    nextToken = json.nextToken;
  } while (nextToken !== undefined);
  assert.deepEqual(names, ["Global 0", "Global 1", "Global 2"]);
});

Deno.test("the live service was seen to refuse budgets by marketplace in new campaigns, which a quirk plays", async () => {
  await using caller = await Caller.start({ quirks: { globalBudgets: "refused" } });
  const { json } = await ask(caller, "create", { campaigns: [CAMPAIGN] });
  assert.match(json.error[0].errors[0].fieldLocation, /marketplaceSettings$/);
});
