import type { Cell } from "../encode_row.ts";
import type { DatasetLayout } from "./dataset_layout.ts";
import { localHour } from "./local_hour.ts";
import { readMessage, type StreamMessage } from "./read_message.ts";
import type { StreamAccount, StreamBatch } from "./stream_tables.ts";

/** A batch, and what was found while it was made. */
export interface MadeBatch {
  /** Records to store. */
  readonly batch: StreamBatch;
  /** Number of records. */
  readonly records: number;
  /** Advertisers of whom no profile is known. */
  readonly unknownAdvertisers: ReadonlySet<string>;
}

/** Stands for the profile of an advertiser of whom none is known. */
const UNKNOWN = { profileId: "", timeZone: "UTC" };

/** Lays messages out for one transaction: every record with its profile, and the day and hour of its market. */
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
      const local = startsAt === null ? undefined : localHour(startsAt, timeZone);
      const row: Cell[] = [
        id,
        advertiserId,
        marketplaceId,
        profileId,
        local?.date ?? null,
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

export function accountKey(advertiserId: string, marketplaceId: string): string {
  return `${advertiserId} ${marketplaceId}`;
}
