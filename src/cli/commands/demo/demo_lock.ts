import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * A lock between processes that the operating system takes back when its holder dies: an exclusive transaction on an
 * SQLite file that holds nothing.
 */
export class DemoLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Takes the lock; `undefined` when another process has it. */
  static tryTake(path: string): DemoLock | undefined {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec("begin exclusive");
      return new DemoLock(database);
    } catch (error) {
      database.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  /** Gives the lock back. */
  release(): void {
    this.#database.close();
  }
}
