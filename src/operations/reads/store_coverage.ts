import { timeZoneOf } from "../../base/markets/markets.ts";
import { counted } from "../../base/text/money_text.ts";
import { addDays, countDays, dayIn } from "../../base/time/calendar.ts";
import type { Coverage } from "../../store/model/coverage.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";

export interface CoverageContext {
  readonly store: Warehouse;
  readonly isWanted?: ((line: Coverage) => boolean) | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Days before the platform drops a missing day at which it counts as about to be lost. */
const WARN_DAYS = 7;

/** True if a missing day of the report can be fetched only for some days more, by the day of its market. */
export function expiresSoon(
  { countryCode, fetchBy }: Pick<Coverage, "countryCode" | "fetchBy">,
  now: number,
): boolean {
  return fetchBy !== null && fetchBy <= addDays(dayIn(timeZoneOf({ countryCode }), now), WARN_DAYS);
}

interface CoverageLine extends Coverage {
  /** True if a missing day is about to be lost. */
  readonly expires: boolean;
}

export interface StoreCoverage {
  readonly coverage: readonly CoverageLine[];
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
  async run({ store, isWanted = () => true, now }) {
    const { leftOutOfCoverage } = await import("../../store/figures/left_out_campaigns.ts");
    const coverage = (await store.coverage()).filter(isWanted);
    // Days alone do not show campaigns that the platform leaves out of every day.
    return {
      coverage: coverage.map((line) => ({ ...line, expires: expiresSoon(line, now) })),
      notes: await leftOutOfCoverage(store, coverage),
    };
  },
  lines: ({ coverage }) =>
    coverage.filter(({ expires }) => expires).map((line) => {
      const { countryCode, profileId, report, available, fetchBy } = line;
      const days = available.reduce((sum, range) => sum + countDays(range), 0);
      return `${countryCode} ${profileId} ${report}: ${counted(days, "missing day")} can still be fetched, ` +
        `the oldest (${available[0]?.start}) until ${fetchBy}`;
    }),
});
