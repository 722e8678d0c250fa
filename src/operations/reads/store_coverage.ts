import type { Coverage } from "../../store/model/coverage.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";

export interface CoverageContext {
  readonly store: Warehouse;
  readonly isWanted?: ((line: Coverage) => boolean) | undefined;
}

export interface StoreCoverage {
  readonly coverage: readonly Coverage[];
  /** Campaigns that no report has. */
  readonly notes: readonly string[];
}

export const storeCoverage = defineOperation<CoverageContext, StoreCoverage>()({
  name: "store coverage",
  effect: "read",
  tool: "report_coverage",
  title: "Show report coverage",
  summary: "Show which days are stored, available or lost",
  details:
    "A day counts as stored once the whole file of a complete report is stored. available: missing days that " +
    "the platform still keeps; the next adsctl sync fetches them. lost: days that old reports no " +
    "longer have (they end in 2027); adsctl sync --reporting new goes back 15 months. from_reporting_1: days " +
    "stored from new reports.",
  brief:
    "Contents of the report store by market and report: first and last day, rows, last pull, gaps, and " +
    "missing days that sync_reports can still fetch.",
  examples: [{ input: {}, about: "list what is stored" }],
  library: "const lines = await store.coverage()",
  input: {},
  async run({ store, isWanted = () => true }) {
    const { leftOutOfCoverage } = await import("../../store/figures/left_out_campaigns.ts");
    const coverage = (await store.coverage()).filter(isWanted);
    // Days alone do not show campaigns that the platform leaves out of every day.
    return { coverage, notes: await leftOutOfCoverage(store, coverage) };
  },
});
