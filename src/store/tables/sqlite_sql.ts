import type { DatabaseSync } from "node:sqlite";
import type { StoreSql } from "./store_sql.ts";

/** A connection to an SQLite file, for the tables that are the same in PostgreSQL. */
export function sqliteSql(database: DatabaseSync): StoreSql {
  return {
    dialect: "SQLite",
    run: (text, values = []) => Promise.resolve(database.prepare(text).all(...values)),
  };
}
