import { ConfigurationError } from "../../errors.ts";
import { normalizeCountry, timeZoneOf } from "../../base/markets/markets.ts";
import { addDays, checkDay, type Day, dayIn, type DayRange, joinDays } from "../../base/time/calendar.ts";
import {
  type NamedReport,
  namedReport,
  type ReportName,
} from "../../client/reports/requests/named_report.ts";
import {
  isPreset,
  presetName,
  REPORT_PRESET_NAMES,
  spellReport,
} from "../../client/reports/requests/presets.ts";
import { layoutOf } from "../model/report_layout.ts";
import { reportFingerprint } from "../../client/reports/requests/report_configuration.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { reportRequests } from "../../client/reports/requests/report_requests.ts";
import { keptSince } from "./kept_since.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { daysWithout, isDeliverable, isFresh, planPulls, type Pulls, reportRanges } from "./plan_pulls.ts";
import type { SyncProfile } from "./sync_profile.ts";
import { RESTATE_DAYS } from "../model/maturity_share.ts";
import { DEFAULT_REPORTS, type SyncOptions } from "./sync_options.ts";

export interface PlannedPull {
  readonly profile: SyncProfile;
  readonly entry: LedgerEntry;
  readonly resumed: boolean;
  readonly newer?: () => Promise<LedgerEntry>;
}

interface Target {
  readonly profile: SyncProfile;
  readonly report: ReportName;
  readonly start: Day | undefined;
  readonly end: Day;
  readonly firstKept: Day;
  readonly entryOver: (range: DayRange) => LedgerEntry;
}

/**
 * Writes all pulls to the ledger before requesting anything. Resumes open reports of an interrupted sync, and skips
 * what that sync stored after its first request.
 *
 * @throws {ConfigurationError | RangeError} for invalid options.
 */
export async function planSync(
  driver: StoreDriver,
  profiles: readonly SyncProfile[],
  options: SyncOptions,
): Promise<PlannedPull[]> {
  const reports = await wantedReports(driver, options);
  const targets = targetsOf(profiles, reports, options);
  if (options.reporting === 1) await warnOfColumns(targets, options);
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
    for (const range of reportRanges([...daysWithout(ranges, fresh)], options.reporting)) {
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

async function warnOfColumns(
  targets: readonly Target[],
  { onWarning }: Pick<SyncOptions, "onWarning">,
): Promise<void> {
  const { sourcesOfPreset } = await import("../../client/reports/preset_rows.ts");
  const { missingColumns } = await import("../../client/reports/preset_sources.ts");
  const lines = new Set<string>();
  for (const { profile, report } of targets) {
    const { sources } = await sourcesOfPreset(presetName(report), profile.profile?.accountInfo?.type);
    for (const line of missingColumns(sources)) lines.add(`${report}: ${line}`);
  }
  for (const line of lines) onWarning?.(line);
}

async function lookAt(driver: StoreDriver, target: Target, options: SyncOptions): Promise<Pulls> {
  const { profile, report, end, firstKept } = target;
  const of = { profileId: profile.profileId, report };
  const now = profile.transport.now();
  const building: LedgerEntry[] = [];
  const missing: DayRange[] = [];
  const { reporting = 3 } = options;
  for (const entry of await driver.ledger({ ...of, unfinished: true })) {
    // What the other reporting API was asked for is left to it.
    if ((entry.configuration.reporting ?? 3) !== reporting) continue;
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
  const pulls = planPulls({
    end,
    firstKept,
    start: target.start,
    restateDays: options.restateDays ?? RESTATE_DAYS,
    covered: await driver.coveredRanges(of),
    missing,
    building,
    now,
  });
  if (reporting === 3 || target.start !== undefined) return pulls;
  const others = await driver.coveredRanges({ ...of, reporting: 3 });
  const days = pulls.days.map((day) => ({ start: day, end: day }));
  return { ...pulls, days: [...daysWithout(days, others)] };
}

async function pulledSince(driver: StoreDriver, target: Target, time: string): Promise<readonly DayRange[]> {
  const { profile: { profileId }, report } = target;
  return await driver.coveredRanges({ profileId, report, pulledSince: time });
}

async function wantedReports(driver: StoreDriver, options: SyncOptions): Promise<NamedReport[]> {
  const found = new Map<string, NamedReport>();
  for (const word of options.reports ?? DEFAULT_REPORTS) {
    const report = await namedReport(word);
    if (!report.isDaily) {
      throw new ConfigurationError(
        `Cannot store reports of type ${report.reportTypeId}: they have totals but no daily rows`,
      );
    }
    if (options.reporting === 1 && !isPreset(report.report)) {
      throw new ConfigurationError(
        `Cannot store ${report.report} from the new reports: they have ${
          REPORT_PRESET_NAMES.map(spellReport).join(", ")
        }`,
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
  const { start, end, reporting = 3, restateDays = RESTATE_DAYS } = options;
  if (!Number.isInteger(restateDays) || restateDays < 0) {
    throw new RangeError(`Cannot restate ${restateDays} days: expected a whole number of at least 0`);
  }
  if (reporting !== 3 && reporting !== 1) {
    throw new RangeError(`Cannot sync by reporting ${String(reporting)}: it is 3 or 1`);
  }
  if (end !== undefined) checkDay(end, "the last day");
  const warned = new Set<string>();
  const warn = (message: string): void => {
    if (!warned.has(message)) options.onWarning?.(message);
    warned.add(message);
  };
  return unique(profiles).flatMap((profile) =>
    reports.map((report) => target(profile, report, { start, end, reporting, warn }))
  );
}

function target(
  profile: SyncProfile,
  source: NamedReport,
  wanted: {
    start: Day | undefined;
    end: Day | undefined;
    reporting: ReportingApi;
    warn: (message: string) => void;
  },
): Target {
  const { profileId, countryCode, transport } = profile;
  const now = transport.now();
  const today = dayIn(timeZoneOf({ countryCode, timezone: profile.profile?.timezone }), now);
  const end = wanted.end ?? addDays(today, -1);
  // One day later than the platform keeps: midnight may come there before it comes here.
  const { reporting } = wanted;
  const firstKept = addDays(keptSince(source, { reporting, today }), 1);
  const { report } = source;
  const { requests } = reportRequests(source, { start: wanted.start ?? end, end, today });
  const first = requests[0]!.configuration;
  const configuration = reporting === 3 ? first : { ...first, reporting };
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

function askedFrom(
  source: NamedReport,
  wanted: { start: Day; today: Day; reporting: ReportingApi; warn: (message: string) => void },
): Day {
  const first = keptSince(source, wanted);
  if (wanted.start >= first) return wanted.start;
  const { report, retentionDays } = source;
  const kept = wanted.reporting === 3 ? `${retentionDays} days` : "15 months in new reports";
  wanted.warn(
    `The platform keeps "${report}" for ${kept}: days before ${first} are not requested, and stored ` +
      "ones are kept",
  );
  return first;
}

function unique(profiles: readonly SyncProfile[]): SyncProfile[] {
  return [...new Map(profiles.map((profile) => [profile.profileId, profile])).values()];
}
