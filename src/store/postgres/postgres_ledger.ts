import type {
  DayLedger,
  EndReservation,
  LedgerAttempt,
  LedgerLine,
  Reservation,
  SentPlan,
  SentWrite,
} from "../../plans/state/day_ledger.ts";
import { SENT_RECORD_DAYS } from "../../plans/state/sent_record.ts";
import type { DayTotals } from "../../plans/state/day_totals.ts";
import {
  endedLine,
  isLedgerLine,
  reservedLine,
  totalsBeside,
  withdrawnLine,
} from "../../plans/state/ledger_lines.ts";
import { POSTGRES_PACKAGES, withPackages } from "../model/optional_packages.ts";
import { StoreError } from "../model/store_error.ts";
import type { Sql } from "../tables/postgres_sql.ts";

const SENT = "sent";

const TABLE_LOCK = 0x5041444c;

/**
 * Policy ledger in PostgreSQL, so that programs on many machines share daily limits. A connection is opened for each
 * step and closed after it.
 *
 * @example
 * ```ts
 * import { loadPolicy, type Policy } from "@platform/ads/policy";
 * import { PostgresLedger } from "@platform/ads/store";
 *
 * async function shared(address: string): Promise<Policy> {
 *   return await loadPolicy("policy.yaml", { ledger: new PostgresLedger(address) });
 * }
 * ```
 */
export class PostgresLedger implements DayLedger {
  readonly #address: string;
  readonly #now: () => number;
  readonly #idleLimit: number;

  /**
   * Creates a ledger for a database; nothing is opened yet.
   *
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @param options.now Milliseconds since the epoch. @default Date.now
   * @param options.idleSeconds Seconds after which the database ends the step of a suspended program, because others
   * wait for it.
   * @default 10
   */
  constructor(
    address: string,
    options: { readonly now?: () => number; readonly idleSeconds?: number } = {},
  ) {
    this.#address = address;
    this.#now = options.now ?? Date.now;
    this.#idleLimit = Math.ceil((options.idleSeconds ?? 10) * 1000);
  }

  /** See {@linkcode DayLedger.reserve}. */
  async reserve(
    place: { readonly profileId: string; readonly day: string },
    reservation: Reservation,
  ): Promise<EndReservation> {
    const own = await this.#locked(place, async (sql) => {
      const line = reservedLine(await linesOf(sql, place), reservation, this.#time());
      await append(sql, place, line);
      return line;
    });
    return (actual) =>
      this.#locked(place, async (sql) => {
        const line = actual === undefined
          ? withdrawnLine(await linesOf(sql, place), own, this.#time())
          : endedLine(own, actual, this.#time());
        if (line !== undefined) await append(sql, place, line);
      });
  }

  /** See {@linkcode DayLedger.totals}. */
  totals(
    place: { readonly profileId: string; readonly day: string },
    attempt?: LedgerAttempt,
  ): Promise<DayTotals> {
    return this.#locked(place, async (sql) => totalsBeside(await linesOf(sql, place), attempt));
  }

  /** See {@linkcode DayLedger.keepSent}. */
  keepSent({ profileId, planId }: SentPlan, writes: readonly SentWrite[]): Promise<void> {
    return this.#locked({ profileId, day: SENT }, async (sql) => {
      for (const write of writes) {
        await sql`
          INSERT INTO platform_ads_policy.sent (profile_id, plan_id, at, entry)
          VALUES (${profileId}, ${planId}, ${this.#time()}, ${JSON.stringify(write)})`;
      }
      await sql`DELETE FROM platform_ads_policy.sent WHERE at < ${this.#time(-SENT_RECORD_DAYS)}`;
    });
  }

  /** See {@linkcode DayLedger.sentBy}. */
  sentBy({ profileId, planId }: SentPlan): Promise<readonly SentWrite[]> {
    return this.#locked({ profileId, day: SENT }, async (sql) => {
      const rows = await sql`
        SELECT entry FROM platform_ads_policy.sent
        WHERE profile_id = ${profileId} AND plan_id = ${planId} AND at >= ${this.#time(-SENT_RECORD_DAYS)}
        ORDER BY line`;
      return rows.map(({ entry }) => JSON.parse(String(entry)) as SentWrite);
    });
  }

  async #locked<Result>(
    { profileId, day }: { readonly profileId: string; readonly day: string },
    step: (sql: Sql) => Promise<Result>,
  ): Promise<Result> {
    const { connect } = await withPackages(
      "a ledger in PostgreSQL",
      POSTGRES_PACKAGES,
      () => import("./connection.ts"),
    );
    const database = connect(this.#address, { max: 1 });
    try {
      return await database.transaction(async (sql) => {
        await sql.text(`SET LOCAL idle_in_transaction_session_timeout = ${this.#idleLimit}`);
        await makeTable(sql);
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${profileId} ${day}`}, ${TABLE_LOCK}))`;
        return await step(sql);
      });
    } finally {
      await database.close();
    }
  }

  #time(days = 0): string {
    return new Date(this.#now() + days * 86_400_000).toISOString();
  }
}

async function makeTable(sql: Sql): Promise<void> {
  const [there] = await sql`SELECT to_regclass('platform_ads_policy.sent') IS NOT NULL AS there`;
  if (there?.["there"] === true) return;
  await sql`SELECT pg_advisory_xact_lock(${TABLE_LOCK})`;
  await sql.text(`
    CREATE SCHEMA IF NOT EXISTS platform_ads_policy;
    CREATE TABLE IF NOT EXISTS platform_ads_policy.days (
      profile_id text NOT NULL,
      day date NOT NULL,
      line bigint GENERATED ALWAYS AS IDENTITY,
      entry text NOT NULL,
      PRIMARY KEY (profile_id, day, line)
    );
    CREATE TABLE IF NOT EXISTS platform_ads_policy.sent (
      profile_id text NOT NULL,
      plan_id text NOT NULL,
      line bigint GENERATED ALWAYS AS IDENTITY,
      at timestamptz NOT NULL,
      entry text NOT NULL,
      PRIMARY KEY (profile_id, plan_id, line)
    )`);
}

async function append(
  sql: Sql,
  { profileId, day }: { readonly profileId: string; readonly day: string },
  line: LedgerLine,
): Promise<void> {
  await sql`
    INSERT INTO platform_ads_policy.days (profile_id, day, entry)
    VALUES (${profileId}, ${day}, ${JSON.stringify(line)})`;
}

async function linesOf(
  sql: Sql,
  { profileId, day }: { readonly profileId: string; readonly day: string },
): Promise<LedgerLine[]> {
  const rows = await sql`
    SELECT entry FROM platform_ads_policy.days WHERE profile_id = ${profileId} AND day = ${day} ORDER BY line`;
  return rows.map(({ entry }) => {
    try {
      const parsed: unknown = JSON.parse(String(entry));
      if (isLedgerLine(parsed)) return parsed;
    } catch {
      // Reported below, like a line of another form.
    }
    throw new StoreError(
      `Cannot count today's changes: a line of platform_ads_policy.days for profile ${profileId} on ${day} ` +
        "is damaged. " +
        "Nothing is sent under a policy until it is repaired or the day ends",
    );
  });
}
