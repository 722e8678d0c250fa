import postgres from "postgres";
import { ConfigurationError } from "../../errors.ts";
import { patientSocket } from "./patient_socket.ts";
import { tlsSettings } from "./tls_settings.ts";

/** A pool of connections to the database of a store. */
export type Database = postgres.Sql;

/** A connection on which a transaction runs. */
export type Transaction = postgres.TransactionSql;

/** Schema of the database that holds the store. */
export const SCHEMA = "platform_ads";

/** PostgreSQL's numbers of types (pg_type.dat). */
const TYPES = {
  int8: 20,
  json: 114,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
};

/** Seconds that a server has to answer. */
const CONNECT_SECONDS = 10;

/** Seconds before a server that did not answer is tried again: at first, and at most. */
const [FIRST_PAUSE, MAX_PAUSE] = [0.02, 1];

/** How a pool of connections is made. */
export interface ConnectionOptions {
  /** Connections at most. @default 4 */
  readonly max?: number;
  /** How the connections call themselves; shown in `pg_stat_activity`. @default "platform-ads" */
  readonly applicationName?: string;
  /** Told of every statement before it is sent. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/**
 * Makes a pool of connections; none is opened before it is needed. Whole numbers come as numbers up to 2^53 - 1 and
 * as text past it, days and JSON as text, times as ISO 8601.
 *
 * @throws {ConfigurationError} for what is not the address of a database.
 */
export function connect(address: string, options: ConnectionOptions = {}): Database {
  const { onStatement } = options;
  storeLocation(address);
  const { tls, address: plain } = tlsSettings(address);
  const { hostname, port } = new URL(address);
  const to = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) || 5432 };
  /** An option of the client that its types do not know. */
  const socket = { socket: () => patientSocket({ ...to, tls, seconds: CONNECT_SECONDS }) };
  return postgres(plain, {
    max: options.max ?? 4,
    connect_timeout: CONNECT_SECONDS,
    backoff: (retries) => Math.min(FIRST_PAUSE * 2 ** retries, MAX_PAUSE) * (0.5 + Math.random() / 2),
    ssl: false,
    ...socket,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? "platform-ads",
      search_path: SCHEMA,
      TimeZone: "UTC",
      lock_timeout: 120_000,
    },
    types: {
      int8: textType(TYPES.int8, wholeNumber),
      numeric: textType(TYPES.numeric, anyNumber),
      json: textType([TYPES.json, TYPES.jsonb], String),
      date: textType([TYPES.date, TYPES.timestamp], String),
      timestamptz: textType(TYPES.timestamptz, isoTime),
    },
    ...(onStatement === undefined ? {} : { debug: (_connection, sql) => onStatement(sql) }),
  });
}

/**
 * Where a database is, without user and password.
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

function textType(
  from: number | number[],
  parse: (text: string) => unknown,
): { to: number; from: number[]; serialize: (value: unknown) => string; parse: (text: string) => unknown } {
  const numbers = Array.isArray(from) ? from : [from];
  return { to: numbers[0]!, from: numbers, serialize: String, parse };
}

function wholeNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** A sum of whole numbers comes as `numeric`. */
function anyNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? wholeNumber(text) : Number(text);
}

function isoTime(text: string): string {
  const time = Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
