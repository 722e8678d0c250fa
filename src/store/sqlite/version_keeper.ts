import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Cell } from "../model/encode_rows.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import {
  changesTable,
  emptiedMark,
  holdsSql,
  keptVersions,
  versionColumns,
} from "../tables/kept_versions.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";

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
