import { existsSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** As it is before {@linkcode copyNewStores}, which would wait for what this makes. */
const { open: openNew } = SqliteDriver;

let made: Promise<Uint8Array> | undefined;

/** Makes an empty store: a copy of one that is made once, for making all tables is most of the work of a short test. */
export async function makeEmptySqlite(path: string): Promise<void> {
  await writeFile(path, await (made ??= emptyStore()));
}

/**
 * Lets stores that this isolate makes begin as a copy of the same one.
 *
 * @param isCopied Asked for each store that is made.
 */
export function copyNewStores(isCopied: () => boolean): void {
  const open = SqliteDriver.open;
  SqliteDriver.open = async (path, options) => {
    const empty = existsSync(path) || !isCopied() ? undefined : await (made ??= emptyStore());
    // At once, so that of several that open the same place only the first writes it.
    if (empty !== undefined && !existsSync(path)) copyTo(path, empty);
    return await open.call(SqliteDriver, path, options);
  };
}

function copyTo(path: string, empty: Uint8Array): void {
  try {
    writeFileSync(path, empty, { flag: "wx", mode: 0o600 });
  } catch {
    // Opening it says why it cannot be made.
  }
}

async function emptyStore(): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const path = folder.file("empty.sqlite");
  await (await openNew.call(SqliteDriver, path)).close();
  return await readFile(path);
}
