import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const PATH = "/adsApi/v1/query/recommendations";

/** A function that queries for the accounts of profiles, and the state of the first one. */
async function asking(caller: Caller, ...countries: readonly string[]) {
  const profileIds = countries.map((country) => caller.profile(country));
  const accountIds: string[] = [];
  for (const isGlobal of [true, false]) {
    const filter = { isGlobalAccountFilter: { include: [isGlobal] } };
    const { json } = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", filter, {
      profile: null,
    });
    for (const { advertiserAccountId, alternateIds } of json.advertiserAccounts) {
      if (profileIds.includes(alternateIds[0].profileId)) accountIds.push(advertiserAccountId);
    }
  }
  const accessRequestedAccounts = accountIds.map((advertiserAccountId) => ({ advertiserAccountId }));
  const query = (body: object = {}) =>
    caller.call("POST", PATH, { accessRequestedAccounts, ...body }, { profile: null });
  return { query, profile: caller.emulator.state.profile(profileIds[0]!)! };
}

Deno.test("a global account is told to enrol the enabled campaigns that are in no global one", async () => {
  await using caller = await Caller.start();
  const { query, profile } = await asking(caller, "US");
  const campaigns = profile.collection("sp.campaigns");
  const enabled = campaigns.all().filter(({ state }) => state === "ENABLED");
  const objects = async (): Promise<string[]> => {
    const { json } = await query();
    return json.recommendations.flatMap((one: { recommendedObjects: { recommendedObjectId: string }[] }) =>
      one.recommendedObjects.map(({ recommendedObjectId }) => recommendedObjectId)
    );
  };
  assert.deepEqual(await objects(), enabled.map(({ campaignId }) => campaignId));
  const [first, second, ...others] = enabled;
  campaigns.replace({ ...first!, state: "PAUSED" });
  campaigns.replace({ ...second!, globalCampaignId: "1" });
  assert.deepEqual(await objects(), others.map(({ campaignId }) => campaignId));
  for (const campaign of others) campaigns.replace({ ...campaign, state: "ARCHIVED" });
  const { json } = await query();
  assert.deepEqual(json, { recommendations: [], totalResults: 0 });
});

Deno.test("recommendations are filtered as published, and come page by page for several accounts", async () => {
  await using caller = await Caller.start();
  const { query } = await asking(caller, "US", "CA");
  const countries = async (body: object): Promise<number> => (await query(body)).json.totalResults;
  assert.equal(await countries({}), 2);
  assert.equal(await countries({ marketplacesFilter: { include: ["CA"] } }), 1);
  assert.equal(await countries({ adProductFilter: { include: ["SPONSORED_BRANDS"] } }), 0);
  assert.equal(await countries({ languageFilter: { include: ["de_DE"] } }), 0);
  const type = { recommendationTypeFilter: { include: ["AUTOMATIC_GLOBAL_ADS_ENROLLMENT"] } };
  const first = await query({ ...type, maxResults: 1 });
  assert.equal(first.json.recommendations.length, 1);
  const second = await query({ ...type, maxResults: 1, nextToken: first.json.nextToken });
  assert.equal(second.json.nextToken, undefined);
  const ids = [first, second].map(({ json }) => json.recommendations[0].recommendationId);
  assert.equal(new Set(ids).size, 2);
});

Deno.test("a query for recommendations names accounts of its login, within the published bounds", async () => {
  await using caller = await Caller.start();
  const { query } = await asking(caller, "US");
  const cases: [body: object, status: number][] = [
    [{ accessRequestedAccounts: [] }, 400],
    [{ accessRequestedAccounts: undefined }, 400],
    [{ accessRequestedAccounts: [{ advertiserAccountId: "ads-account.g.none" }] }, 403],
    [{ maxResults: 101 }, 400],
    [{ stateFilter: { include: ["ACTIVE"] } }, 400],
    [{ recommendationTypeFilter: { include: ["MORE_BUDGET"] } }, 400],
    [{ languageFilter: { include: ["en_US", "de_DE"] } }, 400],
    [{ recommendationTypeDetailsFilter: { include: [] } }, 400],
    [{ nextToken: "none" }, 400],
  ];
  for (const [body, status] of cases) {
    const answer = await query(body);
    assert.deepEqual(
      [answer.status, Object.keys(answer.json)],
      [status, ["code", "message"]],
      JSON.stringify(body),
    );
  }
});
