import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { isUnwritable, UnwritableDemoError } from "./demo_files.ts";

/**
 * Lock between processes, as an exclusive transaction on an empty SQLite file. The operating system releases it when
 * the holder dies.
 */
export class DemoLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static tryTake(path: string): DemoLock | undefined {
    let database: DatabaseSync;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      database = new DatabaseSync(path, { timeout: 0 });
    } catch (error) {
      throw isUnwritable(error) ? new UnwritableDemoError(path, { cause: error }) : error;
    }
    try {
      database.exec("begin exclusive");
      tellHolder(path);
      return new DemoLock(database);
    } catch (error) {
      database.close();
      if (/locked|busy/i.test(String(error))) return undefined;
      throw isUnwritable(error) ? new UnwritableDemoError(path, { cause: error }) : error;
    }
  }

  static holder(path: string): string {
    try {
      return readFileSync(holderPath(path), "utf8").trim() || "another process";
    } catch {
      return "another process";
    }
  }

  release(): void {
    this.#database.close();
  }
}

function holderPath(lock: string): string {
  return `${lock}.holder`;
}

/** Omits the holder's options, which may contain secrets. */
function tellHolder(lock: string): void {
  const [, script = "", ...words] = process.argv;
  const program = /mcp/.test(basename(script)) ? "platform-ads-mcp" : "adsctl";
  const end = words.findIndex((word) => !/^[a-z][a-z-]{0,20}$/.test(word));
  const command = words.slice(0, end === -1 ? 2 : Math.min(end, 2));
  try {
    writeFileSync(holderPath(lock), `${[program, ...command].join(" ")} (process ${process.pid})\n`, {
      mode: 0o600,
    });
  } catch {
    // Only for messages.
  }
}
