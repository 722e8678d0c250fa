import { isObject } from "../../base/json/is_object.ts";
import type { SchemaColumn } from "../model/schema_table.ts";
import { StoreError } from "../model/store_error.ts";
import type { LakePlace } from "./lake_place.ts";

/** Name of the manifest in a lake. */
export const MANIFEST = "manifest.json";

/** Format of manifests; readers refuse others. */
const FORMAT = 1;

/** A file of a lake: the rows of a table for one profile, and one month where they have days. */
export interface LakeFile {
  /** Path in the lake; `null` where there are no rows. */
  readonly path: string | null;
  readonly country_code: string;
  readonly profile_id: string;
  /** As `2026-09`; `null` for tables without days. */
  readonly month: string | null;
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal; empty where there is none. */
  readonly sha256: string;
  /** Differs whenever the store held other rows. */
  readonly source: string;
}

/** Files of a table, with their common columns. */
export interface LakeTableFiles {
  /** Counts up when columns change. */
  readonly schema_version: number;
  readonly columns: readonly Pick<SchemaColumn, "name" | "type">[];
  readonly files: readonly LakeFile[];
}

/** Contents of a lake. Readers that keep to these files see whole days, all of one publication. */
export interface LakeManifest {
  readonly format: number;
  /** When, ISO 8601. */
  readonly published_at: string;
  readonly tables: Readonly<Record<string, LakeTableFiles>>;
  /** Files of earlier publications, which stay for a while for those who are reading them. */
  readonly retired: readonly { readonly path: string; readonly at: string }[];
}

/** The manifest of a lake without files. */
export const NO_MANIFEST: LakeManifest = { format: FORMAT, published_at: "", tables: {}, retired: [] };

/**
 * Reads the manifest of a lake, with the version to replace it by.
 *
 * @throws {StoreError} for one that is damaged, or of a newer release.
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

/** Key of a file among those of its table. */
export function partitionKey(
  { profile_id: profile, month }: Pick<LakeFile, "profile_id" | "month">,
): string {
  return `${profile} ${month ?? ""}`;
}
