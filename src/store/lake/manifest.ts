import { isObject } from "../../base/json/fields_of.ts";
import { StoreError } from "../model/store_error.ts";
import { type LakeOwner, ownerId } from "./lake_owner.ts";
import type { LakePlace } from "./lake_place.ts";
import type { LakeColumn } from "./lake_tables.ts";

export const MANIFEST = "manifest.json";

const FORMAT = 1;

export interface LakeFile extends LakeOwner {
  readonly path: string | null;
  /** Month as `2026-09`; `null` for tables without days. */
  readonly month: string | null;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly source: string;
}

export interface LakeTableFiles {
  readonly schema_version: number;
  readonly columns: readonly LakeColumn[];
  readonly files: readonly LakeFile[];
}

/** Readers that use only these files see complete days of one publication. */
export interface LakeManifest {
  readonly format: number;
  readonly published_at: string;
  readonly tables: Readonly<Record<string, LakeTableFiles>>;
  /** Files of earlier publications, kept for a while for running queries. */
  readonly retired: readonly { readonly path: string; readonly at: string }[];
}

export const NO_MANIFEST: LakeManifest = { format: FORMAT, published_at: "", tables: {}, retired: [] };

/**
 * Reads the manifest, and the version that is needed to replace it.
 *
 * @throws {StoreError} when it is damaged, or from a newer release.
 */
export async function readManifest(
  place: LakePlace,
): Promise<{ readonly manifest: LakeManifest; readonly version: string | undefined }> {
  const read = await place.readText(MANIFEST);
  if (read === undefined) return { manifest: NO_MANIFEST, version: undefined };
  let manifest: unknown;
  try {
    manifest = JSON.parse(read.text);
  } catch (cause) {
    throw new StoreError(
      `Cannot read ${MANIFEST} of ${place.address}: it is not JSON. Restore it from a backup`,
      {
        cause,
      },
    );
  }
  if (!isObject(manifest) || typeof manifest["format"] !== "number" || !isObject(manifest["tables"])) {
    throw new StoreError(`Cannot read ${MANIFEST} of ${place.address}: it is not the manifest of a lake`);
  }
  if (manifest["format"] !== FORMAT) {
    throw new StoreError(
      `Cannot read ${MANIFEST} of ${place.address}: it is of format ${
        manifest["format"]
      }, expected ${FORMAT}. ` +
        "A newer release wrote it",
    );
  }
  return { manifest: manifest as unknown as LakeManifest, version: read.version };
}

export function partitionKey(file: LakeOwner & Pick<LakeFile, "month">): string {
  return `${ownerId(file)} ${file.month ?? ""}`;
}
