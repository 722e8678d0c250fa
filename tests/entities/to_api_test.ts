import { deepEqual, equal, throws } from "../support/assert.ts";
import fc from "fast-check";
import { SponsoredProducts, toApi } from "../../mod.ts";
import { fakeScope } from "../support/fake_scope.ts";

Deno.test("toApi() gives camelCase names at every depth, in lists too", () => {
  deepEqual(
    toApi({
      ad_group_id: "1",
      dynamicBidding: { placement_bidding: [{ placement: "PLACEMENT_TOP", per_cent: 5 }] },
      landing_page: { page_type: "STORE" },
    }),
    {
      adGroupId: "1",
      dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", perCent: 5 }] },
      landingPage: { pageType: "STORE" },
    },
  );
});

Deno.test("toApi() leaves out null and undefined, and keeps false, zero and empty text", () => {
  deepEqual(toApi({ a: null, b: undefined, c: false, d: 0, e: "", f: { g: null } }), {
    c: false,
    d: 0,
    e: "",
    f: {},
  });
});

Deno.test("toApi() does not touch the keys of tags, which are the advertiser's own", () => {
  deepEqual(toApi({ tags: { cost_center: "a_b", Keep: null } }), {
    tags: { cost_center: "a_b", Keep: null },
  });
});

Deno.test("toApi() keeps fields it does not know, and leading underscores", () => {
  deepEqual(toApi({ _meta: 1, brandLogoAssetID: "x" }), { _meta: 1, brandLogoAssetID: "x" });
});

Deno.test("toApi() refuses one field in two spellings with different values", () => {
  throws(() => toApi({ keyword_text: "a", keywordText: "b" }), /gives "keywordText" in two spellings/);
  deepEqual(toApi({ keyword_text: "a", keywordText: "a" }), { keywordText: "a" });
});

for (const value of [null, undefined, 3, "text", [1]]) {
  Deno.test(`toApi() refuses ${JSON.stringify(value) ?? "undefined"}`, () => {
    throws(() => toApi(value), TypeError);
  });
}

Deno.test("toApi() does not change what it is given, and cannot be used to reach prototypes", () => {
  const input = JSON.parse(`{"__proto__": {"polluted": true}, "constructor": 1, "ad_group_id": "1"}`);
  const output = toApi(input);
  deepEqual(Object.keys(input), ["__proto__", "constructor", "ad_group_id"]);
  deepEqual(({} as Record<string, unknown>)["polluted"], undefined);
  deepEqual(Object.keys(output), ["constructor", "adGroupId"]);
  deepEqual(Object.getPrototypeOf(output), Object.prototype);
});

Deno.test("toApi() takes the noise of binary fractions off amounts, at every depth", () => {
  deepEqual(toApi({ bid: 0.1 + 0.2, budget: { budget: 1.1 * 1.1 }, list: [0.7 * 1.1, 4.35 * 100] }), {
    bid: 0.3,
    budget: { budget: 1.21 },
    list: [0.77, 435],
  });
});

Deno.test("toApi() leaves alone every amount that somebody wrote, and every integer", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), fc.nat(8), (digits, decimals) => {
      const amount = Number(`${digits}e-${decimals}`);
      equal(toApi({ amount })["amount"], amount);
    }),
  );
  for (const amount of [Number.MAX_SAFE_INTEGER, 2 ** 60, -0.02, 21_000_000_000.55, NaN, Infinity]) {
    equal(toApi({ amount })["amount"], amount);
  }
});

Deno.test("a raise by a tenth is planned, sent and undone as the amount that it is", async () => {
  const keyword = { keywordId: "1", state: "ENABLED", keywordText: "a", matchType: "EXACT", bid: 0.7 };
  const scope = fakeScope(() => ({ keywords: [keyword] }));
  const plan = await new SponsoredProducts(scope).keywords.planUpdate([{ keywordId: "1", bid: 0.7 * 1.1 }]);
  deepEqual(plan.table().map(({ before, after }) => [before, after]), [[0.7, 0.77]]);
});

Deno.test("toApi() refuses a Date, which would become an empty object", () => {
  throws(() => toApi({ start_date: new Date(0) }), /its "startDate" is a Date. Write a day as text/);
  throws(() => toApi({ budget: { endDate: new Date(0) } }), /its "endDate" is a Date/);
});
