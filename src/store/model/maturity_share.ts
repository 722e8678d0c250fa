import type { ReportName } from "../../client/reports/requests/named_report.ts";

/** Share of the final figure known at an age, averaged over the final days. */
export interface Maturity {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** Country of the profiles. */
  readonly country_code: string;
  /** Metric: impressions, clicks, cost, orders or sales. */
  readonly metric: "impressions" | "clicks" | "cost" | "orders" | "sales";
  /** Age in days: from the reported day on. */
  readonly age: number;
  /** Share of the final figure; more than 1 where figures were taken back later. */
  readonly share: number;
  /** Days that were judged. */
  readonly days: number;
}
