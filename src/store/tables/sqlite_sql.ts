import type { DatabaseSync } from "node:sqlite";
import type { StoreSql } from "./store_sql.ts";

export function sqliteSql(database: DatabaseSync): StoreSql {
  return {
    dialect: "SQLite",
    run: (text, values = []) => Promise.resolve(database.prepare(text).all(...values)),
  };
}
