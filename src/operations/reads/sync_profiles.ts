import { spellReport } from "../../client/reports/requests/presets.ts";
import { isSettled, type SyncOptions, type SyncProgress } from "../../store/sync/options/sync_options.ts";
import type { SyncProfile } from "../../store/sync/options/sync_profile.ts";
import type { SyncResult } from "../../store/sync/options/sync_result.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

export interface SyncPart {
  readonly name: string;
  readonly profile: { readonly profileId: string; readonly countryCode: string };
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly step: string;
  readonly seconds: number;
  readonly amount: number;
}

export function syncProfiles(
  store: Warehouse,
  profiles: readonly SyncProfile[],
  { isDemo, ...options }: SyncOptions & { readonly isDemo: boolean },
): Promise<SyncResult> {
  return store.sync(profiles, { entities: true, ...isDemo ? { poll: 1, maxPoll: 1 } : {}, ...options });
}

export function syncPartKey({ profileId, report, start, end }: SyncProgress): string {
  return `${profileId} ${report} ${start} ${end}`;
}

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
