import { deepEqual, equal, match, notEqual, ok } from "../support/assert.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { list, listAll, pick, PORTFOLIOS, resource, RESOURCES } from "./products.ts";

for (const { kind, collection, idField, idFilter } of [...RESOURCES, PORTFOLIOS]) {
  Deno.test(`${kind} are listed whole, in any page size, each once`, async () => {
    await using caller = await Caller.start();
    const all = caller.emulator.state.profile(caller.profile("US"))!.collection(kind).all();
    ok(all.length > 0);
    const size = Math.max(1, Math.ceil(all.length / 7));
    const pages = await listAll(caller, kind, { maxResults: size });
    deepEqual(pages.flat().map((entity) => entity[idField]), all.map((entity) => entity[idField]));
    const whole = await list(caller, kind, {});
    equal(whole.json.totalResults, all.length);
    equal(whole.json[collection].length, Math.min(all.length, 1000));
  });

  Deno.test(`${kind} are found by id, unknown ids left out`, async () => {
    await using caller = await Caller.start();
    const wanted = pick(caller, kind, () => true)[idField]!;
    const answer = await list(caller, kind, { [idFilter]: { include: [wanted, "404"] } });
    deepEqual(answer.json[collection].map((entity: JsonObject) => entity[idField]), [wanted]);
    equal(answer.json.nextToken, undefined);
  });
}

Deno.test("every n-th further page is empty and has a token all the same", async () => {
  await using caller = await Caller.start({ quirks: { emptyPageEvery: 2 } });
  const sizes = (await listAll(caller, "sp.keywords", { maxResults: 300 })).map((page) => page.length);
  deepEqual(sizes, [300, 300, 0, 300, 0, 300]);
});

Deno.test("extended data comes when it is asked for", async () => {
  await using caller = await Caller.start();
  const plain = await list(caller, "sp.campaigns", { maxResults: 1 });
  equal("extendedData" in plain.json.campaigns[0], false);
  const extended = await list(caller, "sp.campaigns", { maxResults: 1, includeExtendedDataFields: true });
  ok(extended.json.campaigns[0].extendedData.creationDateTime);
});

interface FilterCase {
  readonly kind: string;
  readonly by: string;
  readonly filter: (caller: Caller) => JsonObject;
  readonly holds: (entity: JsonObject, caller: Caller) => boolean;
}

const manual = (caller: Caller) => pick(caller, "sp.campaigns", (found) => found.targetingType === "MANUAL");

const FILTERS: readonly FilterCase[] = [
  {
    kind: "sp.keywords",
    by: "state",
    filter: () => ({ stateFilter: { include: ["PAUSED", "ARCHIVED"] } }),
    holds: (keyword) => keyword.state === "PAUSED" || keyword.state === "ARCHIVED",
  },
  {
    kind: "sp.keywords",
    by: "campaign",
    filter: (caller) => ({ campaignIdFilter: { include: [manual(caller).campaignId!] } }),
    holds: (keyword, caller) => keyword.campaignId === manual(caller).campaignId,
  },
  {
    kind: "sp.keywords",
    by: "words in the text",
    filter: () => ({ keywordTextFilter: { queryTermMatchType: "BROAD_MATCH", include: ["TENT"] } }),
    holds: (keyword) => String(keyword.keywordText).includes("tent"),
  },
  {
    kind: "sp.keywords",
    by: "the whole text",
    filter: (caller) => ({
      keywordTextFilter: {
        queryTermMatchType: "EXACT_MATCH",
        include: [pick(caller, "sp.keywords", () => true).keywordText!],
      },
    }),
    holds: (keyword, caller) => keyword.keywordText === pick(caller, "sp.keywords", () => true).keywordText,
  },
  {
    kind: "sp.keywords",
    by: "match type",
    filter: () => ({ matchTypeFilter: ["PHRASE"] }),
    holds: (found) => found.matchType === "PHRASE",
  },
  {
    kind: "sp.campaigns",
    by: "the whole name",
    filter: () => ({
      nameFilter: { queryTermMatchType: "EXACT_MATCH", include: ["SP | Headlamp 400 | Auto"] },
    }),
    holds: (campaign) => campaign.name === "SP | Headlamp 400 | Auto",
  },
  {
    kind: "sp.campaigns",
    by: "words in the name",
    filter: () => ({ nameFilter: { include: ["daypack", "poles"] } }),
    holds: (campaign) => /daypack|poles/i.test(String(campaign.name)),
  },
  {
    kind: "sp.campaigns",
    by: "portfolio",
    filter: (caller) => ({
      portfolioIdFilter: {
        include: [pick(caller, "sp.campaigns", (found) => found.portfolioId !== undefined).portfolioId!],
      },
    }),
    holds: (campaign, caller) =>
      campaign.portfolioId ===
        pick(caller, "sp.campaigns", (found) => found.portfolioId !== undefined).portfolioId,
  },
  {
    kind: "sp.ad_groups",
    by: "the campaign's targeting type",
    filter: () => ({ campaignTargetingTypeFilter: "AUTO" }),
    holds: (adGroup, caller) =>
      pick(caller, "sp.campaigns", (found) => found.campaignId === adGroup.campaignId).targetingType ===
        "AUTO",
  },
  {
    kind: "sp.targets",
    by: "expression type",
    filter: () => ({ expressionTypeFilter: { include: ["MANUAL"] } }),
    holds: (target) => target.expressionType === "MANUAL",
  },
  {
    kind: "sp.targets",
    by: "ASIN",
    filter: () => ({ asinFilter: { include: ["B0"] } }),
    holds: (target) => /"B0\w{8}"/.test(JSON.stringify(target.expression)),
  },
  {
    kind: "portfolios",
    by: "name",
    filter: () => ({ nameFilter: { include: ["sleep"] } }),
    holds: (found) => found.name === "Sleep Systems",
  },
];

for (const { kind, by, filter, holds } of FILTERS) {
  Deno.test(`${kind} are filtered by ${by}`, async () => {
    await using caller = await Caller.start();
    const { idField } = resource(kind);
    const all = caller.emulator.state.profile(caller.profile("US"))!.collection(kind).all();
    const expected = all.filter((entity) => holds(entity, caller)).map((entity) => entity[idField]);
    notEqual(expected.length, 0);
    notEqual(expected.length, all.length);
    const found = (await listAll(caller, kind, filter(caller))).flat();
    deepEqual(found.map((entity) => entity[idField]), expected);
  });
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

const REFUSED: readonly [kind: string, body: JsonObject, text: RegExp][] = [
  [
    "sp.keywords",
    { keywordIdFilter: { include: ids(1001) } },
    /keywordIdFilter.include must have at most 1000 items/,
  ],
  [
    "sp.keywords",
    { campaignIdFilter: { include: ids(101) } },
    /campaignIdFilter.include must have at most 100 items/,
  ],
  ["sp.keywords", { keywordIdFilter: { include: ["A1B2"] } }, /Id filter has invalid value/],
  ["sp.keywords", { keywordIdFilter: { include: [7] } }, /must be a non-empty list of strings/],
  ["sp.keywords", { keywordIdFilter: { include: [] } }, /must be a non-empty list of strings/],
  ["sp.keywords", { keywordIdFilter: ["7"] }, /must be an object/],
  ["sp.keywords", { keywordIdFilter: { include: ["7"], exclude: ["8"] } }, /exclude/],
  ["sp.keywords", { stateFilter: { include: ["enabled"] } }, /invalid values: \(enabled\)/],
  ["sp.keywords", { keywordTextFilter: { include: ["x"] } }, /queryTermMatchType/],
  ["sp.keywords", { matchTypeFilter: ["FUZZY"] }, /FUZZY/],
  ["sp.keywords", { maxResults: 0 }, /maxResults/],
  ["sp.keywords", { maxResults: 0 }, /maxResults/],
  ["sp.keywords", { maxResults: "5" }, /maxResults/],
  ["sp.keywords", { includeExtendedDataFields: "yes" }, /includeExtendedDataFields/],
  ["sp.keywords", { nextToken: "nonsense" }, /nextToken/],
  ["sp.keywords", { colour: "red" }, /not allowed with this API endpoint : colour/],
  ["sp.keywords", { constructor: {} }, /not allowed with this API endpoint : constructor/],
  ["sp.ad_groups", { campaignTargetingTypeFilter: "HALF" }, /AUTO or MANUAL/],
  ["portfolios", { stateFilter: { include: ["PAUSED"] } }, /Allowed values: \(ENABLED\)/],
  ["portfolios", { stateFilter: { include: ["ENABLED", "ENABLED"] } }, /at most 1 items/],
];

for (const [kind, body, text] of REFUSED) {
  Deno.test(`listing ${kind} with ${JSON.stringify(body).slice(0, 60)} is refused with 400`, async () => {
    await using caller = await Caller.start();
    const answer = await list(caller, kind, body);
    equal(answer.status, 400);
    equal(answer.json.code, "INVALID_ARGUMENT");
    match(answer.json.message, text);
  });
}

Deno.test("a page token is good for its own list only", async () => {
  await using caller = await Caller.start();
  const { nextToken } = (await list(caller, "sp.keywords", { maxResults: 5 })).json;
  equal((await list(caller, "sp.keywords", { maxResults: 9, nextToken })).status, 200);
  equal(
    (await list(caller, "sp.keywords", { maxResults: 5, nextToken, matchTypeFilter: ["EXACT"] })).status,
    400,
  );
  equal((await list(caller, "sp.campaigns", { maxResults: 5, nextToken })).status, 400);
  equal((await list(caller, "sp.keywords", { nextToken }, { profile: caller.profile("CA") })).status, 400);
});

Deno.test("requests as other clients send them are answered: larger pages, types of filters, media types", async () => {
  await using caller = await Caller.start();
  const post = (body: JsonObject, headers: Record<string, string>) =>
    caller.call("POST", "/sp/campaigns/list", body, { headers });
  const published = "application/vnd.spCampaign.v3+json";
  const bodies = [
    { maxResults: 5000 },
    { stateFilter: { filterType: "INCLUDE", include: ["ENABLED", "PAUSED"] } },
  ];
  for (const spelling of [published, published.toLowerCase(), "application/vnd.spcampaign.v3.1+json"]) {
    for (const body of bodies) {
      const answer = await post(body, { "content-type": spelling, accept: spelling });
      equal(answer.status, 200, `${spelling} ${JSON.stringify(answer.json)}`);
      ok(answer.json.campaigns.length > 0);
    }
  }
  const report = "application/vnd.createasyncreportrequest.v3+json";
  const created = await caller.call("POST", "/reporting/reports", {
    startDate: "2026-09-01",
    endDate: "2026-09-02",
    configuration: {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["campaign"],
      columns: ["impressions"],
      timeUnit: "SUMMARY",
      format: "GZIP_JSON",
    },
  }, { headers: { "content-type": report, accept: report } });
  equal(created.status, 200, JSON.stringify(created.json));

  await using strict = await Caller.start({ quirks: { strictMediaTypes: true } });
  const refused = await strict.call("POST", "/sp/campaigns/list", {}, {
    headers: { "content-type": "application/vnd.spcampaign.v3.1+json", accept: "*/*" },
  });
  equal(refused.status, 415);
});
