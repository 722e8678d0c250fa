import { ConfigurationError } from "../../errors.ts";
import { normalizeCountry, timeZoneOf } from "../../markets.ts";
import { addDays, checkDay, type Day, dayIn, type DayRange, joinDays } from "../../internal/calendar.ts";
import { type NamedReport, namedReport, type ReportName } from "../../reports/named_report.ts";
import { layoutOf } from "../report_layout.ts";
import { reportFingerprint } from "../../reports/report_configuration.ts";
import { firstKeptDay, reportRequests } from "../../reports/report_requests.ts";
import { isOpen, type LedgerEntry } from "../ledger_entry.ts";
import type { StoreDriver } from "../store_driver.ts";
import { daysWithout, isDeliverable, isFresh, planPulls, type Pulls, reportRanges } from "./plan_pulls.ts";
import type { SyncProfile } from "./sync_profile.ts";
import { RESTATE_DAYS } from "../history/restate_days.ts";
import { DEFAULT_REPORTS, type SyncOptions } from "./sync_options.ts";

/** One report to pull. */
export interface PlannedPull {
  /** Profile of the pull. */
  readonly profile: SyncProfile;
  /** Its entry in the ledger. */
  readonly entry: LedgerEntry;
  /** True when it was asked for before this sync. */
  readonly resumed: boolean;
  /** Opens the entry of a report over the same days, for figures of now; absent where the report itself has them. */
  readonly newer?: () => Promise<LedgerEntry>;
}

/** A report of a profile, with everything that is decided about it before the store is looked at. */
interface Target {
  readonly profile: SyncProfile;
  readonly report: ReportName;
  readonly start: Day | undefined;
  readonly end: Day;
  readonly firstKept: Day;
  readonly entryOver: (range: DayRange) => LedgerEntry;
}

/**
 * Decides what a sync pulls, and writes all of it to the ledger before anything is asked for. Where an earlier sync
 * was cut short, its open reports are resumed, and what it had stored since it asked for the first of them is not
 * pulled again.
 *
 * @throws {ConfigurationError} or `RangeError` for options that make no sense.
 */
export async function planSync(
  driver: StoreDriver,
  profiles: readonly SyncProfile[],
  options: SyncOptions,
): Promise<PlannedPull[]> {
  const reports = await wantedReports(driver, options);
  const targets = targetsOf(profiles, reports, options);
  const plans: (Pulls & { target: Target })[] = [];
  for (const target of targets) plans.push({ target, ...await lookAt(driver, target, options) });
  const asked = plans.flatMap(({ resume, target: { profile } }) =>
    resume.filter((entry) => isFresh(entry, profile.transport.now())).map(({ askedAt }) => askedAt)
  );
  const freshSince = [...asked, ...options.freshSince === undefined ? [] : [options.freshSince]].sort()[0];

  const planned: PlannedPull[] = [];
  for (const { target, resume, days } of plans) {
    const { profile } = target;
    const first = planned.length;
    for (const entry of resume) planned.push({ profile, entry, resumed: true });
    const fresh = freshSince === undefined ? [] : await pulledSince(driver, target, freshSince);
    const ranges = days.map((day) => ({ start: day, end: day }));
    for (const range of reportRanges([...daysWithout(ranges, fresh)])) {
      const wanted = target.entryOver(range);
      const entry = await driver.openLedger(wanted);
      const same = first + resume.findIndex(({ id }) => id === entry.id);
      if (same >= first) {
        // Days of a fresh report are not wanted, so this one is old; of one period only one report is open at a time.
        planned[same] = { ...planned[same]!, newer: () => driver.openLedger(target.entryOver(range)) };
        continue;
      }
      planned.push({ profile, entry, resumed: entry.id !== wanted.id });
    }
  }
  return planned;
}

/** Decides about one report of one profile. Reports that the platform does not deliver any more are given up. */
async function lookAt(driver: StoreDriver, target: Target, options: SyncOptions): Promise<Pulls> {
  const { profile, report, end, firstKept } = target;
  const of = { profileId: profile.profileId, report };
  const now = profile.transport.now();
  const building: LedgerEntry[] = [];
  const missing: DayRange[] = [];
  for (const entry of await driver.ledger({ ...of, unfinished: true })) {
    if (isDeliverable(entry, { fingerprint: target.entryOver(entry).fingerprint, now })) {
      building.push(entry);
      continue;
    }
    if (isOpen(entry)) {
      const problem = "A newer report is asked for instead";
      await driver.putLedger({ ...entry, state: "dropped", problem, changedAt: new Date(now).toISOString() });
    }
    if (entry.end < firstKept) continue;
    const since = await pulledSince(driver, target, entry.askedAt);
    missing.push(...joinDays(daysWithout([entry], since)));
  }
  return planPulls({
    end,
    firstKept,
    start: target.start,
    restateDays: options.restateDays ?? RESTATE_DAYS,
    covered: await driver.coveredRanges(of),
    missing,
    building,
    now,
  });
}

async function pulledSince(driver: StoreDriver, target: Target, time: string): Promise<readonly DayRange[]> {
  const { profile: { profileId }, report } = target;
  return await driver.coveredRanges({ profileId, report, pulledSince: time });
}

/** The reports of a sync; those of published types get their tables. */
async function wantedReports(driver: StoreDriver, options: SyncOptions): Promise<NamedReport[]> {
  const found = new Map<string, NamedReport>();
  for (const word of options.reports ?? DEFAULT_REPORTS) {
    const report = await namedReport(word);
    if (!report.isDaily) {
      throw new ConfigurationError(
        `Cannot store reports of type ${report.reportTypeId}: they have totals and no rows by day`,
      );
    }
    found.set(report.report, report);
  }
  for (const report of found.values()) await driver.addReport(layoutOf(report));
  return [...found.values()];
}

function targetsOf(
  profiles: readonly SyncProfile[],
  reports: readonly NamedReport[],
  options: SyncOptions,
): Target[] {
  const { start, end, restateDays = RESTATE_DAYS } = options;
  if (!Number.isInteger(restateDays) || restateDays < 0) {
    throw new RangeError(`Cannot restate ${restateDays} days: it is not a whole number from 0 up`);
  }
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
  source: NamedReport,
  wanted: { start: Day | undefined; end: Day | undefined; warn: (message: string) => void },
): Target {
  const { profileId, countryCode, transport } = profile;
  const now = transport.now();
  const today = dayIn(timeZoneOf({ countryCode, timezone: profile.profile?.timezone }), now);
  const end = wanted.end ?? addDays(today, -1);
  // One day later than the platform keeps: midnight may come there before it comes here.
  const firstKept = addDays(firstKeptDay(source, today), 1);
  const { report } = source;
  const { requests } = reportRequests(source, { start: wanted.start ?? end, end, today });
  const { configuration } = requests[0]!;
  const start = wanted.start === undefined
    ? undefined
    : askedFrom(source, { ...wanted, start: wanted.start, today });
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
  return { profile, report, start, end, firstKept, entryOver };
}

/** The first day that is asked for: days that the platform does not keep any more would come back empty. */
function askedFrom(
  source: NamedReport,
  wanted: { start: Day; today: Day; warn: (message: string) => void },
): Day {
  const first = firstKeptDay(source, wanted.today);
  if (wanted.start >= first) return wanted.start;
  const { report, retentionDays } = source;
  wanted.warn(
    `The platform keeps "${report}" for ${retentionDays} days: days before ${first} are not asked for, and what is ` +
      "stored of them stays as it is",
  );
  return first;
}

function unique(profiles: readonly SyncProfile[]): SyncProfile[] {
  return [...new Map(profiles.map((profile) => [profile.profileId, profile])).values()];
}
