import { chmodSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { schemaVersion } from "./schema.ts";

/**
 * Copies a store beside itself before a newer release changes its schema: `ads.sqlite.v6.backup`. The copy is complete
 * or not there; a process that was killed leaves a file whose name ends in `.part`, which may be deleted.
 *
 * @returns the path of the copy; `undefined` when another process has changed the schema meanwhile.
 * @throws {Error} when the disk has no room for the copy. Nothing was changed then.
 */
export function keepCopy(
  database: DatabaseSync,
  { path, version }: { readonly path: string; readonly version: number },
): string | undefined {
  const copy = `${path}.v${version}.backup`;
  const part = `${copy}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    database.prepare("VACUUM INTO ?").run(part);
    chmodSync(part, 0o600);
    if (copiedVersion(part) !== version) {
      rmSync(part);
      return undefined;
    }
    renameSync(part, copy);
    return copy;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function copiedVersion(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return schemaVersion(database);
  } finally {
    database.close();
  }
}
