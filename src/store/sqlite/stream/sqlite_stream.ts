import type { DatabaseSync } from "node:sqlite";
import { DATASET_LAYOUTS } from "../../stream/dataset_layout.ts";
import { localHour } from "../../stream/local_hour.ts";
import {
  addedHours,
  REPORTED,
  REPORTED_LAYOUTS,
  reportedSql,
  streamedHours,
} from "../../stream/reported_hours.ts";
import { streamColumns } from "../../stream/stream_columns.ts";
import type {
  DatasetRows,
  ReportedHours,
  StreamAccount,
  StreamBatch,
  StreamConfirmation,
  StreamTables,
  StreamWritten,
} from "../../stream/stream_tables.ts";

/** How the driver runs statements. */
interface SqliteAccess {
  /** Runs a transaction on the writing connection. */
  write<T>(work: (database: DatabaseSync) => T): Promise<T>;
  /** A connection that reads. */
  read<T>(work: (database: DatabaseSync) => T): Promise<T>;
}

/** The hourly stream in an SQLite store. */
export class SqliteStream implements StreamTables {
  readonly #access: SqliteAccess;

  /** @param access Connections of the driver. */
  constructor(access: SqliteAccess) {
    this.#access = access;
  }

  /** Stores what is new of a batch. */
  write({ source, receivedAt, records, rejected, confirmations }: StreamBatch): Promise<StreamWritten> {
    return this.#access.write((database) => {
      let stored = 0;
      for (const group of records) {
        const { tables, hours } = streamedHours(group);
        for (const table of hours.length === 0 ? [] : tables) {
          const remove = database.prepare(
            `DELETE FROM ${table} WHERE message_id = '${REPORTED}' AND profile_id = ? AND starts_at = ?`,
          );
          for (const hour of hours) remove.run(...hour);
        }
        stored += insertRows(database, group);
      }
      const at = new Date(receivedAt).toISOString();
      let aside = 0;
      for (const { id, messageId, reason, body } of rejected) {
        aside += Number(
          database.prepare(
            `INSERT OR IGNORE INTO stream_rejected (id, message_id, source, received_at, reason, body)
             VALUES (?, ?, ?, ?, ?, ?)`,
          ).run(id, messageId, source, at, reason, body).changes,
        );
      }
      for (const { topic, url, sentAt } of confirmations) {
        database.prepare(
          "INSERT OR IGNORE INTO stream_confirmations (url, topic, sent_at, received_at) VALUES (?, ?, ?, ?)",
        ).run(url, topic, sentAt, at);
      }
      return { stored, rejected: aside };
    });
  }

  /** Stores reported hours in place of those that were reported before. */
  putHours({ profileId, start, end, records }: ReportedHours): Promise<number> {
    return this.#access.write((database) => {
      let stored = 0;
      const days = [profileId, start, end];
      for (const layout of REPORTED_LAYOUTS) {
        const sql = reportedSql(layout);
        const prepare = (text: string) => database.prepare(text.replace(/\$(\d)/g, "?$1"));
        prepare(sql.remove).run(...days);
        const group = records.find((one) => one.layout === layout);
        if (group === undefined) continue;
        const streamed = { taken: prepare(sql.taken).all(...days), sums: prepare(sql.sums).all(...days) };
        stored += insertRows(database, { layout, rows: addedHours(group, streamed) });
      }
      return stored;
    });
  }

  /** Profiles, by the ids that records name them by. */
  accounts(): Promise<StreamAccount[]> {
    return this.#access.read((database) =>
      database.prepare(
        `SELECT advertiser_id, marketplace_id, profile_id, country_code, time_zone
         FROM stream_accounts JOIN profiles USING (profile_id) ORDER BY advertiser_id, marketplace_id`,
      ).all().map((row) => ({
        advertiserId: String(row["advertiser_id"]),
        marketplaceId: String(row["marketplace_id"]),
        profileId: String(row["profile_id"]),
        countryCode: String(row["country_code"]),
        timeZone: String(row["time_zone"]),
      }))
    );
  }

  /** Adds or replaces profiles, and places the records that came before them. */
  putAccounts(accounts: readonly StreamAccount[]): Promise<void> {
    return this.#access.write((database) => {
      for (const { advertiserId, marketplaceId, profileId, countryCode, timeZone } of accounts) {
        database.prepare("INSERT OR REPLACE INTO profiles (profile_id, country_code) VALUES (?, ?)")
          .run(profileId, countryCode);
        database.prepare("INSERT OR REPLACE INTO stream_accounts VALUES (?, ?, ?, ?)")
          .run(advertiserId, marketplaceId, profileId, timeZone);
        for (const { table } of DATASET_LAYOUTS) {
          const own = `profile_id = '' AND advertiser_id = ? AND marketplace_id = ?`;
          const times = database.prepare(`SELECT DISTINCT starts_at FROM ${table} WHERE ${own}`)
            .all(advertiserId, marketplaceId);
          for (const row of times) {
            const start = row["starts_at"] === null ? null : Number(row["starts_at"]);
            const local = start === null ? { date: null, hour: null } : localHour(start, timeZone);
            database.prepare(
              `UPDATE ${table} SET profile_id = ?, date = ?, hour = ? WHERE ${own} AND starts_at IS ?`,
            ).run(profileId, local.date, local.hour, advertiserId, marketplaceId, start);
          }
        }
      }
    });
  }

  /** Requests to confirm a subscription, oldest first. */
  confirmations(): Promise<StreamConfirmation[]> {
    return this.#access.read((database) =>
      database.prepare(
        "SELECT topic, url, sent_at, confirmed_at FROM stream_confirmations ORDER BY sent_at, url",
      )
        .all().map((row) => ({
          topic: String(row["topic"]),
          url: String(row["url"]),
          sentAt: String(row["sent_at"]),
          confirmedAt: row["confirmed_at"] === null ? null : String(row["confirmed_at"]),
        }))
    );
  }

  /** Notes that a subscription was confirmed. */
  confirm(url: string, confirmedAt: string): Promise<void> {
    return this.#access.write((database) =>
      void database.prepare("UPDATE stream_confirmations SET confirmed_at = ? WHERE url = ?").run(
        confirmedAt,
        url,
      )
    );
  }
}

function insertRows(database: DatabaseSync, { layout, rows }: DatasetRows): number {
  const names = streamColumns(layout);
  const insert = database.prepare(
    `INSERT INTO ${layout.table} (${names.map((name) => `"${name}"`).join(", ")})
     VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT (id) DO NOTHING`,
  );
  let stored = 0;
  for (const row of rows) stored += Number(insert.run(...row).changes);
  return stored;
}
