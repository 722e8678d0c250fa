import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { configurationOf, createReport } from "./report_caller.ts";

const CAMPAIGN = "application/vnd.spCampaign.v3+json";
const KEYWORD = "application/vnd.spKeyword.v3+json";
const BRANDS = "application/vnd.sbcampaignresource.v4+json";

function openOf(
  caller: Caller,
  kind: string,
  where: (entity: JsonObject) => boolean = () => true,
): JsonObject {
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const isOpen = (entity: JsonObject) =>
    entity.state === "ENABLED" &&
    ["campaign", "adGroup"].every((parent) =>
      entity[`${parent}Id`] === undefined ||
      profile.collection(parent === "campaign" ? "sp.campaigns" : "sp.ad_groups").get(
          String(entity[`${parent}Id`]),
        )?.state === "ENABLED"
    );
  return profile.collection(kind).all().find((entity) => isOpen(entity) && where(entity))!;
}

async function update(caller: Caller, path: string, item: unknown, type: string) {
  const collection = path.split("/")[2]!;
  const { json } = await caller.call("PUT", path, { [collection]: [item] }, { type });
  return json[collection];
}

function reasonOf(batch: { error: { errors: { errorType: string; errorValue: JsonObject }[] }[] }): unknown {
  const { errorType, errorValue } = batch.error[0]!.errors[0]!;
  return (errorValue[errorType] as JsonObject).reason;
}

Deno.test("an update of placements alone keeps the campaign's strategy", async () => {
  await using caller = await Caller.start();
  const { campaignId, dynamicBidding } = openOf(caller, "sp.campaigns");
  const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: 5 }];
  await update(caller, "/sp/campaigns", { campaignId, dynamicBidding: { placementBidding } }, CAMPAIGN);
  const kept = openOf(caller, "sp.campaigns", (each) => each.campaignId === campaignId).dynamicBidding;
  assert.deepEqual(kept, { strategy: (dynamicBidding as JsonObject).strategy, placementBidding });
});

Deno.test("a bid above the campaign's daily budget is refused", async () => {
  await using caller = await Caller.start();
  const { keywordId, campaignId } = openOf(caller, "sp.keywords");
  const campaign = openOf(caller, "sp.campaigns", (each) => each.campaignId === campaignId);
  const { budget } = campaign.budget as { budget: number };
  const refused = await update(caller, "/sp/keywords", { keywordId, bid: budget + 1 }, KEYWORD);
  assert.equal(reasonOf(refused), "BID_GT_BUDGET");
  assert.equal((await update(caller, "/sp/keywords", { keywordId, bid: budget }, KEYWORD)).error.length, 0);
});

Deno.test("a daily budget lower than a bid of the campaign is refused", async () => {
  await using caller = await Caller.start();
  const { keywordId, campaignId } = openOf(caller, "sp.keywords");
  await update(caller, "/sp/keywords", { keywordId, bid: 9.5 }, KEYWORD);
  const lower = { campaignId, budget: { budget: 9.4, budgetType: "DAILY" } };
  assert.equal(reasonOf(await update(caller, "/sp/campaigns", lower, CAMPAIGN)), "BUDGET_LT_KEYWORD_BIDS");
  const equal = { campaignId, budget: { budget: 9.5, budgetType: "DAILY" } };
  assert.equal((await update(caller, "/sp/campaigns", equal, CAMPAIGN)).error.length, 0);
});

Deno.test("a campaign that has started takes no new start date, not even a later one", async () => {
  await using caller = await Caller.start();
  const { campaignId } = openOf(caller, "sp.campaigns");
  const refused = await update(caller, "/sp/campaigns", { campaignId, startDate: "2026-12-01" }, CAMPAIGN);
  assert.equal(reasonOf(refused), "UPDATING_READ_ONLY_START_DATE");
});

Deno.test("an amount finer than its currency is refused", async () => {
  await using caller = await Caller.start();
  const { keywordId } = openOf(caller, "sp.keywords");
  const refused = await update(caller, "/sp/keywords", { keywordId, bid: 0.505 }, KEYWORD);
  assert.equal(reasonOf(refused), "PATTERN_NOT_MATCHED");
});

Deno.test("a list without any body is refused", async () => {
  await using caller = await Caller.start();
  const { status } = await caller.call("POST", "/sp/keywords/list", undefined, { type: KEYWORD });
  assert.equal(status, 400);
  assert.equal((await caller.call("POST", "/sp/keywords/list", {}, { type: KEYWORD })).status, 200);
});

Deno.test("the change history takes 90 days and not 91", async () => {
  await using caller = await Caller.start();
  const status = async (days: number) => {
    const toDate = Date.parse("2026-09-30T12:00:00Z");
    const body = {
      eventTypes: { CAMPAIGN: { parents: [{ useProfileIdAdvertiser: true }] } },
      fromDate: toDate - days * 86_400_000,
      toDate,
    };
    return (await caller.call("POST", "/history", body, { type: "application/json" })).status;
  };
  assert.deepEqual([await status(90), await status(91)], [200, 400]);
});

Deno.test("refusals of Brands and of suggested bids have the media type of the response", async () => {
  await using caller = await Caller.start();
  const type = "application/vnd.spthemebasedbidrecommendation.v4+json";
  const answers = [
    await caller.call("POST", "/sb/v4/campaigns/list", { unknown: 1 }, { type: BRANDS }),
    await caller.call("POST", "/sp/targets/bid/recommendations", {}, { type }),
  ];
  assert.deepEqual(answers.map(({ status }) => status), [400, 400]);
  assert.deepEqual(answers.map(({ headers }) => headers.get("content-type")), [BRANDS, type]);
});

Deno.test("what live clients send is accepted, unless the published letter is wanted", async () => {
  await using caller = await Caller.start();
  const report = {
    startDate: "2026-09-01",
    endDate: "2026-09-07",
    configuration: configurationOf("sp_campaigns"),
  };
  const statuses = async () => {
    const found: number[] = [];
    for (const type of ["application/json", "text/plain"]) {
      const headers = { "content-type": type, accept: BRANDS };
      found.push((await caller.call("POST", "/sb/v4/campaigns/list", {}, { headers })).status);
    }
    found.push(
      (await createReport(caller, report, { headers: { "content-type": "application/json" } })).status,
    );
    found.push((await caller.call("POST", "/sp/keywords/list", {}, { type: "application/json" })).status);
    return found;
  };
  assert.deepEqual(await statuses(), [200, 200, 200, 415]);
  caller.emulator.setQuirks({ strictMediaTypes: true });
  assert.deepEqual(await statuses(), [415, 415, 415, 415]);
});

Deno.test("bids and budgets have the published limits of their market and product", async () => {
  await using caller = await Caller.start();
  const { json } = await caller.call("GET", "/sb/keywords", undefined, {
    profile: caller.profile("US"),
    headers: { accept: "application/vnd.sbkeyword.v3.2+json" },
  });
  const open = json.find((keyword: { state: string }) => keyword.state === "enabled");
  const { keywordId, adGroupId, campaignId } = open;
  const body = `[{"keywordId":${keywordId},"adGroupId":${adGroupId},"campaignId":${campaignId},"bid":49.01}]`;
  const type = "application/vnd.sbkeywordresponse.v3+json";
  const headers = { accept: type, "content-type": "application/json" };
  const refused = await caller.call("PUT", "/sb/keywords", undefined, { raw: body, headers });
  assert.match(refused.text, /Bid must be from 0.(1|25) to 49/);
});

Deno.test("events of the change history use the published words", async () => {
  await using caller = await Caller.start();
  const { adGroupId, campaignId } = openOf(caller, "sp.ad_groups");
  const negative = {
    campaignId,
    adGroupId,
    keywordText: "cheap tent",
    matchType: "NEGATIVE_EXACT",
    state: "ENABLED",
  };
  await caller.call("POST", "/sp/negativeKeywords", { negativeKeywords: [negative] }, {
    type: "application/vnd.spNegativeKeyword.v3+json",
  });
  const toDate = Date.parse("2026-09-30T12:00:00Z");
  const { json } = await caller.call("POST", "/history", {
    eventTypes: { NEGATIVE_KEYWORD: { parents: [{ useProfileIdAdvertiser: true }] } },
    fromDate: toDate - 3_600_000,
    toDate,
  }, { type: "application/json" });
  const event = json.events.find((each: { entityType: string }) => each.entityType === "NEGATIVE_KEYWORD");
  assert.equal(event.metadata.negativeTargetingType, "NEGATIVE_KEYWORD_EXACT");
  assert.equal(event.metadata.keywordType, undefined);
  assert.equal("previousValue" in event, false);
});
