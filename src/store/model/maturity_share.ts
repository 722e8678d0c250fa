import type { ReportName } from "../../client/reports/requests/named_report.ts";

/** Share of the final figure known at an age, on the average of the days that are final by now. */
export interface Maturity {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** Country of the profiles. */
  readonly country_code: string;
  /** Metric: impressions, clicks, cost, orders or sales. */
  readonly metric: "impressions" | "clicks" | "cost" | "orders" | "sales";
  /** Days after the day. */
  readonly age: number;
  /** Share of the final figure; more than 1 where figures were taken back later. */
  readonly share: number;
  /** Days that were judged. */
  readonly days: number;
}
