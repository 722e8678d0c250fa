// @ts-types="@types/pg"
import pg from "pg";
// @ts-types="@types/pg-copy-streams"
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import type { ClientConfig, PoolClient, PoolConfig } from "pg";
import { resultTypes, type Sql, sqlOver, type SqlRow, type Statement } from "../tables/postgres_sql.ts";

const CONNECT_TIMEOUT = 10_000;

const CLOSE_TIMEOUT = 1000;

const TYPES = resultTypes((type) => pg.types.getTypeParser(type));

export interface Session extends Sql {
  copyIn(text: string): CopyStreamQuery;
  lists(statement: Statement): Promise<{ columns: readonly string[]; rows: readonly unknown[][] }>;
}

export type Transaction = Session;

interface DatabaseOptions {
  readonly client: ClientConfig;
  readonly max: number;
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/** Times out when the server does not respond; the pool's own limit would include waiting for a connection. */
class TimedClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT });
    // Without it the loss of a connection that nobody uses at the time would end the process.
    this.on("error", () => {});
  }
}

export class Database {
  readonly pool: pg.Pool;
  readonly sql: Sql;
  readonly #options: DatabaseOptions;
  readonly #inUse = new Set<PoolClient>();
  #closing: Promise<void> | undefined;

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

  async withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      return await work(this.session(client));
    } finally {
      client.release();
    }
  }

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
