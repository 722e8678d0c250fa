import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";

const TYPES = ["application/vnd.sbAdCreativeResource.v4+json"];
const AD_TYPES = ["application/vnd.sbadresource.v4+json"];
const KIND = "sb.creative_versions";
const MAX_PAGE = 100;
const MAX_ADS = 10;
/** Milliseconds; moderation always succeeds. */
const REVIEW = 3_600_000;

const FORMATS:
  readonly (readonly [path: string, operation: string, type: string, needed: readonly string[]])[] = [
    ["productCollection", "CreateProductCollectionCreative", "PRODUCT_COLLECTION", [
      "asins",
      "brandLogoAssetId",
      "brandName",
      "headline",
    ]],
    [
      "productCollectionExtended",
      "CreateExtendedProductCollectionCreative",
      "PRODUCT_COLLECTION",
      ["asins", "brandLogoAssetId", "brandName", "headline"],
    ],
    ["storeSpotlight", "CreateStoreSpotlightCreative", "STORE_SPOTLIGHT", [
      "brandLogoAssetId",
      "brandName",
      "headline",
      "subpages",
    ]],
    ["video", "CreateVideoCreative", "VIDEO", ["videoAssetIds"]],
    ["brandVideo", "CreateBrandVideoCreative", "BRAND_VIDEO", [
      "asins",
      "brandLogoAssetId",
      "brandName",
      "headline",
      "videoAssetIds",
    ]],
  ];

export const BRANDS_CREATIVE_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-brands-v4:ListCreatives",
    method: "POST",
    path: "/sb/ads/creatives/list",
    requestTypes: TYPES,
    responseTypes: TYPES,
    handle: list,
  },
  ...FORMATS.map(([path, operation, type, needed]): Route => ({
    operation: `sponsored-brands-v4:${operation}`,
    method: "POST",
    path: `/sb/ads/creatives/${path}`,
    requestTypes: TYPES,
    responseTypes: TYPES,
    handle: (context) => create(type, needed, context),
  })),
  ...(["AutoCollection", "ManualCollection"] as const).map((format): Route => ({
    operation: `sponsored-brands-v4:UpdateSponsoredBrands${format}Ads`,
    method: "POST",
    path: `/sb/ads/creatives/${format.charAt(0).toLowerCase()}${format.slice(1)}`,
    requestTypes: AD_TYPES,
    responseTypes: AD_TYPES,
    handle: updateCollections,
  })),
];

function create(type: string, needed: readonly string[], context: Context): HttpResponse {
  const { body, responseType } = context;
  if (!isObject(body) || !isObject(body.creative)) throw refusal(400, "adId and creative are required");
  const { creative } = body;
  const missing = needed.find((name) => creative[name] === undefined);
  if (missing !== undefined) throw refusal(400, `creative.${missing} is required`);
  const ad = demandAd(body.adId, context);
  const known = isObject(ad.creative) ? ad.creative.type : undefined;
  if (known !== type) throw refusal(400, `The ad is of type ${String(known)}, not ${type}`);
  const creativeVersion = addVersion(ad, creative, context);
  return jsonResponse(200, { adId: ad.adId, creativeVersion }, { type: responseType });
}

function updateCollections(context: Context): HttpResponse {
  const { body, profile, responseType } = context;
  const ads = isObject(body) ? body.ads : undefined;
  if (!Array.isArray(ads) || ads.length === 0 || ads.length > MAX_ADS || !ads.every(isObject)) {
    throw refusal(400, `ads must be a list of 1 to ${MAX_ADS} objects`);
  }
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, { adId, creative }] of ads.entries()) {
    const ad = profile.collection("sb.ads").get(String(adId));
    if (ad === undefined || ad.state === "ARCHIVED" || !isObject(creative)) error.push({ index, errors: [] });
    else success.push({ index, adId: ad.adId, creativeVersion: addVersion(ad, creative, context) });
  }
  return jsonResponse(207, { creatives: { success, error } }, { type: responseType });
}

export function addVersion(
  ad: JsonObject,
  creative: JsonObject,
  { profile, clock }: Pick<Context, "profile" | "clock">,
): string {
  const before = isObject(ad.creative) ? ad.creative : {};
  const version = String(Number(before.creativeVersion ?? 0) + 1);
  const versions = profile.collection(KIND);
  const { brandLogoAssetId, landingPage: _, ...parts } = creative;
  const shown = {
    // The product of a video is no part of a version.
    ...(before.type === "VIDEO" && before.asins !== undefined ? { asins: before.asins } : {}),
    ...parts,
    ...(brandLogoAssetId === undefined ? {} : { brandLogoAssetID: brandLogoAssetId }),
    type: before.type,
    creativeVersion: version,
    creativeStatus: "SUBMITTED_FOR_MODERATION",
  };
  versions.insert({ versionId: `${ad.adId} ${version}`, adId: ad.adId, at: clock.now(), creative: shown });
  if (version === "2") {
    versions.insert({ versionId: `${ad.adId} 1`, adId: ad.adId, at: 0, creative: before });
  }
  profile.collection("sb.ads").replace({ ...ad, creative: shown });
  return version;
}

function list(context: Context): HttpResponse {
  const { body, profile, responseType } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const ad = demandAd(body.adId, context);
  const kept = profile.collection(KIND).all().filter(({ adId }) => adId === ad.adId);
  const all = kept.length > 0 ? kept : [{ adId: ad.adId, at: 0, creative: ad.creative }];
  const found = all.map((version) => view(version, context)).filter((each) =>
    includes(body.creativeVersionFilter, each.creativeVersion) &&
    includes(body.creativeTypeFilter, each.creativeType) &&
    includes(body.creativeStatusFilter, each.creativeStatus)
  ).sort((a, b) => Number(a.creativeVersion) - Number(b.creativeVersion));
  const { maxResults = MAX_PAGE, nextToken = "0" } = body;
  const start = Number(nextToken);
  const end = start + Number(maxResults);
  const next = end < found.length ? { nextToken: String(end) } : {};
  const value = { creatives: found.slice(start, end), totalResults: found.length, ...next };
  return jsonResponse(200, value, { type: responseType });
}

function view({ adId, at, creative }: JsonObject, { clock }: Context): JsonObject {
  const { type, creativeVersion, creativeStatus: _, brandLogoAssetID, ...properties } = isObject(creative)
    ? creative
    : {};
  const isPublished = clock.now() >= Number(at) + REVIEW;
  return {
    adId,
    creativeVersion: creativeVersion ?? "1",
    creativeType: type,
    creativeStatus: isPublished ? "PUBLISHED" : "SUBMITTED_FOR_MODERATION",
    creationTime: Number(at),
    lastUpdateTime: isPublished ? Number(at) + REVIEW : Number(at),
    creativeProperties: {
      ...properties,
      ...(brandLogoAssetID === undefined ? {} : { brandLogoAssetId: brandLogoAssetID }),
    },
  };
}

function demandAd(adId: Json | undefined, { profile }: Context): JsonObject {
  const ad = profile.collection("sb.ads").get(String(adId));
  if (ad === undefined) throw refusal(404, `Ad ${String(adId)} was not found`);
  if (ad.state === "ARCHIVED") throw refusal(400, `Ad ${String(adId)} is archived`);
  return ad;
}

function includes(filter: Json | undefined, value: Json | undefined): boolean {
  return !Array.isArray(filter) || filter.length === 0 || filter.some((each) => each === value);
}
