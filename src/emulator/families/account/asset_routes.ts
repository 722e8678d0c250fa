import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { Refusal, RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readBody, readCount } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { type UploadedFile, uploadedFile } from "./uploaded_file.ts";

const ASSETS = "creative_assets";
const BATCHES = "creative_asset_batches";
/** Lifetime of an upload address, in seconds. */
const UPLOAD_SECONDS = 900;
const SUB_TYPES = [
  "AUTHOR_IMAGE",
  "BACKGROUND_VIDEO",
  "LIFESTYLE_IMAGE",
  "LOGO",
  "OTHER_IMAGE",
  "PRODUCT_IMAGE",
];
const CONTENT_TYPES: Readonly<Record<string, string>> = { jpg: "image/jpeg", png: "image/png", mp4: "mp4" };

interface Asset {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly assetType: string;
  readonly subTypes: readonly string[];
  readonly asins: readonly string[];
  readonly tags: readonly string[];
  readonly file: UploadedFile;
  readonly createdAt: number;
  readonly readyAt: number;
  readonly fails: boolean;
}

const ROUTES: readonly Route[] = [
  {
    operation: "creative-assets:getUploadLocation",
    method: "POST",
    path: "/assets/upload",
    requestTypes: ["application/json"],
    responseTypes: ["application/vnd.creativeassetsuploadresponse.v3+json"],
    handle: getUploadLocation,
  },
  {
    operation: "creative-assets:registerAsset",
    method: "POST",
    path: "/assets/register",
    requestTypes: ["application/json"],
    responseTypes: ["application/vnd.creativeassetsregisterresponse.v3+json"],
    handle: (context) => {
      const body = readBody(context.body);
      checkBrand(body, context);
      const { assetSubTypeList, tags } = body;
      const asset = register({ ...body, subTypes: assetSubTypeList ?? [], tags: tags ?? [] }, context);
      const { id, version } = asset;
      return jsonResponse(200, { assetId: id, versionId: version }, { type: context.responseType });
    },
  },
  {
    operation: "creative-assets:getAsset",
    method: "GET",
    path: "/assets",
    responseTypes: ["application/vnd.creativeassetsgetresponse.v3+json"],
    handle: getAsset,
  },
  {
    operation: "creative-assets:searchAssets",
    method: "POST",
    path: "/assets/search",
    requestTypes: ["application/json"],
    responseTypes: ["application/vnd.creativeassetssearchassetsresponse.v3+json"],
    handle: searchAssets,
  },
  {
    operation: "creative-assets:assetsBatchRegister",
    method: "POST",
    path: "/assets/batchRegister",
    requestTypes: ["application/vnd.assetsbatchregisterrequest.v1+json"],
    responseTypes: ["application/vnd.assetsbatchregisterresponse.v1+json"],
    handle: registerBatch,
  },
  {
    operation: "creative-assets:getAssetsBatchRegister",
    method: "GET",
    path: "/assets/batchRegister/{requestId}",
    responseTypes: ["application/vnd.creativeassetsgetbatchregisterresponse.v3+json"],
    handle: getBatch,
  },
];

/** The asset library. Its errors only have a message. */
export const ASSET_ROUTES: readonly Route[] = ROUTES.map((route) => ({
  ...route,
  handle: (context) => {
    try {
      return route.handle(context);
    } catch (error) {
      if (!(error instanceof RouteRefusal)) throw error;
      throw new Refusal(jsonResponse(error.status, { message: error.message }));
    }
  },
}));

function getUploadLocation(context: Context): HttpResponse {
  const { body, clock, files, profile, random, state } = context;
  const { fileName } = readBody(body);
  const ending = /^\w+\.(jpg|png|mp4|mov|wmv|avi)$/.exec(String(fileName))?.[1];
  if (ending === undefined) throw new RouteRefusal(400, "fileName is not valid");
  const { url } = files.link(profile.id, `upload-${state.newId()}`, {
    now: clock.now(),
    nonce: String(random.integer(0, 2 ** 31)),
    seconds: UPLOAD_SECONDS,
    ending,
  });
  return jsonResponse(200, { url }, { type: context.responseType });
}

/** Sellers own no brand by themselves, so they have to name it. */
function checkBrand({ associatedSubEntityList }: JsonObject, { profile }: Context): void {
  if (profile.record.accountInfo.type !== "seller") return;
  const [entity] = Array.isArray(associatedSubEntityList) ? associatedSubEntityList : [];
  if (!isObject(entity) || typeof entity.brandEntityId !== "string" || entity.brandEntityId === "") {
    throw new RouteRefusal(400, "associatedSubEntityList with a brandEntityId is required");
  }
}

/** Registers whatever was uploaded, also what is there already, and what turns out later to be unusable. */
function register(
  { url, name, assetType, subTypes, asinList = [], tags }: JsonObject,
  { profile, clock, state, files, faults, quirks }: Context,
): Asset {
  const [path = "", query = ""] = String(url).split("?");
  const [, place = ""] = path.split("/files/");
  const [owner, file = ""] = place.split("/");
  const isOwn = owner === profile.id && files.expiryOf(place, new URLSearchParams(query)) !== undefined;
  const uploaded = isOwn ? uploadedFile(profile, file.split(".")[0]!) : undefined;
  if (uploaded === undefined) throw new RouteRefusal(404, "There is no file at the url");
  if (typeof name !== "string" || name === "") throw new RouteRefusal(400, "name is required");
  const isImage = ["jpg", "png"].includes(uploaded.ending);
  if (assetType !== (isImage ? "IMAGE" : "VIDEO")) {
    throw new RouteRefusal(400, `assetType ${String(assetType)} does not fit a ${uploaded.ending} file`);
  }
  const [types, asins, words] = [subTypes, asinList, tags].map((list) =>
    Array.isArray(list) ? list.map(String) : []
  );
  const unknown = types!.find((type) => !SUB_TYPES.includes(type));
  if (unknown !== undefined) throw new RouteRefusal(400, `assetSubTypeList: ${unknown} is not valid`);
  if (types!.length > 10) throw new RouteRefusal(400, "assetSubTypeList has more than 10 items");
  if (asins!.length > 100) throw new RouteRefusal(400, "asinList has more than 100 items");
  const now = clock.now();
  const hash = createHash("sha256").update(`${state.seed} asset ${state.newId()}`).digest("hex");
  const asset: Asset = {
    id: `library.asset.${hash.slice(0, 32)}`,
    version: `version_v1_${hash.slice(32, 40)}`,
    name,
    assetType: String(assetType),
    subTypes: types!,
    asins: asins!,
    tags: words!,
    file: uploaded,
    createdAt: now,
    readyAt: now + (faults.reportSeconds ?? quirks.reportSeconds) * 1000,
    fails: !uploaded.fits || (faults.reportOutcome !== undefined && faults.reportOutcome !== "COMPLETED"),
  };
  profile.collection(ASSETS).insert(asset as unknown as JsonObject);
  return asset;
}

function statusOf({ readyAt, fails }: Asset, now: number): string {
  return now < readyAt ? "PROCESSING" : fails ? "INACTIVE" : "ACTIVE";
}

function metadataOf({ file: { ending, size, width, height } }: Asset): JsonObject {
  const contentType = CONTENT_TYPES[ending];
  return {
    ...(contentType === undefined ? {} : { contentType }),
    extension: ending,
    fileSize: size,
    ...(width === undefined ? {} : { width, resolutionWidth: width }),
    ...(height === undefined ? {} : { height, resolutionHeight: height }),
  };
}

/** Moderation begins once the file is processed. It rejects assets whose names have the word "forbidden". */
function moderationOf(asset: Asset, context: Context): JsonObject[] {
  const { clock, profile } = context;
  const since = (clock.now() - asset.readyAt) / 1000;
  if (since < 0 || asset.fails) return [];
  const isOver = since >= 60;
  const verdict = /\bforbidden\b/i.test(asset.name) ? "REJECTED" : "APPROVED";
  return [{
    moderationContentStatus: isOver ? "COMPLETED" : "IN_PROGRESS",
    adPolicyModerationResultList: [{
      policyName: "GENERAL",
      marketplaceId: profile.record.accountInfo.marketplaceStringId,
      moderationStatus: isOver ? verdict : "PENDING",
    }],
  }];
}

function getAsset(context: Context): HttpResponse {
  const { profile, query, clock, responseType } = context;
  const asset = profile.collection(ASSETS).get(query.get("assetId") ?? "") as unknown as Asset | undefined;
  const version = query.get("version");
  if (asset === undefined || (version !== null && version !== asset.version)) {
    throw new RouteRefusal(400, "The asset was not found");
  }
  const { id, name, assetType, subTypes, createdAt } = asset;
  return jsonResponse(200, {
    assetGlobal: { assetId: id, assetType, marketplaceId: [profile.record.accountInfo.marketplaceStringId] },
    assetVersionList: [{
      assetIdentifier: { assetId: id, version: asset.version },
      assetStatus: statusOf(asset, clock.now()),
      ...(subTypes.length === 0 ? {} : { assetSubTypes: subTypes }),
      creationTime: createdAt,
      fileMetadata: metadataOf(asset),
      moderationContentList: moderationOf(asset, context),
      // A version has the name of its file.
      name: `${name.replace(/\W/g, "_")}.${asset.file.ending}`,
    }],
  }, { type: responseType });
}

function searchAssets({ profile, body, clock, responseType }: Context): HttpResponse {
  const { text, filterCriteria, pageCriteria, sortCriteria } = readBody(body);
  const page = isObject(pageCriteria) ? pageCriteria : {};
  const { identifier } = page;
  const size = readCount(page.size, "size", { low: 1, high: 500, otherwise: 25 });
  const { token } = isObject(identifier) ? identifier : {};
  const filters = isObject(filterCriteria) && Array.isArray(filterCriteria.valueFilters)
    ? filterCriteria.valueFilters.filter(isObject)
    : [];
  const word = String(text ?? "").toLowerCase();
  const all = (profile.collection(ASSETS).all() as unknown as Asset[]).filter((asset) =>
    asset.name.toLowerCase().includes(word) && filters.every((filter) => isIn(asset, filter))
  );
  const { field = "CREATED_TIME", order = "DESC" } = isObject(sortCriteria) ? sortCriteria : {};
  const keyOf = (asset: Asset): string | number =>
    field === "NAME" ? asset.name : field === "SIZE" ? asset.file.size : asset.createdAt;
  all.sort((a, b) => keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0);
  if (order === "DESC") all.reverse();
  const start = token === undefined ? 0 : Number(token);
  const assetList = all.slice(start, start + size).map((asset) => ({
    assetId: asset.id,
    version: asset.version,
    name: asset.name,
    assetType: asset.assetType,
    assetSubTypes: asset.subTypes,
    status: statusOf(asset, clock.now()),
    creationTime: asset.createdAt,
    fileMetadata: metadataOf(asset),
    tags: asset.tags,
  }));
  const next = start + size < all.length ? { token: String(start + size) } : {};
  return jsonResponse(200, { assetList, totalRecords: all.length, ...next }, { type: responseType });
}

function isIn(asset: Asset, { valueField, values }: JsonObject): boolean {
  const wanted = Array.isArray(values) ? values.map(String) : [];
  const own: Readonly<Record<string, readonly string[]>> = {
    ASSET_TYPE: [asset.assetType],
    ASSET_EXTENSION: [asset.file.ending],
    ASSET_SUB_TYPE: asset.subTypes,
    ASIN: asset.asins,
    TAG: asset.tags,
  };
  return (own[String(valueField)] ?? []).some((value) => wanted.includes(value));
}

function registerBatch(context: Context): HttpResponse {
  const { profile, body, state, clock, faults, quirks, responseType } = context;
  const { assetDetailsList } = readBody(body);
  const items = Array.isArray(assetDetailsList) ? assetDetailsList.filter(isObject) : [];
  if (items.length === 0 || items.length > 50) {
    throw new RouteRefusal(400, "assetDetailsList must have 1 to 50 items");
  }
  const results = items.map((item): JsonObject => {
    const url = String(item.url);
    try {
      const { id, version } = register(
        { ...item, subTypes: item.assetSubTypeList ?? [], tags: item.tagList ?? [] },
        context,
      );
      return { url, assetIdentifier: { assetId: id, version } };
    } catch (error) {
      if (!(error instanceof RouteRefusal)) throw error;
      return { url, failureReason: error.message };
    }
  });
  const seconds = faults.reportSeconds ?? quirks.reportSeconds;
  const requestId = createHash("sha256").update(`${state.seed} batch ${state.newId()}`).digest("hex").slice(
    0,
    32,
  );
  profile.collection(BATCHES).insert({ id: requestId, results, endsAt: clock.now() + seconds * 1000 });
  return jsonResponse(200, { requestId }, { type: responseType });
}

function getBatch({ profile, params, clock, responseType }: Context): HttpResponse {
  const batch = profile.collection(BATCHES).get(params.requestId ?? "");
  if (batch === undefined) throw new RouteRefusal(400, "The request was not found");
  const results = (batch.results as JsonObject[]).map((result) => ({ ...result }));
  const isOver = clock.now() >= Number(batch.endsAt);
  const failed = results.filter(({ failureReason }) => failureReason !== undefined);
  return jsonResponse(200, {
    registrationStatus: !isOver ? "IN_PROGRESS" : failed.length === results.length ? "FAILED" : "COMPLETE",
    inProgressAssetDetails: isOver ? [] : results.map(({ url }) => ({ url: url! })),
    failedAssetDetails: isOver ? failed : [],
    successfullyRegisteredAssets: isOver ? results.filter((result) => !failed.includes(result)) : [],
  }, { type: responseType });
}
