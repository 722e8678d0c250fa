import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { isReadOnly } from "../../src/platform/catalog/operation.ts";

for (
  const [operationId, method, path, expected, why] of [
    ["anything", "GET", "/sp/create/x", true, "every GET reads"],
    ["deleteThing", "GET", "/x", true, "every GET reads, whatever its name"],
    ["listThings", "PUT", "/things/list", false, "a PUT never reads"],
    ["getThings", "PATCH", "/things", false, "a PATCH never reads"],
    ["queryThings", "DELETE", "/things/query", false, "a DELETE never reads"],
    ["ListThings", "POST", "/things", true, "the name begins with list"],
    ["describeThings", "POST", "/things", true, "the name begins with describe"],
    ["fetchThings", "POST", "/things", false, "fetch is no word of reading"],
    ["x", "POST", "/things/list", true, "a segment is list"],
    ["x", "POST", "/adsApi/v1/query/things", true, "a segment is query"],
    ["x", "POST", "/things/searchByName/ids", true, "a segment begins with search"],
    ["x", "POST", "/history", true, "a segment is history"],
    ["x", "POST", "/sp/targets/bid/recommendations", true, "a segment begins with recommendation"],
    ["x", "POST", "/sp/targets", false, "the read word get is inside the segment targets"],
    ["x", "POST", "/sp/campaigns/budgetUsage", true, "the path ends in budgetUsage"],
    ["x", "POST", "/sp/campaigns/budget/usage", false, "budget/usage is not that ending"],
    ["x", "POST", "/sp/targets/categories", true, "the path ends in targets/categories"],
    ["x", "POST", "/sp/targets/products/count", true, "the path ends in targets/products/count"],
    ["x", "POST", "/sp/targets/products/count/more", false, "the ending is not at the end"],
    ["createThing", "POST", "/things/query", false, "the name begins with create"],
    ["QueryThings", "POST", "/things/deleteByObject", false, "a segment begins with delete"],
    ["listUpdates", "POST", "/things/updates/list", false, "a segment begins with update"],
    ["x", "POST", "/archive/list", false, "a segment begins with archive"],
    ["SBCreateThing", "POST", "/things/list", true, "create is not at the beginning of the name"],
  ] as const
) {
  Deno.test(`isReadOnly() is ${expected} for ${method} ${path} ${operationId}: ${why}`, () => {
    assert.equal(isReadOnly({ operationId, method, path }), expected);
  });
}

for (
  const [id, expected] of [
    ["dsp-quick-actions:batchGetExecutionsV1", false],
    ["measurement:CheckDSPAudienceResearchEligibility", false],
    ["creative-assets:getUploadLocation", true],
    ["sponsored-products:CreateSponsoredProductsTargetingClauses", false],
    ["sponsored-products:ListSponsoredProductsTargetingClauses", true],
    ["sponsored-products:getTargetableASINCounts", true],
    ["history:getHistory", true],
    ["rule-based-audiences:createQueryBasedAudience", false],
    ["amc-administration:createAdvertiserUpdate", false],
    ["v1-sp-campaigns:SPQueryCampaign", true],
    ["v1-all-recommendations:SBCreateRecommendation", false],
  ] as const
) {
  Deno.test(`${id} counts as ${expected ? "read-only" : "a write"}`, async () => {
    assert.equal((await catalog.get(id)).readOnly, expected);
  });
}

Deno.test("no PUT, PATCH or DELETE of the catalog is read-only, and every GET is", async () => {
  for (const { id, method, readOnly } of await catalog.operations()) {
    if (method !== "POST") assert.equal(readOnly, method === "GET", id);
  }
});
