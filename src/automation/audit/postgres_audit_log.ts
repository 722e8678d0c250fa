import { PlatformAdsError } from "../../errors.ts";
import { POSTGRES_PACKAGES, withPackages } from "../../store/model/optional_packages.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { Sql } from "../../store/tables/postgres_sql.ts";
import { type ChainEnd, entryText, nextEntry, NO_ENTRIES, parseEntry } from "./audit_chain.ts";
import type { AuditEntry, AuditLine, AuditLog, AuditRecord } from "./audit_log.ts";

/** "PADA" in ASCII. */
const LOCK = 0x50414441;
const TABLE = "platform_ads_audit.entries";
const ROWS_AT_A_TIME = 5_000;

/**
 * Log in a PostgreSQL database, in a schema of its own that is hidden from the role that agents query with. Safe for
 * concurrent processes.
 */
export class PostgresAuditLog implements AuditLog {
  readonly location: string;
  readonly #address: string;
  readonly #now: () => number;
  #database: Promise<Database> | undefined;

  /**
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @param options.now Epoch milliseconds.
   * @default Date.now
   */
  constructor(address: string, options: { readonly now?: () => number } = {}) {
    const url = URL.parse(address);
    this.location = `postgres://${url?.host ?? ""}${url?.pathname ?? ""}`;
    this.#address = address;
    this.#now = options.now ?? Date.now;
  }

  async prepare(): Promise<void> {
    await this.#open();
  }

  async append(record: AuditRecord): Promise<AuditEntry> {
    const database = await this.#open();
    return await database.transaction(async (sql) => {
      await sql`SELECT pg_advisory_xact_lock(${LOCK})`;
      const at = new Date(this.#now()).toISOString();
      const entry = nextEntry(record, await endOf(sql), { at });
      await sql`INSERT INTO platform_ads_audit.entries (n, at, entry) VALUES (${entry.n}, ${at}, ${
        entryText(entry)
      })`;
      return entry;
    });
  }

  async *lines(): AsyncGenerator<AuditLine> {
    const { sql } = await this.#open();
    let last = -1;
    let line = 0;
    for (;;) {
      const rows = await sql`
        SELECT n, entry FROM platform_ads_audit.entries WHERE n > ${last} ORDER BY n LIMIT ${ROWS_AT_A_TIME}`;
      for (const { n, entry } of rows) {
        last = Number(n);
        yield { source: TABLE, line: ++line, text: String(entry), isWhole: true };
      }
      if (rows.length < ROWS_AT_A_TIME) return;
    }
  }

  async close(): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    this.#database = undefined;
    await database?.close();
  }

  #open(): Promise<Database> {
    this.#database ??= openDatabase(this.#address).catch((error) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }
}

async function openDatabase(address: string): Promise<Database> {
  const { connect } = await withPackages(
    "an audit log in PostgreSQL",
    POSTGRES_PACKAGES,
    () => import("../../store/postgres/connection.ts"),
  );
  const database = connect(address, { max: 2, applicationName: "platform-ads audit" });
  try {
    await database.transaction(makeTable);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function makeTable(sql: Sql): Promise<void> {
  const [there] = await sql`SELECT to_regclass(${TABLE}) IS NOT NULL AS there`;
  if (there?.["there"] === true) return;
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`;
  await sql.text(`
    CREATE SCHEMA IF NOT EXISTS platform_ads_audit;
    CREATE TABLE IF NOT EXISTS ${TABLE} (
      n bigint PRIMARY KEY,
      at timestamptz NOT NULL,
      entry text NOT NULL
    )`);
}

async function endOf(sql: Sql): Promise<ChainEnd> {
  const [row] = await sql`SELECT n, entry FROM platform_ads_audit.entries ORDER BY n DESC LIMIT 1`;
  if (row === undefined) return NO_ENTRIES;
  const entry = parseEntry(String(row["entry"]));
  if (entry !== undefined) return entry;
  throw new PlatformAdsError(`Cannot go on with the audit log ${TABLE}: entry ${row["n"]} is damaged`);
}
