import { isObject } from "../../base/json/fields_of.ts";
import { StoreError } from "../model/store_error.ts";
import { type LakeOwner, ownerId } from "./partitions.ts";
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

const NO_MANIFEST: LakeManifest = { format: FORMAT, published_at: "", tables: {}, retired: [] };

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
      `Cannot read ${MANIFEST} of ${place.address}: it is not JSON. Restore it from a backup, or publish to another folder`,
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
  const paths = pathsIn(manifest);
  if (paths === undefined) {
    throw new StoreError(
      `Cannot read ${MANIFEST} of ${place.address}: a part of it is missing. Restore it from a backup, or publish to another folder`,
    );
  }
  const foreign = paths.find((path) => !isLakeFile(path)) ??
    Object.keys(Object(manifest["tables"])).find((name) => !/^\w+$/.test(name));
  if (foreign !== undefined) {
    throw new StoreError(
      `Cannot read ${MANIFEST} of ${place.address}: it names ${JSON.stringify(foreign)}, which no lake has`,
    );
  }
  return { manifest: manifest as unknown as LakeManifest, version: read.version };
}

/** True for paths as a publication writes them. Files of others may be in the same folder. */
export function isLakeFile(path: string): boolean {
  return /^\w+\/(?:(?:country_code|profile_id|instance_id|advertiser_id|month)=[^/]*\/)+[0-9a-f]{16}\.parquet$/
    .test(path);
}

/** Paths that a manifest names; `undefined` if it is incomplete. */
function pathsIn({ tables, retired }: Record<string, unknown>): string[] | undefined {
  const lists = isObject(tables)
    ? Object.values(tables).map((table) => isObject(table) ? table["files"] : undefined)
    : [undefined];
  const pathsOf = (list: unknown): unknown[] =>
    Array.isArray(list) ? list.map((file) => isObject(file) ? file["path"] : undefined) : [undefined];
  // A partition without rows has no file.
  const paths = [...lists.flatMap(pathsOf).filter((path) => path !== null), ...pathsOf(retired)];
  return paths.every((path) => typeof path === "string") ? paths : undefined;
}

export function partitionKey(file: LakeOwner & Pick<LakeFile, "month">): string {
  return `${ownerId(file)} ${file.month ?? ""}`;
}
