import assert from "node:assert/strict";
import { type Answered, Caller } from "./caller.ts";

const JSON_TYPE = "application/json";

function write(caller: Caller, method: string, path: string, items: unknown): Promise<Answered> {
  const raw = JSON.stringify(items, (_key, value) => typeof value === "bigint" ? `#${value}#` : value)
    .replace(/"#(\d+)#"/g, "$1");
  return caller.call(method, `/sd/${path}`, undefined, { raw, type: JSON_TYPE });
}

/** Bare integers of a response, as text, by the name of their field. */
function idsOf(answer: Answered, field: string): bigint[] {
  return [...answer.text.matchAll(new RegExp(`"${field}":(\\d+)`, "g"))].map(([, digits]) => BigInt(digits!));
}

async function build(caller: Caller, campaign: Record<string, unknown> = {}) {
  const made = await write(caller, "POST", "campaigns", [
    { name: "Lanterns", tactic: "T00020", budget: 20, state: "enabled", ...campaign },
  ]);
  const [campaignId] = idsOf(made, "campaignId");
  const group = { campaignId, name: "Group", defaultBid: 1, state: "enabled" };
  const [adGroupId] = idsOf(await write(caller, "POST", "adGroups", [group]), "adGroupId");
  return { campaignId: campaignId!, adGroupId: adGroupId! };
}

Deno.test("a Display campaign is built, listed, changed and archived", async () => {
  await using caller = await Caller.start();
  const { campaignId, adGroupId } = await build(caller);
  const sku = caller.emulator.state.profile(caller.profile("US"))!.collection("sp.product_ads").at(0)!.sku;
  const ad = await write(caller, "POST", "productAds", [{ campaignId, adGroupId, sku, state: "enabled" }]);
  assert.match(ad.text, /^\[\{"code":"SUCCESS","adId":\d+\}\]$/);
  const expression = [{ type: "asinSameAs", value: "B000000001" }];
  const target = await write(caller, "POST", "targets", [
    { adGroupId, expressionType: "manual", expression, bid: 0.7, state: "enabled" },
    { adGroupId, expressionType: "manual", expression, bid: 0.7, state: "enabled" },
    { adGroupId, expressionType: "manual", expression: [{ type: "views", value: [] }], state: "enabled" },
  ]);
  assert.deepEqual(target.json.map(({ code }: { code: string }) => code), [
    "SUCCESS",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
  ]);
  const listed = await caller.call("GET", `/sd/campaigns/extended?campaignIdFilter=${campaignId}`);
  assert.equal(listed.json[0].servingStatus, "ADVERTISER_STATUS_ENABLED");
  const paused = await write(caller, "PUT", "campaigns", [{ campaignId, state: "paused", budget: 30 }]);
  assert.equal(paused.json[0].code, "SUCCESS");
  const groups = await caller.call("GET", `/sd/adGroups/extended/${adGroupId}`);
  assert.equal(groups.json.servingStatus, "CAMPAIGN_PAUSED");
  const archived = await caller.call("DELETE", `/sd/campaigns/${campaignId}`);
  assert.equal(archived.status, 200);
  const late = await write(caller, "PUT", "adGroups", [{ adGroupId, name: "Later" }]);
  assert.equal(late.json[0].code, "INVALID_ARGUMENT");
  assert.equal((await caller.call("GET", "/sd/campaigns?stateFilter=archived&name=Lanterns")).json.length, 1);
});

Deno.test("Display refuses what its market, tactic and account do not allow", async () => {
  await using caller = await Caller.start();
  const verdict = async (campaign: unknown) => (await write(caller, "POST", "campaigns", [campaign])).json[0];
  const good = { name: "One", tactic: "T00030", budget: 20, state: "enabled" };
  assert.equal((await verdict({ ...good, budget: 0.5 })).code, "INVALID_ARGUMENT");
  assert.match((await verdict({ ...good, startDate: "20260929" })).description, /in the past/);
  assert.match((await verdict({ ...good, startDate: "2026-10-01" })).description, /YYYYMMDD/);
  assert.equal((await verdict(good)).code, "SUCCESS");
  assert.match((await verdict(good)).description, /exists already/);
  const { campaignId, adGroupId } = await build(caller);
  const ad = { campaignId, adGroupId, state: "enabled" };
  const ads = await write(caller, "POST", "productAds", [{ ...ad, asin: "B000000001" }]);
  assert.match(ads.json[0].description, /sku is required for sellers/);
  const bid = await write(caller, "PUT", "adGroups", [{ adGroupId, defaultBid: 2000 }]);
  assert.match(bid.json[0].description, /BID_OUT_OF_MARKET_PLACE_RANGE/);
  assert.equal((await write(caller, "POST", "campaigns", { ...good })).status, 400);
  assert.equal((await write(caller, "POST", "campaigns", [{ ...good, colour: "red" }])).status, 400);
});

Deno.test("Display wants what is published as required, and what belongs together", async () => {
  await using caller = await Caller.start();
  const first = await build(caller);
  const { campaignId } = await build(caller, { name: "Other" });
  const { adGroupId } = first;
  const said = async (path: string, item: unknown) =>
    (await write(caller, "POST", path, [item])).json[0].description;
  const expression = [{ type: "asinSameAs", value: "B000000001" }];
  assert.match(await said("adGroups", { campaignId, name: "New" }), /state is required/);
  assert.match(await said("productAds", { adGroupId, state: "enabled" }), /campaignId is required/);
  assert.match(
    await said("negativeTargets", { adGroupId, expression, expressionType: "manual" }),
    /state is required/,
  );
  const ad = { campaignId, adGroupId, sku: "A-1", state: "enabled" };
  assert.match(await said("productAds", ad), /campaignId .* was not found/);
  await caller.call("DELETE", `/sd/campaigns/${first.campaignId}`);
  assert.match(
    await said("targets", { adGroupId, expression, expressionType: "manual" }),
    /campaignId .* is archived/,
  );
});

Deno.test("null empties the end and the portfolio of a Display campaign and the bid of a target", async () => {
  await using caller = await Caller.start();
  const portfolio = caller.emulator.state.profile(caller.profile("US"))!.collection("portfolios").at(0)!;
  const portfolioId = BigInt(String(portfolio.portfolioId));
  const { campaignId, adGroupId } = await build(caller, { endDate: "20271231", portfolioId });
  const target = {
    adGroupId,
    expressionType: "manual",
    expression: [{ type: "asinSameAs", value: "B000000001" }],
    bid: 1,
  };
  const [targetId] = idsOf(await write(caller, "POST", "targets", [target]), "targetId");
  for (const change of [{ endDate: null }, { portfolioId: null }]) {
    const { json } = await write(caller, "PUT", "campaigns", [{ campaignId, ...change }]);
    assert.equal(json[0].code, "SUCCESS");
  }
  assert.equal((await write(caller, "PUT", "targets", [{ targetId, bid: null }])).json[0].code, "SUCCESS");
  const campaign = (await caller.call("GET", `/sd/campaigns/${campaignId}`)).json;
  assert.deepEqual([campaign.endDate, campaign.portfolioId], [undefined, undefined]);
  assert.equal((await caller.call("GET", `/sd/targets/${targetId}`)).json.bid, undefined);
});

Deno.test("an update of Display moves no ad group and changes no cost type", async () => {
  await using caller = await Caller.start();
  const { campaignId, adGroupId } = await build(caller);
  const other = await build(caller, { name: "Other" });
  const change = async (path: string, item: unknown) => (await write(caller, "PUT", path, [item])).json[0];
  const moved = await change("adGroups", { adGroupId, campaignId: other.campaignId });
  assert.match(moved.description, /campaignId cannot be changed/);
  assert.equal((await change("adGroups", { adGroupId, campaignId, name: "New" })).code, "SUCCESS");
  assert.match(
    (await change("campaigns", { campaignId, costType: "vcpm" })).description,
    /costType cannot be changed/,
  );
  assert.equal((await change("campaigns", { campaignId, costType: "cpc", budget: 25 })).code, "SUCCESS");
});

Deno.test("Display bids for impressions have limits of their own", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await build(caller, { costType: "vcpm", budget: 5 });
  const group = { campaignId, state: "enabled" };
  const made = await write(caller, "POST", "adGroups", [
    { ...group, name: "Low", defaultBid: 0.5 },
    { ...group, name: "Good", defaultBid: 8 },
    { ...group, name: "None" },
  ]);
  assert.deepEqual(made.json.map(({ code }: { code: string }) => code), [
    "INVALID_ARGUMENT",
    "SUCCESS",
    "SUCCESS",
  ]);
  const listed = await caller.call("GET", `/sd/adGroups?campaignIdFilter=${campaignId}&name=Good`);
  assert.equal(listed.json[0].bidOptimization, "reach");
});

Deno.test("a Display campaign that is paused keeps its days in the reports, and the history says nothing", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const before = profile.history().filter(({ unpublished }) => !unpublished).length;
  const campaign = profile.collection("sd.campaigns").all().find(({ state }) => state === "enabled")!;
  const campaignId = BigInt(String(campaign.campaignId));
  await write(caller, "PUT", "campaigns", [{ campaignId, state: "paused", budget: 77 }]);
  const events = profile.history();
  assert.deepEqual(
    events.filter(({ unpublished }) => unpublished).map(({ changeType, previousValue }) => [
      changeType,
      previousValue,
    ]),
    [["STATUS", "enabled"], ["BUDGET_AMOUNT", String(campaign.budget)]],
  );
  assert.equal(events.length, before + 2);
  const fromDate = Date.parse("2026-09-01T00:00:00Z");
  const toDate = Date.parse("2026-09-30T12:00:00Z");
  const eventTypes = { CAMPAIGN: { parents: [{ useProfileIdAdvertiser: true }] } };
  const answer = await caller.call("POST", "/history", { fromDate, toDate, eventTypes }, { type: JSON_TYPE });
  assert.ok(answer.json.totalResults > 0);
  assert.doesNotMatch(answer.text, new RegExp(`DISPLAY|"entityId":"${campaignId}"`));
});

Deno.test("creatives wait an hour for moderation", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = await build(caller);
  const made = await write(caller, "POST", "creatives", [{ adGroupId, properties: { headline: "Light" } }]);
  const [creativeId] = idsOf(made, "creativeId");
  const status = async () =>
    (await caller.call("GET", `/sd/creatives?creativeIdFilter=${creativeId}`)).json[0].moderationStatus;
  assert.equal(await status(), "PENDING_REVIEW");
  caller.emulator.advance(3600);
  await caller.logIn();
  assert.equal(await status(), "APPROVED");
  const moderation = await caller.call(
    "GET",
    `/sd/moderation/creatives?language=en-US&creativeIdFilter=${creativeId}`,
  );
  assert.deepEqual(moderation.json[0].policyViolations, []);
});

Deno.test("an ad group takes one optimization rule", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = await build(caller);
  const rule = (ruleName: string) => ({
    ruleName,
    state: "enabled",
    ruleConditions: [{
      metricName: "COST_PER_CLICK",
      comparisonOperator: "LESS_THAN_OR_EQUAL_TO",
      threshold: 1,
    }],
  });
  const made = await write(caller, "POST", "optimizationRules", [rule("One"), rule("Two")]);
  const tie = async (ruleId: string) =>
    (await write(caller, "POST", `adGroups/${adGroupId}/optimizationRules`, {
      optimizationRuleIds: [ruleId],
    }))
      .json[0].code;
  const texts: string[] = made.json.map(({ ruleId }: { ruleId: string }) => ruleId);
  assert.deepEqual([await tie(texts[0]!), await tie(texts[1]!)], ["SUCCESS", "INVALID_ARGUMENT"]);
  assert.equal((await caller.call("GET", `/sd/adGroups/${adGroupId}/optimizationRules`)).json.length, 1);
});

Deno.test("denied domains are changed by requests that take a while", async () => {
  await using caller = await Caller.start();
  const domains = [{ name: "example.com", type: "WEBSITE" }, { name: "x", type: "PAPER" }];
  const { status, json: { requestId } } = await write(caller, "POST", "brandSafety/deny", { domains });
  assert.equal(status, 202);
  const early = await caller.call("GET", `/sd/brandSafety/${requestId}/status`);
  assert.equal(early.json.requestStatus.status, "IN_PROGRESS");
  caller.emulator.advance(5);
  const { json } = await caller.call("GET", `/sd/brandSafety/${requestId}/results`);
  assert.deepEqual(json.results.map((each: { status: string }) => each.status), ["SUCCESS", "FAILURE"]);
  assert.equal((await caller.call("GET", "/sd/brandSafety/deny")).json.pagination.total, 1);
});

Deno.test("the demo account has Display campaigns that obey the rules", async () => {
  await using caller = await Caller.start();
  for (const profile of caller.emulator.state.profiles()) {
    const targets = profile.collection("sd.targets");
    assert.ok(targets.size > 10, profile.record.countryCode);
    for (const target of targets.all()) assert.equal(targets.rivalOf(target), undefined);
  }
});

Deno.test("every list of the demo account, plain and extended, is as published", async () => {
  await using caller = await Caller.start();
  for (const path of ["campaigns", "adGroups", "productAds", "targets", "negativeTargets"]) {
    for (const form of ["", "/extended"]) {
      const { status, json } = await caller.call("GET", `/sd/${path}${form}`);
      assert.equal(status, 200);
      assert.ok(json.length > 5, path);
    }
  }
  for (
    const path of ["creatives", "locations", "optimizationRules", "brandSafety/deny", "brandSafety/status"]
  ) {
    assert.equal((await caller.call("GET", `/sd/${path}`)).status, 200, path);
  }
});
