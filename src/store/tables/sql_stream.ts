import { chunks } from "../../base/json/chunks.ts";
import { putProfile } from "./account_tables.ts";
import { insertRows, type StoreSql } from "./store_sql.ts";
import { DATASET_LAYOUTS, type DatasetLayout } from "../model/dataset_layout.ts";
import { zonedDateTime } from "../../base/time/calendar.ts";
import {
  AddedHours,
  REPORTED,
  REPORTED_LAYOUTS,
  reportedSql,
  streamedHours,
} from "../model/reported_hours.ts";
import type {
  AddressRange,
  DatasetRows,
  ReportedHours,
  StreamAccount,
  StreamBatch,
  StreamConfirmation,
  StreamTables,
  StreamWritten,
} from "../model/stream_tables.ts";

export interface StreamAccess {
  write<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>;
  read<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>;
  insert(sql: StoreSql, records: DatasetRows): Promise<number>;
}

/** Hours per DELETE: SQLite limits conditions. */
const HOURS_AT_ONCE = 200;
const ADDRESSES_AT_ONCE = 500;

export class SqlStream implements StreamTables {
  readonly #access: StreamAccess;

  constructor(access: StreamAccess) {
    this.#access = access;
  }

  write(
    { source, receivedAt, records, rejected, confirmations, objects = [] }: StreamBatch,
  ): Promise<StreamWritten> {
    return this.#access.write(async (sql) => {
      let stored = 0;
      // Always in one order: two consumers that are given the same records do not wait for each other.
      for (const group of records.toSorted((a, b) => a.layout.table < b.layout.table ? -1 : 1)) {
        await removeReported(sql, group);
        stored += await this.#access.insert(sql, group);
      }
      const at = new Date(receivedAt).toISOString();
      const aside = await insertRows(
        sql,
        {
          into: "stream_rejected (id, message_id, source, received_at, reason, body)",
          after: "ON CONFLICT (id) DO NOTHING RETURNING id",
        },
        rejected.toSorted((a, b) => a.id < b.id ? -1 : 1)
          .map(({ id, messageId, reason, body }) => [id, messageId, source, at, reason, body]),
      );
      await insertRows(
        sql,
        {
          into: "stream_confirmations (url, topic, sent_at, received_at)",
          after: "ON CONFLICT (url) DO NOTHING",
        },
        confirmations.map(({ topic, url, sentAt }) => [url, topic, sentAt, at]),
      );
      await insertRows(
        sql,
        {
          into: "stream_objects (address, version, read_at)",
          after: "ON CONFLICT (address) DO UPDATE SET version = excluded.version, read_at = excluded.read_at",
        },
        objects.toSorted((a, b) => a.address < b.address ? -1 : 1)
          .map(({ address, version }) => [address, version, at]),
      );
      return { stored, rejected: aside };
    });
  }

  putHours({ profileId, start, end, records }: ReportedHours): Promise<number> {
    return this.#access.write(async (sql) => {
      let stored = 0;
      const days = [profileId, start, end];
      for (const layout of REPORTED_LAYOUTS) await sql.run(reportedSql(layout).remove, days);
      const added = new Map<DatasetLayout, AddedHours>();
      for await (const { layout, rows } of records()) {
        const hours = added.get(layout) ?? await addedTo(sql, layout, days);
        added.set(layout, hours);
        stored += await this.#access.insert(sql, { layout, rows: hours.add(rows) });
      }
      for (const [layout, hours] of added) {
        stored += await this.#access.insert(sql, { layout, rows: hours.rest() });
      }
      return stored;
    });
  }

  accounts(): Promise<StreamAccount[]> {
    return this.#access.read(async ({ run }) => {
      const rows = await run(
        `SELECT advertiser_id, marketplace_id, profile_id, country_code, time_zone
         FROM stream_accounts JOIN profiles USING (profile_id) ORDER BY advertiser_id, marketplace_id`,
      );
      return rows.map((row) => ({
        advertiserId: String(row["advertiser_id"]),
        marketplaceId: String(row["marketplace_id"]),
        profileId: String(row["profile_id"]),
        countryCode: String(row["country_code"]),
        timeZone: String(row["time_zone"]),
      }));
    });
  }

  putAccounts(accounts: readonly StreamAccount[]): Promise<void> {
    return this.#access.write(async (sql) => {
      for (const account of accounts) await putAccount(sql, account);
    });
  }

  objects(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#access.read(async ({ run }) => {
      const found = new Map<string, string>();
      for (const part of chunks(addresses, ADDRESSES_AT_ONCE)) {
        const rows = await run(
          `SELECT address, version FROM stream_objects WHERE address IN (${part.map(() => "?").join(", ")})`,
          part,
        );
        for (const { address, version } of rows) found.set(String(address), String(version));
      }
      return found;
    });
  }

  async forgetObjects({ after, upTo }: AddressRange, there: ReadonlySet<string>): Promise<void> {
    const known = await this.#access.read(({ run }) =>
      run("SELECT address FROM stream_objects WHERE address > ? AND address <= ?", [after, upTo])
    );
    const gone = known.map(({ address }) => String(address)).filter((address) => !there.has(address));
    if (gone.length === 0) return;
    await this.#access.write(async ({ run }) => {
      for (const part of chunks(gone, ADDRESSES_AT_ONCE)) {
        await run(`DELETE FROM stream_objects WHERE address IN (${part.map(() => "?").join(", ")})`, part);
      }
    });
  }

  confirmations(): Promise<StreamConfirmation[]> {
    return this.#access.read(async ({ run }) => {
      const rows = await run(
        "SELECT topic, url, sent_at, confirmed_at FROM stream_confirmations ORDER BY sent_at, url",
      );
      return rows.map((row) => ({
        topic: String(row["topic"]),
        url: String(row["url"]),
        sentAt: String(row["sent_at"]),
        confirmedAt: row["confirmed_at"] === null ? null : String(row["confirmed_at"]),
      }));
    });
  }

  confirm(url: string, confirmedAt: string): Promise<void> {
    return this.#access.write(async ({ run }) => {
      await run("UPDATE stream_confirmations SET confirmed_at = ? WHERE url = ?", [confirmedAt, url]);
    });
  }
}

async function addedTo(
  { run }: StoreSql,
  layout: DatasetLayout,
  days: readonly string[],
): Promise<AddedHours> {
  const { taken, sums } = reportedSql(layout);
  return new AddedHours(layout, { taken: await run(taken, days), sums: await run(sums, [...days, ...days]) });
}

async function removeReported({ run }: StoreSql, group: DatasetRows): Promise<void> {
  const { tables, hours } = streamedHours(group);
  for (const table of tables) {
    for (const part of chunks(hours, HOURS_AT_ONCE)) {
      const these = part.map(() => "profile_id = ? AND starts_at = ?").join(" OR ");
      await run(`DELETE FROM ${table} WHERE message_id = '${REPORTED}' AND (${these})`, part.flat());
    }
  }
}

async function putAccount(sql: StoreSql, account: StreamAccount): Promise<void> {
  const { advertiserId, marketplaceId, profileId, timeZone } = account;
  await putProfile(sql, account);
  await sql.run(
    `INSERT INTO stream_accounts (advertiser_id, marketplace_id, profile_id, time_zone) VALUES (?, ?, ?, ?)
     ON CONFLICT (advertiser_id, marketplace_id)
       DO UPDATE SET profile_id = excluded.profile_id, time_zone = excluded.time_zone`,
    [advertiserId, marketplaceId, profileId, timeZone],
  );
  const own = "profile_id = '' AND advertiser_id = ? AND marketplace_id = ?";
  for (const { table } of DATASET_LAYOUTS) {
    const times = await sql.run(`SELECT DISTINCT starts_at FROM ${table} WHERE ${own}`, [
      advertiserId,
      marketplaceId,
    ]);
    for (const row of times) {
      const start = row["starts_at"] === null ? null : Number(row["starts_at"]);
      const local = start === null ? undefined : zonedDateTime(start, timeZone);
      await sql.run(
        `UPDATE ${table} SET profile_id = ?, date = ?, hour = ?
         WHERE ${own} AND starts_at IS NOT DISTINCT FROM ?`,
        [profileId, local?.plainDate ?? null, local?.hour ?? null, advertiserId, marketplaceId, start],
      );
    }
  }
}
