import { deepEqual, equal } from "../support/assert.ts";
import { Caller } from "./caller.ts";
import { archive, newAdGroup, write } from "./products.ts";

function events(
  caller: Caller,
): [entityType: string, changeType: string, before: string | null, after: string | null][] {
  return caller.emulator.state.profile(caller.profile("US"))!.history()
    .map((
      { entityType, changeType, previousValue, newValue },
    ) => [entityType, changeType, previousValue, newValue]);
}

Deno.test("every change of a keyword is written down with its values before and after", async () => {
  await using caller = await Caller.start();
  const place = await newAdGroup(caller);
  const before = events(caller).length;
  const item = { ...place, keywordText: "tent", matchType: "EXACT", bid: 0.5, state: "ENABLED" };
  const { success } = await write(caller, ["POST", "sp.keywords"], [item]);
  const { keywordId } = success[0];
  caller.emulator.advance(60);
  await write(caller, ["PUT", "sp.keywords"], [{ keywordId, bid: 0.75, state: "PAUSED" }]);
  await write(caller, ["PUT", "sp.keywords"], [{ keywordId, bid: 0.75 }, { keywordId, bid: 5000 }]);
  await archive(caller, "sp.keywords", [keywordId]);
  deepEqual(events(caller).slice(before), [
    ["KEYWORD", "CREATED", null, "ENABLED"],
    ["KEYWORD", "STATUS", "ENABLED", "PAUSED"],
    ["KEYWORD", "BID_AMOUNT", "0.5", "0.75"],
    ["KEYWORD", "STATUS", "PAUSED", "ARCHIVED"],
  ]);
  const event = caller.emulator.state.profile(caller.profile("US"))!.history().at(-1)!;
  equal(event.entityId, keywordId);
  equal(event.timestamp, Date.parse("2026-09-30T12:01:00Z"));
  deepEqual(event.metadata, { ...place, keyword: "tent", keywordType: "KEYWORD_EXACT" });
});

Deno.test("budgets, names, dates, portfolios and placements of campaigns are followed", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await newAdGroup(caller);
  const before = events(caller).length;
  const portfolioId =
    caller.emulator.state.profile(caller.profile("US"))!.collection("portfolios").all()[0]!.portfolioId;
  await write(caller, ["PUT", "sp.campaigns"], [{
    campaignId,
    name: "Other",
    endDate: "2026-12-31",
    portfolioId,
    budget: { budget: 33, budgetType: "DAILY" },
    dynamicBidding: {
      strategy: "MANUAL",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 25 }],
    },
  }]);
  deepEqual(events(caller).slice(before).map(([, changeType, , after]) => [changeType, after]), [
    ["BUDGET_AMOUNT", "33"],
    ["NAME", "Other"],
    ["END_DATE", "2026-12-31"],
    ["PORTFOLIO_ID", portfolioId],
    ["SMART_BIDDING_STRATEGY", "MANUAL"],
    ["PLACEMENT_GROUP", "25"],
  ]);
});
