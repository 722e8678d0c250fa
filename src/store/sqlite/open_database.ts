import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "../../errors.ts";
import { StoreError } from "../model/store_error.ts";
import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from "./schema.ts";
import { codeOf } from "./transactions.ts";

const [NOT_A_DATABASE, CORRUPT, CANNOT_OPEN] = [26, 11, 14];

export const READ_TIMEOUT = 5000;
const MAKE_TIMEOUT = 30_000;

export function openReader(address: string | URL): DatabaseSync {
  return new DatabaseSync(address, { readOnly: true, timeout: READ_TIMEOUT });
}

/**
 * Returns an address for which SQLite creates no files beside the store, if the file system is read-only; otherwise
 * the path.
 *
 * @throws {ConfigurationError} when rows of an interrupted writer are still beside the file.
 */
export function readingAddress(path: string): string | URL {
  const whole = resolve(path);
  try {
    const database = openReader(whole);
    try {
      pragma(database, "application_id");
      return whole;
    } finally {
      database.close();
    }
  } catch (error) {
    if (codeOf(error) !== CANNOT_OPEN || !existsSync(whole)) return whole;
    const log = statSync(`${whole}-wal`, { throwIfNoEntry: false });
    if (log !== undefined && log.size > 0) {
      throw new ConfigurationError(
        `Cannot open store "${path}": its last rows are in "${path}-wal". Open it once with write access`,
        { cause: error },
      );
    }
    return new URL(`${pathToFileURL(whole).href}?immutable=1`);
  }
}

/**
 * Opens the database of a store; never opens files of other programs.
 *
 * @param address From {@linkcode readingAddress}; a store on a read-only file system is opened for reading.
 * @throws {ConfigurationError} when the path is not a store.
 */
export function openDatabase(path: string, address: string | URL): DatabaseSync {
  refuseOthers(path, address);
  if (typeof address !== "string") return openReader(address);
  try {
    makeOwn(path);
    // Another process may be making the same new store at this moment; only from then on waiting is done elsewhere.
    const database = new DatabaseSync(path, { timeout: MAKE_TIMEOUT, enableForeignKeyConstraints: false });
    // Whether the file is damaged is seen by a code, which errors of exec() lack under Deno.
    countTables(database);
    database.exec("PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -6000");
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (cause) {
    if (codeOf(cause) === CORRUPT) throw damaged(path, cause);
    throw new ConfigurationError(`Cannot open store "${path}": ${(cause as Error).message}`, { cause });
  }
}

export function isCurrentStore(path: string): boolean {
  if (!existsSync(path)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = openReader(path);
    return pragma(database, "application_id") === APPLICATION_ID &&
      pragma(database, "user_version") === SCHEMA_VERSION;
  } catch {
    // Opening it as a store says what is wrong.
    return false;
  } finally {
    database?.close();
  }
}

/** Makes a new store readable only by its owner. SQLite copies the permissions to its auxiliary files. */
function makeOwn(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // SQLite says why it cannot be opened.
  }
}

function refuseOthers(path: string, address: string | URL): void {
  const refused = (why: string, options?: ErrorOptions): ConfigurationError =>
    new ConfigurationError(`Cannot open store "${path}": ${why}`, options);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) throw refused("it is a folder. Name a file in it, for example ads.sqlite");
  if (!found.isFile()) throw refused("it is not a file");
  let database: DatabaseSync | undefined;
  try {
    database = openReader(address);
    const applicationId = pragma(database, "application_id");
    // Counting reads the whole schema, which takes longer than all else here: a store's is not counted.
    if (applicationId !== APPLICATION_ID && countTables(database) !== 0) {
      throw refused("it is an SQLite file of another program");
    }
    const version = pragma(database, "user_version");
    if (applicationId === APPLICATION_ID && version > SCHEMA_VERSION) {
      throw refused(
        `its schema is version ${version}, made by a newer release; this program supports ${SCHEMA_VERSION}. ` +
          "Update the program",
      );
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === NOT_A_DATABASE) throw refused("it is not an SQLite file", { cause: error });
    if (code === CORRUPT) throw damaged(path, error);
    throw error instanceof ConfigurationError ? error : refused((error as Error).message, { cause: error });
  } finally {
    database?.close();
  }
}

function damaged(path: string, cause: unknown): StoreError {
  return new StoreError(`Cannot open store "${path}": the file is damaged`, { cause });
}

function countTables(database: DatabaseSync): number {
  return Number(database.prepare("SELECT count(*) AS n FROM sqlite_master").get()!["n"]);
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()![name]);
}

/**
 * Backup before a migration, such as `ads.sqlite.v6.backup`. Created atomically; a killed process may leave a `.part`
 * file, which can be deleted.
 *
 * @returns `undefined` when another process migrated the store first.
 * @throws {Error} when there is no space; nothing is changed then.
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
