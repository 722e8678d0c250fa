import { sameValue } from "../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { byIdOf, idOf, requiredId } from "../../../base/json/id_of.ts";
import { ApiError, NetworkError, ServerError, ThrottledError, UnauthorizedError } from "../../../errors.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import type { BatchError, ItemOutcome } from "../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { failure, itemError } from "../../../platform/batch/item_error.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { Fields, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { asExtendedCollection, checkOneImage, DEFAULT_SB_AD_FORMAT, sbAdFormatOf } from "../model/sb_ads.ts";
import { onlyField } from "../wire/bodies.ts";
import { jsonWire } from "../wire/json_wire.ts";
import { SB_LIMITS } from "./sb_words.ts";

/**
 * Creates the older wire of Brands ads. An update request cannot change a creative, so the creative gets a new version
 * in a separate request.
 */
export function sbAdsWire(): ResourceWire {
  const wire = jsonWire({
    path: "/sb/v4/ads",
    mediaType: "application/vnd.sbadresource.v4+json",
    collection: "ads",
    idFilter: "adIdFilter",
    resultIdField: "adId",
    ...SB_LIMITS,
    createPath: (ads) => `/sb/v4/ads/${sbAdFormatOf(ads[0]!)}`,
    toCreate,
  });
  return {
    ...wire,
    update: async (scope, items, send) => {
      if (items.every(({ creative }) => creative === undefined)) return await wire.update(scope, items, send);
      return await updateWithCreatives(wire, { scope, items, send });
    },
    splits: (item) =>
      item["creative"] === undefined || fieldNames(item).length === 0
        ? [item]
        : [withoutCreative(item), { adId: item["adId"], creative: item["creative"] }],
    readWrite: (request) => {
      const { method, path, json } = request;
      if (method !== "POST" || !path.startsWith("/sb/ads/creatives/") || path.endsWith("/list")) {
        const write = wire.readWrite?.(request);
        if (write?.op !== "create") return write;
        const format = path.split("/").at(-1)!;
        return { ...write, items: write.items.map((item) => createdAd(item, format)) };
      }
      const list = onlyField(json, "ads");
      const items = Array.isArray(list) ? list.map(fieldsOf) : [asAdCreative(fieldsOf(json))];
      return { op: "update", items };
    },
  };
}

function toCreate(ad: Fields): Fields {
  // The platform takes the campaign from the ad group.
  const { adFormat: _, campaignId: _campaign, landingPage, creative: given, ...rest } = ad;
  // What lacks its creative is refused by the platform, and has to look so.
  if (given === undefined) return landingPage === undefined ? rest : { ...rest, landingPage };
  const format = sbAdFormatOf(ad);
  const creative = format === DEFAULT_SB_AD_FORMAT ? asExtendedCollection(fieldsOf(given)) : given;
  if (landingPage === undefined) return { ...rest, creative };
  return format === "manualCollection"
    ? { ...rest, creative: { ...fieldsOf(creative), landingPage } }
    : { ...rest, creative, landingPage };
}

function createdAd(item: Fields, adFormat: string): Fields {
  const { landingPage, ...creative } = fieldsOf(item["creative"]);
  if (adFormat !== "manualCollection" || landingPage === undefined) return { ...item, adFormat };
  return { ...item, creative, landingPage, adFormat };
}

interface Update {
  readonly scope: ProfileScope;
  readonly items: readonly Fields[];
  readonly send: SendOptions;
}

async function updateWithCreatives(wire: ResourceWire, update: Update): Promise<BatchResult<Fields>> {
  const { scope, items, send } = update;
  const ads = await adsById(wire, update);
  const plain = [...items.keys()].filter((at) => fieldNames(items[at]!).length > 0);
  const { successes, errors } = plain.length === 0
    ? new BatchResult<Fields>([], [])
    : await wire.update(scope, plain.map((at) => withoutCreative(items[at]!)), send);
  const verdicts = [
    ...successes.map((one) => new BatchResult([{ ...one, index: plain[one.index]! }], [])),
    ...errors.map((one) => new BatchResult<Fields>([], [{ ...one, index: plain[one.index]! }])),
  ];
  const byIndex = new Map(verdicts.map((one) => [one.successes[0]?.index ?? one.errors[0]!.index, one]));
  let stoppedBy: Error | undefined;
  for (const [index, item] of items.entries()) {
    if (item["creative"] === undefined || byIndex.get(index)?.ok === false) continue;
    const isStarted = byIndex.has(index);
    if (stoppedBy !== undefined) {
      const outcome = isStarted ? "partial" : "not_sent";
      byIndex.set(index, notDone({ index, item, outcome }, stoppedBy));
      continue;
    }
    try {
      byIndex.set(
        index,
        await newVersion({ ad: ads.get(requiredId(item, "adId")), item, index, isStarted }, update),
      );
    } catch (error) {
      const outcome = outcomeOf(error, isStarted);
      if (byIndex.size === 0 && (outcome !== "unknown" || send.signal?.aborted)) throw error;
      stoppedBy = error as Error;
      byIndex.set(index, notDone({ index, item, outcome }, stoppedBy));
    }
  }
  return BatchResult.join([...byIndex.values()]);
}

/** Creates a new version of an ad's creative. Problems of this ad become its verdict; other errors are thrown. */
async function newVersion(
  { ad, item, index, isStarted }: {
    ad: Fields | undefined;
    item: Fields;
    index: number;
    isStarted: boolean;
  },
  { scope, send }: Update,
): Promise<BatchResult<Fields>> {
  const outcome: ItemOutcome = isStarted ? "partial" : "not_sent";
  if (ad === undefined) {
    const message = `Never sent: the account has no Brands ad ${requiredId(item, "adId")}`;
    const what = { errorType: "entityNotFoundError", code: "NOT_FOUND", message };
    return new BatchResult([], [failure({ index, item, outcome }, what)]);
  }
  let request;
  try {
    request = creativeVersionRequest(ad, fieldsOf(item["creative"]));
  } catch (error) {
    return notDone({ index, item, outcome }, error as Error);
  }
  const done = { index, id: requiredId(item, "adId"), item, entity: undefined };
  if (request === undefined) return new BatchResult([done], []);
  const { path, mediaType, json } = request;
  try {
    const body = await scope.request("POST", path, {
      json,
      contentType: mediaType,
      accept: mediaType,
      ...send,
    });
    const verdict = fieldsOf(body)["creatives"] === undefined
      ? new BatchResult<Fields>([done], [])
      : parseMultiStatus<Fields>(body, [item], { entityKey: "creatives", idField: "adId" });
    const partly = (error: BatchError<Fields>): BatchError<Fields> =>
      isStarted && error.outcome === "refused" ? { ...error, outcome: "partial" } : error;
    return new BatchResult(
      verdict.successes.map((one) => ({ ...one, index })),
      verdict.errors.map((one) => ({ ...partly(one), index })),
    );
  } catch (error) {
    const isVerdict = error instanceof ApiError && !(error instanceof ServerError) &&
      !(error instanceof ThrottledError) && !(error instanceof UnauthorizedError);
    if (!isVerdict) throw error;
    const entry = { code: error.code ?? `HTTP_${error.statusCode}`, description: error.message };
    const refused = isStarted ? "partial" as const : "refused" as const;
    return new BatchResult<Fields>([], [itemError(entry, { index, item, outcome: refused })]);
  }
}

async function adsById(wire: ResourceWire, { scope, items, send }: Update): Promise<Map<string, Fields>> {
  const ids = [...byIdOf(items.filter(({ creative }) => creative !== undefined), "adId").keys()];
  const ads = new Map<string, Fields>();
  for await (const page of wire.pages(scope, { ids, states: null, signal: send.signal })) {
    for (const [id, ad] of byIdOf(page, "adId")) ads.set(id, ad);
  }
  return ads;
}

function outcomeOf(error: unknown, isStarted: boolean): ItemOutcome {
  const mayHaveActed = error instanceof NetworkError ? error.mayHaveActed : !(error instanceof ApiError) ||
    error instanceof ServerError;
  return mayHaveActed ? "unknown" : isStarted ? "partial" : "not_sent";
}

function notDone(
  place: { index: number; item: Fields; outcome: ItemOutcome },
  error: Error,
): BatchResult<Fields> {
  const lead = place.outcome === "unknown"
    ? "The creative may or may not have been changed: "
    : place.outcome === "partial"
    ? "The creative was not changed: "
    : "Never sent: ";
  const code = place.outcome === "unknown" ? "UNKNOWN" : "NOT_SENT";
  return new BatchResult([], [failure(place, { code, message: lead + error.message, raw: error })]);
}

function withoutCreative({ creative: _, ...rest }: Fields): Fields {
  return rest;
}

function fieldNames(item: Fields): string[] {
  return Object.keys(item).filter((name) => name !== "adId" && name !== "creative");
}

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
function creativeVersionRequest(ad: Fields, changes: Fields): CreativeVersionRequest | undefined {
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

function asAdCreative(version: Fields): Fields {
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
