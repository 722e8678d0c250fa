import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import {
  ask,
  BRAND_CAMPAIGN,
  BRANDS,
  CAMPAIGN,
  create,
  MONEY,
  PRODUCTS,
  query,
  refusalOf,
} from "./unified_caller.ts";

Deno.test("a whole Sponsored Products campaign is built, and seen by version 3 as well", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await create(caller, "campaigns", {
    ...CAMPAIGN,
    tags: [{ key: "team", value: "blue" }],
    optimizations: {
      bidSettings: {
        bidStrategy: "SALES_UP_AND_DOWN",
        bidAdjustments: { placementBidAdjustments: [{ placement: "TOP_OF_SEARCH", percentage: 40 }] },
      },
    },
  });
  const { adGroupId } = await create(caller, "adGroups", {
    adProduct: PRODUCTS,
    campaignId,
    name: "Group",
    state: "ENABLED",
    bid: { defaultBid: 0.8 },
  });
  const { adId } = await create(caller, "ads", {
    adProduct: PRODUCTS,
    adGroupId,
    adType: "PRODUCT_AD",
    state: "ENABLED",
    creative: {
      productCreative: {
        productCreativeSettings: { advertisedProduct: { productId: "SKU-1", productIdType: "SKU" } },
      },
    },
  });
  const target = {
    adProduct: PRODUCTS,
    adGroupId,
    negative: false,
    state: "PAUSED",
    targetType: "KEYWORD",
    targetDetails: { keywordTarget: { keyword: "quiet lantern", matchType: "PHRASE" } },
    bid: { bid: 1.25 },
  };
  const { targetId } = await create(caller, "targets", target);

  const list = async (path: string, type: string, name: string) =>
    (await caller.call("POST", `${path}/list`, { campaignIdFilter: { include: [campaignId] } }, { type }))
      .json[name][0];
  assert.deepEqual(await list("/sp/campaigns", "application/vnd.spCampaign.v3+json", "campaigns"), {
    campaignId,
    name: "Unified one",
    state: "ENABLED",
    targetingType: "MANUAL",
    budget: { budget: 25, budgetType: "DAILY" },
    startDate: "2026-10-01",
    dynamicBidding: {
      strategy: "AUTO_FOR_SALES",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 40 }],
    },
    tags: { team: "blue" },
  });
  assert.deepEqual(await list("/sp/productAds", "application/vnd.spProductAd.v3+json", "productAds"), {
    adId,
    adGroupId,
    campaignId,
    sku: "SKU-1",
    state: "ENABLED",
  });
  assert.deepEqual(await list("/sp/keywords", "application/vnd.spKeyword.v3+json", "keywords"), {
    keywordId: targetId,
    adGroupId,
    campaignId,
    keywordText: "quiet lantern",
    matchType: "PHRASE",
    bid: 1.25,
    state: "PAUSED",
  });
  const [seen] = await query(caller, "targets", { adGroupIdFilter: { include: [adGroupId] } });
  assert.deepEqual(seen, {
    ...target,
    targetId,
    campaignId,
    targetLevel: "AD_GROUP",
    bid: { bid: 1.25, currencyCode: "USD" },
    marketplaceScope: "SINGLE_MARKETPLACE",
    marketplaces: ["US"],
    status: { deliveryStatus: "NOT_DELIVERING", deliveryReasons: ["TARGET_PAUSED"] },
    creationDateTime: "2026-09-30T12:00:00.000Z",
    lastUpdatedDateTime: "2026-09-30T12:00:00.000Z",
  });
});

Deno.test("a whole Sponsored Brands campaign is built, and seen by versions 4 and 3 as well", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await create(caller, "campaigns", BRAND_CAMPAIGN);
  const group = { adProduct: BRANDS, campaignId, name: "Brand group", state: "ENABLED" };
  const { adGroupId } = await create(caller, "adGroups", group);
  const settings = {
    brand: "Fernpfad",
    headlines: ["Out there"],
    brandLogos: [{ assetId: "logo", assetVersion: "version_v1" }],
    customImages: [{ assetId: "image", assetVersion: "version_v3" }],
    products: [{ productId: "B000000001", productIdType: "ASIN" }],
    landingPage: {
      landingPageType: "ASIN_LIST",
      landingPageAsins: { asins: ["B000000001", "B000000002", "B000000003"] },
    },
  };
  const ad = { adProduct: BRANDS, adGroupId, adType: "COMPONENT", name: "Ad", state: "ENABLED" };
  const creative = { componentCreative: { productCollectionSettings: settings } };
  const made = await create(caller, "ads", { ...ad, creative });
  const moderationStatus = { moderationStatus: "SUBMITTED_FOR_MODERATION" };
  assert.deepEqual(made.creative, {
    componentCreative: { productCollectionSettings: { ...settings, moderationStatus } },
  });
  const { json: changed } = await ask(caller, "update", "ads", {
    ads: [{
      adId: made.adId,
      creative: { componentCreative: { productCollectionSettings: { headlines: ["In there"] } } },
    }],
  });
  assert.deepEqual(changed.success[0].ad.creative, {
    componentCreative: {
      productCollectionSettings: { ...settings, headlines: ["In there"], moderationStatus },
    },
  });
  const target = {
    adProduct: BRANDS,
    adGroupId,
    state: "ENABLED",
    targetType: "KEYWORD",
    targetDetails: { keywordTarget: { keyword: "quiet lantern", matchType: "EXACT" } },
  };
  const positive = await create(caller, "targets", {
    ...target,
    negative: false,
    bid: { bid: 2 },
    state: "PAUSED",
  });
  const negative = await create(caller, "targets", { ...target, negative: true });
  assert.deepEqual([positive.state, negative.state, negative.negative], ["PAUSED", "ENABLED", true]);

  const type = "application/vnd.sbcampaignresource.v4+json";
  const listed = await caller.call("POST", "/sb/v4/campaigns/list", {
    campaignIdFilter: { include: [campaignId] },
  }, { type });
  assert.deepEqual(
    [listed.json.campaigns[0].budget, listed.json.campaigns[0].goal, listed.json.campaigns[0].state],
    [40, "PAGE_VISIT", "PAUSED"],
  );
  const keywords = await caller.call("GET", `/sb/keywords?adGroupIdFilter=${adGroupId}`);
  assert.deepEqual(
    [keywords.json[0].keywordText, keywords.json[0].matchType, keywords.json[0].state],
    ["quiet lantern", "exact", "paused"],
  );
  const kept = await caller.call("GET", `/sb/negativeKeywords?adGroupIdFilter=${adGroupId}`);
  assert.equal(kept.json[0].matchType, "negativeExact");
});

Deno.test("what is changed under one name is changed under the other, with its history", async () => {
  await using caller = await Caller.start();
  const [keyword] = await query(caller, "targets", {
    targetTypeFilter: { include: ["KEYWORD"] },
    negativeFilter: { include: [false] },
    stateFilter: { include: ["ENABLED"] },
  });
  const { targetId } = keyword!;
  const { json } = await ask(caller, "update", "targets", {
    targets: [{ targetId, bid: { bid: 3.33 }, state: "PAUSED" }],
  });
  assert.deepEqual([json.success[0].target.bid.bid, json.success[0].target.state], [3.33, "PAUSED"]);
  const type = "application/vnd.spKeyword.v3+json";
  const { json: listed } = await caller.call("POST", "/sp/keywords/list", {
    keywordIdFilter: { include: [targetId] },
  }, { type });
  assert.deepEqual([listed.keywords[0].bid, listed.keywords[0].state], [3.33, "PAUSED"]);
  const history = caller.emulator.state.profile(caller.profile("US"))!.history();
  const changes = history.filter(({ entityId }) => entityId === targetId).slice(-2).map(({ changeType }) =>
    changeType
  );
  assert.deepEqual(changes, ["STATUS", "BID_AMOUNT"]);

  await caller.call("POST", "/sp/keywords/delete", { keywordIdFilter: { include: [targetId] } }, { type });
  const [archived] = await query(caller, "targets", { targetIdFilter: { include: [targetId] } });
  assert.equal(archived!.state, "ARCHIVED");
});

Deno.test("a campaign keeps what an update does not name", async () => {
  await using caller = await Caller.start();
  const [campaign] = await query(caller, "campaigns", { stateFilter: { include: ["ENABLED"] } });
  const { campaignId } = campaign!;
  const optimizations = { bidSettings: { bidStrategy: "MANUAL" } };
  const { json } = await ask(caller, "update", "campaigns", {
    campaigns: [{ campaignId, budgets: MONEY(77), optimizations }],
  });
  const changed = json.success[0].campaign;
  const { bidSettings } = campaign!.optimizations as { bidSettings: JsonObject };
  assert.deepEqual(changed, {
    ...campaign,
    budgets: [{
      budgetType: "MONETARY",
      recurrenceTimePeriod: "DAILY",
      budgetValue: { monetaryBudgetValue: { monetaryBudget: { value: 77, currencyCode: "USD" } } },
    }],
    optimizations: { bidSettings: { ...bidSettings, bidStrategy: "MANUAL" } },
    lastUpdatedDateTime: "2026-09-30T12:00:00.000Z",
  });
});

Deno.test("a delete archives, and an archived entity cannot be changed", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await create(caller, "campaigns", CAMPAIGN);
  const { json } = await ask(caller, "delete", "campaigns", { campaignIds: [campaignId, "12345"] });
  assert.equal(json.success[0].campaign.state, "ARCHIVED");
  assert.deepEqual(json.error, [{
    index: 1,
    errors: [{
      code: "RESOURCE_ID_NOT_FOUND",
      message: "campaign not found",
      fieldLocation: "$.campaigns[1].campaignId",
    }],
  }]);
  const error = await refusalOf(caller, "update", "campaigns", { campaignId, state: "ENABLED" });
  assert.equal(error.code, "ARCHIVED_RESOURCE_CANNOT_EDIT");
});

Deno.test("targets of every kind come through a query and lead back to what they were made of", async () => {
  await using caller = await Caller.start();
  const targets = await query(caller, "targets");
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const kinds = [
    "keywords",
    "targets",
    "negative_keywords",
    "negative_targets",
    "campaign_negative_keywords",
    "campaign_negative_targets",
  ];
  const sizes = kinds.map((kind) => profile.collection(`sp.${kind}`).size);
  assert.equal(targets.length, sizes.reduce((a, b) => a + b));
  const shapes = new Set(
    targets.map(({ targetType, negative, targetLevel }) => `${targetType} ${negative} ${targetLevel}`),
  );
  assert.deepEqual(
    shapes,
    new Set([
      "KEYWORD false AD_GROUP",
      "THEME false AD_GROUP",
      "PRODUCT false AD_GROUP",
      "PRODUCT_CATEGORY false AD_GROUP",
      "KEYWORD true AD_GROUP",
      "PRODUCT true AD_GROUP",
      "PRODUCT_CATEGORY true AD_GROUP",
      "KEYWORD true CAMPAIGN",
      "PRODUCT true CAMPAIGN",
    ]),
  );
  const { adGroupId } = await create(caller, "adGroups", {
    adProduct: PRODUCTS,
    campaignId: (await create(caller, "campaigns", CAMPAIGN)).campaignId,
    name: "All kinds",
    state: "ENABLED",
    bid: { defaultBid: 1 },
  });
  const details = [
    ["PRODUCT", false, {
      productTarget: {
        matchType: "PRODUCT_SIMILAR",
        product: { productId: "B000000001" },
        productIdType: "ASIN",
      },
    }],
    ["PRODUCT_CATEGORY", false, {
      productCategoryTarget: {
        productCategoryRefinement: {
          productCategoryRefinement: { productCategoryId: "12", productPriceLessThan: 30 },
        },
      },
    }],
    ["PRODUCT_CATEGORY", true, {
      productCategoryTarget: {
        productCategoryRefinement: { productCategoryRefinement: { productBrandId: "Rival" } },
      },
    }],
  ] as const;
  for (const [targetType, negative, targetDetails] of details) {
    const made = await create(caller, "targets", {
      adProduct: PRODUCTS,
      adGroupId,
      state: "ENABLED",
      targetType,
      negative,
      targetDetails,
    });
    assert.deepEqual([made.targetType, made.negative, made.targetDetails], [
      targetType,
      negative,
      targetDetails,
    ]);
  }
});

Deno.test("queries filter, page, and meet empty pages", async () => {
  await using caller = await Caller.start();
  const every = await query(caller, "targets", {}, BRANDS);
  const paged = await query(caller, "targets", { maxResults: 50 }, BRANDS);
  assert.deepEqual(paged, every);
  const exact = await query(caller, "targets", {
    matchTypeFilter: { include: ["EXACT"] },
    negativeFilter: { include: [true] },
  }, BRANDS);
  assert.equal(exact.length > 0, true);
  assert.equal(exact.every(({ negative }) => negative === true), true);
  const { name } = (await query(caller, "campaigns"))[2]!;
  const byName = { include: [name], queryTermMatchType: "EXACT_MATCH" };
  assert.equal((await query(caller, "campaigns", { nameFilter: byName })).length, 1);
});

Deno.test("every ad and ad group of both products has its unified shape", async () => {
  await using caller = await Caller.start();
  for (const adProduct of [PRODUCTS, BRANDS]) {
    const groups = await query(caller, "adGroups", {}, adProduct);
    const ads = await query(caller, "ads", {}, adProduct);
    const known = new Set(groups.map(({ adGroupId }) => adGroupId));
    assert.equal(ads.length > 10 && ads.every(({ adGroupId }) => known.has(adGroupId!)), true);
    for (const ad of ads) {
      assert.equal(Object.keys(Object.values(ad.creative as JsonObject)[0] as JsonObject).length, 1);
    }
  }
});
