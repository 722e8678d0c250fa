import { eachDay } from "../../base/time/calendar.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { RowComparison } from "../model/row_comparison.ts";
import { layoutFingerprint } from "../model/row_hash.ts";
import type { PullRecord } from "../model/store_driver.ts";
import {
  changesTable,
  emptiedMark,
  holdsSql,
  keptVersions,
  versionColumns,
} from "../tables/kept_versions.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import { Buffer } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";

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

export interface StoredRow {
  readonly cells: readonly unknown[];
  readonly repeat: number;
  readonly knownFrom: number;
  readonly ref: number | null;
}

interface ChangeStatements {
  readonly fill: StatementSync;
  readonly add: StatementSync;
  readonly put: StatementSync;
}

const MAX_SETS = 300;

const DIALECT = sqlDialect("SQLite");

/** Archives row versions: only the differences for a row that remains, whole versions for a row that vanished. */
export class VersionKeeper {
  readonly #database: DatabaseSync;
  readonly #layout: ReportLayout;
  readonly #profileId: string;
  readonly #now: number;
  readonly #columns: readonly string[];
  readonly #keyLength: number;
  readonly #identity: string;
  readonly #sets = new Map<string, ChangeStatements>();
  #vanish: readonly StatementSync[] | undefined;
  #numberBefore: number;
  #number: number;

  constructor(database: DatabaseSync, pull: { layout: ReportLayout; profileId: string }, now: number) {
    const { layout, profileId } = pull;
    const key = layout.columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
    this.#database = database;
    this.#layout = layout;
    this.#profileId = profileId;
    this.#now = now;
    this.#columns = versionColumns(layout).map(({ name }) => name);
    this.#keyLength = key.length;
    this.#identity = ["profile_id", ...key, "repeat"].map((name) => `rows.${name} = ?`).join(" AND ");
    this.#number = Number(database.prepare("SELECT last FROM row_numbers").get()?.["last"]);
    this.#numberBefore = this.#number;
  }

  change(row: StoredRow, cells: readonly Cell[]): void {
    const changed: number[] = [];
    const after: Cell[] = [];
    let set = "";
    for (const [at, cell] of cells.entries()) {
      if (at < this.#keyLength || row.cells[at] === cell) continue;
      changed.push(at);
      after.push(cell);
      set += `${at} ${row.cells[at] === null} `;
    }
    if (changed.length === 0) return;
    const { fill, add, put } = this.#statements(set, row, changed);
    const before = changed.map((at) => row.cells[at] as Cell);
    if (row.ref !== null) fill.run(...before.filter((cell) => cell !== null), row.ref);
    const ref = row.ref ?? ++this.#number;
    add.run(ref, row.knownFrom, ...before);
    put.run(ref, ...after, ...this.#which(row));
  }

  vanish(row: StoredRow): void {
    const [close, closeKept, forget, remove] = this.#vanish ??= this.#vanishStatements();
    if (row.ref !== null) {
      closeKept!.run(...this.#which(row));
      forget!.run(row.ref);
    }
    close!.run(...this.#which(row));
    remove!.run(...this.#which(row));
  }

  finish(): void {
    if (this.#number === this.#numberBefore) return;
    this.#database.prepare("UPDATE row_numbers SET last = ?").run(this.#number);
  }

  #which(row: StoredRow): (string | number)[] {
    return [this.#profileId, ...row.cells.slice(0, this.#keyLength).map(String), row.repeat];
  }

  /**
   * Returns statements for the changed columns only. Rows mostly change in the same columns, and updating only these
   * is twice as fast as updating all.
   */
  #statements(set: string, row: StoredRow, changed: readonly number[]): ChangeStatements {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    if (this.#sets.size >= MAX_SETS) this.#sets.clear();
    const statements = this.#prepareSet(
      changed.map((at) => ({
        name: this.#columns[at - this.#keyLength]!,
        wasEmpty: row.cells[at] === null,
      })),
    );
    this.#sets.set(set, statements);
    return statements;
  }

  #prepareSet(changed: readonly { name: string; wasEmpty: boolean }[]): ChangeStatements {
    const changes = changesTable(this.#layout);
    const names = changed.map(({ name }) => `"${name}"`);
    const emptied = changed.filter(({ wasEmpty }) => wasEmpty).map(({ name }) => name);
    const mark = emptied.length === 0 ? "NULL" : `'${emptied.map(emptiedMark).join("")}'`;
    const filled = changed.filter(({ wasEmpty }) => !wasEmpty).map(({ name }) => name);
    const holds = (name: string): string => holdsSql(name, DIALECT);
    const fills = filled.map((name) => `"${name}" = CASE WHEN ${holds(name)} THEN d."${name}" ELSE ? END`);
    const marks = emptied.map((name) => `CASE WHEN ${holds(name)} THEN '' ELSE '${emptiedMark(name)}' END`);
    if (marks.length > 0) {
      fills.push(`emptied = nullif(coalesce(d.emptied, '') || ${marks.join(" || ")}, '')`);
    }
    const lacks = changed.map(({ name }) => `NOT ${holds(name)}`).join(" OR ");
    return {
      fill: this.#database.prepare(
        `UPDATE ${changes} AS d SET ${fills.join(", ")} WHERE ref = ? AND (${lacks})`,
      ),
      add: this.#database.prepare(
        `INSERT INTO ${changes} (ref, known_from, known_to, ${names.join(", ")}, emptied)
         VALUES (?, ?, ${this.#now}, ${names.map(() => "?").join(", ")}, ${mark})`,
      ),
      put: this.#database.prepare(
        `UPDATE ${this.#layout.table} AS rows SET ref = ?, known_from = ${this.#now}, ${
          names.map((name) => `${name} = ?`).join(", ")
        } WHERE ${this.#identity}`,
      ),
    };
  }

  #vanishStatements(): StatementSync[] {
    const { table, columns } = this.#layout;
    const names = [...columns.map(({ name }) => name), "extra"];
    const { from, where, column } = keptVersions(this.#layout, DIALECT);
    const quoted = names.map((name) => `"${name}"`).join(", ");
    const identity = this.#identity;
    const into =
      `INSERT OR REPLACE INTO ${table}_history (profile_id, ${quoted}, repeat, known_from, known_to)`;
    return [
      `${into} SELECT profile_id, ${quoted}, repeat, known_from, ${this.#now} FROM ${table} AS rows WHERE ${identity}`,
      `${into} SELECT rows.profile_id, ${names.map(column).join(", ")}, rows.repeat, d.known_from, d.known_to
       FROM ${from} WHERE ${where} AND ${identity}`,
      `DELETE FROM ${changesTable(this.#layout)} WHERE ref = ?`,
      `DELETE FROM ${table} AS rows WHERE ${identity}`,
    ].map((statement) => this.#database.prepare(statement));
  }
}
