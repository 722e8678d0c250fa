import { chunks } from "../../../internal/chunks.ts";
import type { Cell } from "../../encode_rows.ts";
import { DATASET_LAYOUTS } from "../../stream/dataset_layout.ts";
import { localHour } from "../../stream/local_hour.ts";
import {
  addedHours,
  REPORTED,
  REPORTED_LAYOUTS,
  reportedSql,
  streamedHours,
} from "../../stream/reported_hours.ts";
import { COMMON_COLUMNS } from "../../stream/stream_columns.ts";
import type {
  DatasetRows,
  ReportedHours,
  StreamAccount,
  StreamBatch,
  StreamConfirmation,
  StreamTables,
  StreamWritten,
} from "../../stream/stream_tables.ts";
import type { Transaction } from "../database.ts";
import type { Sql } from "../sql.ts";
import { STREAM_TYPES } from "./stream_schema.ts";

/** Rows that are sent with one statement. */
const AT_ONCE = 5000;

/** How the driver runs statements. */
interface PostgresAccess {
  /** Runs a transaction that writes. */
  write<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Reads. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** The hourly stream in a PostgreSQL store. */
export class PostgresStream implements StreamTables {
  readonly #access: PostgresAccess;

  /** @param access Connections of the driver. */
  constructor(access: PostgresAccess) {
    this.#access = access;
  }

  /** Stores what is new of a batch. */
  write({ source, receivedAt, records, rejected, confirmations }: StreamBatch): Promise<StreamWritten> {
    return this.#access.write(async (sql) => {
      let stored = 0;
      // Always in one order: two consumers that are given the same records do not wait for each other.
      const sorted = records.toSorted((a, b) => a.layout.table < b.layout.table ? -1 : 1);
      for (const group of sorted) {
        await removeReported(sql, group);
        stored += await insertRows(sql, group);
      }
      const at = new Date(receivedAt).toISOString();
      const aside = await sql`
        WITH fresh AS (
          INSERT INTO stream_rejected (id, message_id, source, received_at, reason, body)
          SELECT id, message_id, ${source}, ${at}::timestamptz, reason, body
          FROM json_to_recordset(${
        JSON.stringify(rejected.map(({ messageId, ...rest }) => ({ ...rest, message_id: messageId })))
      }::json) AS line (id text, message_id text, reason text, body text)
          ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING 1
        ) SELECT count(*) AS n FROM fresh`;
      for (const { topic, url, sentAt } of confirmations) {
        await sql`
          INSERT INTO stream_confirmations (url, topic, sent_at, received_at)
          VALUES (${url}, ${topic}, ${sentAt}, ${at}::timestamptz) ON CONFLICT (url) DO NOTHING`;
      }
      return { stored, rejected: Number(aside[0]?.["n"]) };
    });
  }

  /** Stores reported hours in place of those that were reported before. */
  putHours({ profileId, start, end, records }: ReportedHours): Promise<number> {
    return this.#access.write(async (sql) => {
      let stored = 0;
      const days = [profileId, start, end];
      for (const layout of REPORTED_LAYOUTS) {
        const { taken, sums, remove } = reportedSql(layout);
        await sql.text(remove, days);
        const group = records.find((one) => one.layout === layout);
        if (group === undefined) continue;
        const streamed = { taken: await sql.text(taken, days), sums: await sql.text(sums, days) };
        stored += await insertRows(sql, { layout, rows: addedHours(group, streamed) });
      }
      return stored;
    });
  }

  /** Profiles, by the ids that records name them by. */
  accounts(): Promise<StreamAccount[]> {
    return this.#access.read(async (sql) => {
      const rows = await sql`
        SELECT advertiser_id, marketplace_id, profile_id, country_code, time_zone
        FROM stream_accounts JOIN profiles USING (profile_id) ORDER BY advertiser_id, marketplace_id`;
      return rows.map((row) => ({
        advertiserId: String(row["advertiser_id"]),
        marketplaceId: String(row["marketplace_id"]),
        profileId: String(row["profile_id"]),
        countryCode: String(row["country_code"]),
        timeZone: String(row["time_zone"]),
      }));
    });
  }

  /** Adds or replaces profiles, and places the records that came before them. */
  putAccounts(accounts: readonly StreamAccount[]): Promise<void> {
    return this.#access.write(async (sql) => {
      for (const account of accounts) await putAccount(sql, account);
    });
  }

  /** Requests to confirm a subscription, oldest first. */
  confirmations(): Promise<StreamConfirmation[]> {
    return this.#access.read(async (sql) => {
      const rows = await sql`
        SELECT topic, url, sent_at, confirmed_at FROM stream_confirmations ORDER BY sent_at, url`;
      return rows.map((row) => ({
        topic: String(row["topic"]),
        url: String(row["url"]),
        sentAt: String(row["sent_at"]),
        confirmedAt: row["confirmed_at"] === null ? null : String(row["confirmed_at"]),
      }));
    });
  }

  /** Notes that a subscription was confirmed. */
  confirm(url: string, confirmedAt: string): Promise<void> {
    return this.#access.write(async (sql) => {
      await sql`UPDATE stream_confirmations SET confirmed_at = ${confirmedAt}::timestamptz WHERE url = ${url}`;
    });
  }
}

/** Removes reported hours that the records make the stream's own. */
async function removeReported(sql: Transaction, group: DatasetRows): Promise<void> {
  const { tables, hours } = streamedHours(group);
  for (const table of hours.length === 0 ? [] : tables) {
    await sql.text(
      `DELETE FROM ${table} WHERE message_id = '${REPORTED}' AND (profile_id, starts_at) IN
         (SELECT line ->> 0, CAST(line ->> 1 AS bigint) FROM json_array_elements($1::json) AS lines (line))`,
      [JSON.stringify(hours)],
    );
  }
}

async function insertRows(sql: Transaction, { layout, rows }: DatasetRows): Promise<number> {
  const columns = [
    ...COMMON_COLUMNS.map(([name, type]) => [name, STREAM_TYPES[type]] as const),
    ...layout.columns.map(({ name, type }) => [name, STREAM_TYPES[type]] as const),
    ["extra", "json"] as const,
  ];
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  // Values come as lists: their names need not be sent with every row.
  const values = columns.map(([, type], index) =>
    `CAST(line.cells ->> ${index} AS ${type.replace(/ COLLATE.*/, "")})`
  );
  let stored = 0;
  for (const part of chunks(rows.toSorted(byId), AT_ONCE)) {
    const [row] = await sql.text(
      `WITH fresh AS (
         INSERT INTO ${layout.table} (${names})
         SELECT ${values.join(", ")} FROM json_array_elements($1::json) WITH ORDINALITY AS line (cells, place)
         ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING 1
       ) SELECT count(*) AS n FROM fresh`,
      [JSON.stringify(part)],
    );
    stored += Number(row?.["n"]);
  }
  return stored;
}

async function putAccount(sql: Transaction, account: StreamAccount): Promise<void> {
  const { advertiserId, marketplaceId, profileId, countryCode, timeZone } = account;
  await sql`
    INSERT INTO profiles (profile_id, country_code) VALUES (${profileId}, ${countryCode})
    ON CONFLICT (profile_id) DO UPDATE SET country_code = excluded.country_code`;
  await sql`
    INSERT INTO stream_accounts (advertiser_id, marketplace_id, profile_id, time_zone)
    VALUES (${advertiserId}, ${marketplaceId}, ${profileId}, ${timeZone})
    ON CONFLICT (advertiser_id, marketplace_id)
      DO UPDATE SET profile_id = excluded.profile_id, time_zone = excluded.time_zone`;
  const own = "profile_id = '' AND advertiser_id = $1 AND marketplace_id = $2";
  for (const { table } of DATASET_LAYOUTS) {
    const times = await sql.text(`SELECT DISTINCT starts_at FROM ${table} WHERE ${own}`, [
      advertiserId,
      marketplaceId,
    ]);
    for (const { starts_at: start } of times) {
      const local = start === null ? { date: null, hour: null } : localHour(Number(start), timeZone);
      await sql.text(
        `UPDATE ${table} SET profile_id = $3, date = $4::date, hour = $5
         WHERE ${own} AND starts_at IS NOT DISTINCT FROM $6::bigint`,
        [
          advertiserId,
          marketplaceId,
          profileId,
          local.date,
          local.hour,
          start === null ? null : Number(start),
        ],
      );
    }
  }
}

function byId([a]: readonly Cell[], [b]: readonly Cell[]): number {
  return String(a) < String(b) ? -1 : 1;
}
