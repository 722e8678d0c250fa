import { idOf } from "../../../base/json/id_of.ts";
import { sameValue } from "../../../base/json/canonical_json.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { asExtendedCollection, checkOneImage } from "../model/sb_ads.ts";
import type { Fields } from "../model/resource_wire.ts";

const VERSION_TYPE = "application/vnd.sbAdCreativeResource.v4+json";
const COLLECTION_TYPE = "application/vnd.sbadresource.v4+json";
const BRAND = ["brandLogoAssetId", "brandLogoCrop", "brandName", "headline", "consentToTranslate"];
const OPTIMIZED = [...BRAND, "creativePropertiesToOptimize"];
const COLLECTION = ["brandLogoAssetID", "brandLogoCrop", "brandName"];

interface CreativeOperation {
  readonly path: string;
  readonly fields: readonly string[];
  readonly isList: boolean;
}

const OPERATIONS: Readonly<Record<string, CreativeOperation>> = {
  PRODUCT_COLLECTION: version("productCollectionExtended", [...OPTIMIZED, "asins", "customImages"]),
  STORE_SPOTLIGHT: version("storeSpotlight", [...OPTIMIZED, "subpages"]),
  VIDEO: version("video", ["consentToTranslate", "videoAssetIds"]),
  BRAND_VIDEO: version("brandVideo", [...BRAND, "asins", "videoAssetIds"]),
  MANUAL_COLLECTION: collection("manualCollection", [...COLLECTION, "asins", "title"]),
  AUTO_COLLECTION: collection("autoCollection", [...COLLECTION, "asinExclusions"]),
};

interface CreativeVersionRequest {
  readonly path: string;
  readonly mediaType: string;
  readonly json: Fields;
}

/**
 * Builds the request for a new version of an ad's creative; `undefined` if nothing changes. A version is complete, so
 * unchanged fields are copied.
 *
 * @param ad Current ad.
 * @throws {TypeError} when the ad's type does not support the change.
 */
export function creativeVersionRequest(ad: Fields, changes: Fields): CreativeVersionRequest | undefined {
  const current = fieldsOf(ad["creative"]);
  const type = String(current["type"]);
  const operation = OPERATIONS[type];
  if (operation === undefined) {
    throw new TypeError(
      `Cannot change the creative of ad ${idOf(ad, "adId")}: no operation is known for type "${type}"`,
    );
  }
  const { path, fields, isList } = operation;
  const named = (creative: Fields): Fields => isList ? creative : asVersion(creative);
  const foreign = Object.keys(named(changes)).filter((field) =>
    !fields.includes(field) && named(current)[field] === undefined
  );
  if (foreign.length > 0) {
    throw new TypeError(
      `Cannot change ${foreign.join(", ")} of ad ${idOf(ad, "adId")}: a creative of type "${type}" holds ${
        fields.join(", ")
      }`,
    );
  }
  const merged = mergeFields(isList ? current : withRoomFor(changes, ad), changes);
  if (sameValue(current, merged)) return undefined;
  const whole = named(fieldsOf(merged));
  const creative = Object.fromEntries(Object.entries(whole).filter(([field]) => fields.includes(field)));
  const version = { adId: ad["adId"], creative };
  return {
    path: `/sb/ads/creatives/${path}`,
    mediaType: isList ? COLLECTION_TYPE : VERSION_TYPE,
    json: isList ? { ads: [version] } : version,
  };
}

function withRoomFor(changes: Fields, { adId, creative }: Fields): Fields {
  const { customImages, ...rest } = fieldsOf(creative);
  if (changes["customImageAssetId"] === undefined && changes["customImageCrop"] === undefined) {
    return fieldsOf(creative);
  }
  checkOneImage({ customImageAssetId: rest["customImageAssetId"], ...changes });
  if (Array.isArray(customImages) && customImages.length > 1) {
    throw new TypeError(
      `Cannot change the one image of ad ${adId}: it shows ${customImages.length}. Give every image in customImages`,
    );
  }
  return rest;
}

function asVersion(creative: Fields): Fields {
  const { brandLogoAssetID, ...rest } = asExtendedCollection(creative);
  return brandLogoAssetID === undefined ? rest : { brandLogoAssetId: brandLogoAssetID, ...rest };
}

export function asAdCreative(version: Fields): Fields {
  const { brandLogoAssetId, ...creative } = fieldsOf(version["creative"]);
  return brandLogoAssetId === undefined
    ? version
    : { ...version, creative: { ...creative, brandLogoAssetID: brandLogoAssetId } };
}

function version(path: string, fields: readonly string[]): CreativeOperation {
  return { path, fields, isList: false };
}

function collection(path: string, fields: readonly string[]): CreativeOperation {
  return { path, fields, isList: true };
}
