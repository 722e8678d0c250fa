import { DatabaseSync } from "node:sqlite";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { SqliteDriver, type StoreDriver } from "../../../src/store/mod.ts";
import { withSql } from "../../support/postgres.ts";
import { processorTime } from "../bench.ts";
import { processorTimeWith } from "./server_time.ts";

/** A database that holds a year, with what a benchmark does to it besides the store. */
export interface YearStore {
  /** `SQLite` or `PostgreSQL`. */
  readonly name: string;
  /** Opens the store. */
  open(): Promise<StoreDriver>;
  /**
   * Copies everything that is stored of one profile to others, inside of the database: every table that names a profile,
   * whatever it is for. The ids of the others are larger, so that rows are put behind those that are there.
   */
  copy(from: string, to: readonly string[]): Promise<void>;
  /**
   * Lets every day count as pulled for the first time on the morning after it, as in a store that is synced every night,
   * and brings the planner's knowledge up to date, as the database's own upkeep does sooner or later.
   */
  settle(): Promise<void>;
  /** Size on the disk, in bytes. */
  size(): Promise<number>;
  /** Rows of a report's table. */
  count(table: string): Promise<number>;
  /** Milliseconds of the processor that a piece of work takes, the database's own processes included. */
  processorTime(work: () => unknown): Promise<number>;
}

/** A table whose rows are copied, and how they are found by a profile. */
interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table whose rows it has something of, for one that does not name the profile itself. */
  readonly of?: string;
}

/** Where the store keeps its tables in PostgreSQL, and connections that copy them. */
const [SCHEMA, LANES] = ["platform_ads", 3];

/** A file. */
export function sqliteYear(path: string): YearStore {
  const using = <T>(work: (database: DatabaseSync) => T): Promise<T> => {
    const database = new DatabaseSync(path);
    try {
      return Promise.resolve(work(database));
    } finally {
      database.close();
    }
  };
  return {
    name: "SQLite",
    open: () => SqliteDriver.open(path),
    copy: (from, to) =>
      using((database) => {
        database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000");
        for (const table of sqliteTables(database)) {
          for (const profile of to) database.exec(copyStatement(table, from, profile));
        }
      }),
    settle: () =>
      using((database) =>
        database.exec("UPDATE days SET first_pulled_at = date(date, '+1 day') || 'T12:00:00.000Z'")
      ),
    size: async () => (await Deno.stat(path)).size,
    count: (table) =>
      using((database) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])),
    processorTime,
  };
}

/** A database on a server of this machine. */
export async function postgresYear(address: string): Promise<YearStore> {
  const one = (statement: string): Promise<number> =>
    withSql(address, async (sql) => Number((await sql.text(statement))[0]?.["n"]));
  return {
    name: "PostgreSQL",
    open: () => PostgresDriver.open(address),
    copy: async (from, to) => {
      const tables = await postgresTables(address);
      await Promise.all(Array.from({ length: LANES }, () =>
        withSql(address, async (sql) => {
          for (let table = tables.shift(); table !== undefined; table = tables.shift()) {
            for (const profile of to) await sql.text(copyStatement(table, from, profile));
          }
        })));
    },
    settle: () =>
      withSql(address, async (sql) => {
        await sql.text(`UPDATE ${SCHEMA}.days SET first_pulled_at = date + interval '36 hours'`);
        // A smaller sample than a server takes by itself: there are hundreds of partitions.
        await sql.text("SET default_statistics_target = 25");
        await sql.text("ANALYZE");
      }),
    size: () => one("SELECT pg_database_size(current_database()) AS n"),
    count: (table) => one(`SELECT count(*) AS n FROM ${SCHEMA}.${table}`),
    processorTime: await processorTimeWith(address),
  };
}

function sqliteTables(database: DatabaseSync): CopiedTable[] {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return names.flatMap(({ name: found }): CopiedTable[] => {
    const name = String(found);
    const all = database.prepare("SELECT name, type, pk FROM pragma_table_info(?)").all(name);
    // A number that SQLite gives itself is not copied.
    const isOwnId = (column: Record<string, unknown>): boolean =>
      column["type"] === "INTEGER" && column["pk"] === 1 && all.every(({ pk }) => pk !== 2);
    const columns = all.filter((column) => !isOwnId(column)).map((column) => String(column["name"]));
    if (columns.includes("profile_id")) return [{ name, columns }];
    return columns.includes("ref") ? [{ name, columns, of: name.replace(/_changes$/, "") }] : [];
  });
}

/** The largest first, so that no connection is left with one of them at the end. */
async function postgresTables(address: string): Promise<CopiedTable[]> {
  const found = await withSql(address, (sql) =>
    sql.text(
      `SELECT c.oid::regclass::text AS name, (SELECT json_agg(a.attname ORDER BY a.attnum)::text FROM pg_attribute AS a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
       FROM pg_class AS c JOIN pg_attribute AS own ON own.attrelid = c.oid AND own.attname = 'profile_id'
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
       ORDER BY (SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(c.oid)) DESC`,
    ));
  return found.map(({ name, columns }) => ({ name: String(name), columns: JSON.parse(String(columns)) }));
}

/** @param to Its digits are part of the numbers by which rows and their differences find each other. */
function copyStatement({ name, columns, of }: CopiedTable, from: string, to: string): string {
  const value = (column: string): string =>
    column === "profile_id" ? `'${to}'` : column === "ref" ? `ref + ${Number(to) * 1e9}` : `"${column}"`;
  const rows = of === undefined
    ? `profile_id = '${from}'`
    : `ref IN (SELECT ref FROM ${of} WHERE profile_id = '${from}')`;
  return `INSERT INTO ${name} (${columns.map((column) => `"${column}"`).join(", ")})
    SELECT ${columns.map(value).join(", ")} FROM ${name} WHERE ${rows}`;
}
