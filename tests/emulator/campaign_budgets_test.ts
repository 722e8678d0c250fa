import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { rowsOf, sum } from "./report_caller.ts";

const USAGE = "application/vnd.spcampaignbudgetusage.v1+json";
const RECOMMENDATION = "application/vnd.budgetrecommendation.v3+json";
const INITIAL = "application/vnd.spinitialbudgetrecommendation.v3.4+json";
const SEASONS = "application/vnd.spbudgetrulesrecommendation.v3+json";
const OPTIMIZATION = "application/vnd.spoptimizationrules.v1+json";
const JSON_TYPE = "application/json";

function us(caller: Caller) {
  return caller.emulator.state.profile(caller.profile("US"))!;
}

function campaignIds(caller: Caller, state = "ENABLED"): string[] {
  return us(caller).collection("sp.campaigns").all()
    .filter((campaign) => campaign.state === state).map((campaign) => String(campaign.campaignId));
}

Deno.test("the use of a budget grows with the profile's day and starts anew on the next", async () => {
  await using caller = await Caller.start({ clock: { now: "2026-09-30T08:00:00Z", frozen: true } });
  const [campaignId] = campaignIds(caller);
  const [paused] = campaignIds(caller, "PAUSED");
  const ask = async () => {
    const body = { campaignIds: [campaignId, "77", paused] };
    const answer = await caller.call("POST", "/sp/campaigns/budget/usage", body, { type: USAGE });
    assert.equal(answer.status, 207);
    return answer.json;
  };
  const used = async () => (await ask()).success[0].budgetUsagePercent;
  const first = await ask();
  assert.deepEqual(first.error, [{
    campaignId: "77",
    index: 1,
    code: "NOT_FOUND",
    details: "77 was not found",
  }]);
  const { budget } = us(caller).collection("sp.campaigns").get(campaignId!)!.budget as { budget: number };
  assert.equal(first.success[0].budget, budget);
  assert.equal(first.success[0].usageUpdatedTimestamp, "2026-09-30T08:00:00.000Z");
  assert.deepEqual([first.success[1].index, first.success[1].budgetUsagePercent], [2, 0]);
  caller.emulator.advance(12 * 3600);
  await caller.logIn();
  const later = await used();
  assert.ok(later > first.success[0].budgetUsagePercent && later <= 100, `${later}`);
  caller.emulator.advance(12 * 3600);
  await caller.logIn();
  assert.ok(await used() < later);
});

Deno.test("the use of a budget is what reports say was spent of it", async () => {
  // Late in the evening of the last day of a month, in the time zone of the profile.
  await using caller = await Caller.start({ clock: { now: "2026-10-01T06:30:00Z", frozen: true } });
  const ids = campaignIds(caller);
  const use = await caller.call("POST", "/sp/campaigns/budget/usage", { campaignIds: ids }, { type: USAGE });
  const portfolio = us(caller).collection("portfolios").all().find(({ budget }) => budget !== undefined)!;
  const ofPortfolio = await caller.call("POST", "/portfolios/budget/usage", {
    portfolioIds: [portfolio.portfolioId],
  }, { type: "application/vnd.portfoliobudgetusage.v1+json" });
  const today = await rowsOf(caller, "sp_campaigns", { start: "2026-09-30", end: "2026-09-30" });
  const month = [
    ...await rowsOf(caller, "sp_campaigns", { start: "2026-09-01", end: "2026-09-30" }),
    ...await rowsOf(caller, "sb_campaigns", { start: "2026-09-01", end: "2026-09-30" }),
  ];

  let used = 0;
  for (const { campaignId, budget, budgetUsagePercent } of use.json.success) {
    const { budgetType } = us(caller).collection("sp.campaigns").get(campaignId)!.budget as JsonObject;
    const spent = sum(today.filter((row) => String(row.campaignId) === campaignId), "cost");
    const share = budgetType === "LIFETIME" ? budget / 120 : budget;
    assert.equal(budgetUsagePercent, Number((100 * spent / share).toFixed(2)), `of campaign ${campaignId}`);
    if (budgetUsagePercent > 20) used++;
  }
  assert.ok(used > 3, `${used} campaigns have used up something`);

  const members = new Set(
    ["sp.campaigns", "sb.campaigns"].flatMap((kind) => us(caller).collection(kind).all())
      .filter(({ portfolioId }) => portfolioId === portfolio.portfolioId).map(({ campaignId }) => campaignId),
  );
  const cost = sum(month.filter((row) => members.has(String(row.campaignId))), "cost");
  const { amount } = portfolio.budget as { amount: number };
  assert.equal(
    ofPortfolio.json.success[0].budgetUsagePercent,
    Number(Math.min(100, 100 * cost / amount).toFixed(2)),
  );
});

Deno.test("the use of a portfolio's budget can be asked for when it has one", async () => {
  await using caller = await Caller.start();
  const portfolios = us(caller).collection("portfolios").all();
  const portfolioIds = portfolios.slice(0, 2).map((portfolio) => portfolio.portfolioId);
  const { json } = await caller.call("POST", "/portfolios/budget/usage", { portfolioIds }, {
    type: "application/vnd.portfoliobudgetusage.v1+json",
  });
  assert.equal(json.success[0].portfolioId, portfolioIds[0]);
  assert.deepEqual(json.error[0], {
    portfolioId: portfolioIds[1],
    index: 1,
    code: "INVALID_ARGUMENT",
    details: `${portfolioIds[1]} has no budget`,
  });
});

Deno.test("budget recommendations tell what was missed; archived and unknown campaigns are told apart by index", async () => {
  await using caller = await Caller.start();
  const ids = [...campaignIds(caller).slice(0, 3), "12", campaignIds(caller, "ARCHIVED")[0]];
  const { json } = await caller.call("POST", "/sp/campaigns/budgetRecommendations", { campaignIds: ids }, {
    type: RECOMMENDATION,
  });
  assert.deepEqual(json.budgetRecommendationsErrorResults.map((each: { index: number }) => each.index), [
    3,
    4,
  ]);
  assert.equal(json.budgetRecommendationsErrorResults[0].Error.code, "NOT_FOUND");
  for (const each of json.budgetRecommendationsSuccessResults) {
    const missed = each.sevenDaysMissedOpportunities;
    assert.deepEqual([missed.startDate, missed.endDate], ["2026-09-23", "2026-09-29"]);
    assert.ok(missed.estimatedMissedClicksLower <= missed.estimatedMissedClicksUpper);
    const { budget } = us(caller).collection("sp.campaigns").get(each.campaignId)!.budget as {
      budget: number;
    };
    assert.ok(each.suggestedBudget >= budget);
  }
});

const PLAN = {
  adGroups: [{ asins: ["B000000001"], targetingExpressions: [{ type: "CLOSE_MATCH" }] }],
  bidding: { strategy: "MANUAL" },
  targetingType: "auto",
};
Deno.test("the budget for a campaign that does not exist yet comes with the seasons ahead", async () => {
  await using caller = await Caller.start();
  const path = "/sp/campaigns/initialBudgetRecommendation";
  const { json } = await caller.call("POST", path, PLAN, { type: INITIAL });
  assert.ok(json.dailyBudget > 1);
  assert.equal(json.benchmark.benchmarkStatus, "success");
  assert.deepEqual(json.specialEvents.map((event: { startDate: string }) => event.startDate), [
    "2026-10-06",
    "2026-11-20",
    "2026-12-05",
  ]);
  for (const change of [{ adGroups: [] }, { bidding: {} }, { targetingType: "AUTO" }, { adGroups: [{}] }]) {
    const answer = await caller.call("POST", path, { ...PLAN, ...change }, { type: INITIAL });
    assert.equal(answer.status, 400, JSON.stringify(change));
    assert.deepEqual(Object.keys(answer.json), ["message"]);
  }
});

Deno.test("a campaign is tied to budget rules and untied again", async () => {
  await using caller = await Caller.start();
  const all = await caller.call("GET", "/sp/budgetRules?pageSize=1");
  const next = await caller.call("GET", `/sp/budgetRules?pageSize=1&nextToken=${all.json.nextToken}`);
  assert.equal(next.json.nextToken, undefined);
  const [first, second] = [all, next].map((page) => page.json.budgetRulesForAdvertiserResponse[0].ruleId);
  const tied = campaignIds(caller).concat(campaignIds(caller, "PAUSED"));
  const campaignId = tied.at(-1);
  const path = `/sp/campaigns/${campaignId}/budgetRules`;
  const rules = async () => {
    const { json } = await caller.call("GET", path);
    return json.associatedRules.map((rule: { ruleId: string }) => rule.ruleId);
  };
  assert.deepEqual(await rules(), []);

  const add = (budgetRuleIds: string[]) => caller.call("POST", path, { budgetRuleIds }, { type: JSON_TYPE });
  const added = await add([first, "nobody", second]);
  assert.equal(added.status, 207);
  assert.deepEqual(added.json.responses.map((each: { code: string }) => each.code), [
    "SUCCESS",
    "NOT_FOUND",
    "SUCCESS",
  ]);
  assert.deepEqual(await rules(), [first, second]);
  assert.equal((await add([first])).json.responses[0].code, "INVALID_ARGUMENT");

  const removed = await caller.call("DELETE", `${path}/${first}`);
  assert.deepEqual([removed.status, removed.text], [200, "{}"]);
  assert.deepEqual(await rules(), [second]);
  assert.equal((await caller.call("DELETE", `${path}/${first}`)).status, 422);
});

Deno.test("a campaign is tied to optimization rules, with statuses for verdicts", async () => {
  await using caller = await Caller.start();
  const [rule] = us(caller).collection("sp.optimization_rules").all();
  const [campaignId] = campaignIds(caller);
  const body = { optimizationRuleIds: [rule!.ruleId, rule!.ruleId, "nobody"] };
  const { json } = await caller.call("POST", `/sp/campaigns/${campaignId}/optimizationRules`, body, {
    type: OPTIMIZATION,
  });
  assert.equal(json.code, "207");
  assert.deepEqual(json.responses.map((each: { code: string }) => each.code), ["200", "400", "404"]);
  assert.equal(json.responses[0].optimizationRuleId, rule!.ruleId);
});

Deno.test("budget-rule recommendations name the seasons that a campaign has ahead", async () => {
  await using caller = await Caller.start();
  const [campaignId] = campaignIds(caller);
  const { json } = await caller.call("POST", "/sp/campaigns/budgetRules/recommendations", { campaignId }, {
    type: SEASONS,
  });
  assert.deepEqual(json.recommendedBudgetRuleEvents[0], {
    eventId: "AUTUMN_DEALS_2026",
    eventName: "Autumn deal days",
    startDate: "2026-10-06",
    endDate: "2026-10-08",
    suggestedBudgetIncreasePercent: 30,
  });
});

const REFUSED: [string, string, string, unknown, number][] = [
  ["no campaigns", "/sp/campaigns/budget/usage", USAGE, { campaignIds: [] }, 400],
  ["101 campaigns", "/sp/campaigns/budget/usage", USAGE, { campaignIds: Array(101).fill("1") }, 400],
  ["numbers for ids", "/sp/campaigns/budgetRecommendations", RECOMMENDATION, { campaignIds: [1] }, 400],
  ["a field of nobody", "/sp/campaigns/budgetRecommendations", RECOMMENDATION, { campaigns: ["1"] }, 400],
  ["no campaign", "/sp/campaigns/budgetRules/recommendations", SEASONS, {}, 400],
  ["an unknown campaign", "/sp/campaigns/budgetRules/recommendations", SEASONS, { campaignId: "1" }, 404],
  ["rules of an unknown campaign", "/sp/campaigns/1/budgetRules", JSON_TYPE, { budgetRuleIds: ["x"] }, 404],
  ["26 rules", "/sp/campaigns/{id}/budgetRules", JSON_TYPE, { budgetRuleIds: Array(26).fill("x") }, 400],
  ["no rules", "/sp/campaigns/{id}/optimizationRules", OPTIMIZATION, { optimizationRuleIds: [] }, 400],
];
Deno.test("requests about budgets are refused with code and details, those about optimization rules with a message", async () => {
  await using caller = await Caller.start();
  const [campaignId] = campaignIds(caller);
  for (const [what, path, type, body, status] of REFUSED) {
    const answer = await caller.call("POST", path.replace("{id}", campaignId!), body, { type });
    assert.equal(answer.status, status, what);
    const field = path.endsWith("/optimizationRules") ? "message" : "details";
    assert.equal(typeof answer.json[field], "string", what);
  }
});
