import { normalizeCountry } from "../../base/markets/markets.ts";
import { checkDay } from "../../base/time/calendar.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import { DayTally, encodeRows, type RowSource } from "./encode_rows.ts";
import { layoutNamed } from "./report_layout.ts";
import type { StoredDay, StoredProfile, StoreDriver } from "./store_driver.ts";

/** Rows of a report's days, and where they came from. */
export interface Replacement extends StoredProfile {
  /** Name of the report. */
  readonly report: ReportName;
  /** First day that is replaced, `YYYY-MM-DD`. */
  readonly start: string;
  /** Last day that is replaced. */
  readonly end: string;
  /** The platform's ids of the reports. @default none */
  readonly reportIds?: readonly string[];
  /** When the platform made the report, ISO 8601. @default unknown */
  readonly madeAt?: string | undefined;
  /** Reporting API that the rows are from. @default none, for rows from another source */
  readonly reporting?: ReportingApi | undefined;
  /** Id of the ledger entry to mark as `stored`. */
  readonly ledgerId?: string | undefined;
}

interface ReplaceOptions {
  readonly pulledAt: string;
  /** Called before commit with old and new figures; throwing rolls back. */
  readonly check?: ((before: readonly StoredDay[], after: DayTally) => void) | undefined;
}

export function replaceDays(
  driver: StoreDriver,
  what: Replacement,
  rows: RowSource,
  { pulledAt, check }: ReplaceOptions,
): Promise<number> {
  const layout = layoutNamed(what.report, driver.layouts);
  const start = checkDay(what.start, "the first day");
  const end = checkDay(what.end, "the last day");
  if (start > end) {
    throw new RangeError(`Cannot replace ${start} to ${end}: the first day is after the last`);
  }
  const { profileId, reportIds = [], ledgerId, madeAt = null, reporting = null } = what;
  const tally = new DayTally(layout);
  return driver.replace(
    {
      profileId,
      countryCode: normalizeCountry(what.countryCode),
      layout,
      start,
      end,
      reportIds,
      pulledAt,
      madeAt,
      reporting,
      ledgerId,
      check: check === undefined ? undefined : (before) => check(before, tally),
    },
    encodeRows(rows, { layout, range: { start, end }, tally }),
  );
}
