import type { DayRange } from "../../base/time/calendar.ts";
import type { AccountOptions } from "./check_accounts.ts";
import type { EntitySourceChoice } from "./choose_source.ts";
import type { LedgerState } from "../model/ledger_entry.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { StoredProfile } from "../model/store_driver.ts";

/**
 * Progress of one report of a sync, or of one export of entities (`targets_export`), which is dated by the day of its
 * request.
 */
export interface SyncProgress extends StoredProfile, DayRange {
  /**
   * `planned` for every report at the beginning; `asked`, or `resumed` if it was requested earlier; `throttled` if the
   * platform asks to retry later; `waiting` at each poll; `storing` as rows arrive; then `stored`, `found` if another
   * process has stored it meanwhile, `held` if days were held back, `failed`, or `left` for the next sync.
   */
  readonly kind:
    | "planned"
    | "asked"
    | "resumed"
    | "throttled"
    | "waiting"
    | "storing"
    | "stored"
    | "found"
    | "held"
    | "failed"
    | "left";
  /** Name of the preset, for example `sp_placement`, or of an export. */
  readonly report: ReportName;
  /** The platform's id, once it is known. */
  readonly reportId: string | null;
  /** Last status of the report given by the platform; until there is one, the state in the ledger. */
  readonly status: LedgerState | (string & Record<never, never>);
  /** Seconds since the report was requested. */
  readonly seconds: number;
  /** Rows stored so far. */
  readonly rows: number;
}

export function isSettled({ kind }: Pick<SyncProgress, "kind">): boolean {
  return ["stored", "found", "held", "failed", "left"].includes(kind);
}

/** Options of a sync: reports and days to pull, waiting, and progress. */
export interface SyncOptions extends AccountOptions {
  /** Reports to keep: presets, or published types with groupings (`sdCampaigns:matchedTarget`). @default sp_placement, sp_targeting, sp_search_terms */
  readonly reports?: readonly ReportName[] | undefined;
  /**
   * Also stores the entities of the profiles: campaigns, ad groups, keywords, targets, ads, portfolios. `"only"` pulls
   * no reports.
   *
   * @default false
   */
  readonly entities?: boolean | "only" | undefined;
  /**
   * Also stores the last 14 days by hour, from the new reports, by keyword and target, in the tables that the stream
   * fills. Hours in which the stream has impressions are not overwritten. `"only"` pulls no reports.
   *
   * @default false
   */
  readonly hours?: boolean | "only" | undefined;
  /**
   * Also stores whole months by campaign from the new reports, which provide months for six years. Pulls months that
   * are not stored and months that may have been restated since. `"only"` pulls no reports.
   *
   * @default false
   */
  readonly months?: boolean | "only" | undefined;
  /**
   * Method of reading entities: page by page, as one file of campaigns, ad groups, ads or targets that the platform
   * builds, or `auto`: by an export if lists would take 30 requests or more, judged by the last stored sizes. An
   * export is compared with the stored entities, and new or changed ones are read by id, so both ways store the same.
   * Lists replace an export that fails or is not built in time.
   *
   * @default "auto"
   */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** Days before the newest stored day to pull again, because the platform restates them. @default 42 */
  readonly restateDays?: number | undefined;
  /**
   * Reporting API: 3, or 1, which has 15 months of history for the presets. Days stored from version 3 are kept unless
   * `start` includes them, because version 3 has more columns.
   *
   * @default 3
   */
  readonly reporting?: ReportingApi | undefined;
  /** First day, `YYYY-MM-DD`. @default missing and possibly restated days; all retained days on the first run */
  readonly start?: string | undefined;
  /** Last day, `YYYY-MM-DD`. @default yesterday in the profile's time zone */
  readonly end?: string | undefined;
  /**
   * Days pulled at or after this time count as current, even inside the restatement window; ISO 8601. For restarting
   * interrupted work.
   * @default none, unless an open report shows an earlier sync
   */
  readonly freshSince?: string | undefined;
  /**
   * True to accept reports with far fewer rows or less cost than is stored for their days, and lists with far fewer
   * entities. Otherwise the stored data is kept and reported as `held`.
   * @default false
   */
  readonly acceptShrink?: boolean | undefined;
  /** Maximum number of simultaneous requests and downloads. @default 8 */
  readonly concurrency?: number | undefined;
  /** Maximum seconds to wait for a report; the next sync resumes it. @default 10800 */
  readonly timeout?: number | undefined;
  /** Seconds before the second poll of a report. @default 5 */
  readonly poll?: number | undefined;
  /** Maximum seconds between two polls. @default 60 */
  readonly maxPoll?: number | undefined;
  /** Stops cleanly: writes in progress are completed or rolled back, and the next sync continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every progress event. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Called with each warning, for example about days past the retention. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Reports that are synced by default.
 *
 * @example
 * ```ts
 * import { DEFAULT_REPORTS } from "@platform/ads/store";
 *
 * console.log([...DEFAULT_REPORTS, "sp_campaigns"]);
 * ```
 */
export const DEFAULT_REPORTS: readonly ReportPresetName[] = [
  "sp_placement",
  "sp_targeting",
  "sp_search_terms",
];

/** Reports that the pages of the console read. */
export const PAGE_REPORTS: readonly ReportPresetName[] = [
  ...DEFAULT_REPORTS,
  "sp_campaigns",
  "sb_campaigns",
  "sd_campaigns",
];
