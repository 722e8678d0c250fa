import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { errorsOf, list, newAdGroup, pick, resource, RESOURCES, write } from "./products.ts";

/** One good item of each kind, for an ad group that can hold it. */
function itemFor(kind: string, place: { campaignId: string; adGroupId: string }): JsonObject {
  const { campaignId } = place;
  switch (kind) {
    case "sp.campaigns":
      return {
        name: "New",
        state: "PAUSED",
        targetingType: "AUTO",
        budget: { budget: 5, budgetType: "DAILY" },
      };
    case "sp.ad_groups":
      return { campaignId, name: "New", defaultBid: 0.5, state: "ENABLED" };
    case "sp.keywords":
      return { ...place, keywordText: "new tent", matchType: "EXACT", bid: 0.5, state: "ENABLED" };
    case "sp.targets":
      return {
        ...place,
        expression: [{ type: "ASIN_SAME_AS", value: "B012345678" }],
        expressionType: "MANUAL",
        state: "ENABLED",
      };
    case "sp.negative_keywords":
      return { ...place, keywordText: "free", matchType: "NEGATIVE_EXACT", state: "ENABLED" };
    case "sp.campaign_negative_keywords":
      return { campaignId, keywordText: "free", matchType: "NEGATIVE_PHRASE", state: "ENABLED" };
    case "sp.negative_targets":
      return { ...place, expression: [{ type: "ASIN_SAME_AS", value: "B012345678" }], state: "ENABLED" };
    case "sp.campaign_negative_targets":
      return { campaignId, expression: [{ type: "ASIN_BRAND_SAME_AS", value: "77" }], state: "ENABLED" };
    default:
      return { ...place, sku: "SKU-1", state: "ENABLED" };
  }
}

for (const { kind, collection, idField, resultIdField, echoField, idFilter } of RESOURCES) {
  Deno.test(`a new ${kind} is listed; it is echoed when the caller asks for it`, async () => {
    await using caller = await Caller.start();
    const item = itemFor(kind, await newAdGroup(caller));
    const headers = { prefer: "return=representation" };
    const { success, error } = await write(caller, ["POST", kind], [item], { headers });
    deepEqual(error, []);
    const id = success[0][resultIdField];
    match(id, /^\d+$/);
    for (const [field, value] of Object.entries(item)) deepEqual(success[0][echoField][field] ?? null, value);
    const found = await list(caller, kind, { [idFilter]: { include: [id] } });
    equal(found.json[collection][0][idField], id);
  });

  Deno.test(`the same ${kind} twice is refused the second time, without an echo`, async () => {
    await using caller = await Caller.start();
    const item = itemFor(kind, await newAdGroup(caller));
    const verdicts = await write(caller, ["POST", kind], [item, item]);
    deepEqual(Object.keys(verdicts.success[0]).sort(), ["index", resultIdField].sort());
    equal(errorsOf(verdicts)[0]?.[1], "duplicateValueError");
  });
}

Deno.test("successes come in another order than the items, with their indexes", async () => {
  await using caller = await Caller.start();
  const place = await newAdGroup(caller);
  const items = Array.from(
    { length: 50 },
    (_, index) => ({ ...itemFor("sp.keywords", place), keywordText: `tent ${index}` }),
  );
  const { success } = await write(caller, ["POST", "sp.keywords"], items);
  const indexes = success.map(({ index }) => index);
  deepEqual([...indexes].sort((a, b) => a - b), items.map((_, index) => index));
  ok(indexes.some((index, position) => index !== position));
  for (const { index, keywordId } of success) {
    equal(pick(caller, "sp.keywords", (found) => found.keywordId === keywordId).keywordText, `tent ${index}`);
  }
});

Deno.test("an automatic campaign's ad group gets its four targets", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = await newAdGroup(caller, { targetingType: "AUTO" });
  const { json } = await list(caller, "sp.targets", { adGroupIdFilter: { include: [adGroupId] } });
  deepEqual(json.targetingClauses.map((target: JsonObject) => target.expressionType), [
    "AUTO",
    "AUTO",
    "AUTO",
    "AUTO",
  ]);
});

Deno.test("a campaign gets today as its start and a bidding strategy", async () => {
  await using caller = await Caller.start({ clock: { now: "2026-10-01T05:00:00Z", frozen: true } });
  await newAdGroup(caller);
  const campaign = pick(caller, "sp.campaigns", (found) => String(found.name).startsWith("Fresh"));
  equal(campaign.startDate, "2026-09-30");
  deepEqual(campaign.dynamicBidding, { strategy: "LEGACY_FOR_SALES", placementBidding: [] });
});

interface Refused {
  readonly kind: string;
  readonly change: (caller: Caller) => JsonObject | Promise<JsonObject>;
  readonly error: readonly [errorType: string, reason: string, field: string];
}

const archived = (caller: Caller) =>
  pick(caller, "sp.campaigns", (found) => found.state === "ARCHIVED").campaignId!;
const holder = (caller: Caller, kind: string) => {
  const { campaignId, adGroupId } = pick(caller, kind, (found) => {
    const campaign = pick(caller, "sp.campaigns", (one) => one.campaignId === found.campaignId);
    const adGroup = pick(caller, "sp.ad_groups", (one) => one.adGroupId === found.adGroupId);
    return found.state !== "ARCHIVED" && campaign.state === "ENABLED" && adGroup.state !== "ARCHIVED" &&
      (kind !== "sp.targets" || found.expressionType === "MANUAL");
  });
  return { campaignId: campaignId!, adGroupId: adGroupId! };
};

const REFUSED: readonly Refused[] = [
  {
    kind: "sp.keywords",
    change: () => ({ bid: 0.01 }),
    error: ["biddingError", "BID_OUT_OF_MARKET_PLACE_RANGE", "bid"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ bid: 1000.5 }),
    error: ["biddingError", "BID_OUT_OF_MARKET_PLACE_RANGE", "bid"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ keywordText: "a".repeat(81) }),
    error: ["malformedValueError", "TOO_LONG", "keywordText"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ keywordText: "tent!" }),
    error: ["malformedValueError", "FORBIDDEN_CHARS", "keywordText"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ matchType: "FUZZY" }),
    error: ["rangeError", "INVALID_ENUM_VALUE", "matchType"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ matchType: null }),
    error: ["missingValueError", "MISSING_VALUE", "matchType"],
  },
  {
    kind: "sp.keywords",
    change: () => ({ campaignId: "404" }),
    error: ["parentEntityError", "PARENT_ENTITY_NOT_FOUND", "campaignId"],
  },
  {
    kind: "sp.keywords",
    change: (caller) => ({ campaignId: archived(caller) }),
    error: ["parentEntityError", "PARENT_ENTITY_ARCHIVED", "campaignId"],
  },
  {
    kind: "sp.keywords",
    change: (caller) => ({ campaignId: holder(caller, "sp.keywords").campaignId }),
    error: ["parentEntityError", "PARENT_ENTITY_NOT_FOUND", "adGroupId"],
  },
  {
    kind: "sp.keywords",
    change: (caller) => newAdGroup(caller, { targetingType: "AUTO" }),
    error: [
      "targetingClauseSetupError",
      "TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN",
      "adGroupId",
    ],
  },
  {
    kind: "sp.keywords",
    change: (caller) => holder(caller, "sp.targets"),
    error: ["targetingClauseSetupError", "TYPE_CONFLICT_IN_AD_GROUP", "adGroupId"],
  },
  {
    kind: "sp.targets",
    change: (caller) => holder(caller, "sp.keywords"),
    error: ["targetingClauseSetupError", "TYPE_CONFLICT_IN_AD_GROUP", "adGroupId"],
  },
  {
    kind: "sp.targets",
    change: () => ({ expression: [{ type: "QUERY_BROAD_REL_MATCHES" }] }),
    error: ["targetingClauseSetupError", "AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY", "expression"],
  },
  {
    kind: "sp.targets",
    change: () => ({ expression: [{ type: "ASIN_SAME_AS", value: "tent" }] }),
    error: ["targetingClauseSetupError", "TARGETING_EXPRESSION_INVALID_VALUE", "expression[0].value"],
  },
  {
    kind: "sp.targets",
    change: () => ({ expression: [] }),
    error: ["missingValueError", "MISSING_VALUE", "expression"],
  },
  {
    kind: "sp.negative_keywords",
    change: () => ({ keywordText: "a b c d e", matchType: "NEGATIVE_BROAD" }),
    error: ["malformedValueError", "TOO_LONG", "keywordText"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ budget: { budget: 0.5, budgetType: "DAILY" } }),
    error: ["budgetError", "BUDGET_TOO_LOW", "budget.budget"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ budget: { budget: 2e6, budgetType: "DAILY" } }),
    error: ["budgetError", "BUDGET_TOO_HIGH", "budget.budget"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ budget: { budget: 5 } }),
    error: ["missingValueError", "MISSING_VALUE", "budget.budgetType"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ name: "n".repeat(129) }),
    error: ["malformedValueError", "TOO_LONG", "name"],
  },
  { kind: "sp.campaigns", change: () => ({ name: " " }), error: ["malformedValueError", "BLANK", "name"] },
  {
    kind: "sp.campaigns",
    change: () => ({ name: "SP | TREKKING poles | Auto" }),
    error: ["duplicateValueError", "NAME_NOT_UNIQUE", "name"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ portfolioId: "404" }),
    error: ["entityNotFoundError", "ENTITY_NOT_FOUND", "portfolioId"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ startDate: "2026-09-29" }),
    error: ["dateError", "START_DATE_EARLIER_THAN_TODAY", "startDate"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ endDate: "2026-09-01" }),
    error: ["dateError", "END_DATE_EARLIER_THAN_TODAY", "endDate"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ startDate: "2026-12-02", endDate: "2026-12-01" }),
    error: ["dateError", "START_DATE_AFTER_END_DATE", "startDate"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({ startDate: "2026-02-30" }),
    error: ["dateError", "INVALID_DATE", "startDate"],
  },
  {
    kind: "sp.campaigns",
    change: () => ({
      dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 901 }] },
    }),
    error: ["rangeError", "TOO_HIGH", "dynamicBidding.placementBidding[0].percentage"],
  },
  {
    kind: "sp.product_ads",
    change: () => ({ sku: null, asin: "B012345678" }),
    error: ["missingValueError", "MISSING_VALUE", "sku"],
  },
  {
    kind: "sp.product_ads",
    change: () => ({ asin: "tent" }),
    error: ["productIdentifierError", "INVALID_ASIN", "asin"],
  },
  {
    kind: "sp.ad_groups",
    change: () => ({ defaultBid: 0 }),
    error: ["biddingError", "BID_OUT_OF_MARKET_PLACE_RANGE", "defaultBid"],
  },
];

for (const { kind, change, error: [errorType, reason, field] } of REFUSED) {
  Deno.test(`a new ${kind} is refused with ${reason} at ${field}`, async () => {
    await using caller = await Caller.start();
    const good = itemFor(kind, await newAdGroup(caller));
    const verdicts = await write(caller, ["POST", kind], [good, { ...good, ...await change(caller) }]);
    deepEqual(verdicts.success.map(({ index }) => index), [0]);
    deepEqual(errorsOf(verdicts), [[1, errorType, reason, `$.${resource(kind).collection}[1].${field}`]]);
  });
}

Deno.test("a vendor's product ad needs an ASIN and no SKU", async () => {
  await using caller = await Caller.start();
  const profile = caller.profile("MX");
  const adGroup = caller.emulator.state.profile(profile)!.collection("sp.ad_groups").all()[0]!;
  const { campaignId, adGroupId } = adGroup;
  const ads = [{ campaignId, adGroupId, asin: "B0AAAAAAAA", state: "ENABLED" }, {
    campaignId,
    adGroupId,
    sku: "S",
    state: "ENABLED",
  }];
  const verdicts = await write(caller, ["POST", "sp.product_ads"], ads, { profile });
  deepEqual(errorsOf(verdicts), [[1, "missingValueError", "MISSING_VALUE", "$.productAds[1].asin"]]);
});

const WHOLE: readonly [what: string, body: unknown, text: RegExp][] = [
  [
    "a budget that is a bare number",
    { campaigns: [{ name: "x", budget: 5 }] },
    /^Request body does not match the expected structure$/,
  ],
  [
    "a field nobody knows",
    { campaigns: [{ name: "x", colour: "red" }] },
    /not allowed with this API endpoint : colour/,
  ],
  [
    "a state on the wrong level",
    { campaigns: [], state: "ENABLED" },
    /not allowed with this API endpoint : state/,
  ],
  ["a name that is a number", { campaigns: [{ name: 5 }] }, /expected structure/],
  ["tags that are no texts", { campaigns: [{ name: "x", tags: { a: 1 } }] }, /expected structure/],
  ["no items", { campaigns: [] }, /must not be empty/],
  ["null as an item", { campaigns: [null] }, /expected structure/],
  ["a list of nothing", {}, /must not be empty/],
  ["more than 1,000 items", { campaigns: Array(1001).fill({ name: "x" }) }, /at most 1000 items/],
];

for (const [what, body, text] of WHOLE) {
  Deno.test(`${what} refuses the whole request with 400 and creates nothing`, async () => {
    await using caller = await Caller.start();
    const before = caller.emulator.state.profile(caller.profile("US"))!.collection("sp.campaigns").size;
    const answer = await caller.call("POST", "/sp/campaigns", body, { type: resource("sp.campaigns").type });
    equal(answer.status, 400);
    equal(answer.json.code, "INVALID_ARGUMENT");
    match(answer.json.message, text);
    equal(caller.emulator.state.profile(caller.profile("US"))!.collection("sp.campaigns").size, before);
  });
}
