import type { QueryResult } from "../model/store_driver.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { pendingConfirmations } from "./confirm_subscriptions.ts";
import { REPORTED } from "../model/reported_hours.ts";
import { DATASET_LAYOUTS } from "../model/dataset_layout.ts";

/** Stored records of a dataset for an advertiser. */
export interface StoredDataset {
  /** Id of the dataset. */
  readonly dataset: string;
  /** Country of the profile; `null` while it is not known. */
  readonly country_code: string | null;
  /** The platform's id of the profile; empty while it is not known. */
  readonly profile_id: string;
  /** Id of the advertiser in the stream. */
  readonly advertiser_id: string;
  /** Number of stored records. */
  readonly records: number;
  /** Start of the last hour with a record, ISO 8601; `null` for datasets without hours. */
  readonly last_hour: string | null;
  /** Minutes since that hour ended. */
  readonly behind_minutes: number | null;
  /** When the last record was received, ISO 8601. */
  readonly received_at: string;
}

/** Status of a store's hourly stream. */
export interface StreamStatus {
  /** One entry for each dataset and advertiser with records. */
  readonly datasets: readonly StoredDataset[];
  /** Number of unreadable messages, kept in `stream_rejected`. */
  readonly rejected: number;
  /** Number of unanswered requests to confirm a subscription. */
  readonly pendingConfirmations: number;
}

const HOUR = 3_600_000;

/**
 * Reads the status of a store's hourly stream.
 *
 * @param options `now` gives milliseconds since the epoch.
 *
 * @example
 * ```ts
 * import { streamStatus, type Warehouse } from "@platform/ads/store";
 *
 * async function behind(store: Warehouse): Promise<number> {
 *   const { datasets } = await streamStatus(store);
 *   return Math.max(0, ...datasets.map(({ behind_minutes }) => behind_minutes ?? 0));
 * }
 * ```
 */
export async function streamStatus(
  store: Warehouse,
  { now = Date.now }: { now?: () => number } = {},
): Promise<StreamStatus> {
  const selects = DATASET_LAYOUTS.map(({ dataset, table }) =>
    `SELECT '${dataset}' AS dataset, profile_id, advertiser_id, count(*) AS records, max(starts_at) AS last_hour,
       max(received_at) AS received_at FROM ${table}
     WHERE message_id <> '${REPORTED}' GROUP BY profile_id, advertiser_id`
  );
  const found = await all(
    store,
    `SELECT stored.*, profiles.country_code FROM (${selects.join(" UNION ALL ")}) AS stored
     LEFT JOIN profiles ON profiles.profile_id = stored.profile_id ORDER BY country_code, stored.profile_id, dataset`,
  );
  const rejected = await all(store, "SELECT count(*) AS n FROM stream_rejected");
  return {
    datasets: found.rows.map((row) => {
      const hour = row["last_hour"] === null ? null : Number(row["last_hour"]);
      return {
        dataset: String(row["dataset"]),
        country_code: row["country_code"] === null ? null : String(row["country_code"]),
        profile_id: String(row["profile_id"]),
        advertiser_id: String(row["advertiser_id"]),
        records: Number(row["records"]),
        last_hour: hour === null ? null : new Date(hour).toISOString(),
        behind_minutes: hour === null ? null : Math.max(0, Math.floor((now() - hour - HOUR) / 60_000)),
        received_at: new Date(Number(row["received_at"])).toISOString(),
      };
    }),
    rejected: Number(rejected.rows[0]?.["n"]),
    pendingConfirmations: (await pendingConfirmations(store)).length,
  };
}

function all(store: Warehouse, sql: string): Promise<QueryResult> {
  return store.query(sql, [], { maxRows: Infinity });
}
