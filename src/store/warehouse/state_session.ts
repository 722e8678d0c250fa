import { isPostgres } from "../../base/text/is_postgres.ts";
import { POSTGRES_PACKAGES, withPackages } from "../model/optional_packages.ts";
import type { RunSql, SqlRow } from "../tables/store_sql.ts";
import { Warehouse } from "./warehouse.ts";

export type { RunSql, SqlRow } from "../tables/store_sql.ts";

interface StateDatabase {
  /** Milliseconds since the epoch, as SQL. */
  readonly now: string;
  transaction<T>(work: (sql: RunSql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const LOCK = 0x50414443;

/** Milliseconds that a holder keeps a subject; it renews three times in that period. */
const LEASE = 60_000;

/** The tables of one kind of state, such as that of schedules, beside the figures of a store. */
export class StateSession {
  readonly #database: StateDatabase;
  readonly #leases: string;

  private constructor(database: StateDatabase, leases: string) {
    this.#database = database;
    this.#leases = leases;
  }

  /**
   * Creates the SQLite file if it is missing.
   *
   * @param what Name of the state, such as `schedules`; its own schema in PostgreSQL.
   * @param tables Statements that create missing tables.
   */
  static async open(
    place: string,
    { what, tables }: { readonly what: string; readonly tables: readonly string[] },
  ): Promise<StateSession> {
    const database = isPostgres(place) ? await postgresState(place, what) : await sqliteState(place);
    const leases = `${what.replace(/s$/, "")}_leases`;
    await database.transaction(async (sql) => {
      for (const table of tables) await sql(table);
      await sql(
        `CREATE TABLE IF NOT EXISTS ${leases} (
          profile_id text NOT NULL PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL)`,
      );
    });
    return new StateSession(database, leases);
  }

  /** Runs one statement in a transaction of its own. */
  async rows(...[text, values]: Parameters<RunSql>): Promise<readonly SqlRow[]> {
    return await this.#database.transaction((sql) => sql(text, values));
  }

  async transaction<T>(work: (sql: RunSql) => Promise<T>): Promise<T> {
    return await this.#database.transaction(work);
  }

  /**
   * Runs work on a subject, such as a profile, that is exclusive across processes, by the database's clock.
   *
   * @returns `undefined` when another process holds the subject; nothing was done then.
   */
  async alone<T>(subject: string, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    const holder = crypto.randomUUID();
    if (!await this.#take(subject, holder)) return undefined;
    const beat = setInterval(() => void this.#take(subject, holder).catch(() => {}), LEASE / 3);
    try {
      return { result: await work() };
    } finally {
      clearInterval(beat);
      await this.rows(`DELETE FROM ${this.#leases} WHERE profile_id = ? AND holder = ?`, [subject, holder]);
    }
  }

  async #take(subject: string, holder: string): Promise<boolean> {
    const leases = this.#leases;
    const { now } = this.#database;
    return await this.#database.transaction(async (sql) => {
      await sql(
        `INSERT INTO ${leases} VALUES (?, ?, ${now} + ${LEASE})
        ON CONFLICT (profile_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE ${leases}.until < ${now} OR ${leases}.holder = excluded.holder`,
        [subject, holder],
      );
      const [row] = await sql(`SELECT holder FROM ${leases} WHERE profile_id = ?`, [subject]);
      return row?.["holder"] === holder;
    });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

async function sqliteState(place: string): Promise<StateDatabase> {
  const [{ DatabaseSync }, { isCurrentStore }, { sqliteSql }, { Transactions }] = await Promise.all([
    import("node:sqlite"),
    import("../sqlite/open_database.ts"),
    import("../tables/store_sql.ts"),
    import("../sqlite/transactions.ts"),
  ]);
  if (!isCurrentStore(place)) await (await Warehouse.open(place)).close();
  const database = new DatabaseSync(place, { timeout: 0 });
  // Others are waited for without blocking this process: its own store may be what holds the file.
  const transactions = new Transactions(database, place);
  const { run } = sqliteSql(database);
  return {
    // A file has one machine, so its programs have one clock.
    get now() {
      return String(Date.now());
    },
    transaction: (work) => transactions.run(() => work(run)),
    close: async () => {
      await transactions.idle();
      database.close();
    },
  };
}

async function postgresState(place: string, what: string): Promise<StateDatabase> {
  await (await Warehouse.open(place)).close();
  const [{ connect }, { storeSql }] = await withPackages(
    `${what} in PostgreSQL`,
    POSTGRES_PACKAGES,
    () => Promise.all([import("../postgres/connection.ts"), import("../tables/postgres_sql.ts")]),
  );
  const database = connect(place, { max: 2 });
  return {
    now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    transaction: (work) =>
      database.transaction(async (sql) => {
        await sql.text("SET LOCAL idle_in_transaction_session_timeout = 10000");
        // One at a time, as in an SQLite file: they are short, and two may be making the tables.
        await sql.text(`SELECT pg_advisory_xact_lock(${LOCK})`);
        await sql.text(`CREATE SCHEMA IF NOT EXISTS platform_ads_${what}`);
        await sql.text(`SET LOCAL search_path = platform_ads_${what}`);
        return await work(storeSql(sql).run);
      }),
    close: () => database.close(),
  };
}
