import assert from "node:assert/strict";
import { Caller } from "./caller.ts";
import { ask, BRANDS, CAMPAIGN, create, MONEY, PRODUCTS, query, refusalOf } from "./unified_caller.ts";

const BAD_ITEMS: readonly [what: string, change: Record<string, unknown>, code: string, field: string][] = [
  ["no name", { name: undefined }, "FIELD_VALUE_IS_NULL", "name"],
  [
    "a tiny budget",
    { budgets: MONEY(0.2) },
    "FIELD_VALUE_IS_BELOW_MINIMUM_LIMIT",
    "budgets[0].budgetValue.monetaryBudgetValue.monetaryBudget.value",
  ],
  [
    "a start in the past",
    { startDateTime: "2026-01-01T00:00:00Z" },
    "DATE_CANNOT_BE_IN_PAST",
    "startDateTime",
  ],
  ["an unknown portfolio", { portfolioId: "99" }, "FIELD_VALUE_NOT_FOUND", "portfolioId"],
  ["a state that no write sets", { state: "ARCHIVED" }, "FIELD_VALUE_IS_INVALID", "state"],
];

for (const [what, change, code, field] of BAD_ITEMS) {
  Deno.test(`a campaign with ${what} is refused alone`, async () => {
    await using caller = await Caller.start();
    const good = { ...CAMPAIGN, name: "Good one" };
    const { json } = await ask(caller, "create", "campaigns", {
      campaigns: [{ ...CAMPAIGN, ...change }, good],
    });
    assert.deepEqual(json.success.map(({ index }: { index: number }) => index), [1]);
    assert.deepEqual(json.partialSuccess, []);
    const [error] = json.error[0].errors;
    assert.deepEqual([error.code, error.fieldLocation], [code, `$.campaigns[0].${field}`]);
  });
}

Deno.test("a second campaign of a name, a bid out of range and bad keyword text have codes of their own", async () => {
  await using caller = await Caller.start();
  await create(caller, "campaigns", CAMPAIGN);
  assert.equal((await refusalOf(caller, "create", "campaigns", CAMPAIGN)).code, "FIELD_VALUE_NOT_UNIQUE");
  const [keyword] = await query(caller, "targets", { stateFilter: { include: ["ENABLED"] } });
  const { targetId, adGroupId } = keyword!;
  const error = await refusalOf(caller, "update", "targets", { targetId, bid: { bid: 5000 } });
  assert.deepEqual([error.code, error.fieldLocation], [
    "FIELD_VALUE_IS_OUT_OF_RANGE",
    "$.targets[0].bid.bid",
  ]);
  const words = await refusalOf(caller, "create", "targets", {
    adProduct: PRODUCTS,
    adGroupId,
    negative: false,
    state: "ENABLED",
    targetType: "KEYWORD",
    targetDetails: { keywordTarget: { keyword: "tent (blue)", matchType: "EXACT" } },
  });
  assert.deepEqual(
    [words.code, words.fieldLocation],
    ["FIELD_VALUE_CONTAINS_INVALID_CHARACTERS", "$.targets[0].targetDetails.keywordTarget.keyword"],
  );
});

const REFUSED: readonly [what: string, verb: string, body: unknown, status: number, message: RegExp][] = [
  ["no ad product", "query", {}, 400, /adProductFilter must include exactly one/],
  [
    "an unknown ad product",
    "query",
    { adProductFilter: { include: ["RADIO"] } },
    400,
    /invalid values: \(RADIO\)/,
  ],
  [
    "an unknown filter",
    "query",
    { adProductFilter: { include: [PRODUCTS] }, moodFilter: {} },
    400,
    /moodFilter/,
  ],
  [
    "a token of nowhere",
    "query",
    { adProductFilter: { include: [PRODUCTS] }, nextToken: "x" },
    400,
    /nextToken/,
  ],
  [
    "too many results",
    "query",
    { adProductFilter: { include: [PRODUCTS] }, maxResults: 1001 },
    400,
    /maxResults/,
  ],
  ["no items", "create", { campaigns: [] }, 400, /must not be empty/],
  ["an unknown field", "create", { campaigns: [{ ...CAMPAIGN, colour: "red" }] }, 400, /colour/],
  ["a value of another type", "create", { campaigns: [{ ...CAMPAIGN, name: 7 }] }, 400, /expected structure/],
  ["a list in place of an item", "update", { campaigns: [[]] }, 400, /expected structure/],
  ["ids that are numbers", "delete", { campaignIds: [1] }, 400, /list of texts/],
];

for (const [what, verb, body, status, message] of REFUSED) {
  Deno.test(`a unified ${verb} with ${what} is refused whole`, async () => {
    await using caller = await Caller.start();
    const answer = await ask(caller, verb, "campaigns", body);
    assert.equal(answer.status, status);
    assert.match(answer.json.message, message);
  });
}

Deno.test("single items are throttled by a fault, and keep their index", async () => {
  await using caller = await Caller.start({
    faults: [{ effects: { itemErrors: { errorType: "throttledError", at: [1] } } }],
  });
  const campaigns = ["a", "b", "c"].map((name) => ({ ...CAMPAIGN, name }));
  const { json } = await ask(caller, "create", "campaigns", { campaigns });
  assert.deepEqual(json.success.map(({ index }: { index: number }) => index).sort(), [0, 2]);
  assert.deepEqual([json.error[0].index, json.error[0].errors[0].code], [1, "TOO_MANY_REQUESTS"]);
});

Deno.test("Sponsored Brands targets that are no keywords are refused by name", async () => {
  await using caller = await Caller.start();
  const error = await refusalOf(caller, "create", "targets", {
    adProduct: BRANDS,
    adGroupId: "1",
    negative: false,
    state: "ENABLED",
    targetType: "THEME",
    targetDetails: { themeTarget: { matchType: "KEYWORDS_RELATED_TO_YOUR_BRAND" } },
  });
  assert.deepEqual([error.code, error.message], [
    "ACTION_NOT_SUPPORTED",
    "The emulator keeps no THEME targets of SPONSORED_BRANDS",
  ]);
});

Deno.test("tags are taken where they are published, and merged where the platform merges lists", async () => {
  for (const unifiedLists of ["replace", "merge"] as const) {
    await using caller = await Caller.start({ quirks: { unifiedLists } });
    const tag = (key: string, value: string) => ({ key, value });
    for (const [entity, adProduct] of TAGGED) {
      const one = (await query(caller, entity, {}, adProduct)).find(({ state }) => state !== "ARCHIVED");
      const idField = `${entity.slice(0, -1)}Id`;
      const set = async (tags: unknown) => {
        const { json } = await ask(caller, "update", entity, {
          [entity]: [{ [idField]: one![idField], tags }],
        });
        return json.success[0]?.[entity.slice(0, -1)].tags ?? json.error[0].errors[0].code;
      };
      const name = `${adProduct} ${entity}`;
      assert.deepEqual(await set([tag("team", "blue")]), [tag("team", "blue")], name);
      const both = unifiedLists === "merge" ? [tag("team", "blue")] : [];
      assert.deepEqual(await set([tag("region", "")]), [...both, tag("region", "")], name);
      const many = Array.from({ length: 51 }, (_, at) => tag(`k${at}`, "v"));
      assert.equal(await set(many), "FIELD_VALUE_IS_OUT_OF_RANGE", name);
    }
    for (const [entity, adProduct] of UNTAGGED) {
      const one = (await query(caller, entity, {}, adProduct)).find(({ state }) => state !== "ARCHIVED");
      const idField = `${entity.slice(0, -1)}Id`;
      const { status } = await ask(caller, "update", entity, {
        [entity]: [{ [idField]: one![idField], tags: [tag("team", "blue")] }],
      });
      assert.equal(status, 400, `${adProduct} ${entity}`);
    }
  }
});

const TAGGED = [
  ["campaigns", PRODUCTS],
  ["adGroups", PRODUCTS],
  ["ads", PRODUCTS],
  ["targets", PRODUCTS],
  ["campaigns", BRANDS],
  ["adGroups", BRANDS],
  ["ads", BRANDS],
  ["campaigns", "SPONSORED_DISPLAY"],
] as const;
const UNTAGGED = [
  ["targets", BRANDS],
  ["adGroups", "SPONSORED_DISPLAY"],
  ["ads", "SPONSORED_DISPLAY"],
  ["targets", "SPONSORED_DISPLAY"],
] as const;
