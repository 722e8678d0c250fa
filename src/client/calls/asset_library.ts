import { fieldsOf } from "../../base/json/fields_of.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { idsKey, PageTokens } from "../../platform/transport/page_tokens.ts";
import { type CallTarget, sendCall } from "./send_call.ts";

export const SEARCH_ASSETS = "creative-assets:searchAssets";

const PAGE = 500;

/** An image or video in the library, as a search lists it. */
interface ListedAsset {
  readonly assetId: string;
  readonly name: string;
  readonly assetType: string;
  /** Bytes; `undefined` if the platform does not say. */
  readonly size: number | undefined;
  /** True if its processing failed, so that no ad can use it. */
  readonly isInactive: boolean;
}

/**
 * Lists the assets of the library, newest first; archived ones are left out.
 *
 * @throws {PlatformAdsError} when the platform repeats a page.
 */
export async function* listAssets(
  search: (body: unknown) => Promise<unknown>,
): AsyncGenerator<ListedAsset> {
  const tokens = new PageTokens("list the asset library", { key: idsKey });
  let token: string | undefined;
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
        isInactive: status === "INACTIVE",
      };
    }
    token = assets.length === 0 ? undefined : tokens.next(page["token"], assets);
  } while (token !== undefined);
}

/**
 * Finds the asset that may be this file: of two that are alike, the platform keeps both. A usable one comes before one
 * whose processing failed.
 */
export function findAsset(
  assets: readonly ListedAsset[],
  { name, assetType, size }: { readonly name: unknown; readonly assetType: unknown; readonly size: number },
): ListedAsset | undefined {
  const alike = assets.filter((asset) =>
    asset.name === name && asset.assetType === assetType && (asset.size ?? size) === size
  );
  return alike.find(({ isInactive }) => !isInactive) ?? alike[0];
}

/** The library as one sending of files reads it: each look only reads what was added since the one before. */
export class AssetLibrary {
  #assets: readonly ListedAsset[] = [];

  /** Finds the asset of a planned registration. */
  async find(
    { body, headers = {}, file }: PlannedCall,
    target: CallTarget,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ListedAsset | undefined> {
    const search = async (criteria: unknown): Promise<unknown> => {
      const request = { headers, body: criteria, check: "off", ...(signal && { signal }) } as const;
      return (await sendCall(SEARCH_ASSETS, request, target)).json;
    };
    const known = new Set(this.#assets.map(({ assetId }) => assetId));
    const added: ListedAsset[] = [];
    for await (const asset of listAssets(search)) {
      if (known.has(asset.assetId)) break;
      added.push(asset);
    }
    this.#assets = [...added, ...this.#assets];
    const { name, assetType } = fieldsOf(body);
    return findAsset(this.#assets, { name, assetType, size: file?.bytes ?? 0 });
  }
}

/**
 * Finds out if a planned registration was carried out. One whose processing failed counts: it may be what the
 * registration made.
 */
export async function assetState(
  call: PlannedCall,
  target: CallTarget,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CallState> {
  const asset = await new AssetLibrary().find(call, target, options);
  return asset === undefined ? {} : { body: call.body, id: asset.assetId };
}
