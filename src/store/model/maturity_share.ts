import type { ReportName } from "../../client/reports/requests/named_report.ts";

/**
 * Restatement window in days: how long the platform may change the attributed figures of a day.
 *
 * @example
 * ```ts
 * import { RESTATE_DAYS } from "@platform/ads/store";
 *
 * const final = new Date(Date.now() - RESTATE_DAYS * 86_400_000); // the figures of earlier days are final
 * console.log(final);
 * ```
 */
export const RESTATE_DAYS = 42;

/** Average fraction of the final figure that is known at a given age, over days that are final by now. */
export interface Maturity {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** Country of the profiles. */
  readonly country_code: string;
  /** Metric: impressions, clicks, cost, orders or sales. */
  readonly metric: "impressions" | "clicks" | "cost" | "orders" | "sales";
  /** Age in days, counted from the reported day. */
  readonly age: number;
  /** Share of the final figure; more than 1 if figures were reduced later. */
  readonly share: number;
  /** Number of days that were judged. */
  readonly days: number;
}
