import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { addDays, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import { REPORT_PRESETS, type ReportPresetName, spellReport } from "../../client/reports/requests/presets.ts";
import { firstKeptDay } from "../../client/reports/requests/report_requests.ts";
import { cutSums, filePulls } from "../../store/figures/file_pulls.ts";
import type { SyncOptions } from "../../store/sync/sync_options.ts";
import type { SyncProfile } from "../../store/sync/sync_profile.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** The stored reports and days that a job is based on. */
export interface StoredReports {
  /** Names of the reports. */
  readonly reports: readonly ReportPresetName[];
  /** First day, as YYYY-MM-DD. */
  readonly firstDay: string;
  /** Last day, as YYYY-MM-DD. */
  readonly lastDay: string;
  /** True if missing days were fetched first. */
  readonly synced: boolean;
}

/** Store with the figures for a job, and how to handle days that are not stored. */
export interface FigureOptions {
  /** Open store with the reports of the profile; the job does not close it. */
  readonly store: Warehouse;
  /**
   * Options for syncing missing days first; `false` to fail instead.
   *
   * @default the defaults of a sync
   */
  readonly sync?: Omit<SyncOptions, "reports" | "start" | "end"> | false | undefined;
  /** First day that is not included, as YYYY-MM-DD. @default today in the profile's time zone */
  readonly today?: string | undefined;
  /** Called with a message before days are fetched. */
  readonly onSync?: ((message: string) => void) | undefined;
  /** Aborts fetching missing days and reading the account. */
  readonly signal?: AbortSignal | undefined;
}

export interface StoredDays {
  readonly stored: StoredReports;
  readonly missing: readonly MissingDays[];
  readonly summary: string | undefined;
}

export interface MissingDays extends DayRange {
  readonly report: ReportPresetName;
}

/**
 * @throws {ConfigurationError} when days are missing and fetching is not allowed.
 * @throws {PlatformAdsError} when fetching fails.
 */
export async function ensureStored(
  profile: StoredProfile,
  reports: readonly ReportPresetName[],
  options: FigureOptions & { readonly days: DayRange },
): Promise<StoredReports> {
  const { stored, missing: [lacking], summary } = await fetchMissing(profile, reports, options);
  if (lacking === undefined) return stored;
  const { store } = options;
  const { profileId, countryCode } = profile;
  const which = `${spellReport(lacking.report)} from ${lacking.start} to ${lacking.end}`;
  if (summary !== undefined) {
    const isNew = options.sync !== false && options.sync?.reporting === 1;
    const first = isNew ? undefined : firstKept(reports, lacking, profile.reports?.today);
    throw new PlatformAdsError(
      `Cannot judge by figures: ${which} could not be stored` +
        (first === undefined
          ? `. ${summary}`
          : `, because the platform no longer keeps these days. Choose days from ${first} on`),
    );
  }
  const { length } = await filePulls(store, { profileId });
  throw new ConfigurationError(
    `Cannot judge by figures: the store ${store.location} lacks ${which}. ` +
      (length > 0
        ? "Download the report of these days and add it with importFiles()"
        : `Fetch them with sync() of ${countryCode} with the reports ${reports.map(spellReport).join(",")}`),
  );
}

function firstKept(
  reports: readonly ReportPresetName[],
  lacking: MissingDays,
  today: string | undefined,
): string | undefined {
  if (today === undefined) return undefined;
  const first = (report: ReportPresetName): string => firstKeptDay(REPORT_PRESETS[report], today);
  // Yesterday's edge may already be gone on the platform.
  return lacking.start > first(lacking.report) ? undefined : addDays(reports.map(first).sort().at(-1)!, 1);
}

type StoredProfile = SyncProfile & {
  readonly profileId: string;
  readonly countryCode: string;
  readonly reports?: { readonly today: string };
};

export async function fetchMissing(
  profile: StoredProfile,
  reports: readonly ReportPresetName[],
  options: FigureOptions & { readonly days: DayRange },
): Promise<StoredDays> {
  const { store, days, sync = {}, signal } = options;
  const { profileId } = profile;
  const stored = { reports, firstDay: days.start, lastDay: days.end };
  const missing = await missingDays(store, { profileId, reports, days });
  const [lacking] = missing;
  const [cut] = await cutSums(store, { period: days, reports, profileIds: [profileId] });
  if (cut !== undefined) {
    throw new ConfigurationError(
      `Cannot judge ${days.start} to ${days.end} by figures: "${cut.name}" is one sum of ${cut.start} to ${cut.end}, which ` +
        "cannot be split. Choose exactly these days, or download daily rows and import them",
    );
  }
  if (lacking === undefined || sync === false) {
    return { stored: { ...stored, synced: false }, missing, summary: undefined };
  }
  const which = `${spellReport(lacking.report)} from ${lacking.start} to ${lacking.end}`;
  options.onSync?.(`The store lacks ${which}: fetching ${days.start} to ${days.end} first`);
  const names = [...new Set(missing.map(({ report }) => report))];
  const result = await store.sync(profile, { signal, ...sync, reports: names, ...days });
  signal?.throwIfAborted();
  return {
    stored: { ...stored, synced: true },
    missing: await missingDays(store, { profileId, reports, days }),
    summary: result.summary().replaceAll("\n", "; "),
  };
}

export async function missingDays(
  store: Pick<Warehouse, "coverage">,
  { profileId, reports, days }: { profileId: string; reports: readonly ReportPresetName[]; days: DayRange },
): Promise<MissingDays[]> {
  const coverage = await store.coverage({ profileId, report: reports });
  return reports.flatMap((report) => {
    const own = coverage.find((one) => one.report === report);
    const isStored = (day: string): boolean =>
      own !== undefined && own.firstDay <= day && day <= own.lastDay &&
      !own.gaps.some(({ start, end }) => start <= day && day <= end);
    return joinDays([...eachDay(days)].filter((day) => !isStored(day))).map((range) => ({
      ...range,
      report,
    }));
  });
}
