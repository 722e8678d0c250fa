import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const TYPE = "application/vnd.sbadresource.v4+json";
const ASIN = "B000000001";
const LANDING_PAGE = { pageType: "PRODUCT_LIST", asins: [ASIN, "B000000002", "B000000003"] };
const WORDS = { brandName: "Fernpfad", headline: "Sleep outside" };

interface Case {
  readonly format: string;
  readonly creative: Record<string, unknown>;
  readonly landingPage?: unknown;
  readonly type: string;
}

const FORMATS: Case[] = [
  {
    format: "productCollection",
    creative: { ...WORDS, asins: [ASIN] },
    landingPage: LANDING_PAGE,
    type: "PRODUCT_COLLECTION",
  },
  {
    format: "productCollectionExtended",
    creative: { ...WORDS, asins: [ASIN], customImages: [{ assetId: "asset.1", crop: { top: 1 } }] },
    landingPage: LANDING_PAGE,
    type: "PRODUCT_COLLECTION",
  },
  {
    format: "storeSpotlight",
    creative: { ...WORDS, subpages: [{ asin: ASIN, pageTitle: "Tents", url: "https://shop.example/tents" }] },
    landingPage: { pageType: "STORE", url: "https://shop.example" },
    type: "STORE_SPOTLIGHT",
  },
  { format: "video", creative: { asins: [ASIN], videoAssetIds: ["asset.2"] }, type: "VIDEO" },
  {
    format: "brandVideo",
    creative: { ...WORDS, asins: [ASIN], videoAssetIds: ["asset.2"], consentToTranslate: true },
    landingPage: LANDING_PAGE,
    type: "BRAND_VIDEO",
  },
  { format: "autoCollection", creative: WORDS, landingPage: LANDING_PAGE, type: "AUTO_COLLECTION" },
  {
    format: "manualCollection",
    creative: { ...WORDS, asins: [ASIN], landingPage: LANDING_PAGE },
    type: "MANUAL_COLLECTION",
  },
];

function openAdGroup(caller: Caller): { adGroupId: string; campaignId: string } {
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const found = profile.collection("sb.ad_groups").all().find((adGroup) =>
    adGroup.state === "ENABLED" &&
    profile.collection("sb.campaigns").get(String(adGroup.campaignId))!.state === "ENABLED"
  )!;
  return { adGroupId: String(found.adGroupId), campaignId: String(found.campaignId) };
}

function create(caller: Caller, format: string, ad: unknown) {
  return caller.call("POST", `/sb/v4/ads/${format}`, { ads: [ad] }, { type: TYPE });
}

Deno.test("each format of ads has an address of its own, and reads with its landing page beside the creative", async () => {
  await using caller = await Caller.start();
  const { adGroupId, campaignId } = openAdGroup(caller);
  for (const { format, creative, landingPage, type } of FORMATS) {
    const ad = { adGroupId, name: format, state: "PAUSED", creative, landingPage };
    const answer = await create(caller, format, ad);
    assert.equal(answer.status, 207, answer.text);
    const { adId } = answer.json.ads.success[0];
    const list = await caller.call("POST", "/sb/v4/ads/list", { adIdFilter: { include: [adId] } }, {
      type: TYPE,
    });
    const { landingPage: _, ...rest } = creative;
    assert.deepEqual(list.json.ads, [{
      adId,
      adGroupId,
      name: format,
      state: "PAUSED",
      campaignId,
      creative: { ...rest, type, creativeStatus: "SUBMITTED_FOR_MODERATION", creativeVersion: "1" },
      landingPage: format === "video" ? { pageType: "DETAIL_PAGE" } : landingPage ?? LANDING_PAGE,
    }], format);
  }
});

Deno.test("there is no common address for creating ads", async () => {
  await using caller = await Caller.start();
  const answer = await caller.call("POST", "/sb/v4/ads", { ads: [] }, { type: TYPE });
  assert.equal(answer.status, 403);
  assert.match(answer.json.message, /Authorization header/);
});

const MALFORMED: [string, string, Record<string, unknown>][] = [
  ["the format in the body", "productCollection", { adFormat: "productCollection" }],
  ["the landing page beside the creative of a manual collection", "manualCollection", {
    landingPage: LANDING_PAGE,
  }],
  ["a landing page inside another creative", "productCollection", {
    creative: { landingPage: LANDING_PAGE },
  }],
  ["a landing page of a video", "video", { landingPage: LANDING_PAGE }],
  ["a flag that is text", "video", { creative: { consentToTranslate: "yes" } }],
];
Deno.test("an ad with a field that its format does not know is refused as a whole", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = openAdGroup(caller);
  for (const [what, format, change] of MALFORMED) {
    const answer = await create(caller, format, { adGroupId, name: "Ad", state: "ENABLED", ...change });
    assert.equal(answer.status, 400, what);
  }
});

const REFUSED: [string, string, Record<string, unknown>, string, string][] = [
  ["no landing page", "productCollection", { creative: WORDS }, "missingValueError", "landingPage"],
  [
    "no landing page inside",
    "manualCollection",
    { creative: WORDS },
    "missingValueError",
    "creative.landingPage",
  ],
  [
    "two videos",
    "video",
    { creative: { videoAssetIds: ["a", "b"] } },
    "rangeError",
    "creative.videoAssetIds",
  ],
  [
    "an ad group of nobody",
    "video",
    { creative: {}, adGroupId: "77" },
    "parentEntityError",
    "adGroupId",
  ],
];
Deno.test("an ad with a wrong value is refused by family and place", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = openAdGroup(caller);
  for (const [what, format, change, family, field] of REFUSED) {
    const { json } = await create(caller, format, { adGroupId, name: "Ad", state: "ENABLED", ...change });
    const [error] = json.ads.error[0].errors;
    assert.equal(error.errorType, family, what);
    assert.equal(error.errorValue[family].cause.location, `$.ads[0].${field}`, what);
  }
});

Deno.test("ads of every format are updated and archived together; an ad below an archived campaign is not", async () => {
  await using caller = await Caller.start();
  const { adGroupId, campaignId } = openAdGroup(caller);
  const ids: string[] = [];
  for (const { format, creative, landingPage } of FORMATS.slice(0, 3)) {
    const answer = await create(caller, format, {
      adGroupId,
      name: format,
      state: "ENABLED",
      creative,
      landingPage,
    });
    ids.push(answer.json.ads.success[0].adId);
  }
  const paused = await caller.call("PUT", "/sb/v4/ads", {
    ads: ids.map((adId) => ({ adId, state: "PAUSED" })),
  }, {
    type: TYPE,
  });
  assert.deepEqual(paused.json.ads.error, []);
  const changes = caller.emulator.state.profile(caller.profile("US"))!.history().slice(-3);
  assert.deepEqual(
    changes.map((event) => [event.entityType, event.newValue]),
    Array(3).fill(["AD", "PAUSED"]),
  );

  const first = { adIdFilter: { include: ids.slice(0, 1) } };
  await caller.call("POST", "/sb/v4/ads/delete", first, { type: TYPE });
  const again = await caller.call("POST", "/sb/v4/ads/delete", first, { type: TYPE });
  assert.equal(
    again.json.ads.error[0].errors[0].errorValue.entityStateError.reason,
    "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED",
  );
  await caller.call("POST", "/sb/v4/campaigns/delete", { campaignIdFilter: { include: [campaignId] } }, {
    type: "application/vnd.sbcampaignresource.v4+json",
  });
  const below = await caller.call("PUT", "/sb/v4/ads", { ads: [{ adId: ids[1], state: "ENABLED" }] }, {
    type: TYPE,
  });
  assert.equal(
    below.json.ads.error[0].errors[0].errorValue.entityStateError.reason,
    "PARENT_ARCHIVED_FORBIDS_UPDATES",
  );
});
