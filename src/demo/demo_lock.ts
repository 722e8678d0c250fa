import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isUnwritable, UnwritableDemoError } from "./unwritable_demo_error.ts";

/**
 * A lock between processes that the operating system releases when its holder dies: an exclusive transaction on an
 * SQLite file that holds nothing.
 */
export class DemoLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Takes the lock; `undefined` when another process has it.
   *
   * @throws {UnwritableDemoError} where its file cannot be written.
   */
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
      return new DemoLock(database);
    } catch (error) {
      database.close();
      if (/locked|busy/i.test(String(error))) return undefined;
      throw isUnwritable(error) ? new UnwritableDemoError(path, { cause: error }) : error;
    }
  }

  /** Gives the lock back. */
  release(): void {
    this.#database.close();
  }
}
