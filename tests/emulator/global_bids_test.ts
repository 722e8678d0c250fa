import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { type Answered, Caller } from "./caller.ts";
import { PRODUCTS } from "./unified_caller.ts";

const GLOBAL = { adProduct: PRODUCTS, marketplaceScope: "GLOBAL", state: "ENABLED" };
const filter = { adProductFilter: { include: [PRODUCTS] } };

/** Sends a request as the global account of the United States, as a client of its own would. */
async function ask(caller: Caller, path: string, body: unknown): Promise<Answered> {
  const { json } = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", {}, { profile: null });
  const { advertiserAccountId } = json.advertiserAccounts.find((
    { alternateIds }: { alternateIds: JsonObject[] },
  ) => alternateIds.some(({ profileId }) => profileId === caller.profile("US")));
  return await caller.call("POST", `/adsApi/v1/${path}`, body, {
    profile: null,
    type: "application/json",
    headers: { "Platform-Ads-AccountId": advertiserAccountId },
  });
}

async function campaign(caller: Caller): Promise<string> {
  const { json } = await ask(caller, "create/campaigns", {
    campaigns: [{
      ...GLOBAL,
      name: "Everywhere",
      marketplaces: ["US", "DE"],
      autoCreationSettings: { autoCreateTargets: false },
      startDateTime: "2026-10-01T07:00:00.000Z",
      budgets: [{
        budgetType: "MONETARY",
        recurrenceTimePeriod: "DAILY",
        budgetValue: {
          monetaryBudgetValue: {
            marketplaceSettings: [
              { marketplace: "US", monetaryBudget: { value: 20 } },
              { marketplace: "DE", monetaryBudget: { value: 15 } },
            ],
          },
        },
      }],
    }],
  });
  return json.success[0].campaign.campaignId;
}

const bids = (field: string, amounts: Readonly<Record<string, number>>) => ({
  marketplaceSettings: Object.entries(amounts).map(([marketplace, value]) => ({
    marketplace,
    currencyCode: marketplace === "DE" ? "EUR" : "USD",
    [field]: value,
  })),
});

Deno.test("what one marketplace refuses of a global ad group or target is a partial success", async () => {
  await using caller = await Caller.start();
  const campaignId = await campaign(caller);
  const made = (await ask(caller, "create/adGroups", {
    adGroups: [
      {
        ...GLOBAL,
        campaignId,
        name: "Shoes",
        marketplaces: ["US", "DE"],
        bid: bids("defaultBid", { US: 0.5, DE: 0.001 }),
      },
      {
        ...GLOBAL,
        campaignId,
        name: "Boots",
        marketplaces: ["US", "AU"],
        bid: bids("defaultBid", { US: 0.5 }),
      },
      {
        ...GLOBAL,
        campaignId,
        name: "Hats",
        marketplaces: ["US", "DE"],
        bid: bids("defaultBid", { US: 0.5, DE: 0.4 }),
      },
    ],
  })).json;
  assert.deepEqual(
    made.partialSuccess.map(({ errors }: { errors: JsonObject[] }) =>
      errors.map(({ code, marketplace }) => [code, marketplace])
    ),
    [[["FIELD_VALUE_IS_OUT_OF_RANGE", "DE"]], [["FIELD_VALUE_IS_NULL", "AU"]]],
  );
  const [{ adGroup: half }] = made.partialSuccess;
  assert.deepEqual(half.marketplaces, ["US"]);
  const [{ adGroup }] = made.success;

  const targets = (await ask(caller, "create/targets", {
    targets: [
      {
        ...GLOBAL,
        adGroupId: adGroup.adGroupId,
        negative: false,
        targetType: "KEYWORD",
        targetDetails: { keywordTarget: { keyword: "hat", matchType: "EXACT" } },
        marketplaces: ["US", "DE"],
        bid: bids("bid", { US: 0.6 }),
      },
      {
        ...GLOBAL,
        adGroupId: half.adGroupId,
        negative: false,
        targetType: "KEYWORD",
        targetDetails: { keywordTarget: { keyword: "shoe", matchType: "EXACT" } },
        marketplaces: ["US", "DE"],
      },
      {
        ...GLOBAL,
        adGroupId: "1",
        negative: false,
        targetType: "KEYWORD",
        targetDetails: { keywordTarget: { keyword: "shoe", matchType: "EXACT" } },
        marketplaces: ["US"],
      },
    ],
  })).json;
  assert.deepEqual(targets.success.map(({ index }: JsonObject) => index), [0]);
  const [{ target }] = targets.success;
  assert.equal(target.campaignId, campaignId);
  assert.deepEqual(target.bid.marketplaceSettings, [
    { marketplace: "US", currencyCode: "USD", bid: 0.6 },
    { marketplace: "DE", currencyCode: "EUR" },
  ]);
  assert.deepEqual(
    targets.partialSuccess[0].errors.map(({ code, marketplace }: JsonObject) => [code, marketplace]),
    [["FIELD_VALUE_MISMATCH", "DE"]],
  );
  assert.equal(targets.error[0].errors[0].code, "RESOURCE_ID_NOT_FOUND");

  const changed = (await ask(caller, "update/targets", {
    targets: [{
      targetId: target.targetId,
      bid: bids("bid", { DE: 0.45 }),
      marketplaceConfigurations: [{ marketplace: "US", overrides: { state: "PAUSED" } }],
    }],
  })).json.success[0].target;
  assert.deepEqual(
    changed.bid.marketplaceSettings.map(({ bid }: JsonObject) => bid),
    [0.6, 0.45],
  );
  assert.deepEqual(
    changed.marketplaceConfigurations.map(({ overrides }: JsonObject) => overrides),
    [{ state: "PAUSED" }, {}],
  );
  const gone = await ask(caller, "delete/adGroups", { adGroupIds: [adGroup.adGroupId] });
  assert.equal(gone.json.success[0].adGroup.state, "ARCHIVED");
});

Deno.test("the published filters hold for what is in global campaigns", async () => {
  await using caller = await Caller.start();
  for (
    const [path, name] of [
      ["adGroups", "adGroupIdFilter"],
      ["ads", "campaignIdFilter"],
      ["targets", "keywordFilter"],
    ]
  ) {
    const refused = await ask(caller, `query/${path}`, { ...filter, [name!]: { include: ["1"] } });
    assert.equal(refused.status, 400, path);
    assert.match(refused.json.message, new RegExp(`${name}`));
    const { json } = await ask(caller, `query/${path}`, {
      ...filter,
      marketplaceScopeFilter: { include: ["GLOBAL"] },
    });
    assert.deepEqual(json[path!], []);
  }
});
