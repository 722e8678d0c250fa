import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { ask, BRANDS, create, PRODUCTS, query, refusalOf } from "./unified_caller.ts";

const PLACE = { marketplaceScope: "SINGLE_MARKETPLACE", marketplaces: ["US"] };
const prompt = (promptText: string): JsonObject => ({ promptExtension: { promptText } });

/** A question that can be put about an ad. */
function question(ad: JsonObject, more: JsonObject = {}): JsonObject {
  const { adProduct, adGroupId, adId } = ad;
  return {
    adProduct,
    adGroupId,
    adId,
    adExtensionType: "PROMPTS",
    adExtensionSettings: prompt("Does it float?"),
    state: "ENABLED",
    ...PLACE,
    ...more,
  } as JsonObject;
}

async function enabledAds(caller: Caller, adProduct: string): Promise<JsonObject[]> {
  return await query(caller, "ads", { stateFilter: { include: ["ENABLED"] } }, adProduct);
}

Deno.test("an ad extension is created as published, paused, and shows why it is not delivered", async () => {
  await using caller = await Caller.start();
  const [ad] = await enabledAds(caller, PRODUCTS);
  const made = await create(caller, "adExtensions", question(ad!));
  const { adExtensionId, status, creationDateTime, lastUpdatedDateTime, ...rest } = made;
  assert.deepEqual(rest, question(ad!));
  assert.equal(creationDateTime, lastUpdatedDateTime);
  assert.deepEqual(status, { deliveryStatus: "DELIVERING" });
  const update = { adExtensions: [{ adExtensionId, state: "PAUSED" }] };
  const { json } = await ask(caller, "update", "adExtensions", update);
  assert.deepEqual(json.success[0].adExtension.status, {
    deliveryStatus: "NOT_DELIVERING",
    deliveryReasons: ["AD_EXTENSION_PAUSED"],
  });
  await ask(caller, "update", "adExtensions", { adExtensions: [{ adExtensionId, state: "ENABLED" }] });
  await ask(caller, "update", "ads", { ads: [{ adId: ad!.adId, state: "PAUSED" }] });
  const [seen] = await query(caller, "adExtensions", { adExtensionIdFilter: { include: [adExtensionId] } });
  assert.deepEqual((seen!.status as JsonObject).deliveryReasons, ["AD_PAUSED"]);
});

Deno.test("a video takes no text, and one that names its ad alone is in the ad group of the ad", async () => {
  await using caller = await Caller.start();
  const [ad] = await enabledAds(caller, PRODUCTS);
  const { adGroupId: _, ...video } = question(ad!, {
    adExtensionType: "VIDEO",
    adExtensionSettings: { videoExtension: {} },
  });
  const made = await create(caller, "adExtensions", video);
  assert.equal(made.adGroupId, ad!.adGroupId);
  assert.deepEqual(made.adExtensionSettings, { videoExtension: { videoType: "SPOTLIGHT" } });
});

Deno.test("an extension of Brands has no delivery status and no video, as published", async () => {
  await using caller = await Caller.start();
  const [ad] = await enabledAds(caller, BRANDS);
  const made = await create(caller, "adExtensions", question(ad!));
  assert.equal(made.status, undefined);
  const error = await refusalOf(
    caller,
    "create",
    "adExtensions",
    question(ad!, { adExtensionType: "VIDEO" }),
  );
  assert.deepEqual([error.code, error.fieldLocation], [
    "FIELD_VALUE_IS_INVALID",
    "$.adExtensions[0].adExtensionType",
  ]);
});

Deno.test("an extension is refused where its ad or its settings are not what it says", async () => {
  await using caller = await Caller.start();
  const [ad, other] = await enabledAds(caller, PRODUCTS);
  const elsewhere = (await enabledAds(caller, PRODUCTS)).find(({ adGroupId }) => adGroupId !== ad!.adGroupId);
  await ask(caller, "delete", "ads", { adIds: [other!.adId] });
  const both = { ...prompt("Does it float?"), videoExtension: {} };
  const { adGroupId: _, adId: _ad, ...nowhere } = question(ad!);
  const cases: [what: string, item: JsonObject, code: string, field: string][] = [
    ["neither an ad nor an ad group", nowhere, "FIELD_VALUE_IS_NULL", "adGroupId"],
    ["an unknown ad", question({ ...ad!, adId: "12" }), "FIELD_VALUE_NOT_FOUND", "adId"],
    ["an archived ad", question(other!), "ARCHIVED_PARENT_CANNOT_CREATE", "adId"],
    [
      "an ad of another ad group",
      question({ ...ad!, adId: elsewhere!.adId! }),
      "RESOURCE_DOES_NOT_BELONG_TO_PARENT",
      "adId",
    ],
    ["no text", question(ad!, { adExtensionSettings: { promptExtension: {} } }), "FIELD_VALUE_IS_NULL", TEXT],
    [
      "two settings",
      question(ad!, { adExtensionSettings: both }),
      "FIELD_VALUE_MISMATCH",
      "adExtensionSettings",
    ],
    [
      "the settings of another type",
      question(ad!, { adExtensionType: "VIDEO" }),
      "FIELD_VALUE_MISMATCH",
      "adExtensionSettings",
    ],
    ["no marketplace", question(ad!, { marketplaces: null }), "FIELD_VALUE_IS_NULL", "marketplaces"],
  ];
  for (const [what, item, code, field] of cases) {
    const error = await refusalOf(caller, "create", "adExtensions", item);
    assert.deepEqual([error.code, error.fieldLocation], [code, `$.adExtensions[0].${field}`], what);
  }
});

const TEXT = "adExtensionSettings.promptExtension.promptText";

Deno.test("extensions are changed 50 at a time, listed by their filters, and archived by nothing", async () => {
  await using caller = await Caller.start();
  const [ad] = await enabledAds(caller, PRODUCTS);
  const many = (count: number) => ({ adExtensions: Array(count).fill(question(ad!)) });
  assert.equal((await ask(caller, "create", "adExtensions", many(51))).status, 413);
  assert.equal((await ask(caller, "create", "adExtensions", many(50))).json.success.length, 50);
  const ofAd = { adIdFilter: { include: [ad!.adId] } };
  assert.equal((await query(caller, "adExtensions", { ...ofAd, maxResults: 20 })).length >= 50, true);
  const ids = { adIdFilter: { include: Array(101).fill("1") } };
  for (const body of [ids, { campaignIdFilter: { include: ["1"] } }, { maxResults: 1001 }]) {
    assert.equal((await ask(caller, "query", "adExtensions", body)).status, 400, JSON.stringify(body));
  }
  const videos = await query(caller, "adExtensions", { adExtensionTypeFilter: { include: ["VIDEO"] } });
  assert.ok(videos.length > 0 && videos.every(({ adExtensionType }) => adExtensionType === "VIDEO"));
  assert.equal((await ask(caller, "delete", "adExtensions", { adExtensionIds: ["1"] })).status, 403);
});

Deno.test("a query for extensions may leave out the ad product, and then finds those of all", async () => {
  await using caller = await Caller.start();
  const count = async (adProduct: string) => (await query(caller, "adExtensions", {}, adProduct)).length;
  const { json } = await ask(caller, "query", "adExtensions", {});
  assert.equal(json.adExtensions.length, await count(PRODUCTS) + await count(BRANDS));
});
