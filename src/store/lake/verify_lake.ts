import type { LakePlace } from "./lake_place.ts";
import { isLakeFile, MANIFEST, readManifest } from "./manifest.ts";
import { StoreError } from "../model/store_error.ts";

/** Result of a check. */
export interface LakeReport {
  /** Number of files that match the manifest. */
  readonly files: number;
  /** Number of rows in these files. */
  readonly rows: number;
  /** Total size of these files, in bytes. */
  readonly bytes: number;
  /** Files that are missing, or differ from the published ones. */
  readonly wrong: readonly { readonly path: string; readonly problem: string }[];
  /** Files that are not listed by any publication, left over from an interrupted one. */
  readonly stray: readonly string[];
}

/**
 * Reads every file listed in the manifest and compares it with its checksum.
 *
 * @param options `clean` removes stray files; not while another process publishes.
 * @throws {StoreError} when there is no lake, or it cannot be read.
 *
 * @example
 * ```ts
 * import { openLake, verifyLake } from "@platform/ads/store";
 *
 * async function isWhole(folder: string): Promise<boolean> {
 *   const { wrong } = await verifyLake(await openLake(folder));
 *   return wrong.length === 0;
 * }
 * ```
 */
export async function verifyLake(place: LakePlace, options: { clean?: boolean } = {}): Promise<LakeReport> {
  const { manifest, version } = await readManifest(place);
  if (version === undefined) {
    throw new StoreError(
      `Cannot verify ${place.address}: it has no ${MANIFEST}. Nothing was published there`,
    );
  }
  let [files, rows, bytes] = [0, 0, 0];
  const wrong: { path: string; problem: string }[] = [];
  const known = new Set([MANIFEST, ...manifest.retired.map(({ path }) => path)]);
  for (const [name, table] of Object.entries(manifest.tables)) {
    known.add(`_files/${name}.txt`);
    for (const file of table.files) {
      if (file.path === null) continue;
      known.add(file.path);
      const found = await place.measure(file.path);
      if (found === undefined) wrong.push({ path: file.path, problem: "it is not there" });
      else if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
        wrong.push({ path: file.path, problem: "its content differs from the published file" });
      } else {
        files++;
        rows += file.rows;
        bytes += file.bytes;
      }
    }
  }
  const stray: string[] = [];
  for await (const path of place.list()) {
    if (!known.has(path) && isOwn(path)) stray.push(path);
  }
  if (options.clean === true) await place.remove(stray);
  return { files, rows, bytes, wrong, stray };
}

const UNFINISHED = /^(?:_work\/[^/]+\.parquet|(?:manifest\.json|_files\/\w+\.txt)\.[^/]+\.tmp)$/;

/** False for a file that somebody else keeps in the same folder. */
function isOwn(path: string): boolean {
  return isLakeFile(path) || UNFINISHED.test(path);
}
