import type { DayRange } from "../../../base/time/calendar.ts";
import type { AccountOptions } from "./check_accounts.ts";
import type { EntitySourceChoice } from "./choose_source.ts";
import type { LedgerState } from "../../model/ledger_entry.ts";
import type { ReportName } from "../../../client/reports/requests/named_report.ts";
import type { ReportingApi } from "../../../client/reports/requests/report_configuration.ts";
import type { ReportPresetName } from "../../../client/reports/requests/presets.ts";
import type { StoredProfile } from "../../model/store_driver.ts";

/** Progress of one report of a sync, or of one export of entities (`targets_export`), which has the day of its request. */
export interface SyncProgress extends StoredProfile, DayRange {
  /**
   * `planned` for every report at the beginning; `asked`, or `resumed` when it was asked for before; `throttled` when
   * the platform wants to be asked later; `waiting` at each look; `storing` as rows come; then `stored`, `found`
   * when another process has stored it meanwhile, `held` when days were held back, `failed`, or `left` when the next sync will take it up.
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
  /** Last status of the platform; before the first one, the state in the ledger. */
  readonly status: LedgerState | (string & Record<never, never>);
  /** Seconds since it was asked for. */
  readonly seconds: number;
  /** Rows stored so far. */
  readonly rows: number;
}

/** True for the last step of a report. */
export function isSettled({ kind }: Pick<SyncProgress, "kind">): boolean {
  return ["stored", "found", "held", "failed", "left"].includes(kind);
}

/** Which reports and days are pulled, how long reports are waited for, and what is reported meanwhile. */
export interface SyncOptions extends AccountOptions {
  /** Reports to keep: presets, or published types with groupings (`sdCampaigns:matchedTarget`). @default sp_placement, sp_targeting, sp_search_terms */
  readonly reports?: readonly ReportName[] | undefined;
  /**
   * Stores the entities of the profiles too: campaigns, ad groups, keywords, targets, ads, portfolios. `"only"` pulls
   * no reports. @default false
   */
  readonly entities?: boolean | "only" | undefined;
  /**
   * Stores the last 14 days by hour too, of reporting 1, by keyword and target, in the tables that the stream fills.
   * Hours in which the stream has impressions are left to it. `"only"` pulls no reports. @default false
   */
  readonly hours?: boolean | "only" | undefined;
  /**
   * Stores whole months by campaign too, of reporting 1, which reaches back six years for them: those that are not stored,
   * and those that may have been restated since. `"only"` pulls no reports. @default false
   */
  readonly months?: boolean | "only" | undefined;
  /**
   * How entities are read: page by page, as one file of campaigns, ad groups, ads or targets that the platform builds, or
   * `auto`: by exports where lists would take 30 requests or more, judged by what was stored last. An export is compared
   * with what is stored, and what is new or changed is read by its ids, so that both leave the same behind. Lists take
   * the place of an export that fails or is not built in time. @default "auto"
   */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** Days before the newest stored one that are pulled again, for the platform restates them. @default 42 */
  readonly restateDays?: number | undefined;
  /**
   * The reporting API that is asked: 3, or 1, which answers the presets over 15 months. Days that are stored from version 3
   * are left to it unless `start` names them, for it has more columns.
   *
   * @default 3
   */
  readonly reporting?: ReportingApi | undefined;
  /** First day. @default what is missing or may have been restated; all that is kept on the first run */
  readonly start?: string | undefined;
  /** Last day. @default yesterday, where the profile is */
  readonly end?: string | undefined;
  /**
   * Days that were pulled at this time or later are up to date, also inside of the restatement window; ISO 8601. For
   * work that is begun again after it was cut short. @default none is, unless an open report tells of an earlier sync
   */
  readonly freshSince?: string | undefined;
  /**
   * Takes reports with far fewer rows or less cost than what is stored of their days, and lists with far fewer entities.
   * Otherwise those days and entities stay as they are and are reported as `held`. @default false
   */
  readonly acceptShrink?: boolean | undefined;
  /** Requests and downloads at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Seconds that a report is waited for; one that takes longer is resumed by the next sync. @default 10800 */
  readonly timeout?: number | undefined;
  /** Seconds before the second look at a report. @default 5 */
  readonly poll?: number | undefined;
  /** Seconds between two looks at most. @default 60 */
  readonly maxPoll?: number | undefined;
  /** Stops cleanly: what is being written is finished or undone, and the next sync goes on where this one stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Told of everything that happens. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Told what the caller should know, for example that days are past the retention. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * The reports that are kept when none are named.
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
