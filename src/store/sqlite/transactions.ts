import type { DatabaseSync, StatementSync } from "node:sqlite";
import { StoreError } from "../model/store_error.ts";

const BUSY = 5;
const MAX_WAIT = 120_000;
const PAUSE = 40;

/**
 * Serializes transactions of the writing connection, which may await other work. Waits for other processes without
 * blocking.
 */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #location: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: DatabaseSync, location: string) {
    this.#database = database;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
    this.#location = location;
  }

  /**
   * @throws {StoreError} when the database fails, or another process holds it for two minutes.
   * @throws whatever `work` throws.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    return this.between(() => this.#transaction(work));
  }

  between<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async idle(): Promise<void> {
    await this.#last;
  }

  async #transaction<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#lock();
    try {
      const result = await work();
      this.#commit.run();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#rollback.run();
      throw storeError(error, this.#location);
    }
  }

  async #lock(): Promise<void> {
    const deadline = performance.now() + MAX_WAIT;
    for (;;) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (codeOf(error) !== BUSY) throw storeError(error, this.#location);
        if (performance.now() > deadline) {
          throw new StoreError(
            `Cannot write to store "${this.#location}": another process has held it for two minutes`,
            { cause: error },
          );
        }
      }
      await new Promise((done) => setTimeout(done, PAUSE * (0.5 + Math.random())));
    }
  }
}

const REASONS: Readonly<Record<number, string>> = {
  5: "another process holds it",
  8: "it is read-only",
  10: "its disk fails",
  11: "the file is damaged",
  13: "the disk is full. Stored data is unchanged; free space and run it again",
  14: "the file cannot be opened",
  26: "it is not an SQLite file",
};

export function storeError(error: unknown, location: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code !== "ERR_SQLITE_ERROR") return error;
  return new StoreError(`Cannot use store "${location}": ${REASONS[codeOf(error)] ?? message}`, {
    cause: error,
  });
}

export function codeOf(error: unknown): number {
  return Number((error as { errcode?: number }).errcode) % 256;
}
