import { fieldsOf } from "../../base/json/fields_of.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { type CallTarget, sendCall } from "./send_call.ts";

export const SEARCH_ASSETS = "creative-assets:searchAssets";

const PAGE = 500;

/** An image or video in the library, as a search lists it. */
export interface ListedAsset {
  readonly assetId: string;
  readonly name: string;
  readonly assetType: string;
  /** Bytes; `undefined` if the platform does not say. */
  readonly size: number | undefined;
}

/** Lists the assets of the library, newest first; archived ones are left out. */
export async function* listAssets(
  search: (body: unknown) => Promise<unknown>,
): AsyncGenerator<ListedAsset> {
  let token: unknown;
  do {
    const page = fieldsOf(
      await search({
        pageCriteria: { size: PAGE, ...(token === undefined ? {} : { identifier: { token } }) },
        sortCriteria: { field: "CREATED_TIME", order: "DESC" },
      }),
    );
    const assets = [page["assetList"] ?? []].flat().map(fieldsOf);
    for (const { assetId, name, assetType, status, fileMetadata } of assets) {
      if (typeof assetId !== "string" || status === "ARCHIVED") continue;
      const size = Number(fieldsOf(fileMetadata)["fileSize"] ?? NaN);
      yield {
        assetId,
        name: String(name),
        assetType: String(assetType),
        size: Number.isNaN(size) ? undefined : size,
      };
    }
    token = assets.length === 0 ? undefined : page["token"] ?? undefined;
  } while (token !== undefined && token !== "");
}

/** True if an asset may be this file: of two that are alike, the platform keeps both. */
export function isAsset(
  asset: ListedAsset,
  { name, assetType, size }: { readonly name: unknown; readonly assetType: unknown; readonly size: number },
): boolean {
  return asset.name === name && asset.assetType === assetType && (asset.size ?? size) === size;
}

/** Finds out if a planned registration was carried out. Its plan was made while the library had no such asset. */
export async function assetState(
  { body, headers = {}, file }: PlannedCall,
  target: CallTarget,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CallState> {
  const search = async (criteria: unknown): Promise<unknown> => {
    const request = { headers, body: criteria, check: "off", ...(signal && { signal }) } as const;
    return (await sendCall(SEARCH_ASSETS, request, target)).json;
  };
  const { name, assetType } = fieldsOf(body);
  for await (const asset of listAssets(search)) {
    if (isAsset(asset, { name, assetType, size: file?.bytes ?? 0 })) return { body, id: asset.assetId };
  }
  return {};
}
