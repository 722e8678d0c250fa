import assert from "node:assert/strict";
import {
  ChangePlan,
  ConfigurationError,
  PlanDriftError,
  type ProfileClient,
  ThrottledError,
} from "../../mod.ts";
import type { Keyword } from "../../src/client/entities/sp.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

/** Some enabled keywords with a bid, of campaigns that serve. */
async function someKeywords({ us }: Emulated, count: number): Promise<Keyword[]> {
  const campaigns = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const adGroups = await us.sp.adGroups.list({ campaignIds: campaigns.map(({ campaignId }) => campaignId) });
  const open = new Set(adGroups.map(({ adGroupId }) => adGroupId));
  const keywords = await us.sp.keywords.list({ states: ["ENABLED"] });
  const found = keywords.filter(({ bid, adGroupId, campaignId }) =>
    bid !== undefined && open.has(adGroupId) &&
    campaigns.some((campaign) => campaign.campaignId === campaignId)
  );
  assert.ok(found.length >= count, `there are ${found.length}`);
  return found.slice(0, count);
}

async function bids(client: ProfileClient, keywords: readonly Keyword[]): Promise<(number | undefined)[]> {
  const found = await client.sp.keywords.getMany(keywords.map(({ keywordId }) => keywordId));
  return keywords.map(({ keywordId }) => found.get(keywordId)?.bid);
}

Deno.test("Log in, find an account, read, plan, review, save, apply, look, undo", async () => {
  await using at = await emulated();
  const { ads, us } = at;
  const profiles = await ads.profiles();
  assert.deepEqual([...new Set(profiles.map(({ region }) => region))].sort(), ["EU", "FE", "NA"]);
  await assert.rejects(ads.profile("DE"), ConfigurationError);
  assert.equal((await ads.profile("DE", { accountType: "seller" })).countryCode, "DE");

  const keywords = await someKeywords(at, 3);
  const before = keywords.map(({ bid }) => bid!);
  const wanted = [before[0]! + 0.1, 5000, before[2]! + 0.1];
  const asked = keywords.map(({ keywordId }, index) => ({ keywordId, bid: wanted[index]! }));
  const plan = await us.sp.keywords.planUpdate([...asked, { keywordId: "404404", bid: 1 }], {
    note: "raise",
  });
  assert.deepEqual(plan.missing, ["404404"]);
  assert.deepEqual(
    plan.table().map((row) => [row.id, row.before, row.after]),
    keywords.map(({ keywordId }, index) => [
      keywordId,
      before[index],
      wanted[index],
    ]),
  );
  assert.deepEqual(await bids(us, keywords), before, "planning sends nothing");

  const reviewed = ChangePlan.fromJson(plan.toJson());
  const result = await reviewed.apply(us, { checkDrift: true, sendAnyway: true });
  assert.equal(result.summary(), "update sp.keywords: 2 succeeded, 1 failed");
  const refused = result.failures[0]?.error;
  assert.deepEqual([refused!.index, refused!.errorType, refused!.outcome], [1, "biddingError", "refused"]);
  assert.ok(Number(refused!.upperLimit) < 5000);
  assert.deepEqual(await bids(us, keywords), [wanted[0], before[1], wanted[2]]);

  const undo = result.rollbackPlan();
  assert.deepEqual(undo.changes.map(({ id }) => id), [keywords[2]!.keywordId, keywords[0]!.keywordId]);
  (await undo.apply(us, { checkDrift: true })).raiseForErrors();
  assert.deepEqual(await bids(us, keywords), before);
});

Deno.test("Somebody else's change in between is drift, and nothing of the plan is sent", async () => {
  await using at = await emulated();
  const keywords = await someKeywords(at, 2);
  const plan = await at.us.sp.keywords.planUpdate(
    keywords.map(({ keywordId, bid }) => ({ keywordId, bid: bid! + 1 })),
  );
  await at.us.sp.keywords.update([{ keywordId: keywords[1]!.keywordId, bid: 0.77 }]);
  at.asked();
  await assert.rejects(plan.apply(at.us, { checkDrift: true }), (error: Error) => {
    assert.ok(error instanceof PlanDriftError);
    assert.deepEqual(error.drifted.map(({ id, field, actual }) => [id, field, actual]), [
      [keywords[1]!.keywordId, "bid", 0.77],
    ]);
    return true;
  });
  assert.ok(at.asked().every((request) => request === "POST /sp/keywords/list"));
});

Deno.test("A plan of one profile cannot be applied to another", async () => {
  await using at = await emulated();
  const keywords = await someKeywords(at, 1);
  const plan = await at.us.sp.keywords.planUpdate([{ keywordId: keywords[0]!.keywordId, bid: 0.33 }]);
  const ca = await at.ads.profile("CA");
  at.asked();
  await assert.rejects(plan.apply(ca), ConfigurationError);
  assert.deepEqual(at.asked(), []);
});

Deno.test("Tokens that expire in the middle of the work are renewed without a word", async () => {
  await using at = await emulated();
  at.emulator.expireTokens();
  assert.ok((await at.us.sp.campaigns.list()).length > 0);
  const campaigns = Promise.all(Array.from({ length: 20 }, () => at.us.sp.campaigns.list()));
  at.emulator.expireTokens();
  assert.equal(new Set((await campaigns).map((list) => list.length)).size, 1);
});

Deno.test("Rare 429s, lost connections and 5xx in a long read lose and repeat nothing", async () => {
  await using at = await emulated();
  const whole = await at.us.sp.keywords.list({ states: null });
  at.emulator.setFaults([
    { match: { path: "/sp/keywords/list" }, every: 3, effects: { response: { status: 429, retryAfter: 2 } } },
    { match: { path: "/sp/keywords/list" }, every: 5, effects: { drop: "after" } },
    { match: { path: "/sp/keywords/list" }, every: 7, effects: { response: { status: 503 } } },
    { match: { path: "/sp/keywords/list" }, every: 11, effects: { truncate: 100 } },
  ]);
  const again = await at.us.sp.keywords.list({ states: null, pageSize: 100 });
  assert.deepEqual(
    again.map(({ keywordId }) => keywordId).sort(),
    whole.map(({ keywordId }) => keywordId).sort(),
  );
  assert.ok(at.time.slept.length > 3);
});

Deno.test("When the second group of a plan is throttled for good, the first group's verdicts stand", async () => {
  await using at = await emulated({ client: { retry: { maxAttempts: 2 } } });
  const [keyword] = await someKeywords(at, 1);
  const [campaign] = await at.us.sp.campaigns.list({ states: ["ENABLED"] });
  const first = await at.us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.44 }]);
  const second = await at.us.sp.campaigns.planUpdate([{ campaignId: campaign!.campaignId, name: "Renamed" }]);
  const plan = new ChangePlan({
    profileId: at.us.profileId,
    countryCode: at.us.countryCode,
    changes: [...first.changes, ...second.changes],
  });
  at.emulator.setFaults([{
    match: { method: "PUT", path: "/sp/campaigns" },
    effects: { response: { status: 429, retryAfter: 1 } },
  }]);
  const result = await plan.apply(at.us, { checkDrift: true });
  assert.ok(result.stoppedBy instanceof ThrottledError);
  assert.deepEqual(result.changes.map(({ outcome, error }) => [outcome, error?.code]), [
    ["done", undefined],
    ["not_sent", "NOT_SENT"],
  ]);
  const undo = result.rollbackPlan();
  assert.deepEqual(undo.changes.map(({ id, after }) => [id, after]), [[keyword!.keywordId, {
    bid: keyword!.bid,
  }]]);
  assert.deepEqual(undo.warnings, []);
});

Deno.test("Ids past 2^53 go out and come back whole", async () => {
  await using at = await emulated();
  const profiles = await at.ads.profiles();
  const big = profiles.find(({ profileId }) => BigInt(profileId) > 2n ** 53n);
  assert.ok(big, "the demo account has such a profile");
  const client = await at.ads.profile(big.profileId);
  const campaigns = await client.sp.campaigns.list({ states: null });
  assert.ok(campaigns.length > 0);
  const ids = campaigns.map(({ campaignId }) => campaignId);
  assert.ok(ids.some((id) => BigInt(id) > 2n ** 53n));
  assert.deepEqual([...(await client.sp.campaigns.getMany(ids)).keys()].sort(), [...ids].sort());
});
