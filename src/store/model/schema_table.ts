import type { ColumnType } from "../../client/reports/file/report_row.ts";

/** A column that can be queried. */
export interface SchemaColumn {
  /** Name; one with capitals is quoted on PostgreSQL. */
  readonly name: string;
  /** Type of the column; `time` is ISO 8601 text on SQLite and `timestamptz` on PostgreSQL. */
  readonly type: ColumnType | "json" | "time";
  /** A sentence for the reader: content, unit, source. */
  readonly meaning: string;
}

/** A table or view that can be queried. */
export interface SchemaTable {
  /** Name, as written in SQL. */
  readonly name: string;
  /** Meaning of a row. */
  readonly about: string;
  /** Columns, in order. */
  readonly columns: readonly SchemaColumn[];
  /** Example queries that work in both SQLite and PostgreSQL. */
  readonly examples: readonly string[];
}
