import { ConfigurationError } from "../../errors.ts";
import { Database } from "./database.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";
import { tlsSettings } from "./tls_settings.ts";

/** Milliseconds that a statement waits for a lock. */
const LOCK_TIMEOUT = 120_000;

/** How a pool of connections is made. */
export interface ConnectionOptions {
  /** Connections at most. @default 4 */
  readonly max?: number;
  /** Name of the connections in `pg_stat_activity`. @default "platform-ads" */
  readonly applicationName?: string;
  /** Called with every statement before it is sent. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/**
 * Makes a pool of connections; none is opened before it is needed.
 *
 * @throws {ConfigurationError} for what is not the address of a database.
 */
export function connect(address: string, options: ConnectionOptions = {}): Database {
  const { max = 4, applicationName = "platform-ads", onStatement } = options;
  storeLocation(address);
  const { tls, address: connectionString } = tlsSettings(address);
  return new Database({
    client: {
      connectionString,
      ssl: tls ?? false,
      application_name: applicationName,
      keepAlive: true,
      options: `-c search_path=${SCHEMA} -c TimeZone=UTC -c lock_timeout=${LOCK_TIMEOUT}`,
    },
    max,
    onStatement,
  });
}

/**
 * Location of a database, without user and password.
 *
 * @throws {ConfigurationError} for what is not the address of a database.
 */
export function storeLocation(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      "Cannot open a store: its address is not postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    );
  }
  return `postgres://${url.host}${url.pathname}`;
}
