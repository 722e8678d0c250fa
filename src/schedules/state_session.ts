import { POSTGRES_PACKAGES, withPackages } from "../store/optional_packages.ts";
import { Warehouse } from "../store/warehouse.ts";

/** A row of a result. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs one statement with `?` for its values. */
export type RunSql = (
  text: string,
  values?: readonly (string | number | null)[],
) => Promise<readonly SqlRow[]>;

/** A database in which the state of schedules is kept. */
export interface StateSession {
  /** SQL for the milliseconds since the epoch by the database's clock. */
  readonly now: string;
  /** Does work in a transaction that waits for others and holds them back. */
  transaction<T>(work: (sql: RunSql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds that a transaction waits for that of another process. */
const BUSY_TIMEOUT = 30_000;

/** Number of the advisory lock of the state in PostgreSQL: "PADC". */
const LOCK = 0x50414443;

/** True for the address of a PostgreSQL database. */
export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}

/** Opens the database of a store; an SQLite file is made a store where there is none. */
export async function openSession(place: string, postgres: boolean): Promise<StateSession> {
  await (await Warehouse.open(place)).close();
  return postgres ? await postgresSession(place) : await sqliteSession(place);
}

async function sqliteSession(place: string): Promise<StateSession> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(place, { timeout: BUSY_TIMEOUT });
  const run: RunSql = (text, values = []) =>
    Promise.resolve(database.prepare(text).all(...values) as SqlRow[]);
  let last: Promise<unknown> = Promise.resolve();
  return {
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    transaction: (work) => {
      const turn = last.then(async () => {
        database.exec("BEGIN IMMEDIATE");
        try {
          const result = await work(run);
          database.exec("COMMIT");
          return result;
        } catch (error) {
          if (database.isTransaction) database.exec("ROLLBACK");
          throw error;
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
    close: async () => {
      await last;
      database.close();
    },
  };
}

async function postgresSession(place: string): Promise<StateSession> {
  const { connect } = await withPackages(
    "schedules in PostgreSQL",
    POSTGRES_PACKAGES,
    () => import("../store/postgres/connection.ts"),
  );
  const database = connect(place, { max: 2 });
  return {
    now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    transaction: (work) =>
      database.transaction(async (sql) => {
        await sql.text("SET LOCAL idle_in_transaction_session_timeout = 10000");
        // One at a time, as in an SQLite file: they are short, and two may be making the tables.
        await sql.text(`SELECT pg_advisory_xact_lock(${LOCK})`);
        await sql.text("CREATE SCHEMA IF NOT EXISTS platform_ads_schedules");
        await sql.text("SET LOCAL search_path = platform_ads_schedules");
        return await work((text, values = []) => {
          let at = 0;
          return sql.text(text.replaceAll("?", () => `$${++at}`), values);
        });
      }),
    close: () => database.close(),
  };
}
