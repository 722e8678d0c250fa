import { fileSystem } from "../../base/runtime/file_system.ts";
import { blobHash } from "../../base/runtime/blob_hash.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { checkPublished } from "../../platform/catalog/check_published.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import type { Change } from "../../plans/model/change.ts";
import type { PlannedCall } from "../../plans/model/planned_call.ts";
import { type AssetFormat, assetFormat } from "./asset_format.ts";
import { findAsset, listAssets, SEARCH_ASSETS } from "./asset_library.ts";
import { type AssetRow, readAssets, REGISTER_ASSET } from "./asset_manifest.ts";
import { refusedUpload } from "./upload_file.ts";
import type { PlanUploadOptions, PlanUploadParts } from "./upload_options.ts";
import { requestText } from "./request_text.ts";

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
