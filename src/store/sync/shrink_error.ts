import type { DayRange } from "../../internal/calendar.ts";
import { StoreError } from "../store_error.ts";

/**
 * A report has far fewer rows or less cost than what is stored of its days, so those days stay as they were; or the
 * platform lists far fewer entities than are stored, and they stay as they were.
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
  /** Days that were held back; none for entities. */
  readonly days: readonly DayRange[];

  /**
   * Makes the error.
   *
   * @param days Days that were held back.
   */
  constructor(message: string, days: readonly DayRange[]) {
    super(message);
    this.days = days;
  }
}
