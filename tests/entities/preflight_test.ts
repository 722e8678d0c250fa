import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { Change } from "../../mod.ts";
import { findKind, KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { type Surroundings, UNREAD } from "../../src/plans/model/prior_state.ts";
import { preflight } from "../../src/client/entities/preflight/run_preflight.ts";
import { planSheet } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";

const WORDS = { keywordText: "red shoes", matchType: "EXACT", state: "ENABLED" };
const PLACE = { campaignId: "1", adGroupId: "2" };

/** A campaign with one ad group, and what else a test needs. */
function account(entities: Record<string, Record<string, unknown>> = {}): Surroundings {
  const all: Record<string, Record<string, unknown>> = {
    "sp.campaigns 1": {
      campaignId: "1",
      state: "ENABLED",
      targetingType: "MANUAL",
      budget: { budget: 10 },
      startDate: "2026-01-01",
    },
    "sp.ad_groups 2": { adGroupId: "2", campaignId: "1", state: "ENABLED" },
    ...entities,
  };
  return { ...UNREAD, unread: undefined, entity: (kind, id) => all[`${kind} ${id}`] };
}

function codes(
  change: Partial<Change> & { kind: string },
  now: Surroundings = account(),
  parts: { countryCode?: string; accountType?: string } = {},
): string[] {
  const whole: Change = { op: "create", id: null, before: {}, after: {}, label: "it", ...change };
  const { findings } = preflight([whole], {
    account: now,
    countryCode: "US",
    accountType: "seller",
    today: "2026-09-30",
    specOf: (kind) => findKind(kind, KINDS),
    ...parts,
  });
  for (const { message, level, change: at, refused } of findings) {
    ok(message.length > 10 && level === "advise" && at === 0 && refused === true, message);
  }
  return findings.map(({ code }) => code);
}

const keyword = (after: Record<string, unknown>): Partial<Change> & { kind: string } => ({
  kind: "sp.keywords",
  after: { ...PLACE, ...WORDS, ...after },
});
const update = (kind: string, after: Record<string, unknown>): Partial<Change> & { kind: string } => ({
  kind,
  op: "update",
  id: "9",
  after,
});

const BRANDS = account({
  "sb.campaigns 1": { campaignId: "1", state: "ENABLED", budget: 10 },
  "sb.ad_groups 2": { adGroupId: "2", campaignId: "1", state: "ENABLED" },
});
const brandsTarget = (
  type: string,
  value?: string,
  kind = "sb.targets",
): Partial<Change> & { kind: string } => ({
  kind,
  after: { ...PLACE, expressions: [{ type, ...(value === undefined ? {} : { value }) }] },
});

const CASES: Record<string, [Partial<Change> & { kind: string }, string[], Surroundings?]> = {
  "a good keyword": [keyword({ bid: 0.5 }), []],
  "a keyword without match type": [{
    ...keyword({}),
    after: { ...PLACE, keywordText: "a", state: "ENABLED" },
  }, ["MISSING_VALUE"]],
  "a Brands ad without a landing page": [
    { kind: "sb.ads", after: { adGroupId: "5", name: "New", state: "ENABLED", creative: {} } },
    ["MISSING_VALUE"],
    UNREAD,
  ],
  "a Brands video, whose page follows from its product": [
    {
      kind: "sb.ads",
      after: { adGroupId: "5", name: "New", state: "ENABLED", creative: {}, adFormat: "video" },
    },
    [],
    UNREAD,
  ],
  "a portfolio that begins paused": [
    { kind: "portfolios", after: { name: "New", state: "PAUSED" } },
    ["INVALID_ENUM_VALUE"],
  ],
  "a match type that there is not": [keyword({ matchType: "FUZZY" }), ["INVALID_ENUM_VALUE"]],
  "a keyword of 12 words": [keyword({ keywordText: "a b c d e f g h i j k l" }), ["TOO_MANY_WORDS"]],
  "a keyword with a bracket": [keyword({ keywordText: "shoes (red" }), ["FORBIDDEN_CHARACTER"]],
  "a bid of 999,999": [keyword({ bid: 999_999 }), ["BID_OUT_OF_MARKET_PLACE_RANGE"]],
  "a bid above the campaign's budget": [keyword({ bid: 11 }), ["BID_GT_BUDGET"]],
  "a bid of a tenth of a cent": [keyword({ bid: 0.501 }), ["PATTERN_NOT_MATCHED"]],
  "an unknown ad group": [keyword({ adGroupId: "3" }), ["PARENT_ENTITY_NOT_FOUND"]],
  "an ad group of another campaign": [
    keyword({ adGroupId: "4" }),
    ["PARENT_ENTITY_NOT_FOUND"],
    account({ "sp.ad_groups 4": { adGroupId: "4", campaignId: "5", state: "ENABLED" } }),
  ],
  "an archived ad group": [
    keyword({}),
    ["PARENT_ENTITY_ARCHIVED"],
    account({ "sp.ad_groups 2": { adGroupId: "2", campaignId: "1", state: "ARCHIVED" } }),
  ],
  "a keyword in an automatic campaign": [
    keyword({}),
    ["TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN"],
    account({ "sp.campaigns 1": { campaignId: "1", state: "ENABLED", targetingType: "AUTO" } }),
  ],
  "a keyword among targets": [keyword({}), ["TYPE_CONFLICT_IN_AD_GROUP"], {
    ...account(),
    holds: () => ["7"],
  }],
  "a product ad of a seller without SKU": [
    { kind: "sp.product_ads", after: { ...PLACE, asin: "B0ABCDEFGH", state: "ENABLED" } },
    ["MISSING_VALUE"],
  ],
  "a budget below the market's lowest": [
    update("sp.campaigns", { budget: { budget: 0.5, budgetType: "DAILY" } }),
    ["BUDGET_TOO_LOW"],
    account({ "sp.campaigns 9": { campaignId: "9", state: "ENABLED", budget: { budget: 10 } } }),
  ],
  "a budget below a bid of the campaign": [
    update("sp.campaigns", { budget: { budget: 2, budgetType: "DAILY" } }),
    ["BUDGET_LOWER_THAN_BID"],
    {
      ...account({ "sp.campaigns 9": { campaignId: "9", state: "ENABLED", budget: { budget: 10 } } }),
      highestBid: () => ({ kind: "sp.keywords", bid: 3 }),
    },
  ],
  "a Brands target of a product": [brandsTarget("asinSameAs", "B0ABCDEFGH"), [], BRANDS],
  "a Brands target of a brand": [brandsTarget("asinBrandSameAs", "8"), [], BRANDS],
  "a Brands target of no product": [
    brandsTarget("asinSameAs", "boots"),
    ["TARGETING_EXPRESSION_INVALID_VALUE"],
    BRANDS,
  ],
  "a Brands target without a value": [brandsTarget("asinBrandSameAs"), ["MISSING_VALUE"], BRANDS],
  "a Brands target of Display": [brandsTarget("similarProduct", "1"), ["INVALID_ENUM_VALUE"], BRANDS],
  "a Brands target of an audience": [brandsTarget("views", "1"), ["INVALID_ENUM_VALUE"], BRANDS],
  "a negative Brands target of a category": [
    brandsTarget("asinCategorySameAs", "7", "sb.negative_targets"),
    ["INVALID_ENUM_VALUE"],
    BRANDS,
  ],
  "a Brands target with an empty expression": [
    { kind: "sb.targets", after: { ...PLACE, expressions: [] } },
    ["MISSING_VALUE"],
    BRANDS,
  ],
  "a Brands target without an expression": [
    { kind: "sb.targets", after: PLACE },
    ["MISSING_VALUE"],
    BRANDS,
  ],
  "a Brands keyword that is a target": [
    {
      kind: "sb.keywords",
      after: { ...PLACE, keywordText: "a", matchType: "exact", expressions: [] },
    },
    ["TARGET_AS_KEYWORD"],
    BRANDS,
  ],
  "an archived keyword": [
    update("sp.keywords", { bid: 1 }),
    ["ARCHIVED_ENTITY_CANNOT_BE_MODIFIED"],
    account({ "sp.keywords 9": { ...PLACE, keywordId: "9", state: "ARCHIVED" } }),
  ],
  "a keyword of an archived campaign": [
    update("sp.keywords", { state: "PAUSED" }),
    ["PARENT_ARCHIVED_FORBIDS_UPDATES"],
    account({
      "sp.keywords 9": { ...PLACE, keywordId: "9", state: "ENABLED" },
      "sp.campaigns 1": { campaignId: "1", state: "ARCHIVED" },
    }),
  ],
  "a first day that is past": [
    {
      kind: "sp.campaigns",
      after: {
        name: "a",
        state: "ENABLED",
        targetingType: "MANUAL",
        budget: { budget: 5 },
        startDate: "2026-09-29",
      },
    },
    ["START_DATE_EARLIER_THAN_TODAY"],
  ],
  "a portfolio that there is not": [
    {
      kind: "sb.campaigns",
      after: { name: "a", state: "ENABLED", budget: 5, budgetType: "DAILY", portfolioId: "77" },
    },
    ["ENTITY_NOT_FOUND"],
  ],
};

for (const [what, [change, expected, now]] of Object.entries(CASES)) {
  Deno.test(`preflight of ${what}: ${expected.join(", ") || "nothing"}`, () =>
    deepEqual(codes(change, now), expected));
}

Deno.test("limits are those of the market, with its currency; doubtful ones refuse nothing", () => {
  const bid = keyword({ bid: 60 });
  const budget = { "sp.campaigns 1": { campaignId: "1", state: "ENABLED", budget: { budget: 500 } } };
  deepEqual(codes(bid, account(budget), { countryCode: "SE" }), []);
  const context = {
    account: account(budget),
    accountType: "seller",
    today: "2026-09-30",
    specOf: (kind: string) => findKind(kind, KINDS),
  };
  const change = { op: "create", id: null, before: {}, label: "it", ...keyword({ bid: 0.1 }) } as Change;
  const [sweden] = preflight([change], { ...context, countryCode: "SE" }).findings;
  deepEqual([sweden!.code, sweden!.allowed], ["BID_OUT_OF_MARKET_PLACE_RANGE", "0.18 to 9300 SEK"]);
  const egypt = preflight([{ ...change, after: { ...change.after, bid: 60 } }], {
    ...context,
    countryCode: "EG",
  });
  deepEqual(egypt.findings.map(({ code, refused }) => [code, refused]), [[
    "BID_OUT_OF_MARKET_PLACE_RANGE",
    undefined,
  ]]);
});

Deno.test("the second of two equal new keywords is refused, the first is not", () => {
  const change = { op: "create", id: null, before: {}, label: "it", ...keyword({}) } as Change;
  const other = { ...change, after: { ...change.after, keywordText: " RED shoes" } };
  const { findings } = preflight([change, other], {
    account: UNREAD,
    countryCode: "US",
    accountType: undefined,
    today: "2026-09-30",
    specOf: (kind) => findKind(kind, KINDS),
  });
  deepEqual(findings.filter(({ code }) => code === "DUPLICATE_VALUE").map(({ change }) => change), [1]);
});

Deno.test("a new keyword that is refused takes no place: its equal, and a target beside it, are not refused for it", () => {
  const refused = { op: "create", id: null, before: {}, label: "it", ...keyword({ bid: 999_999 }) } as Change;
  const equalOne = { ...refused, after: { ...refused.after, bid: 0.5 } };
  const expression = [{ type: "ASIN_SAME_AS", value: "B0PREF0001" }];
  const after = { ...PLACE, expression, expressionType: "MANUAL", state: "ENABLED" };
  const target: Change = { op: "create", id: null, before: {}, label: "it", kind: "sp.targets", after };
  for (const other of [equalOne, target]) {
    const { findings } = preflight([refused, other], {
      account: account(),
      countryCode: "US",
      accountType: undefined,
      today: "2026-09-30",
      specOf: (kind) => findKind(kind, KINDS),
    });
    deepEqual(findings.map(({ change, code }) => [change, code]), [[0, "BID_OUT_OF_MARKET_PLACE_RANGE"]]);
  }
});

Deno.test("a plan of creates can be made again: what is there already is left out and named", async () => {
  await using world = await emulated();
  const { keywords } = world.us.sp;
  const [near] = await keywords.list({ states: ["ENABLED"] });
  const { campaignId, adGroupId } = near!;
  const items = ["one", "two"].map((word) => ({
    campaignId,
    adGroupId,
    ...WORDS,
    keywordText: `idempotent ${word}`,
  }));
  const first = await keywords.planCreate(items);
  equal(first.changes.length, 2);
  (await first.apply(world.us)).raiseForErrors();
  const again = await keywords.planCreate([...items, { ...items[0]!, keywordText: "idempotent three" }]);
  deepEqual(again.changes.map(({ after }) => after["keywordText"]), ["idempotent three"]);
  deepEqual(again.findings.map(({ code, level }) => [code, level]), [["ALREADY_THERE", "note"], [
    "ALREADY_THERE",
    "note",
  ]]);
  const sent = await keywords.create([items[0]!]);
  equal(sent.errors[0]!.errorType, "duplicateValueError", "the platform would have refused it");
});

Deno.test("what would surely be refused is not sent, unless it is asked for", async () => {
  await using world = await emulated();
  const { keywords } = world.us.sp;
  const two = (await keywords.list({ states: ["ENABLED"] })).slice(0, 2);
  const items = two.map(({ keywordId }, at) => ({ keywordId, bid: at === 0 ? 999_999 : 0.77 }));
  const plan = await keywords.planUpdate(items);
  match(
    plan.toMarkdown(),
    /not sent: bid 999999 is outside the marketplace's range .*0\.02 to 1000 USD/,
  );
  world.asked();
  const result = await plan.apply(world.us);
  deepEqual(result.changes.map(({ outcome }) => outcome), ["not_sent", "done"]);
  equal(result.changes[0]!.error!.upperLimit, "1000");
  const anyway = await (await keywords.planUpdate([items[0]!])).apply(world.us, { sendAnyway: true });
  deepEqual(anyway.changes.map(({ outcome }) => outcome), ["refused"]);
});

Deno.test("a plan of archives names what is archived already", async () => {
  await using world = await emulated();
  const { keywords } = world.us.sp;
  const [a, b] = (await keywords.list()).map(({ keywordId }) => keywordId);
  await keywords.delete([a!]);
  const plan = await keywords.planArchive([a!, b!, "404404"]);
  deepEqual([plan.changes.map(({ id }) => id), plan.missing], [[b], ["404404"]]);
  match(plan.findings[0]!.message, new RegExp(`archived already: ${a}`));
});

Deno.test("a budget below the bid of a manual target is taken, and a Brands ad without a creative is not", async () => {
  await using world = await emulated({ checkRequests: false });
  const { us } = world;
  const [campaignId = ""] = (await us.sp.campaigns.create([
    { name: "Targets", state: "ENABLED", targetingType: "MANUAL", startDate: "2026-10-01", budget: 50 },
  ])).ids;
  const [adGroupId = ""] = (await us.sp.adGroups.create([
    { campaignId, name: "Targets", defaultBid: 0.4, state: "ENABLED" },
  ])).ids;
  const expression = [{ type: "ASIN_SAME_AS", value: "B0PREF0001" }];
  (await us.sp.targets.create([
    { campaignId, adGroupId, expression, expressionType: "MANUAL", bid: 20, state: "ENABLED" },
  ])).raiseForErrors();
  const budget = await us.sp.campaigns.planUpdate([{ campaignId, budget: 10 }]);
  deepEqual(budget.findings.filter(({ refused }) => refused), []);
  equal((await budget.apply(us)).changes[0]?.outcome, "done");

  const [group] = await us.sb.adGroups.list();
  const landingPage = { pageType: "PRODUCT_LIST", asins: ["B0PREF0001", "B0PREF0002", "B0PREF0003"] };
  const ad = await us.resource("sb.ads" as string).planCreate([
    { adGroupId: group?.adGroupId, name: "Bare", state: "ENABLED", landingPage },
  ]);
  equal((await ad.apply(us, { sendAnyway: true })).changes[0]?.outcome, "refused");
});

Deno.test("a negative that stops a live keyword of its own place is said, by match types, and nothing else is", () => {
  const own = [
    { keywordId: "11", keywordText: "Red  shoes", matchType: "EXACT" },
    { keywordId: "12", keywordText: "red shoes for men", matchType: "PHRASE" },
    { keywordId: "13", keywordText: "red shoes", matchType: "BROAD" },
  ];
  const now: Surroundings = {
    ...account(),
    keywordsIn: (_kind, place, id) => (place === "adGroupId" ? id === "2" : id === "1") ? own : [],
  };
  const context = {
    account: now,
    countryCode: "US",
    accountType: "seller",
    today: "2026-09-30",
    specOf: (kind: string) => findKind(kind, KINDS),
  };
  const negative = (keywordText: string, matchType: string, more: Partial<Change> = {}): Change => {
    const after = { ...PLACE, keywordText, matchType, state: "ENABLED" };
    return {
      ...{ kind: "sp.negative_keywords", op: "create", id: null, before: {}, label: "it", after },
      ...more,
    } as Change;
  };
  const said = (...changes: Change[]): string[] =>
    preflight(changes, context).findings.map(({ code, level, refused, message }) => {
      deepEqual([level, refused], ["advise", undefined]);
      return `${code} ${/stops (\d+|the) live/.exec(message)?.[1]} ${/\((\d+)\)/.exec(message)?.[1]}`;
    });
  deepEqual(said(negative("red shoes", "NEGATIVE_EXACT")), ["NEGATES_OWN_KEYWORD the 11"]);
  deepEqual(said(negative("red shoes", "NEGATIVE_PHRASE")), ["NEGATES_OWN_KEYWORD 2 11"]);
  deepEqual(said(negative("for men", "NEGATIVE_PHRASE")), ["NEGATES_OWN_KEYWORD the 12"]);
  deepEqual(said(negative("shoes red", "NEGATIVE_BROAD")), ["NEGATES_OWN_KEYWORD the 11"]);
  deepEqual(said(negative("red shoes for men", "NEGATIVE_EXACT")), []);
  deepEqual(said(negative("men for", "NEGATIVE_PHRASE")), []);
  const { adGroupId: _, ...ofCampaign } = negative("red shoes", "NEGATIVE_EXACT").after;
  const wide = { kind: "sp.campaign_negative_keywords", after: ofCampaign };
  deepEqual(said(negative("red shoes", "NEGATIVE_EXACT", wide)), ["NEGATES_OWN_KEYWORD the 11"]);

  const paused = { kind: "sp.keywords", op: "update", id: "11", before: { state: "ENABLED" }, label: "it" };
  const keyword11 = { ...PLACE, ...own[0], state: "ENABLED" };
  const withEntity = {
    ...context,
    account: {
      ...now,
      entity: (kind: string, id: string | null) =>
        kind === "sp.keywords" && id === "11" ? keyword11 : now.entity(kind, id),
    },
  };
  const pause = { ...paused, after: { state: "PAUSED" } } as Change;
  deepEqual(preflight([negative("red shoes", "NEGATIVE_EXACT"), pause], withEntity).findings, []);
  const planned = { ...pause, op: "create", id: null, before: {}, after: { ...PLACE, ...WORDS } } as Change;
  const both = preflight([
    { ...planned, after: { ...planned.after, keywordText: "new boots" } },
    negative("new boots", "NEGATIVE_EXACT"),
  ], context).findings;
  deepEqual(both.map(({ code, change }) => [code, change]), [["NEGATES_OWN_KEYWORD", 1]]);
});

Deno.test("every writer is told of negatives that stop an own keyword or name a product, as the weekly job refuses them", async () => {
  await using world = await emulated();
  const { us } = world;
  const [own] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ matchType }) =>
    matchType === "EXACT"
  );
  const { campaignId, adGroupId, keywordText, keywordId } = own!;
  const place = { campaignId, adGroupId, matchType: "NEGATIVE_EXACT", state: "ENABLED" };
  const items = [{ ...place, keywordText: keywordText.toUpperCase() }, {
    ...place,
    keywordText: "b0demo0001",
  }];
  const draft = us.plan();
  for (const item of items) draft.create("sp.negative_keywords", item);
  const sheet = [
    "Product,Entity,Operation,Campaign Id,Ad Group Id,State,Keyword Text,Match Type",
    ...items.map(({ keywordText: text }) =>
      `Sponsored Products,Negative keyword,create,${campaignId},${adGroupId},enabled,${text},negativeExact`
    ),
  ];
  const plans = [
    (await planSheet(us, { bytes: new TextEncoder().encode(sheet.join("\n")), name: "negatives.csv" })).plan,
    await us.sp.negativeKeywords.planCreate(items),
    await draft.build(),
    await us.planCall("sponsored-products:CreateSponsoredProductsNegativeKeywords", {
      negativeKeywords: items,
    }),
  ];
  for (const plan of plans) {
    deepEqual(plan.findings.map(({ code, change }) => [code, change]), [
      ["NEGATES_OWN_KEYWORD", 0],
      ["TARGET_AS_KEYWORD", 1],
    ]);
    match(plan.findings[0]!.message, new RegExp(`stops the live keyword .*${keywordId}`));
    match(plan.findings[1]!.hint!, /negative target/);
  }
});
