import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { SuggestedBids } from "../../mod.ts";
import type { Keyword, Target } from "../../src/client/entities/sp.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { type FakeScope, fakeScope } from "../support/fake_scope.ts";

interface Expression {
  readonly type: string;
  readonly value?: string;
}

/** A service that prices every expression by the length of its value, unless a function says otherwise. */
function priced(
  values: (expression: Expression) => number[] = ({ value = "" }) => [value.length / 10],
): FakeScope {
  return fakeScope(({ json }) => {
    const { targetingExpressions } = json as { targetingExpressions: Expression[] };
    const list = targetingExpressions.map((targetingExpression) => ({
      targetingExpression,
      bidValues: values(targetingExpression).map((suggestedBid) => ({ suggestedBid })),
    }));
    // The platform gives no order.
    return {
      bidRecommendations: [
        { theme: "CONVERSION_OPPORTUNITIES", bidRecommendationsForTargetingExpressions: list.reverse() },
      ],
    };
  });
}

function asked(
  { requests }: FakeScope,
): { campaignId?: string; adGroupId?: string; types: string[]; count: number }[] {
  return requests.map(({ json }) => {
    const { campaignId, adGroupId, targetingExpressions } = json as Fields & {
      targetingExpressions: Expression[];
    };
    const types = [...new Set(targetingExpressions.map(({ type }) => type))];
    return {
      ...(campaignId ? { campaignId, adGroupId } : {}),
      types,
      count: targetingExpressions.length,
    } as never;
  });
}

function keyword(number: number, place: Partial<Keyword> = {}): Keyword {
  return {
    keywordId: String(number),
    campaignId: "11",
    adGroupId: "21",
    keywordText: `word ${number}`,
    matchType: "EXACT",
    state: "ENABLED",
    ...place,
  };
}

function target(number: number, expression: Expression[], place: Partial<Target> = {}): Target {
  return {
    targetId: String(number),
    campaignId: "11",
    adGroupId: "21",
    expression,
    expressionType: "MANUAL",
    state: "ENABLED",
    ...place,
  };
}

const GROUP = { campaignId: "11", adGroupId: "21" };

Deno.test("suggestions come in the order of the expressions, families asked for apart", async () => {
  const scope = priced();
  const found = await new SuggestedBids(scope).forAdGroup({
    ...GROUP,
    expressions: [
      { type: "KEYWORD_BROAD_MATCH", value: "abc" },
      { type: "ASIN_SAME_AS", value: "B000000001" },
      { type: "QUERY_HIGH_REL_MATCHES" },
      { type: "EXACT", value: "ab" },
      { type: "KEYWORD_GROUP", value: "g" },
    ],
  });
  deepEqual(found.map(({ expression: { type }, suggested }) => [type, suggested]), [
    ["KEYWORD_BROAD_MATCH", 0.3],
    ["PAT_ASIN", 1],
    ["CLOSE_MATCH", 0],
    ["KEYWORD_EXACT_MATCH", 0.2],
    ["KEYWORD_GROUP", 0.1],
  ]);
  deepEqual(asked(scope).map(({ types }) => types), [
    ["KEYWORD_BROAD_MATCH", "KEYWORD_EXACT_MATCH"],
    ["PAT_ASIN"],
    ["CLOSE_MATCH"],
    ["KEYWORD_GROUP"],
  ]);
});

Deno.test("a hundred expressions go in a request, each once, and repeats get the same suggestion", async () => {
  const scope = priced();
  const expressions = [...Array(250).keys()].map((n) => ({ type: "EXACT", value: `word ${n % 240}` }));
  const found = await new SuggestedBids(scope).forAdGroup({ ...GROUP, expressions });
  deepEqual(asked(scope).map(({ count }) => count), [100, 100, 40]);
  equal(found.length, 250);
  ok(
    found.every(({ expression, suggested }, at) =>
      expression.value === expressions[at]!.value && suggested! > 0
    ),
  );
});

const PRICES: [number[], (number | undefined)[]][] = [
  [[0.5, 0.7, 0.9], [0.5, 0.7, 0.9]],
  [[0.7], [undefined, 0.7, undefined]],
  [[0.5, 0.9], [undefined, 0.5, undefined]],
  [[], [undefined, undefined, undefined]],
];
for (const [values, expected] of PRICES) {
  Deno.test(`${values.length} bid values are low, suggested and high: ${expected.map((bid) => bid ?? "none")}`, async () => {
    const bids = new SuggestedBids(priced(() => values));
    const [bid] = await bids.forAdGroup({ ...GROUP, expressions: [{ type: "EXACT", value: "a" }] });
    deepEqual([bid!.low, bid!.suggested, bid!.high], expected);
  });
}

Deno.test("a theme that the platform does not have now gives suggestions without prices", async () => {
  const bids = new SuggestedBids(priced());
  const found = await bids.forAdGroup({
    ...GROUP,
    expressions: [{ type: "EXACT", value: "a" }],
    theme: "PRIME_DAY",
  });
  deepEqual(found.map(({ theme, suggested }) => [theme, suggested]), [["PRIME_DAY", undefined]]);
});

Deno.test("all themes come by name, and the usual one even when the platform says nothing", async () => {
  const expressions = [{ type: "EXACT", value: "a" }];
  const silent = new SuggestedBids(fakeScope(() => ({ bidRecommendations: [] })));
  const found = await silent.forAdGroupAllThemes({ ...GROUP, expressions });
  deepEqual([...found].map(([theme, [bid]]) => [theme, bid!.suggested]), [[
    "CONVERSION_OPPORTUNITIES",
    undefined,
  ]]);
});

Deno.test("forKeywords asks ad group by ad group and answers by keyword id, every keyword in it", async () => {
  const scope = priced();
  const keywords = [
    keyword(1),
    keyword(2, { campaignId: "12", adGroupId: "22", matchType: "PHRASE" }),
    keyword(3, { matchType: "BROAD" }),
    keyword(4, { matchType: "OTHER" }),
  ];
  const found = await new SuggestedBids(scope).forKeywords(keywords);
  deepEqual([...found].map(([id, { suggested }]) => [id, suggested]), [
    ["1", 0.6],
    ["2", 0.6],
    ["3", 0.6],
    ["4", undefined],
  ]);
  deepEqual(asked(scope).map(({ adGroupId, count }) => [adGroupId, count]), [["21", 2], ["22", 1]]);
});

Deno.test("forTargets keeps input order and sets aside what no bid is suggested for", async () => {
  const targets = [
    target(1, [{ type: "ASIN_SAME_AS", value: "B000000001" }]),
    target(2, [{ type: "ASIN_EXPANDED_FROM", value: "B000000002" }]),
    target(3, [{ type: "ASIN_CATEGORY_SAME_AS", value: "3375022" }]),
    target(4, [{ type: "ASIN_CATEGORY_SAME_AS", value: "1" }, { type: "ASIN_PRICE_LESS_THAN", value: "9" }]),
    target(5, [{ type: "ASIN_SUBSTITUTE_RELATED" }], { adGroupId: "22", expressionType: "AUTO" }),
    target(6, [{ type: "SOMETHING_NEW", value: "x" }]),
    target(7, []),
  ];
  const { suggestions, unsupported } = await new SuggestedBids(priced()).forTargets(targets);
  deepEqual(suggestions.map(({ targetId, expression }) => [targetId, expression.type]), [
    ["1", "PAT_ASIN"],
    ["3", "PAT_CATEGORY"],
    ["5", "SUBSTITUTES"],
  ]);
  deepEqual(unsupported.map(({ targetId }) => targetId), ["2", "4", "6", "7"]);
});

Deno.test("nothing to ask is not asked", async () => {
  const scope = priced();
  const bids = new SuggestedBids(scope);
  deepEqual(await bids.forAdGroup({ ...GROUP, expressions: [] }), []);
  equal((await bids.forKeywords([])).size, 0);
  deepEqual(await bids.forTargets([]), { suggestions: [], unsupported: [] });
  equal(scope.requests.length, 0);
});

Deno.test("what cannot be asked is refused before anything is sent", async () => {
  const scope = priced();
  const bids = new SuggestedBids(scope);
  const expressions = [{ type: "EXACT", value: "a" }];
  await rejects(
    bids.forAdGroup({ ...GROUP, expressions: [...expressions, { type: "ASIN_EXPANDED_FROM", value: "B0" }] }),
    /expression of type "ASIN_EXPANDED_FROM"/,
  );
  await rejects(bids.forAdGroup({ ...GROUP, expressions: [{ type: "constructor" }] }), /type "constructor"/);
  await rejects(bids.forNewAdGroup({ asins: [], expressions }), /0 products: give 1 to 50/);
  await rejects(bids.forNewAdGroup({ asins: Array(51).fill("B000000001"), expressions }), /51 products/);
  await rejects(
    bids.forKeywords([keyword(1, { adGroupId: "" })]),
    /keyword 1: it lacks its campaignId or adGroupId/,
  );
  equal(scope.requests.length, 0);
});

Deno.test("two ad groups of one campaign are asked for apart, and so are two campaigns", async () => {
  const scope = priced();
  const places = [{}, { adGroupId: "22" }, { campaignId: "12", adGroupId: "23" }];
  const found = await new SuggestedBids(scope).forKeywords(places.map((place, n) => keyword(n, place)));
  deepEqual(asked(scope).map(({ campaignId, adGroupId }) => [campaignId, adGroupId]), [
    ["11", "21"],
    ["11", "22"],
    ["12", "23"],
  ]);
  deepEqual([...found.values()].map(({ suggested }) => suggested), [0.6, 0.6, 0.6]);
});

Deno.test("a suggestion is found again when the platform echoes the text in other case", async () => {
  const expression = { type: "KEYWORD_EXACT_MATCH", value: "Red Shoes" };
  const echoed = {
    targetingExpression: { ...expression, value: "red shoes" },
    bidValues: [{ suggestedBid: 1 }],
  };
  const scope = fakeScope(() => ({
    bidRecommendations: [
      { theme: "CONVERSION_OPPORTUNITIES", bidRecommendationsForTargetingExpressions: [echoed] },
    ],
  }));
  const [suggestion] = await new SuggestedBids(scope).forAdGroup({ ...GROUP, expressions: [expression] });
  deepEqual([suggestion!.expression, suggestion!.suggested], [expression, 1]);
});
