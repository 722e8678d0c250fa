import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const CREATIVE = "application/vnd.sbAdCreativeResource.v4+json";
const RULE = "application/vnd.sbruleoptimization.v4+json";
const TARGETING = "application/vnd.sbtargeting.v4+json";

Deno.test("a Brands creative gets versions, which are published after an hour", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const video = profile.collection("sb.ads").all().find((ad) =>
    ad.state === "ENABLED" && (ad.creative as { type: string }).type === "VIDEO"
  )!;
  const adId = String(video.adId);
  const create = (format: string, creative: unknown) =>
    caller.call("POST", `/sb/ads/creatives/${format}`, { adId, creative }, { type: CREATIVE });
  const made = await create("video", { videoAssetIds: ["asset.9"] });
  assert.deepEqual(made.json, { adId, creativeVersion: "2" });
  assert.equal((await create("brandVideo", { videoAssetIds: ["asset.9"] })).status, 400);
  const versions = async () =>
    (await caller.call("POST", "/sb/ads/creatives/list", { adId }, { type: CREATIVE })).json.creatives
      .map((each: Record<string, string>) => [each.creativeVersion, each.creativeStatus]);
  assert.deepEqual(await versions(), [["1", "PUBLISHED"], ["2", "SUBMITTED_FOR_MODERATION"]]);
  caller.emulator.advance(3600);
  await caller.logIn();
  assert.deepEqual(await versions(), [["1", "PUBLISHED"], ["2", "PUBLISHED"]]);
});

Deno.test("optimization rules of Brands are created, associated, listed by entity and let go", async () => {
  await using caller = await Caller.start();
  const ask = async (path: string, body: unknown, method = "POST") =>
    (await caller.call(method, `/sb/rules/optimization${path}`, body, { type: RULE })).json;
  const conditions = [{ attributeName: "ACOS", criteria: { comparisonOperator: "LESS_THAN", value: 30 } }];
  const made = await ask("", { optimizationRules: [{ conditions }, { conditions: [] }] });
  assert.deepEqual([made.optimizationRules.success.length, made.optimizationRules.error.length], [1, 1]);
  const { optimizationRuleId } = made.optimizationRules.success[0];
  const tie = { optimizationRuleId, entityId: "7", entityType: "CAMPAIGN" };
  const tied = await ask("/associate", { optimizationRuleAssociations: [tie, tie] });
  assert.deepEqual(tied.optimizationRuleAssociations.error.map((each: { index: number }) => each.index), [1]);
  const list = async () =>
    (await ask("/list", { entityFilter: { entityId: "7", entityType: "CAMPAIGN" } })).totalCount;
  assert.equal(await list(), 1);
  await ask("/disassociate", { optimizationRuleDisassociations: [tie] });
  assert.equal(await list(), 0);
});

Deno.test("categories of Brands lead to their refinements and product counts", async () => {
  await using caller = await Caller.start();
  const headers = { accept: TARGETING };
  const tree = await caller.call(
    "GET",
    "/sb/targets/categories?supplySource=PLATFORM&includeOnlyRootCategories=true",
    undefined,
    { headers },
  );
  const { categoryRefinementId } = tree.json.categoryTree[0];
  assert.equal((await caller.call("GET", "/sb/targets/categories", undefined, { headers })).status, 400);
  const narrowed = await caller.call(
    "GET",
    `/sb/targets/categories/${categoryRefinementId}/refinements`,
    undefined,
    { headers },
  );
  const brands = [narrowed.json.brands[0].brandRefinementId];
  const count = async (body: unknown) =>
    (await caller.call("POST", "/sb/targets/products/count", body, { type: TARGETING })).json.asinCounts.min;
  const category = categoryRefinementId;
  assert.ok(await count({ category, brands }) < await count({ category }));
});

Deno.test("campaigns are tied to budget rules in bulk, pair by pair", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const budgetRuleId = String(profile.collection("sp.budget_rules").at(1)!.ruleId);
  const campaignId = String(profile.collection("sp.campaigns").at(0)!.campaignId);
  const pairs = [{ budgetRuleId, campaignId }, { budgetRuleId, campaignId: "1" }];
  const type = "application/json";
  const made = await caller.call("POST", "/sp/budgetRulesAssociation", { budgetRulesAssociations: pairs }, {
    type,
  });
  const { successList, errorList } = made.json.budgetRulesAssociations;
  assert.deepEqual([successList[0].index, errorList[0].index, errorList[0].code], [0, 1, "NOT_FOUND"]);
  const undone = await caller.call("POST", "/sp/budgetRulesAssociation/delete", {
    budgetRulesDisAssociations: pairs.slice(0, 1),
  }, { type });
  assert.equal(undone.json.budgetRulesDisAssociations.successList.length, 1);
});
