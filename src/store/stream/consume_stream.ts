import type { Warehouse } from "../warehouse/warehouse.ts";
import type { ObjectCounts, StreamSource } from "./stream_source.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { DatasetLayout } from "../model/dataset_layout.ts";
import { zonedDateTime } from "../../base/time/calendar.ts";
import { readMessage, type StreamMessage } from "./read_message.ts";
import type { StreamAccount, StreamBatch } from "../model/stream_tables.ts";

/** Progress of consuming a stream. */
export interface ConsumeProgress {
  /** Number of received messages. */
  readonly messages: number;
  /** Number of stored records. */
  readonly stored: number;
  /** Number of records that were stored before. */
  readonly duplicates: number;
  /** Number of unreadable messages that were set aside. */
  readonly rejected: number;
  /** Number of received requests to confirm a subscription. */
  readonly confirmations: number;
  /** Number of stored messages that the queue will redeliver, because it did not accept their acknowledgement. */
  readonly unacknowledged: number;
  /** Numbers of delivery stream objects that were read and that were not read. */
  readonly objects: ObjectCounts & { readonly read: number };
}

/** Result of consuming a stream. */
export interface ConsumeResult extends ConsumeProgress {
  /** Advertisers in stored records whose profile is not known. Their hours are in UTC until the profile is known. */
  readonly unknownAdvertisers: readonly string[];
}

/** Options of {@linkcode consumeStream}. */
export interface ConsumeOptions {
  /** Stops after the current messages are stored and acknowledged. */
  readonly signal?: AbortSignal | undefined;
  /** True to stop when the source has no more messages. @default false, waits for more */
  readonly once?: boolean | undefined;
  /** True to reread objects that were read before. @default false */
  readonly again?: boolean | undefined;
  /** Clock for the receipt of messages, in epoch milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Called after each transaction. */
  readonly onProgress?: ((progress: ConsumeProgress) => void) | undefined;
}

/**
 * Stores the messages of a source: each batch in one transaction, acknowledged after the commit. Redelivered records
 * are recognized by their `idempotency_id` and skipped. Unreadable messages are kept in `stream_rejected` and do not
 * block the others. Files and objects are remembered in the transaction of their last messages, and read once.
 *
 * @throws any error of the source or the store; everything acknowledged is stored.
 *
 * @example
 * ```ts
 * import { mkdtempSync } from "node:fs";
 * import { tmpdir } from "node:os";
 * import { consumeStream, textSource, Warehouse } from "@platform/ads/store";
 *
 * const store = await Warehouse.open(`${mkdtempSync(`${tmpdir()}/ads-`)}/ads.sqlite`);
 * const record = {
 *   dataset_id: "sp-traffic", idempotency_id: "a1", advertiser_id: "ENTITY1", marketplace_id: "M1",
 *   time_window_start: "2026-11-01T08:00:00Z", campaign_id: "9", clicks: 3, cost: 1.2, currency: "USD",
 * };
 * const lines = [JSON.stringify(record), JSON.stringify(record)].join("\n");
 * const { stored, duplicates } = await consumeStream(store, textSource(lines));
 * console.log(stored, duplicates); // 1 1
 * await store.close();
 * ```
 */
export async function consumeStream(
  store: Pick<Warehouse, "stream">,
  source: StreamSource,
  { signal, once = false, again = false, now = Date.now, onProgress = () => {} }: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const tables = store.stream;
  const accounts = new Map(
    (await tables.accounts()).map((account) => [
      accountKey(account.advertiserId, account.marketplaceId),
      account,
    ]),
  );
  const unknown = new Set<string>();
  const counts = { messages: 0, stored: 0, duplicates: 0, rejected: 0, confirmations: 0, unacknowledged: 0 };
  const objects = { read: 0, known: 0, unfinished: 0, gone: 0, archived: 0 };
  const memory = again ? undefined : tables;
  for await (const delivery of source.deliveries({ signal, once, memory })) {
    const receivedAt = now();
    try {
      const { batch, records, unknownAdvertisers } = makeBatch(delivery.messages, {
        source: source.name,
        receivedAt,
        accounts,
      });
      const read = delivery.objects ?? [];
      const isEmpty = delivery.messages.length === 0 && read.length === 0;
      const written = isEmpty ? { stored: 0, rejected: 0 } : await tables.write({ ...batch, objects: read });
      counts.messages += delivery.messages.length;
      counts.stored += written.stored;
      counts.duplicates += records - written.stored;
      counts.rejected += written.rejected;
      counts.confirmations += batch.confirmations.length;
      objects.read += read.length;
      objects.known += delivery.counts?.known ?? 0;
      objects.unfinished += delivery.counts?.unfinished ?? 0;
      objects.gone += delivery.counts?.gone ?? 0;
      objects.archived += delivery.counts?.archived ?? 0;
      for (const advertiser of unknownAdvertisers) unknown.add(advertiser);
      counts.unacknowledged += await delivery.acknowledge();
    } finally {
      delivery.end();
    }
    onProgress({ ...counts, objects: { ...objects } });
  }
  return { ...counts, objects, unknownAdvertisers: [...unknown].sort() };
}

interface MadeBatch {
  readonly batch: StreamBatch;
  readonly records: number;
  readonly unknownAdvertisers: ReadonlySet<string>;
}

const UNKNOWN = { profileId: "", timeZone: "UTC" };

/** Assigns each record its profile, and its day and hour in the market. */
export function makeBatch(
  messages: readonly StreamMessage[],
  { source, receivedAt, accounts }: {
    source: string;
    receivedAt: number;
    accounts: ReadonlyMap<string, StreamAccount>;
  },
): MadeBatch {
  const groups = new Map<DatasetLayout, Cell[][]>();
  const rejected: StreamBatch["rejected"][number][] = [];
  const confirmations: StreamBatch["confirmations"][number][] = [];
  const unknownAdvertisers = new Set<string>();
  let count = 0;
  for (const message of messages) {
    const contents = readMessage(message);
    rejected.push(...contents.rejected);
    confirmations.push(...contents.confirmations);
    for (const { layout, id, advertiserId, marketplaceId, startsAt, cells, extra } of contents.records) {
      const account = accounts.get(accountKey(advertiserId, marketplaceId));
      if (account === undefined) unknownAdvertisers.add(advertiserId);
      const { profileId, timeZone } = account ?? UNKNOWN;
      const local = startsAt === null ? undefined : zonedDateTime(startsAt, timeZone);
      const row: Cell[] = [
        id,
        advertiserId,
        marketplaceId,
        profileId,
        local?.plainDate ?? null,
        local?.hour ?? null,
        startsAt,
        message.id,
        receivedAt,
        ...cells,
        extra,
      ];
      const group = groups.get(layout);
      if (group === undefined) groups.set(layout, [row]);
      else group.push(row);
      count++;
    }
  }
  const records = [...groups].map(([layout, rows]) => ({ layout, rows }));
  return {
    batch: { source, receivedAt, records, rejected, confirmations },
    records: count,
    unknownAdvertisers,
  };
}

function accountKey(advertiserId: string, marketplaceId: string): string {
  return `${advertiserId} ${marketplaceId}`;
}
