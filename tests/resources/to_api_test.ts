import { deepEqual, throws } from "node:assert/strict";
import { toApi } from "../../mod.ts";

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
