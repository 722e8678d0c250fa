import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const CAMPAIGN = "application/vnd.sbcampaignresource.v4+json";
const AD_GROUP = "application/vnd.sbadgroupresource.v4+json";
const NEW = { name: "SB | New", state: "ENABLED", budget: 30, budgetType: "DAILY" };
const GOAL = { goal: "PAGE_VISIT", costType: "CPC" };

async function create(caller: Caller, campaign: unknown, countryCode = "US"): Promise<string> {
  const profile = caller.profile(countryCode);
  const answer = await caller.call("POST", "/sb/v4/campaigns", { campaigns: [campaign] }, {
    type: CAMPAIGN,
    profile,
  });
  assert.equal(answer.json.campaigns?.error.length, 0, answer.text);
  return answer.json.campaigns.success[0].campaignId;
}

async function read(caller: Caller, campaignId: string, profile = caller.profile("US")) {
  const body = { campaignIdFilter: { include: [campaignId] }, includeExtendedDataFields: true };
  const answer = await caller.call("POST", "/sb/v4/campaigns/list", body, { type: CAMPAIGN, profile });
  return answer.json.campaigns[0];
}

Deno.test("a Brands campaign without goal gets the usual one and is read with four placements", async () => {
  await using caller = await Caller.start();
  const campaignId = await create(caller, {
    ...NEW,
    bidding: {
      bidOptimization: false,
      bidAdjustmentsByPlacement: [{ placement: "TOP_OF_SEARCH", percentage: 45 }],
    },
  });
  const now = Date.parse("2026-09-30T12:00:00Z");
  assert.deepEqual(await read(caller, campaignId), {
    campaignId,
    ...NEW,
    ...GOAL,
    kpi: "CLICKS",
    startDate: "2026-09-30",
    bidding: {
      bidOptimization: false,
      bidAdjustmentsByPlacement: [
        { placement: "HOME", percentage: 0 },
        { placement: "DETAIL_PAGE", percentage: 0 },
        { placement: "OTHER", percentage: 0 },
        { placement: "TOP_OF_SEARCH", percentage: 45 },
      ],
    },
    productLocation: "SOLD_ON_PLATFORM",
    isMultiAdGroupsEnabled: true,
    extendedData: { creationDate: now, lastUpdateDate: now },
  });
});

Deno.test("the bidding of a Brands campaign is accepted back as it was read, although a create takes three placements", async () => {
  await using caller = await Caller.start();
  const campaignId = await create(caller, NEW);
  const { bidding } = await read(caller, campaignId);
  bidding.bidAdjustmentsByPlacement[3].percentage = 80;
  const update = { campaigns: [{ campaignId, bidding }] };
  const answer = await caller.call("PUT", "/sb/v4/campaigns", update, { type: CAMPAIGN });
  assert.deepEqual(answer.json.campaigns, { success: [{ index: 0, campaignId }], error: [] });
  assert.deepEqual((await read(caller, campaignId)).bidding, bidding);
  const event = caller.emulator.state.profile(caller.profile("US"))!.history().at(-1)!;
  assert.deepEqual([event.changeType, event.previousValue, event.newValue], ["PLACEMENT_GROUP", "0", "80"]);

  const refused = await caller.call("POST", "/sb/v4/campaigns", {
    campaigns: [{ ...NEW, name: "x", bidding }],
  }, {
    type: CAMPAIGN,
  });
  assert.equal(refused.json.campaigns.error[0].errors[0].errorValue.rangeError.reason, "TOO_HIGH");
});

Deno.test("an update of a Brands campaign leaves the placements alone that it does not name", async () => {
  await using caller = await Caller.start();
  const placements = [
    { placement: "HOME", percentage: 5 },
    { placement: "TOP_OF_SEARCH", percentage: 45 },
  ];
  const campaignId = await create(caller, { ...NEW, bidding: { bidAdjustmentsByPlacement: placements } });
  const percentages = async () => {
    const { bidding } = await read(caller, campaignId);
    return bidding.bidAdjustmentsByPlacement.map((each: { percentage: number }) => each.percentage);
  };
  const changes: [Record<string, unknown>, number[]][] = [
    [{ name: "SB | Renamed" }, [5, 0, 0, 45]],
    [{ bidding: { bidOptimization: false } }, [5, 0, 0, 45]],
    [{ bidding: { bidAdjustmentsByPlacement: [{ placement: "HOME", percentage: -50 }] } }, [-50, 0, 0, 45]],
  ];
  for (const [change, expected] of changes) {
    await caller.call("PUT", "/sb/v4/campaigns", { campaigns: [{ campaignId, ...change }] }, {
      type: CAMPAIGN,
    });
    assert.deepEqual(await percentages(), expected, JSON.stringify(change));
  }
  assert.equal((await read(caller, campaignId)).bidding.bidOptimization, false);
});

Deno.test("an author's account may name neither goal nor cost type, others may", async () => {
  await using caller = await Caller.start();
  for (const field of ["goal", "costType"] as const) {
    const campaign = { ...NEW, [field]: GOAL[field] };
    const options = { type: CAMPAIGN, profile: caller.profile("UK") };
    const { json } = await caller.call("POST", "/sb/v4/campaigns", { campaigns: [campaign] }, options);
    const [error] = json.campaigns.error[0].errors;
    assert.equal(error.errorType, "INVALID_ARGUMENT");
    assert.equal(error.errorValue.INVALID_ARGUMENT.reason, "AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED");
    assert.equal(error.errorValue.INVALID_ARGUMENT.cause.location, `$.campaigns[0].${field}`);
  }
  const campaignId = await create(caller, NEW, "UK");
  assert.equal((await read(caller, campaignId, caller.profile("UK"))).goal, "PAGE_VISIT");
  await create(caller, { ...NEW, ...GOAL });
});

const REFUSED: [string, Record<string, unknown>, string, string][] = [
  ["a budget below the marketplace's", { budget: 0.5 }, "budgetError", "BUDGET_TOO_LOW"],
  ["a missing budget type", { budgetType: undefined }, "missingValueError", "MISSING_VALUE"],
  ["a lower-case state", { state: "enabled" }, "rangeError", "INVALID_ENUM_VALUE"],
  ["a start in the past", { startDate: "2026-09-29" }, "dateError", "START_DATE_EARLIER_THAN_TODAY"],
  ["a name of 129 letters", { name: "x".repeat(129) }, "malformedValueError", "TOO_LONG"],
  ["a portfolio of nobody", { portfolioId: "12" }, "entityNotFoundError", "ENTITY_NOT_FOUND"],
  [
    "a name that is taken",
    { name: "sb | trail tent 2p | collection" },
    "duplicateValueError",
    "NAME_NOT_UNIQUE",
  ],
];
Deno.test("a Brands campaign is refused for a wrong value, by family and reason", async () => {
  await using caller = await Caller.start();
  for (const [what, change, family, reason] of REFUSED) {
    const body = { campaigns: [{ ...NEW, ...change }] };
    const { json } = await caller.call("POST", "/sb/v4/campaigns", body, { type: CAMPAIGN });
    assert.equal(json.campaigns.error[0]?.errors[0].errorValue[family]?.reason, reason, what);
  }
});

const ELEVEN_IDS = Array.from({ length: 11 }, (_, index) => String(index + 1));
const MALFORMED: [string, string, string, unknown][] = [
  ["a budget object", "POST", "", { campaigns: [{ ...NEW, budget: { budget: 1, budgetType: "DAILY" } }] }],
  ["eleven campaigns", "POST", "", { campaigns: Array(11).fill(NEW) }],
  ["an unknown field", "POST", "", { campaigns: [{ ...NEW, adFormat: "video" }] }],
  ["a page of 101", "POST", "/list", { maxResults: 101 }],
  ["eleven ids in a list", "POST", "/list", { campaignIdFilter: { include: ELEVEN_IDS } }],
  ["eleven ids in an archive", "POST", "/delete", { campaignIdFilter: { include: ELEVEN_IDS } }],
  ["a console's campaign id", "POST", "/list", { campaignIdFilter: { include: ["A0123"] } }],
  ["a lower-case state filter", "POST", "/list", { stateFilter: { include: ["enabled"] } }],
];
Deno.test("a malformed request about Brands campaigns is refused as a whole", async () => {
  await using caller = await Caller.start();
  for (const [what, method, suffix, body] of MALFORMED) {
    const answer = await caller.call(method, `/sb/v4/campaigns${suffix}`, body, { type: CAMPAIGN });
    assert.equal(answer.status, 400, what);
    assert.equal(answer.json.code, "INVALID_ARGUMENT", what);
  }
});

Deno.test("Brands lists page by at most a hundred, filter, and count with a word of their own", async () => {
  await using caller = await Caller.start({ quirks: { emptyPageEvery: 2 } });
  const names: string[] = [];
  let nextToken: string | undefined;
  let pages = 0;
  do {
    const body = { maxResults: 3, nextToken, stateFilter: { include: ["ENABLED", "PAUSED"] } };
    const { json } = await caller.call("POST", "/sb/v4/campaigns/list", body, { type: CAMPAIGN });
    names.push(...json.campaigns.map((campaign: { name: string }) => campaign.name));
    nextToken = json.nextToken;
    pages++;
    if (nextToken === undefined) assert.equal(json.totalCount, names.length);
  } while (nextToken !== undefined);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 6 && pages > names.length / 3 + 1, "an empty page came in between");

  const body = { goalTypeFilter: { include: ["NO_SUCH_GOAL"] } };
  const none = await caller.call("POST", "/sb/v4/campaigns/list", body, { type: CAMPAIGN });
  assert.deepEqual(none.json, { campaigns: [], totalCount: 0 });
});

Deno.test("Brands ad groups live in campaigns; what lies below an archived one stays as it is", async () => {
  await using caller = await Caller.start();
  const campaignId = await create(caller, NEW);
  const adGroup = { campaignId, name: "Group", state: "ENABLED" };
  const created = await caller.call("POST", "/sb/v4/adGroups", {
    adGroups: [adGroup, { ...adGroup, campaignId: "1" }],
  }, {
    type: AD_GROUP,
    headers: { prefer: "return=representation" },
  });
  const { adGroups } = created.json;
  const { adGroupId } = adGroups.success[0];
  assert.equal(adGroups.success[0].adGroup.name, "Group");
  assert.equal(adGroups.error[0].errors[0].errorValue.parentEntityError.reason, "PARENT_ENTITY_NOT_FOUND");

  const archived = await caller.call("POST", "/sb/v4/campaigns/delete", {
    campaignIdFilter: { include: [campaignId] },
  }, {
    type: CAMPAIGN,
  });
  assert.deepEqual(archived.json.campaigns.success, [{ index: 0, campaignId }]);
  const update = { adGroups: [{ adGroupId, state: "PAUSED" }] };
  const { json } = await caller.call("PUT", "/sb/v4/adGroups", update, { type: AD_GROUP });
  const error = json.adGroups.error[0].errors[0].errorValue.entityStateError;
  assert.equal(error.reason, "PARENT_ARCHIVED_FORBIDS_UPDATES");
});
