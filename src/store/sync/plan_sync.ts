import { normalizeCountry } from "../../connection/marketplace.ts";
import { addDays, checkDay, type Day, dayIn, type DayRange } from "../../reports/calendar.ts";
import { presetName, type ReportPresetName } from "../../reports/presets.ts";
import { reportFingerprint } from "../../reports/report_configuration.ts";
import { firstKeptDay, reportRequests } from "../../reports/report_requests.ts";
import { timeZoneOf } from "../../reports/time_zone.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { LedgerEntry } from "../ledger_entry.ts";
import type { StoreDriver } from "../store_driver.ts";
import { planPulls, type Pulls, reportRanges } from "./plan_pulls.ts";
import { DEFAULT_REPORTS, RESTATE_DAYS, type SyncOptions } from "./sync_options.ts";

/** A profile whose reports are kept: a `ProfileClient`, or anything as good. */
export interface SyncProfile extends ProfileScope {
  /** Its record, whose time zone decides what yesterday is. */
  readonly profile?: { readonly timezone?: string | undefined } | undefined;
}

/** One report to pull. */
export interface PlannedPull {
  /** Whose it is. */
  readonly profile: SyncProfile;
  /** Its entry in the ledger. */
  readonly entry: LedgerEntry;
  /** True when it was asked for before this sync. */
  readonly resumed: boolean;
}

/** A report of a profile, with everything that is decided about it before the store is looked at. */
interface Target {
  readonly profile: SyncProfile;
  readonly report: ReportPresetName;
  readonly end: Day;
  readonly firstKept: Day;
  readonly entryOver: (range: DayRange) => LedgerEntry;
}

/**
 * Decides what a sync pulls, and writes all of it to the ledger before anything is asked for. Where an earlier sync
 * was cut short, its open reports are taken up, and what it had stored since it asked for the first of them is not
 * pulled again.
 *
 * @throws {ConfigurationError} or `RangeError` for options that make no sense.
 */
export async function planSync(
  driver: StoreDriver,
  profiles: readonly SyncProfile[],
  options: SyncOptions,
): Promise<PlannedPull[]> {
  const targets = targetsOf(profiles, options);
  const plans: { target: Target; pulls: Pulls }[] = [];
  for (const target of targets) plans.push({ target, pulls: await lookAt(driver, target, options) });
  const asked = plans.flatMap(({ pulls }) => pulls.resume.map(({ askedAt }) => askedAt));
  const freshSince = [...asked, ...options.freshSince === undefined ? [] : [options.freshSince]].sort()[0];

  const planned: PlannedPull[] = [];
  for (const { target, pulls } of plans) {
    const { profile, report } = target;
    for (const entry of pulls.drop) {
      await driver.putLedger({ ...entry, state: "dropped", problem: "A newer report was asked for instead" });
    }
    for (const entry of pulls.resume) planned.push({ profile, entry, resumed: true });
    const { profileId } = profile;
    const fresh = freshSince === undefined
      ? []
      : await driver.coveredRanges({ profileId, report, pulledSince: freshSince });
    const days = pulls.days.filter((day) => !fresh.some(({ start, end }) => start <= day && day <= end));
    for (const range of reportRanges(days)) {
      const wanted = target.entryOver(range);
      const entry = await driver.openLedger(wanted);
      planned.push({ profile, entry, resumed: entry.id !== wanted.id });
    }
  }
  return planned;
}

async function lookAt(driver: StoreDriver, target: Target, options: SyncOptions): Promise<Pulls> {
  const { profile, report, end, firstKept } = target;
  const of = { profileId: profile.profileId, report };
  return planPulls({
    end,
    firstKept,
    start: options.start,
    restateDays: options.restateDays ?? RESTATE_DAYS,
    covered: await driver.coveredRanges(of),
    unfinished: await driver.ledger({ ...of, unfinished: true }),
    fingerprint: (range) => target.entryOver(range).fingerprint,
    now: profile.transport.now(),
  });
}

function targetsOf(profiles: readonly SyncProfile[], options: SyncOptions): Target[] {
  const reports = [...new Set((options.reports ?? DEFAULT_REPORTS).map(presetName))];
  const { start, end, restateDays = RESTATE_DAYS } = options;
  if (!Number.isInteger(restateDays) || restateDays < 0) {
    throw new RangeError(`Cannot restate ${restateDays} days: it is not a whole number from 0 up`);
  }
  if (start !== undefined) checkDay(start, "the first day");
  if (end !== undefined) checkDay(end, "the last day");
  const warned = new Set<string>();
  const warn = (message: string): void => {
    if (!warned.has(message)) options.onWarning?.(message);
    warned.add(message);
  };
  return unique(profiles).flatMap((profile) =>
    reports.map((report) => target(profile, report, { start, end, warn }))
  );
}

function target(
  profile: SyncProfile,
  report: ReportPresetName,
  wanted: { start: Day | undefined; end: Day | undefined; warn: (message: string) => void },
): Target {
  const { profileId, countryCode, transport } = profile;
  const now = transport.now();
  const today = dayIn(timeZoneOf({ countryCode, timezone: profile.profile?.timezone }), now);
  const end = wanted.end ?? addDays(today, -1);
  // One day later than the platform keeps: midnight may come there before it comes here.
  const firstKept = addDays(firstKeptDay(report, today), 1);
  const first = wanted.start ?? (firstKept < end ? firstKept : end);
  const { requests, warnings } = reportRequests(report, { start: first, end, today });
  warnings.forEach(wanted.warn);
  const { configuration } = requests[0]!;
  const at = new Date(now).toISOString();
  const entryOver = (range: DayRange): LedgerEntry => ({
    id: crypto.randomUUID(),
    profileId,
    countryCode: normalizeCountry(countryCode),
    report,
    start: range.start,
    end: range.end,
    configuration,
    fingerprint: reportFingerprint(configuration, range),
    state: "asking",
    reportId: null,
    askedAt: at,
    changedAt: at,
    rows: null,
    problem: null,
  });
  return { profile, report, end, firstKept, entryOver };
}

function unique(profiles: readonly SyncProfile[]): SyncProfile[] {
  return [...new Map(profiles.map((profile) => [profile.profileId, profile])).values()];
}
