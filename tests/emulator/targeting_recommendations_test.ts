import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const REQUEST = "application/vnd.spproducttargeting.v3+json";
const response = (version: string) => `application/vnd.spproducttargetingresponse.${version}+json`;
const keywordType = (version: string) => `application/vnd.spkeywordsrecommendation.${version}+json`;
const ASINS = ["B000000001", "B000000002", "B000000003"];

function get(caller: Caller, path: string, version = "v3") {
  return caller.call("GET", path, undefined, { headers: { accept: response(version) } });
}

function post(caller: Caller, path: string, body: unknown, version = "v3") {
  return caller.call("POST", path, body, { headers: { "content-type": REQUEST, accept: response(version) } });
}

interface Node {
  readonly id: string;
  readonly name: string;
  readonly children: readonly Node[];
}

async function categories(caller: Caller): Promise<Node[]> {
  const { json } = await get(caller, "/sp/targets/categories?locale=en_US", "v5");
  const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
  return flat(JSON.parse(json.categoryTree));
}

Deno.test("the categories come as a tree inside a text, each with an id of its own", async () => {
  await using caller = await Caller.start();
  const all = await categories(caller);
  assert.ok(all.length > 30);
  assert.equal(new Set(all.map((category) => category.id)).size, all.length);
});

Deno.test("a category counts its products, fewer the narrower it is asked for, and more than any category below", async () => {
  await using caller = await Caller.start();
  const parent = (await categories(caller)).find((category) => category.name === "Camping & Hiking")!;
  const count = async (body: Record<string, unknown>) => {
    const { json } = await post(caller, "/sp/targets/products/count", body);
    assert.ok(json.asinCounts.min <= json.asinCounts.max);
    return json.asinCounts.min;
  };
  const whole = await count({ category: parent.id });
  assert.ok(whole > await count({ category: parent.children[0]!.id }));
  const priced = await count({ category: parent.id, priceRange: { min: 10, max: 20 } });
  assert.ok(whole > priced);
  assert.ok(
    priced > await count({ category: parent.id, priceRange: { min: 10, max: 20 }, isPrimeShipping: true }),
  );
});

Deno.test("refinements and category recommendations follow the version that is accepted", async () => {
  await using caller = await Caller.start();
  const all = await categories(caller);
  const { id } = all.find((category) => category.name === "Tents")!;
  const path = `/sp/targets/category/${id}/refinements`;
  assert.deepEqual(Object.keys((await get(caller, path)).json.ageRanges[0]), ["id", "name"]);
  assert.ok("translatedName" in (await get(caller, path, "v4")).json.ageRanges[0]);
  assert.ok(
    (await get(caller, path)).json.brands.some((brand: { name: string }) => brand.name === "Summitex"),
  );

  const recommend = async (version: string, change = {}) =>
    (await post(caller, "/sp/targets/categories/recommendations", { asins: ASINS, ...change }, version)).json
      .categories;
  const third = await recommend("v3");
  assert.ok(
    third.every((each: { id: string; canBeTargeted: boolean }) =>
      each.canBeTargeted && all.some((category) => category.id === each.id)
    ),
  );
  assert.ok("categoryPath" in (await recommend("v4"))[0]);
  assert.ok("translatedName" in (await recommend("v5"))[0]);
  assert.ok((await recommend("v3", { includeAncestor: true })).length > third.length);
});

Deno.test("product recommendations come one by one or by theme, and page with a cursor", async () => {
  await using caller = await Caller.start();
  const path = "/sp/targets/products/recommendations";
  const ask = (body: unknown, kind = "asins") =>
    caller.call("POST", path, body, {
      headers: {
        "content-type": "application/vnd.spproductrecommendation.v3+json",
        accept: `application/vnd.spproductrecommendationresponse.${kind}.v3+json`,
      },
    });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { json } = await ask({ adAsins: ASINS, count: 25, cursor });
    found.push(...json.recommendations.map((each: { recommendedAsin: string }) => each.recommendedAsin));
    cursor = json.nextCursor;
  } while (cursor !== undefined);
  assert.equal(new Set(found).size, 60);
  const themes = (await ask({ adAsins: ASINS.toReversed() }, "themes")).json.recommendations;
  assert.equal(themes.length, 3);
  assert.deepEqual(
    new Set(themes.flatMap((theme: { recommendedAsins: string[] }) => theme.recommendedAsins)),
    new Set(found),
  );
});

Deno.test("keyword recommendations leave out what the ad group has, and put the caller's own first", async () => {
  await using caller = await Caller.start();
  const keywords = caller.emulator.state.profile(caller.profile("US"))!.collection("sp.keywords").all();
  const { campaignId, adGroupId } = keywords[0]!;
  const own = new Set(
    keywords.filter((each) => each.adGroupId === adGroupId).map((each) => each.keywordText),
  );
  const ask = async (version: string, change = {}) => {
    const body = {
      recommendationType: "KEYWORDS_FOR_ADGROUP",
      campaignId,
      adGroupId,
      maxRecommendations: 20,
      ...change,
    };
    const { json } = await caller.call("POST", "/sp/targets/keywords/recommendations", body, {
      type: keywordType(version),
    });
    return json;
  };
  const fifth = await ask("v5", { targets: [{ keyword: "my own idea", matchType: "EXACT" }] });
  assert.equal(fifth.keywordTargetList.length, 20);
  const [selected, ...others] = fifth.keywordTargetList;
  assert.deepEqual([selected.keyword, selected.userSelectedKeyword], ["my own idea", true]);
  assert.ok(others.every((each: { keyword: string }) => !own.has(each.keyword)));
  assert.ok("searchTermImpressionShare" in selected && "impactMetrics" in fifth);
  const { bid, suggestedBid } =
    others.find((each: { bidInfo: unknown[] }) => each.bidInfo.length > 0).bidInfo[0];
  assert.ok(Number.isInteger(bid) && bid > 2, "bids are in cents");
  assert.ok(
    suggestedBid.rangeStart <= suggestedBid.suggested && suggestedBid.suggested <= suggestedBid.rangeEnd,
  );

  const order = (json: { keywordTargetList: { keyword: string }[] }) =>
    json.keywordTargetList.map((each) => each.keyword);
  assert.notDeepEqual(order(await ask("v4")), order(await ask("v4", { sortDimension: "CLICKS" })));
  const without = await ask("v4", { bidsEnabled: false });
  assert.ok(without.keywordTargetList.every((each: { bidInfo: unknown[] }) => each.bidInfo.length === 0));
  const third = await ask("v3", { recommendationType: "KEYWORDS_FOR_ASINS", asins: ASINS });
  assert.equal(third.length, 20);
  assert.ok(
    third.every((each: { matchType: string }) => ["EXACT", "PHRASE", "BROAD"].includes(each.matchType)),
  );
});

Deno.test("brands are listed and searched by any part of their name", async () => {
  await using caller = await Caller.start();
  const all = (await get(caller, "/sp/negativeTargets/brands/recommendations")).json;
  const search = async (keyword: string) =>
    (await post(caller, "/sp/negativeTargets/brands/search", { keyword })).json;
  assert.deepEqual(
    await search(" SUMMIT "),
    all.filter((brand: { name: string }) => brand.name === "Summitex"),
  );
  assert.deepEqual(await search("no such brand"), []);
});

const KEYWORDS = "/sp/targets/keywords/recommendations";
const REFUSED: [string, string, unknown, string, number][] = [
  ["a category of nobody", "/sp/targets/products/count", { category: "7" }, REQUEST, 422],
  ["no category", "/sp/targets/products/count", {}, REQUEST, 400],
  [
    "prices the wrong way round",
    "/sp/targets/products/count",
    { category: "3375000", priceRange: { min: 9, max: 1 } },
    REQUEST,
    422,
  ],
  [
    "six stars",
    "/sp/targets/products/count",
    { category: "3375000", ratingRange: { min: 1, max: 6 } },
    REQUEST,
    400,
  ],
  ["no products", "/sp/targets/categories/recommendations", { asins: [] }, REQUEST, 400],
  [
    "a locale like no other",
    "/sp/targets/categories/recommendations?locale=english",
    { asins: ASINS },
    REQUEST,
    400,
  ],
  ["a blank search", "/sp/negativeTargets/brands/search", { keyword: " " }, REQUEST, 400],
  ["no recommendation type", KEYWORDS, {}, keywordType("v5"), 400],
  [
    "an ad group of nobody",
    KEYWORDS,
    { recommendationType: "KEYWORDS_FOR_ADGROUP", campaignId: "1", adGroupId: "2" },
    keywordType("v5"),
    422,
  ],
  [
    "201 keywords",
    KEYWORDS,
    { recommendationType: "KEYWORDS_FOR_ASINS", asins: ASINS, maxRecommendations: 201 },
    keywordType("v5"),
    400,
  ],
];
Deno.test("requests for recommendations are refused with code and details", async () => {
  await using caller = await Caller.start({ quirks: { strictMediaTypes: true } });
  for (const [what, path, body, type, status] of REFUSED) {
    const answer = await caller.call("POST", path, body, { headers: { "content-type": type } });
    assert.equal(answer.status, status, what);
    assert.equal(typeof answer.json.details, "string", what);
  }
  assert.equal((await get(caller, "/sp/targets/category/5/refinements")).status, 422);
  assert.equal((await get(caller, "/sp/targets/categories", "v2")).status, 406);
});
