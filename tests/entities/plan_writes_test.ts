import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { BadItemsError, SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { fakeScope } from "../support/fake_scope.ts";

const KEYWORDS: Fields[] = [
  {
    keywordId: "1",
    campaignId: "11",
    adGroupId: "21",
    keywordText: "red shoes",
    matchType: "EXACT",
    bid: 0.5,
  },
  { keywordId: "2", campaignId: "11", adGroupId: "21", keywordText: "old shoes", matchType: "EXACT" },
].map((keyword, index) => ({ ...keyword, state: index === 0 ? "ENABLED" : "ARCHIVED" }));

function products(): SponsoredProducts {
  return new SponsoredProducts(fakeScope(({ json }) => {
    const { include } = (json as { keywordIdFilter: { include: string[] } }).keywordIdFilter;
    return { keywords: KEYWORDS.filter(({ keywordId }) => include.includes(String(keywordId))) };
  }));
}

Deno.test("planUpdate holds what changes, with label and campaign, and nothing that is so already", async () => {
  const plan = await products().keywords.planUpdate([{ keywordId: "1", bid: 0.7, state: "enabled" }], {
    note: "raise",
  });
  deepEqual(plan.changes, [{
    kind: "sp.keywords",
    op: "update",
    id: "1",
    before: { bid: 0.5 },
    after: { bid: 0.7 },
    label: '"red shoes" (EXACT)',
    campaignId: "11",
  }]);
  equal(plan.note, "raise");
  equal((await products().keywords.planUpdate([{ keywordId: "1", bid: 0.5 }])).changes.length, 0);
});

Deno.test("planUpdate names ids that are not there, and warns of what is archived", async () => {
  const plan = await products().keywords.planUpdate([{ keywordId: "9", bid: 1 }, { keywordId: "2", bid: 1 }]);
  deepEqual(plan.missing, ["9"]);
  deepEqual(plan.changes.map(({ id, before }) => [id, before]), [["2", { bid: null }]]);
  equal(plan.warnings.length, 1);
});

Deno.test("a plan tells of amounts that are finer than the currency, and of no others", async () => {
  const { keywords, campaigns } = products();
  const fine = {
    campaignId: "11",
    adGroupId: "21",
    keywordText: "new",
    matchType: "EXACT",
    state: "ENABLED",
    bid: 1.1 * 1.05,
  };
  const told =
    (await keywords.planCreate([fine, { ...fine, bid: 1 / 3 }, { ...fine, bid: 0.1 + 0.2 }])).warnings;
  deepEqual(told, [
    '2 amounts have more than 2 decimals, such as the bid 1.155 of sp.keywords "new" (EXACT): the platform may round ' +
    "or refuse them",
  ]);
  match(
    (await keywords.planUpdate([{ keywordId: "1", bid: 0.555 }])).warnings.join(),
    /^1 amount has .*of sp\.keywords 1:/,
  );
  match(
    (await campaigns.planCreate([{ name: "x", state: "ENABLED", targetingType: "AUTO", budget: 9.999 }]))
      .warnings.join(),
    /the budget\.budget 9\.999 of/,
  );
  const yen = new SponsoredProducts({ ...fakeScope(() => ({})), countryCode: "JP" });
  match((await yen.keywords.planCreate([{ ...fine, bid: 12.5 }])).warnings.join(), /more than 0 decimals/);
  deepEqual((await yen.keywords.planCreate([{ ...fine, bid: 12 }])).warnings, []);
});

Deno.test("planUpdate refuses two changes of one entity", async () => {
  const items = [{ keywordId: "1", bid: 1 }, { keyword_id: "1", state: "PAUSED" }];
  await rejects(
    products().keywords.planUpdate(items),
    /Cannot plan two changes of one keyword: 1 is given twice/,
  );
});

Deno.test("every malformed item of a list is reported at once, and nothing is read or sent", async () => {
  const scope = fakeScope(() => {
    throw new Error("asked");
  });
  const { keywords } = new SponsoredProducts(scope);
  const bad = Array.from({ length: 150 }, () => ({ keywordId: "1", bid: Number.NaN }));
  const items = [{ keywordId: "5", bid: 1 }, ...bad];
  for (const step of [() => keywords.planUpdate(items), () => keywords.update(items)]) {
    await rejects(step, (error) => {
      ok(error instanceof BadItemsError);
      deepEqual([error.count, error.items.length, error.items[0]?.index], [150, 100, 1]);
      match(error.message, /^Cannot use 150 of the items:\n {2}item 1: .*bid.*\n(.*\n)*.*and 50 more$/);
      return true;
    });
  }
  const place = { campaignId: "11", adGroupId: "21", matchType: "EXACT", state: "ENABLED", keywordText: "a" };
  const news = [{ ...place, bid: -Infinity }, { ...place, bid: 1 }, { ...place, bid: Infinity }];
  for (const step of [() => keywords.planCreate(news), () => keywords.create(news)]) {
    await rejects(step, /Cannot use 2 of the items:\n {2}item 0: .*bid -Infinity.*\n {2}item 2: /);
  }
});

Deno.test("a plan of nothing asks nothing", async () => {
  const scope = fakeScope(() => {
    throw new Error("asked");
  });
  const { keywords } = new SponsoredProducts(scope);
  for (
    const plan of [
      await keywords.planUpdate([]),
      await keywords.planCreate([]),
      await keywords.planArchive([]),
    ]
  ) {
    deepEqual([plan.changes, plan.missing, plan.warnings], [[], [], []]);
  }
});

Deno.test("planArchive leaves out archived entities and names missing ones; plans themselves say that it is for good", async () => {
  const plan = await products().keywords.planArchive(["1", "2", "9", "1"]);
  deepEqual(plan.changes.map(({ id, before, after }) => [id, before, after]), [
    ["1", { state: "ENABLED" }, { state: "ARCHIVED" }],
  ]);
  deepEqual([plan.missing, plan.warnings], [["9"], []]);
});

Deno.test("planCreate of Brands ads keeps the format, which the create needs", async () => {
  const ads = [{
    ad_format: "video",
    adGroupId: "71",
    name: "v",
    state: "ENABLED",
    creative: { asins: ["B0"] },
  }];
  const plan = await new SponsoredBrands(fakeScope(() => undefined)).ads.planCreate(ads);
  equal(plan.changes[0]!.after["adFormat"], "video");
});

Deno.test("an update of Brands keywords reads the parents it lacks, and a keyword that is not there is told", async () => {
  const known = [
    { keywordId: 1, campaignId: 61, adGroupId: 71 },
    { keywordId: 3, campaignId: 62, adGroupId: 72 },
  ];
  const scope = fakeScope(({ method, json, params }) => {
    if (method === "GET") return known.slice(Number(params?.["startIndex"]));
    return (json as Fields[]).map(({ keywordId }) => ({ code: "SUCCESS", keywordId: Number(keywordId) }));
  });
  const heard: number[][] = [];
  const result = await new SponsoredBrands(scope).keywords.update([
    { keywordId: "1", bid: 0.5 },
    { keywordId: "2", bid: 0.6 },
    { keywordId: "3", bid: 0.7, adGroupId: "72" },
    { keywordId: "4", bid: 0.8, campaignId: "63", adGroupId: "73" },
  ], { onSending: (indexes) => void heard.push([...indexes]) });
  deepEqual(scope.requests[0]!.params!["keywordIdFilter"], ["1", "2", "3"], "only those that lack a parent");
  deepEqual(scope.requests.at(-1)!.json, [
    { keywordId: 1n, campaignId: 61n, adGroupId: 71n, bid: 0.5 },
    { keywordId: 3n, campaignId: 62n, adGroupId: 72n, bid: 0.7 },
    { keywordId: 4n, campaignId: 63n, adGroupId: 73n, bid: 0.8 },
  ]);
  deepEqual(heard, [[0, 2, 3]]);
  deepEqual(result.ids, ["1", "3", "4"]);
  const [error] = result.errors;
  deepEqual([error!.index, error!.code, error!.outcome], [1, "NOT_FOUND", "not_sent"]);
});

Deno.test("an update of Brands keywords none of which is there sends nothing", async () => {
  const scope = fakeScope(() => []);
  const result = await new SponsoredBrands(scope).keywords.update([{ keywordId: "2", bid: 0.6 }]);
  equal(result.summary(), "0 succeeded, 1 failed, 1 of them never sent");
  deepEqual(scope.requests.map(({ method }) => method), ["GET"]);
});

Deno.test("a parent that the caller gives is kept where another is read", async () => {
  const scope = fakeScope(({ method }) =>
    method === "GET" ? [{ keywordId: 1, campaignId: 61, adGroupId: 71 }] : [{ code: "SUCCESS", keywordId: 1 }]
  );
  await new SponsoredBrands(scope).keywords.update([{ keywordId: "1", campaignId: "99", bid: 0.5 }]);
  deepEqual(scope.requests.at(-1)!.json, [{ keywordId: 1n, campaignId: 99n, adGroupId: 71n, bid: 0.5 }]);
});
