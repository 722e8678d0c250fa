import type { ReportName } from "../../client/reports/requests/named_report.ts";

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
