import type { DayRange } from "../../base/time/calendar.ts";
import type { EarlierJobs } from "../../client/jobs/run_jobs.ts";
import {
  type ReportConfiguration,
  reportFingerprint,
} from "../../client/reports/requests/report_configuration.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";
import type { StoredProfile, StoreDriver } from "../model/store_driver.ts";
import { isFresh } from "./plan_pulls.ts";

interface Asking {
  readonly profile: StoredProfile;
  readonly name: string;
  readonly fields: readonly string[];
  readonly now: () => number;
}

/**
 * Ledger entries for reports with freely chosen fields. A sync resumes an earlier request that is at most some hours
 * old.
 */
export class AskedFields implements EarlierJobs<DayRange> {
  readonly #driver: StoreDriver;
  readonly #asking: Asking;
  readonly #configuration: ReportConfiguration;
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #over = new Set<string>();

  constructor(driver: StoreDriver, asking: Asking) {
    this.#driver = driver;
    this.#asking = asking;
    const { name, fields } = asking;
    const about = { adProduct: "", reportTypeId: name, groupBy: [], columns: fields } as const;
    this.#configuration = { ...about, timeUnit: "DAILY", reporting: 1 };
  }

  async find(period: DayRange): Promise<string | undefined> {
    const { profile: { profileId }, name: report, now } = this.#asking;
    const fingerprint = reportFingerprint(this.#configuration, period);
    const open = (await this.#driver.ledger({ profileId, report, unfinished: true })).filter(isOpen);
    for (const entry of open) {
      if (isFresh(entry, now()) && !this.#over.has(entry.id)) continue;
      await this.#put(entry, { state: "dropped", problem: "A newer report is asked for instead" });
      this.#over.add(entry.id);
    }
    const found = open.find((entry) => entry.fingerprint === fingerprint && !this.#over.has(entry.id));
    if (found !== undefined) this.#entries.set(fingerprint, found);
    return found?.reportId ?? undefined;
  }

  async add({ start, end }: DayRange, reportId: string): Promise<void> {
    const { profile: { profileId, countryCode }, name: report, now } = this.#asking;
    const askedAt = new Date(now()).toISOString();
    const fingerprint = reportFingerprint(this.#configuration, { start, end });
    const entry: LedgerEntry = {
      ...{ id: crypto.randomUUID(), profileId, countryCode, report, start, end },
      ...{ configuration: this.#configuration, fingerprint, state: "building", reportId },
      ...{ askedAt, changedAt: askedAt, rows: null, problem: null },
    };
    this.#entries.set(fingerprint, await this.#driver.openLedger(entry));
  }

  /** The entry stays open until {@linkcode settle}, because its rows are not stored yet. */
  remove(period: DayRange): Promise<void> {
    const entry = this.#entries.get(reportFingerprint(this.#configuration, period));
    if (entry !== undefined) this.#over.add(entry.id);
    return Promise.resolve();
  }

  async settle(end: { readonly rows: number } | { readonly problem: string }): Promise<void> {
    // Of several reports it is not known which rows are whose.
    const rows = "rows" in end && this.#entries.size === 1 ? end.rows : null;
    const changes: Partial<LedgerEntry> = "rows" in end
      ? { state: "stored", rows, problem: null }
      : { state: "failed", problem: end.problem };
    for (const entry of this.#entries.values()) await this.#put(entry, changes);
  }

  async #put(entry: LedgerEntry, changes: Partial<LedgerEntry>): Promise<void> {
    const changedAt = new Date(this.#asking.now()).toISOString();
    await this.#driver.putLedger({ ...entry, ...changes, changedAt });
  }
}
