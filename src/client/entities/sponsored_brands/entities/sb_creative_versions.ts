import { idOf } from "../../../../base/json/id_of.ts";
import { sameValue } from "../../../../base/json/canonical_json.ts";
import { mergeFields } from "../../../../plans/state/merge_fields.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";

const VERSION_TYPE = "application/vnd.sbAdCreativeResource.v4+json";
const COLLECTION_TYPE = "application/vnd.sbadresource.v4+json";
const BRAND = ["brandLogoAssetId", "brandLogoCrop", "brandName", "headline", "consentToTranslate"];
const OPTIMIZED = [...BRAND, "creativePropertiesToOptimize"];
const COLLECTION = ["brandLogoAssetID", "brandLogoCrop", "brandName"];

/** How the creative of one type of ads gets a new version. */
interface CreativeOperation {
  /** Last part of the path. */
  readonly path: string;
  readonly fields: readonly string[];
  /** True where the body is a list of ads, as a create of ads has it. */
  readonly isList: boolean;
}

/** By the `type` that the creative of an ad is read with. */
const OPERATIONS: Readonly<Record<string, CreativeOperation>> = {
  PRODUCT_COLLECTION: version("productCollectionExtended", [...OPTIMIZED, "asins", "customImages"]),
  STORE_SPOTLIGHT: version("storeSpotlight", [...OPTIMIZED, "subpages"]),
  VIDEO: version("video", ["consentToTranslate", "videoAssetIds"]),
  BRAND_VIDEO: version("brandVideo", [...BRAND, "asins", "videoAssetIds"]),
  MANUAL_COLLECTION: collection("manualCollection", [...COLLECTION, "asins", "title"]),
  AUTO_COLLECTION: collection("autoCollection", [...COLLECTION, "asinExclusions"]),
};

/** The request that gives an ad a new version of its creative. */
interface CreativeVersionRequest {
  /** Of the operation, which the type of the ad chooses. */
  readonly path: string;
  /** Media type of request and response. */
  readonly mediaType: string;
  /** The id of the ad and its whole creative, alone or as the one item of a list. */
  readonly json: Fields;
}

/**
 * The request that changes the creative of an ad; `undefined` where the ad shows all of it already. A version is always
 * whole: what is not changed is taken over.
 *
 * @param ad The ad as it is now.
 * @param changes Fields of the creative to change.
 * @throws {TypeError} when the operation of the ad's type cannot make the change.
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

/** Fields that only a product collection of the first kind has, as those of the extended kind. */
export function asExtendedCollection(creative: Fields): Fields {
  const { customImageAssetId, customImageCrop, ...rest } = creative;
  if (customImageAssetId === undefined || rest["customImages"] !== undefined) return rest;
  const crop = customImageCrop === undefined ? {} : { crop: customImageCrop };
  return { ...rest, customImages: [{ assetId: customImageAssetId, ...crop }] };
}

/**
 * Refuses the older fields for the one image of a creative where they say something else than its `customImages`, or
 * nothing: an ad of the extended format is sent with `customImages` alone, and the others would be lost.
 *
 * @throws {TypeError} that says which field to use.
 */
export function checkOneImage(creative: Fields): void {
  const { customImageAssetId, customImageCrop, customImages } = creative;
  if (customImageAssetId === undefined && customImageCrop === undefined) return;
  const { customImages: same } = asExtendedCollection({ customImageAssetId, customImageCrop });
  if (same !== undefined && (customImages === undefined || sameValue(customImages, same))) return;
  throw new TypeError(
    same === undefined
      ? "Cannot use customImageCrop without customImageAssetId: give the crop with its image, in customImages"
      : "Cannot use customImageAssetId and customImageCrop beside other customImages: give every image in customImages",
  );
}

/** The creative of an ad without the images that the older fields of a change replace. */
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

/** The names of a version of a creative differ from those of the creative of an ad. */
function asVersion(creative: Fields): Fields {
  const { brandLogoAssetID, ...rest } = asExtendedCollection(creative);
  return brandLogoAssetID === undefined ? rest : { brandLogoAssetId: brandLogoAssetID, ...rest };
}

/** A version of a creative with the names that the creative of an ad has. */
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
