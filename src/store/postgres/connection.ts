import { ConfigurationError } from "../../errors.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";
import { Database } from "./database.ts";
import { readFileSync } from "node:fs";
import type { ConnectionOptions as TlsOptions } from "node:tls";

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

const MODES = ["disable", "require", "verify-ca", "verify-full"];
const FILES = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const;

const SYSTEM = "system";

/**
 * Encryption settings of an address in libpq's terms (`sslmode`, `sslrootcert`, `sslcert`, `sslkey`). The client (pg)
 * interprets them differently, so they are read here.
 */
interface TlsSettings {
  readonly tls: TlsOptions | undefined;
  readonly address: string;
}

export function tlsSettings(address: string): TlsSettings {
  const bare = new URL(address);
  const { searchParams: asked } = new URL(address);
  const root = asked.get("sslrootcert");
  const mode = asked.get("sslmode") ??
    (root === SYSTEM ? "verify-full" : root === null ? "disable" : "verify-ca");
  for (const name of ["sslmode", ...Object.keys(FILES)]) bare.searchParams.delete(name);
  if (!MODES.includes(mode)) {
    throw refused(`sslmode "${mode}" is unknown, expected one of ${MODES.join(", ")}`);
  }
  if (root === SYSTEM && mode !== "verify-full") {
    throw refused(
      `sslmode ${mode} would not verify the server, which sslrootcert=system requires. Leave sslmode out`,
    );
  }
  if (mode === "disable") return { tls: undefined, address: bare.href };

  const files: TlsOptions = {};
  for (const [name, option] of Object.entries(FILES)) {
    const path = asked.get(name);
    if (path !== null && path !== SYSTEM) files[option as "ca"] = textOf(path, name);
  }
  if (mode === "verify-ca" && files.ca === undefined) {
    throw refused("sslmode verify-ca needs sslrootcert=FILE, the CA certificate");
  }
  const tls = mode === "verify-full"
    ? files
    : files.ca === undefined
    ? { ...files, rejectUnauthorized: false }
    : { ...files, checkServerIdentity: () => undefined };
  return { tls, address: bare.href };
}

function textOf(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw refused(`${name} "${path}" cannot be read (${(cause as Error).message})`, { cause });
  }
}

function refused(why: string, options?: ErrorOptions): ConfigurationError {
  return new ConfigurationError(`Cannot encrypt the connection to the store: ${why}`, options);
}
