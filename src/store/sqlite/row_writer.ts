import type { DatabaseSync, StatementSync } from "node:sqlite";
import { eachDay } from "../../internal/calendar.ts";
import type { Cell } from "../encode_row.ts";
import { rowHash } from "./row_hash.ts";
import type { PullRecord } from "../store_driver.ts";

/** Parts the cells of a key; no cell holds it. */
const PART = "\x1f";

/**
 * Brings the rows of a pull's days to what the pull has. A row that is stored as it comes is not touched; the versions of
 * changed and vanished rows are closed and kept in the history.
 */
export class RowWriter {
  readonly #pull: PullRecord;
  readonly #keyLength: number;
  readonly #insert: StatementSync;
  readonly #insertRepeat: StatementSync;
  /** What compares with stored rows; `undefined` where none are stored. */
  readonly #diff: Diff | undefined;
  readonly #perDay = new Map<string, number>();
  #rows = 0;

  /** @param knownFrom When the rows became known, in milliseconds since the epoch. */
  constructor(database: DatabaseSync, pull: PullRecord, knownFrom: number) {
    const { layout: { table, columns }, profileId, start, end } = pull;
    const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    const names = ["profile_id", ...columns.map(({ name }) => `"${name}"`), "extra"];
    const into = `INSERT INTO ${table} (${names.join(", ")}, known_from, repeat)`;
    const places = names.map(() => "?").join(", ");
    const same = ["profile_id", ...key].map((name) => `${name} = ?`).join(" AND ");
    this.#pull = pull;
    this.#keyLength = key.length;
    this.#insert = database.prepare(`${into} VALUES (${places}, ${knownFrom}, 0) ON CONFLICT DO NOTHING`);
    this.#insertRepeat = database.prepare(
      `${into} SELECT ${places}, ${knownFrom}, max(repeat) + 1 FROM ${table} WHERE ${same}`,
    );
    const stored = database.prepare(
      `SELECT 1 FROM ${table} WHERE profile_id = ? AND date BETWEEN ? AND ? LIMIT 1`,
    ).get(profileId, start, end);
    this.#diff = stored === undefined ? undefined : new Diff(database, pull, knownFrom);
  }

  /** Rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows of a day. */
  rowsOn(day: string): number {
    return this.#perDay.get(day) ?? 0;
  }

  /** Takes a row; one whose key came before is a further one. */
  add(cells: readonly Cell[]): void {
    const day = String(cells[0]);
    this.#perDay.set(day, this.rowsOn(day) + 1);
    this.#rows++;
    if (this.#diff !== undefined) return this.#diff.add(cells);
    const { profileId } = this.#pull;
    if (this.#insert.run(profileId, ...cells).changes === 0) {
      this.#insertRepeat.run(profileId, ...cells, profileId, ...cells.slice(0, this.#keyLength));
    }
  }

  /** Closes the rows that did not come. */
  finish(): void {
    this.#diff?.closeVanished();
  }
}

/**
 * Compares what comes with what is stored, by a hash of each row that is read in one pass before. A row that is stored as
 * it comes costs no statement. The table's trigger keeps the version that an update replaces.
 */
class Diff {
  readonly #profileId: string;
  readonly #keyLength: number;
  readonly #width: number;
  readonly #seen = new Map<string, number>();
  /** Hashes of stored rows that have not come yet, by key and number. */
  readonly #stored = new Map<string, number>();
  readonly #put: StatementSync;
  readonly #close: StatementSync;
  readonly #remove: StatementSync;

  constructor(database: DatabaseSync, pull: PullRecord, knownFrom: number) {
    const { layout: { table, columns }, profileId, start, end } = pull;
    const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    const others = [...columns.filter((column) => !column.key).map(({ name }) => `"${name}"`), "extra"];
    const names = ["profile_id", ...key, ...others];
    const identity = ["profile_id", ...key, "repeat"];
    const where = identity.map((name) => `${name} = ?`).join(" AND ");
    this.#profileId = profileId;
    this.#keyLength = key.length;
    this.#width = key.length + others.length;
    this.#put = database.prepare(
      `INSERT INTO ${table} (${names.join(", ")}, repeat, known_from)
       VALUES (${names.map(() => "?").join(", ")}, ?, ${knownFrom})
       ON CONFLICT (${identity.join(", ")}) DO UPDATE
       SET ${
        others.map((name) => `${name} = excluded.${name}`).join(", ")
      }, known_from = excluded.known_from`,
    );
    this.#close = database.prepare(
      `INSERT OR REPLACE INTO ${table}_history (${names.join(", ")}, repeat, known_from, known_to)
       SELECT ${names.join(", ")}, repeat, known_from, ${knownFrom} FROM ${table} WHERE ${where}`,
    );
    this.#remove = database.prepare(`DELETE FROM ${table} WHERE ${where}`);
    const ofDay = database.prepare(
      `SELECT ${[...key, ...others, "repeat"].join(", ")} FROM ${table} WHERE profile_id = ? AND date = ?`,
    );
    ofDay.setReturnArrays(true);
    for (const day of eachDay({ start, end })) {
      for (const row of ofDay.all(profileId, day)) if (Array.isArray(row)) this.#remember(row);
    }
  }

  #remember(cells: readonly unknown[]): void {
    let key = "";
    for (let at = 0; at < this.#keyLength; at++) key += cells[at] + PART;
    this.#stored.set(key + cells[this.#width], rowHash(cells, this.#width));
  }

  add(cells: readonly Cell[]): void {
    let key = "";
    for (let at = 0; at < this.#keyLength; at++) key += cells[at] + PART;
    const repeat = this.#seen.get(key) ?? 0;
    this.#seen.set(key, repeat + 1);
    const numbered = key + repeat;
    const hash = this.#stored.get(numbered);
    if (hash !== undefined) this.#stored.delete(numbered);
    if (hash !== rowHash(cells, this.#width)) this.#put.run(this.#profileId, ...cells, repeat);
  }

  /** Closes the rows that did not come. */
  closeVanished(): void {
    for (const numbered of this.#stored.keys()) {
      const identity = [this.#profileId, ...numbered.split(PART)];
      this.#close.run(...identity);
      this.#remove.run(...identity);
    }
  }
}
