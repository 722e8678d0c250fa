import { blobHash } from "../../base/runtime/blob_hash.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import type { Change } from "../../plans/model/change.ts";
import type { PlannedCall } from "../../plans/model/planned_call.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { checkPublished } from "../../platform/catalog/check_published.ts";
import { findAsset, listAssets, SEARCH_ASSETS } from "./asset_library.ts";
import { type AssetRow, readAssets, REGISTER_ASSET } from "./asset_manifest.ts";
import { requestText } from "./call_input.ts";
import { refusedUpload } from "./upload_file.ts";
import type { PlanUploadOptions, PlanUploadParts } from "./upload_options.ts";

/** Maximum size of a file in bytes: one request puts no more. */
const MAX_BYTES = 5 * 1024 ** 3;

interface CheckedAsset extends AssetRow {
  readonly format: AssetFormat;
  readonly bytes: number;
  readonly blob: Blob;
}

/**
 * Plans an upload of images and videos: one change for each file that the asset library does not have. The plan contains
 * the digests of the files, which are verified again when the plan is sent.
 *
 * @throws {ConfigurationError} with all problems of the manifest or the files. Nothing was sent.
 */
export async function planAssets(
  path: string,
  { options, client }: { readonly options: PlanUploadOptions; readonly client: PlanUploadParts },
): Promise<ChangePlan> {
  const { pathParams = {}, headers = {}, body = {}, hash, atOnce, note, signal } = options;
  if (hash) throw new TypeError("Cannot hash images and videos: the option hash is for personal values");
  if (atOnce !== undefined && atOnce !== 1) {
    throw new RangeError(`Cannot send ${atOnce} files at once: they are registered one by one`);
  }
  const [param] = Object.keys(pathParams);
  if (param !== undefined) {
    throw new TypeError(`Cannot use the path parameter "${param}": the path of ${REGISTER_ASSET} has none`);
  }
  const rows = (await readAssets(path)).map((row) => ({ ...row, body: { ...body, ...row.body } }));
  const assets = await checkedAssets(rows, path, { client, signal });
  const changes: Change[] = [];
  const warnings: string[] = [
    `${REGISTER_ASSET} cannot be undone by a plan: no operation archives or deletes an asset. Use the platform's console`,
  ];
  const given = Object.keys(headers).length === 0 ? {} : { headers };
  const search = (criteria: unknown): Promise<unknown> =>
    client.call(SEARCH_ASSETS, criteria, { headers, check: "off", ...(signal && { signal }) });
  const listed = await Array.fromAsync(listAssets(search));
  const request = await requestText({ operation: REGISTER_ASSET });
  const [first] = assets;
  if (first !== undefined) {
    const sample = { ...bodyOf(first), url: "https://platform.example/file" };
    const operation = await catalog.get(REGISTER_ASSET);
    const { warnings: differing } = await checkPublished(operation, { headers, body: sample }, "warn");
    warnings.push(...differing.map((warning) => `Row ${first.row}: ${warning}`));
  }
  for (const asset of assets) {
    const { row, file, format: { ending, contentType, width, height }, bytes, blob } = asset;
    const full = bodyOf(asset);
    const { name, assetType } = full;
    const known = findAsset(listed, { name, assetType, size: bytes });
    if (known !== undefined && !known.isInactive) {
      warnings.push(`Row ${row}: the library has ${String(name)} already, as ${known.assetId}; left out`);
      continue;
    }
    if (known !== undefined) {
      warnings.push(
        `Row ${row}: the library has ${
          String(name)
        } as ${known.assetId}, whose status is INACTIVE: its processing ` +
          "failed. It is uploaded again",
      );
    }
    const planned: PlannedCall = {
      operation: REGISTER_ASSET,
      ...given,
      request,
      body: full,
      file: { file, row, bytes, sha256: await blobHash(blob, signal), ending, content_type: contentType },
    };
    const size = width === undefined ? "" : ` (${width} x ${height})`;
    const label = `${fileSystem().basename(file)}${size}`;
    changes.push({ kind: "call", op: "call", id: null, before: {}, after: { ...planned }, label });
  }
  const { profileId, countryCode } = client;
  return await reviewed({ profileId, countryCode, changes, warnings, note: note ?? null }, client, {
    signal,
  });
}

/** The registration without its address. */
function bodyOf({ body, format: { assetType } }: CheckedAsset): Record<string, unknown> {
  return { assetType, ...body };
}

async function checkedAssets(
  rows: readonly AssetRow[],
  path: string,
  { client: { profile }, signal }: {
    readonly client: Pick<PlanUploadParts, "profile">;
    readonly signal: AbortSignal | undefined;
  },
): Promise<CheckedAsset[]> {
  const problems: string[] = [];
  const assets: CheckedAsset[] = [];
  const names = new Map<unknown, number>();
  for (const asset of rows) {
    signal?.throwIfAborted();
    const { row, file, body } = asset;
    const refuse = (why: string): void => void problems.push(`Row ${row}: ${file}: ${why}`);
    const before = names.get(body["name"]);
    if (before !== undefined) refuse(`row ${before} has the same name: add the column name`);
    names.set(body["name"], before ?? row);
    if (profile.accountInfo.type === "seller" && body["associatedSubEntityList"] === undefined) {
      refuse(
        "a seller's asset needs the brand: add the column brand_entity_id, or associatedSubEntityList to the body",
      );
    }
    const blob = await fileSystem().openBlob(file).catch(() => undefined);
    if (blob === undefined) {
      refuse("the file cannot be opened");
      continue;
    }
    if (blob.size > MAX_BYTES) refuse("it has more than 5 GB");
    const format = await assetFormat(blob);
    if (typeof format === "string") {
      refuse(format);
      continue;
    }
    const ending = /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase().replace("jpeg", "jpg") ?? "";
    if (ending !== format.ending) refuse(`its name ends in "${ending}", but its bytes are ${format.ending}`);
    const { assetType = format.assetType } = body;
    if (assetType !== format.assetType) {
      refuse(
        `it is of the type ${format.assetType}, but assetType in the body is ${JSON.stringify(assetType)}`,
      );
    }
    assets.push({ ...asset, format, bytes: blob.size, blob });
  }
  if (problems.length === 0) return assets;
  throw refusedUpload(path, problems);
}

/** Format of an image or a video, as its bytes show it. */
interface AssetFormat {
  readonly assetType: "IMAGE" | "VIDEO";
  /** Ending that the platform expects in its name. */
  readonly ending: string;
  readonly contentType: string;
  /** Pixels; absent for videos. */
  readonly width?: number;
  readonly height?: number;
}

/** Bytes at the beginning of a file that contain the size of an image, past its color profile and thumbnails. */
const HEAD = 1024 * 1024;

const TAIL = 64 * 1024;

/** Brands of images in the container of MP4 videos. */
const PICTURE_BRAND = /^(?:avi[fs]|he[iv][cmsx]|m[is]f1)$/;

const NOT_SUPPORTED = "it is an AVIF or HEIC image, which is not supported: convert it to JPEG or PNG";
const CUT = "it is cut short or damaged";

/** First bytes of a WMV file. */
const ASF = "48,38,178,117,142,102,207,17";

/**
 * Reads the format of a file from its bytes, not from its name.
 *
 * @returns what is wrong with it, as a text: it is neither, or it is cut short.
 */
export async function assetFormat(file: Blob): Promise<AssetFormat | string> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const view = new DataView(head.buffer);
  const text = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));
  if (file.size === 0) return "it is empty";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") {
    const end = new Uint8Array(await file.slice(-TAIL).arrayBuffer());
    if (head.length < 33 || text(12, 16) !== "IHDR" || !hasText(end, "IEND")) return CUT;
    const size = { width: view.getUint32(16), height: view.getUint32(20) };
    return { assetType: "IMAGE", ending: "png", contentType: "image/png", ...size };
  }
  if (head[0] === 0xff && head[1] === 0xd8) {
    const size = jpegSize(view);
    const end = new Uint8Array(await file.slice(-TAIL).arrayBuffer());
    const isWhole = end.some((byte, at) => byte === 0xff && end[at + 1] === 0xd9);
    if (size === undefined || !isWhole) return CUT;
    return { assetType: "IMAGE", ending: "jpg", contentType: "image/jpeg", ...size };
  }
  if (text(4, 8) === "ftyp") {
    if (PICTURE_BRAND.test(text(8, 12))) return NOT_SUPPORTED;
    if (!await hasWholeBoxes(file)) return CUT;
    return text(8, 10) === "qt"
      ? { assetType: "VIDEO", ending: "mov", contentType: "video/quicktime" }
      : { assetType: "VIDEO", ending: "mp4", contentType: "video/mp4" };
  }
  if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") {
    if (view.getUint32(4, true) + 8 > file.size) return CUT;
    return { assetType: "VIDEO", ending: "avi", contentType: "video/x-msvideo" };
  }
  if (head.length >= 16 && [...head.subarray(0, 8)].join() === ASF) {
    return { assetType: "VIDEO", ending: "wmv", contentType: "video/x-ms-wmv" };
  }
  return "it is not a JPEG or PNG image, nor an MP4, MOV, AVI or WMV video";
}

function hasText(bytes: Uint8Array, text: string): boolean {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  return bytes.some((_, at) => codes.every((code, offset) => bytes[at + offset] === code));
}

/** Size in the first frame header; `undefined` if the segments before it are damaged. */
function jpegSize(view: DataView): { readonly width: number; readonly height: number } | undefined {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // All frame headers but tables (C4), reserved (C8) and arithmetic conditioning (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** True if the boxes of an MP4 or MOV file end where the file ends, and one of them describes the tracks. */
async function hasWholeBoxes(file: Blob): Promise<boolean> {
  let isDescribed = false;
  let at = 0;
  while (at < file.size) {
    const view = new DataView(await file.slice(at, at + 16).arrayBuffer());
    if (view.byteLength < 8) return false;
    const name = String.fromCharCode(...new Uint8Array(view.buffer, 4, 4));
    const given = view.getUint32(0);
    if (given === 1 && view.byteLength < 16) return false;
    const size = given === 1 ? Number(view.getBigUint64(8)) : given === 0 ? file.size - at : given;
    if (size < 8) return false;
    isDescribed ||= name === "moov";
    at += size;
  }
  return isDescribed && at === file.size;
}
