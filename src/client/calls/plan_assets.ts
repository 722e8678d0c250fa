import { fileSystem } from "../../base/runtime/file_system.ts";
import { blobHash } from "../../base/runtime/blob_hash.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import type { Change } from "../../plans/model/change.ts";
import type { PlannedCall } from "../../plans/model/planned_call.ts";
import { type AssetFormat, assetFormat } from "./asset_format.ts";
import { isAsset, listAssets, SEARCH_ASSETS } from "./asset_library.ts";
import { type AssetRow, readAssets, REGISTER_ASSET } from "./asset_manifest.ts";
import type { PlanUploadOptions, PlanUploadParts } from "./upload_options.ts";
import { requestText } from "./request_text.ts";

/** Maximum size of a file in bytes: one request puts no more. */
const MAX_BYTES = 5 * 1024 ** 3;
const MAX_LISTED = 100;

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
  const { headers = {}, body = {}, hash, atOnce, note, signal } = options;
  if (hash) throw new TypeError("Cannot hash images and videos: the option hash is for personal values");
  if (atOnce !== undefined && atOnce !== 1) {
    throw new RangeError(`Cannot send ${atOnce} files at once: they are registered one by one`);
  }
  const rows = (await readAssets(path)).map((row) => ({ ...row, body: { ...body, ...row.body } }));
  const assets = await checkedAssets(rows, path, client);
  const changes: Change[] = [];
  const warnings: string[] = [
    `${REGISTER_ASSET} cannot be undone by a plan: no operation archives or deletes an asset. Use the platform's console`,
  ];
  const given = Object.keys(headers).length === 0 ? {} : { headers };
  const search = (criteria: unknown): Promise<unknown> =>
    client.call(SEARCH_ASSETS, criteria, { headers, check: "off", ...(signal && { signal }) });
  const listed = await Array.fromAsync(listAssets(search));
  const request = await requestText({ operation: REGISTER_ASSET });
  for (const { row, file, body, format, bytes, blob } of assets) {
    const { assetType, ending, contentType, width, height } = format;
    const full = { assetType, ...body };
    const known = listed.find((asset) => isAsset(asset, { ...full, name: body["name"], size: bytes }));
    if (known !== undefined) {
      warnings.push(
        `Row ${row}: the library has ${String(body["name"])} already, as ${known.assetId}; left out`,
      );
      continue;
    }
    const planned: PlannedCall = {
      operation: REGISTER_ASSET,
      ...given,
      request,
      body: full,
      file: { file, row, bytes, sha256: await blobHash(blob), ending, content_type: contentType },
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

async function checkedAssets(
  rows: readonly AssetRow[],
  path: string,
  { profile }: Pick<PlanUploadParts, "profile">,
): Promise<CheckedAsset[]> {
  const problems: string[] = [];
  const assets: CheckedAsset[] = [];
  const names = new Map<unknown, number>();
  for (const asset of rows) {
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
    assets.push({ ...asset, format, bytes: blob.size, blob });
  }
  if (problems.length === 0) return assets;
  const more = problems.length > MAX_LISTED ? [`and ${problems.length - MAX_LISTED} more`] : [];
  const lines = [...problems.slice(0, MAX_LISTED), ...more].map((line) => `\n${line}`);
  throw new ConfigurationError(`Cannot upload ${path}:${lines.join("")}`);
}
