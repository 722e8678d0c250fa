import { readFile, writeFile } from "node:fs/promises";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import { temporaryFolder } from "./temporary_folder.ts";

let made: Promise<Uint8Array> | undefined;

/** Makes an empty store: a copy of one that is made once, for making all tables is most of the work of a short test. */
export async function makeEmptySqlite(path: string): Promise<void> {
  await writeFile(path, await (made ??= emptyStore()));
}

async function emptyStore(): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const path = folder.file("empty.sqlite");
  await (await SqliteDriver.open(path)).close();
  return await readFile(path);
}
