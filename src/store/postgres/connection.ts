import { ConfigurationError } from "../../errors.ts";
import { Database } from "./database.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";
import { tlsSettings } from "./tls_settings.ts";

/** Milliseconds to wait for a lock. */
const LOCK_TIMEOUT = 120_000;

export interface ConnectionOptions {
  /** Maximum connections. @default 4 */
  readonly max?: number;
  /** Name in `pg_stat_activity`. @default "platform-ads" */
  readonly applicationName?: string;
  /** Called before each statement. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/**
 * Creates a pool, without opening a connection.
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
 * Location of a database without user and password.
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
