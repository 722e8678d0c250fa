import { makeStore, type TestServer, withSql } from "./postgres.ts";

/** A database for the store of one test. */
export interface StoreDatabase {
  /** Its address. */
  readonly address: string;
  /** Empties it for the next test, once all that opened it is closed. */
  giveBack(): Promise<void>;
}

/** Tables of the store, but for the months of reports, which may stay. */
const TABLES = `SELECT string_agg(relname, ' ' ORDER BY relname) AS names FROM pg_class
  WHERE relnamespace = to_regnamespace('platform_ads') AND relkind IN ('r', 'p') AND NOT relispartition`;

const EMPTY_ALL = `DO $$ DECLARE used text; BEGIN
  SELECT string_agg(oid::regclass::text, ', ') INTO used FROM pg_class
  WHERE relnamespace = 'platform_ads'::regnamespace AND relkind = 'r' AND relname <> 'schema_version'
    AND pg_relation_size(oid) > 0;
  IF used IS NOT NULL THEN EXECUTE 'TRUNCATE ' || used || ' RESTART IDENTITY CASCADE'; END IF;
END $$`;

/**
 * Databases for tests that want an empty store and leave its tables as they are: making all tables anew takes the server
 * a second, and emptying a few of them takes it none.
 */
export class StoreDatabases {
  readonly #server: () => TestServer;
  readonly #free: string[] = [];
  #tables: unknown;

  /** @param server Gives the server once it runs. */
  constructor(server: () => TestServer) {
    this.#server = server;
  }

  /** A database that holds an empty store. */
  async take(): Promise<StoreDatabase> {
    const address = this.#free.pop() ?? await makeStore(this.#server());
    return { address, giveBack: () => this.#empty(address) };
  }

  async #empty(address: string): Promise<void> {
    await withSql(address, async (sql) => {
      const [row] = await sql.text(TABLES);
      this.#tables ??= row?.["names"];
      // A test that added tables, or was cut off before it had any, leaves its database behind.
      if (this.#tables === null || row?.["names"] !== this.#tables) return;
      await sql.text(EMPTY_ALL);
      this.#free.push(address);
    });
  }
}
