import { ConfigurationError } from "../../errors.ts";
import { Database } from "./database.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";
import { tlsSettings } from "./tls_settings.ts";

const LOCK_TIMEOUT = 120_000;

export interface ConnectionOptions {
  readonly max?: number;
  /** Name in `pg_stat_activity`. @default "platform-ads" */
  readonly applicationName?: string;
  readonly onStatement?: ((sql: string) => void) | undefined;
}

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

export function storeLocation(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      "Cannot open a store: its address is not postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    );
  }
  return `postgres://${url.host}${url.pathname}`;
}
