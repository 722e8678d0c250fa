import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Buffer } from "node:buffer";
import { eachDay } from "../../base/time/calendar.ts";
import { layoutFingerprint } from "../model/row_hash.ts";
import { RowComparison } from "../model/row_comparison.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { PullRecord } from "../model/store_driver.ts";
import { type StoredRow, VersionKeeper } from "./version_keeper.ts";

/** Unchanged rows are not touched; versions of changed and vanished rows move to the history. */
export class RowWriter {
  readonly #database: DatabaseSync;
  readonly #pull: PullRecord;
  readonly #comparison: RowComparison;
  readonly #keeper: VersionKeeper;
  readonly #keyLength: number;
  readonly #insert: StatementSync;
  readonly #insertRepeat: StatementSync;
  readonly #isCompared: boolean;
  readonly #kept = new Set<string>();
  readonly #vanishedOn = new Set<string>();
  #rows = 0;

  constructor(database: DatabaseSync, pull: PullRecord, knownFrom: number) {
    const { layout: { table, columns } } = pull;
    const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    const names = ["profile_id", ...columns.map(({ name }) => `"${name}"`), "extra"];
    const into = `INSERT INTO ${table} (${names.join(", ")}, known_from, repeat)`;
    const places = names.map(() => "?").join(", ");
    const same = ["profile_id", ...key].map((name) => `${name} = ?`).join(" AND ");
    this.#database = database;
    this.#pull = pull;
    this.#keyLength = key.length;
    this.#insert = database.prepare(`${into} VALUES (${places}, ${knownFrom}, 0) ON CONFLICT DO NOTHING`);
    this.#insertRepeat = database.prepare(
      `${into} SELECT ${places}, ${knownFrom}, max(repeat) + 1 FROM ${table} WHERE ${same}`,
    );
    this.#comparison = new RowComparison(pull.layout);
    this.#keeper = new VersionKeeper(database, pull, knownFrom);
    this.#isCompared = this.#rememberStored();
  }

  get rows(): number {
    return this.#rows;
  }

  rowsOn(day: string): number {
    return this.#comparison.rowsOn(day);
  }

  add(cells: readonly Cell[]): void {
    this.#rows++;
    if (this.#isCompared) return this.#comparison.add(cells);
    this.#comparison.note(String(cells[0]), cells);
    this.#put(cells);
  }

  finish(): void {
    this.#replaceRows(this.#comparison.changed);
    this.#closeVanished();
    this.#keeper.finish();
    this.#keepHashes();
  }

  #put(cells: readonly Cell[]): void {
    const { profileId } = this.#pull;
    if (this.#insert.run(profileId, ...cells).changes === 0) {
      this.#insertRepeat.run(profileId, ...cells, profileId, ...cells.slice(0, this.#keyLength));
    }
  }

  #rememberStored(): boolean {
    const { layout, profileId, start, end } = this.#pull;
    const counts = this.#database.prepare(
      "SELECT date, rows AS n FROM days WHERE profile_id = ? AND report = ? AND date BETWEEN ? AND ? AND rows > 0",
    ).all(profileId, layout.report, start, end);
    if (counts.length === 0) return false;
    const kept = this.#database.prepare(
      "SELECT hashes FROM day_hashes WHERE profile_id = ? AND report = ? AND date = ? AND layout = ?",
    );
    for (const { date, n } of counts) {
      const day = String(date);
      const bytes = kept.get(profileId, layout.report, day, layoutFingerprint(layout))?.["hashes"];
      const hashes = bytes instanceof Uint8Array ? new Float64Array(bytes.slice().buffer) : undefined;
      const isWhole = hashes !== undefined && hashes.length === n;
      this.#comparison.remember(
        day,
        isWhole ? hashes : this.#comparison.hashesOfRows(this.#rowsOfDay(day).map(({ cells }) => cells)),
      );
      if (isWhole) this.#kept.add(day);
    }
    return true;
  }

  #selection(where: string): (...params: string[]) => StoredRow[] {
    const { table, columns } = this.#pull.layout;
    const names = [...columns.map(({ name }) => `"${name}"`), "extra", "repeat", "known_from", "ref"];
    const statement = this.#database.prepare(
      `SELECT ${names.join(", ")} FROM ${table} WHERE ${where} ORDER BY repeat`,
    );
    statement.setReturnArrays(true);
    return (...params) => {
      const rows: readonly unknown[] = statement.all(...params);
      return rows.filter((row) => Array.isArray(row)).map((row: readonly unknown[]) => ({
        cells: row.slice(0, -3),
        repeat: Number(row.at(-3)),
        knownFrom: Number(row.at(-2)),
        ref: row.at(-1) === null ? null : Number(row.at(-1)),
      }));
    };
  }

  #rowsOfDay(day: string): readonly StoredRow[] {
    return this.#selection("profile_id = ? AND date = ?")(this.#pull.profileId, day);
  }

  #replaceRows(changed: readonly (readonly Cell[])[]): void {
    const { layout: { columns }, profileId } = this.#pull;
    const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    const ofKey = this.#selection(["profile_id", ...key].map((name) => `${name} = ?`).join(" AND "));
    // In the order of the table, so that a page is changed once.
    for (const cells of changed.toSorted((one, other) => inKeyOrder(one, other, this.#keyLength))) {
      const before = ofKey(profileId, ...cells.slice(0, this.#keyLength).map(String)).find((row) =>
        this.#comparison.takeLeft(String(cells[0]), row.cells)
      );
      if (before === undefined) this.#put(cells);
      else this.#keeper.change(before, cells);
    }
  }

  #closeVanished(): void {
    for (const day of eachDay(this.#pull)) {
      if (!this.#comparison.hasLeft(day)) continue;
      this.#vanishedOn.add(day);
      for (const row of this.#rowsOfDay(day)) {
        if (this.#comparison.takeLeft(day, row.cells)) this.#keeper.vanish(row);
      }
    }
  }

  #keepHashes(): void {
    const { layout, profileId, start, end } = this.#pull;
    const put = this.#database.prepare(
      "INSERT OR REPLACE INTO day_hashes (profile_id, report, date, layout, hashes) VALUES (?, ?, ?, ?, ?)",
    );
    const drop = this.#database.prepare(
      "DELETE FROM day_hashes WHERE profile_id = ? AND report = ? AND date = ?",
    );
    const changed = new Set(this.#comparison.changed.map((cells) => cells[0]));
    for (const day of eachDay({ start, end })) {
      if (this.#kept.has(day) && !changed.has(day) && !this.#vanishedOn.has(day)) continue;
      const hashes = this.#comparison.hashesOf(day);
      // What is left fits no stored row: another program changed the day, which is read as a whole next time.
      if (hashes.length === 0 || this.#comparison.hasLeft(day)) drop.run(profileId, layout.report, day);
      else put.run(profileId, layout.report, day, layoutFingerprint(layout), Buffer.from(hashes.buffer));
    }
  }
}

function inKeyOrder(one: readonly Cell[], other: readonly Cell[], keyLength: number): number {
  for (let at = 0; at < keyLength; at++) {
    const [a, b] = [String(one[at]), String(other[at])];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
