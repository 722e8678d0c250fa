import { byIdOf, requiredId } from "../../../base/json/id_of.ts";
import type { BatchError, ItemOutcome } from "../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { failure, itemError } from "../../../platform/batch/item_error.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import { ApiError, NetworkError, ServerError, ThrottledError, UnauthorizedError } from "../../../errors.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { onlyField } from "../wire/bodies.ts";
import type { Fields, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { jsonWire } from "../wire/json_wire.ts";
import { asExtendedCollection, DEFAULT_SB_AD_FORMAT, sbAdFormatOf } from "../model/sb_ads.ts";
import { asAdCreative, creativeVersionRequest } from "./sb_creative_versions.ts";
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
