// @ts-types="@types/pg"
import pg from "pg";
// @ts-types="@types/pg-copy-streams"
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import type { ClientConfig, PoolClient, PoolConfig } from "pg";
import { resultTypes, type Sql, sqlOver, type SqlRow, type Statement } from "../tables/postgres_sql.ts";

/** Milliseconds that a server has to answer when a connection is made. */
const CONNECT_TIMEOUT = 10_000;

/** Milliseconds that statements are given to end by themselves when the pool is closed. */
const CLOSE_TIMEOUT = 1000;

const TYPES = resultTypes((type) => pg.types.getTypeParser(type));

/** One connection, which runs one statement after the other. */
export interface Session extends Sql {
  /** Begins a `COPY ... FROM STDIN`, which is over when the stream is finished. */
  copyIn(text: string): CopyStreamQuery;
  /** Runs a statement and gives its rows as lists of values, beside the names of the columns. */
  lists(statement: Statement): Promise<{ columns: readonly string[]; rows: readonly unknown[][] }>;
}

/** A connection on which a transaction runs. */
export type Transaction = Session;

/** How a pool of connections is made. */
interface DatabaseOptions {
  /** Address and settings of connections. */
  readonly client: ClientConfig;
  /** Connections at most. */
  readonly max: number;
  /** Called with every statement before it is sent. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/** A client that gives up when the server does not answer; the pool's own limit would count the wait for a turn too. */
class TimedClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT });
    // Without it the loss of a connection that nobody uses at the time would end the process.
    this.on("error", () => {});
  }
}

/** A pool of connections to a database. */
export class Database {
  /** The pool, for what brings its own statements. */
  readonly pool: pg.Pool;
  /** Runs statements, each on any connection. */
  readonly sql: Sql;
  readonly #options: DatabaseOptions;
  readonly #inUse = new Set<PoolClient>();
  #closing: Promise<void> | undefined;

  /** @param options Where, and how many. No connection is made before it is needed. */
  constructor(options: DatabaseOptions) {
    this.#options = options;
    // The types of the pool know only its own class of clients, which this one extends.
    const config: PoolConfig & { Client: typeof TimedClient } = {
      ...options.client,
      max: options.max,
      Client: TimedClient,
    };
    this.pool = new pg.Pool(config);
    this.pool.on("error", () => {});
    this.pool.on("acquire", (client) => void this.#inUse.add(client));
    this.pool.on("release", (_error, client) => void this.#inUse.delete(client));
    this.sql = sqlOver((statement) =>
      this.withSession((session) => session.text(statement.text, statement.values))
    );
  }

  /** Does work on one connection. */
  async withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      return await work(this.session(client));
    } finally {
      client.release();
    }
  }

  /**
   * Does work in a transaction, which is committed when the work succeeds.
   *
   * @param mode Words after BEGIN, for example `READ ONLY`.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, mode = ""): Promise<T> {
    return this.withSession(async (session) => {
      await session.text(`BEGIN ${mode}`);
      try {
        const result = await work(session);
        await session.text("COMMIT");
        return result;
      } catch (error) {
        await session.text("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  /** Closes all connections; a second call does nothing. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const late = setTimeout(() => {
      // Ends the connection although a statement runs on it.
      for (const client of this.#inUse) void client.end();
    }, CLOSE_TIMEOUT);
    await this.pool.end().finally(() => clearTimeout(late));
  }

  /** Session on a connection of the pool, until that is released. */
  session(client: PoolClient): Session {
    const { onStatement } = this.#options;
    const run = async ({ text, values }: Statement): Promise<SqlRow[]> => {
      onStatement?.(text);
      const result = await client.query<SqlRow>({ text, values: [...values], types: TYPES });
      // The client gives a list of results for several statements.
      return Array.isArray(result) ? [] : result.rows;
    };
    return Object.assign(sqlOver(run), {
      copyIn: (text: string) => {
        onStatement?.(text);
        return client.query(copyFrom(text));
      },
      lists: async ({ text, values }: Statement) => {
        onStatement?.(text);
        // The extended protocol takes one statement, also where there are no values.
        const query = {
          text,
          values: [...values],
          types: TYPES,
          rowMode: "array",
          queryMode: "extended",
        } as const;
        const { fields, rows } = await client.query<unknown[]>(query);
        return { columns: fields.map(({ name }) => name), rows };
      },
    });
  }
}
