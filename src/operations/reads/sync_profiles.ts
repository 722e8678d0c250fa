import { spellReport } from "../../client/reports/requests/presets.ts";
import { isSettled, type SyncOptions, type SyncProgress } from "../../store/sync/options/sync_options.ts";
import type { SyncProfile } from "../../store/sync/options/sync_profile.ts";
import type { SyncResult } from "../../store/sync/options/sync_result.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** Present state of one report of a sync. */
export interface SyncPart {
  /** Report and days, as `placement 2026-09-01 to 2026-09-30`. */
  readonly name: string;
  readonly profile: { readonly profileId: string; readonly countryCode: string };
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Present step in a word. */
  readonly step: string;
  /** Seconds since the report was requested. */
  readonly seconds: number;
  /** Rows stored so far. */
  readonly amount: number;
}

/**
 * Updates a report store: the reports that are missing or may be restated, and the account.
 *
 * @param options `isDemo` polls each second, because the demo account prepares reports at once.
 */
export function syncProfiles(
  store: Warehouse,
  profiles: readonly SyncProfile[],
  { isDemo, ...options }: SyncOptions & { readonly isDemo: boolean },
): Promise<SyncResult> {
  return store.sync(profiles, { entities: true, ...isDemo ? { poll: 1, maxPoll: 1 } : {}, ...options });
}

/** Identifies the report that a progress event is about. */
export function syncPartKey({ profileId, report, start, end }: SyncProgress): string {
  return `${profileId} ${report} ${start} ${end}`;
}

/** State of a report after a progress event. */
export function syncPart(event: SyncProgress): SyncPart {
  const { kind, profileId, countryCode, report, start, end, status, seconds, rows } = event;
  const settled = kind === "stored" || kind === "found" ? "done" : "failed";
  return {
    name: `${spellReport(report)} ${start} to ${end}`,
    profile: { profileId, countryCode },
    state: isSettled(event) ? settled : kind === "planned" ? "waiting" : "running",
    step: kind === "waiting" ? status.toLowerCase() : kind,
    seconds,
    amount: rows,
  };
}
