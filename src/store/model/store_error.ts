import { PlatformAdsError } from "../../errors.ts";
import type { DayRange } from "../../base/time/calendar.ts";

/**
 * The store failed: its disk is full, its file is damaged, or another process has locked it.
 *
 * @example
 * ```ts
 * import { StoreError, Warehouse } from "@platform/ads/store";
 *
 * async function clicks(store: Warehouse): Promise<void> {
 *   try {
 *     console.log((await store.query("SELECT sum(clicks) AS clicks FROM sp_placement")).rows);
 *   } catch (error) {
 *     if (!(error instanceof StoreError)) throw error;
 *     console.error(error.message); // damaged, full, locked, or a query that was refused
 *   }
 * }
 * ```
 */
export class StoreError extends PlatformAdsError {}

/**
 * A query was refused or failed; nothing was changed.
 *
 * @example
 * ```ts
 * import { QueryError, Warehouse } from "@platform/ads/store";
 *
 * async function ask(store: Warehouse, sql: string): Promise<void> {
 *   try {
 *     console.log((await store.query(sql)).rows);
 *   } catch (error) {
 *     if (!(error instanceof QueryError)) throw error;
 *     console.error(error.message); // what the database says of the statement
 *   }
 * }
 * ```
 */
export class QueryError extends StoreError {}

/**
 * A report has far fewer rows or less cost than is stored for its days, or the platform lists far fewer
 * entities than are stored. The stored data was kept.
 *
 * @example
 * ```ts
 * import { ShrinkError, type SyncResult } from "@platform/ads/store";
 *
 * function heldDays(result: SyncResult): void {
 *   for (const { error } of result.failures) if (error instanceof ShrinkError) console.log(error.days);
 * }
 * ```
 */
export class ShrinkError extends StoreError {
  /** Days that were held back; empty for entities. */
  readonly days: readonly DayRange[];

  /** Stores the days that were held back; an empty list for entities. */
  constructor(message: string, days: readonly DayRange[]) {
    super(message);
    this.days = days;
  }
}
