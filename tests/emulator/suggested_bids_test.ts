import assert from "node:assert/strict";
import { bidRange } from "../../src/emulator/core/marketplaces.ts";
import type { Answered } from "./caller.ts";
import { Caller } from "./caller.ts";

const typeOf = (version: string) => `application/vnd.spthemebasedbidrecommendation.${version}+json`;
const NEW = {
  recommendationType: "BIDS_FOR_NEW_AD_GROUP",
  asins: ["B000000001"],
  bidding: { strategy: "MANUAL" },
};
const keywords = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => ({ type: "KEYWORD_EXACT_MATCH", value: `trail tent ${index}` }),
  );
const product = (value: string) => ({ type: "PAT_ASIN", value });

function ask(
  caller: Caller,
  body: unknown,
  options: { version?: string; country?: string } = {},
): Promise<Answered> {
  const { version = "v4", country = "US" } = options;
  return caller.call("POST", "/sp/targets/bid/recommendations", body, {
    type: typeOf(version),
    profile: caller.profile(country),
  });
}

interface Recommendation {
  readonly targetingExpression: { readonly value: string };
  readonly bidValues: readonly { readonly suggestedBid: number }[];
}

Deno.test("suggested bids come by theme, low to high, within the marketplace's range, the same each time", async () => {
  await using caller = await Caller.start();
  for (const country of ["US", "JP", "MX"]) {
    const answer = await ask(caller, { ...NEW, targetingExpressions: keywords(60) }, { country });
    assert.equal(answer.headers.get("content-type"), typeOf("v4"));
    const themes = answer.json.bidRecommendations;
    assert.deepEqual(themes.map((each: { theme: string }) => each.theme), [
      "CONVERSION_OPPORTUNITIES",
      "FALL_PRIME_DEAL_EVENT",
    ]);
    const [low, high] = bidRange(country, "sp");
    for (const theme of themes) {
      for (const { bidValues } of theme.bidRecommendationsForTargetingExpressions as Recommendation[]) {
        const bids = bidValues.map((value) => value.suggestedBid);
        assert.deepEqual(bids, bids.toSorted((a, b) => a - b), country);
        assert.ok(bids.every((bid) => bid >= low && bid <= high), country);
      }
    }
    const again = await ask(caller, { ...NEW, targetingExpressions: keywords(60) }, { country });
    assert.equal(again.text, answer.text);
  }
});

Deno.test("some expressions come with one bid, some with none, and some do not come at all", async () => {
  await using caller = await Caller.start();
  const expressions = keywords(100);
  const { json } = await ask(caller, { ...NEW, targetingExpressions: expressions });
  const found: Recommendation[] = json.bidRecommendations[0].bidRecommendationsForTargetingExpressions;
  assert.deepEqual(new Set(found.map((each) => each.bidValues.length)), new Set([0, 1, 3]));
  assert.ok(found.length > 80 && found.length < 100, `${found.length} of 100`);
  const order = expressions.map(({ value }) => value)
    .filter((value) => found.some((each) => each.targetingExpression.value === value));
  assert.deepEqual(found.map((each) => each.targetingExpression.value), order);
});

Deno.test("the bids of an existing ad group need one, in its campaign", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const [adGroup, other] = profile.collection("sp.ad_groups").all();
  const existing = { recommendationType: "BIDS_FOR_EXISTING_AD_GROUP", targetingExpressions: keywords(3) };
  const { adGroupId, campaignId } = adGroup!;
  assert.equal((await ask(caller, { ...existing, adGroupId, campaignId })).status, 200);
  const elsewhere = await ask(caller, { ...existing, adGroupId, campaignId: other!.campaignId });
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [422, "UNPROCESSABLE_ENTITY"]);
  assert.equal((await ask(caller, { ...existing, campaignId })).status, 400);
});

const REFUSED: [string, unknown, number, RegExp][] = [
  [
    "keywords and products",
    [...keywords(1), product("B000000001")],
    422,
    /^All targeting expressions should have the same/,
  ],
  [
    "keywords and automatic",
    [...keywords(1), { type: "CLOSE_MATCH" }],
    422,
    /^All targeting expressions should/,
  ],
  [
    "a campaign's product type",
    [{ type: "ASIN_SAME_AS", value: "B000000001" }],
    422,
    /ASIN_SAME_AS is not supported/,
  ],
  ["expanded products", [{ type: "ASIN_EXPANDED_FROM", value: "B000000001" }], 422, /ASIN_EXPANDED_FROM/],
  ["a type named like a method", [{ type: "constructor", value: "x" }], 422, /constructor is not supported/],
  ["101 expressions", keywords(101), 400, /1 to 100/],
  ["no expressions", [], 400, /1 to 100/],
  ["a keyword without text", [{ type: "KEYWORD_EXACT_MATCH" }], 400, /must have a value/],
  ["an expression that is text", ["tent"], 400, /must have a type/],
  ["a number as value", [{ type: "PAT_ASIN", value: 7 }], 400, /must be a text/],
];
Deno.test("expressions that cannot be priced are 422, malformed ones 400", async () => {
  await using caller = await Caller.start();
  for (const [what, targetingExpressions, status, details] of REFUSED) {
    const answer = await ask(caller, { ...NEW, targetingExpressions });
    assert.equal(answer.status, status, what);
    assert.match(answer.json.details, details, what);
  }
});

const MALFORMED: [string, Record<string, unknown>][] = [
  ["no recommendation type", { recommendationType: undefined }],
  ["no products", { asins: [] }],
  ["51 products", { asins: Array(51).fill("B000000001") }],
  ["no strategy", { bidding: {} }],
  ["an adjustment of 901 percent", {
    bidding: { strategy: "MANUAL", adjustments: [{ predicate: "PLACEMENT_TOP", percentage: 901 }] },
  }],
  ["an unknown placement", {
    bidding: { strategy: "MANUAL", adjustments: [{ predicate: "TOP", percentage: 1 }] },
  }],
];
Deno.test("a new ad group needs products and a strategy", async () => {
  await using caller = await Caller.start();
  for (const [what, change] of MALFORMED) {
    const answer = await ask(caller, { ...NEW, targetingExpressions: keywords(1), ...change });
    assert.equal(answer.status, 400, what);
  }
});

Deno.test("Australia suggests nothing for products", async () => {
  await using caller = await Caller.start();
  const products = Array.from({ length: 20 }, (_, index) => product(`B0000000${10 + index}`));
  const body = { ...NEW, targetingExpressions: products };
  const count = (answer: Answered) =>
    answer.json.bidRecommendations[0].bidRecommendationsForTargetingExpressions.length;
  assert.equal(count(await ask(caller, body, { country: "AU" })), 0);
  assert.ok(count(await ask(caller, body)) > 10);
  assert.ok(
    count(await ask(caller, { ...body, targetingExpressions: keywords(20) }, { country: "AU" })) > 10,
  );
});

Deno.test("version 3 knows no products and adds impact, version 5 adds analyses when asked", async () => {
  await using caller = await Caller.start();
  const body = { ...NEW, targetingExpressions: keywords(10) };
  const third = await ask(caller, body, { version: "v3" });
  assert.equal(third.json.bidRecommendations[0].impactMetrics.clicks.values.length, 3);
  const products = { ...NEW, targetingExpressions: [product("B000000001")] };
  assert.equal((await ask(caller, products, { version: "v3" })).status, 422);
  assert.equal((await ask(caller, products, { version: "v5" })).status, 200);

  const fourth = await ask(caller, body);
  assert.equal(fourth.json.bidRecommendations[0].impactMetrics, undefined);
  const fifth = await ask(caller, { ...body, includeAnalysis: true }, { version: "v5" });
  const [theme] = fifth.json.bidRecommendations;
  const full = theme.bidAnalysesForTargetingExpressions.find((each: { bidAnalyses: { ALL: unknown[] } }) =>
    each.bidAnalyses.ALL.length === 3
  );
  assert.deepEqual(full.bidAnalyses.ALL.map((row: { type: string }) => row.type), [
    "SUGGESTED_LOWER",
    "SUGGESTED",
    "SUGGESTED_UPPER",
  ]);
  assert.ok(
    "estimatedImpressionLower" in
      theme.bidRecommendationsForTargetingExpressions[0].suggestedBidImpactMetrics,
  );
  const plain = await ask(caller, body, { version: "v5" });
  assert.equal(plain.json.bidRecommendations[0].bidAnalysesForTargetingExpressions, undefined);
});
