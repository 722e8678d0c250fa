import { jsonLine, jsonLinesIn } from "../../base/text/lines.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import type { EarlierJobs } from "../../client/jobs/run_jobs.ts";
import { fieldsRows, type FieldsRowsOptions } from "../../client/reports/run_fields.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import {
  type ReportConfiguration,
  reportFingerprint,
} from "../../client/reports/requests/report_configuration.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";
import type { StoredProfile, StoreDriver } from "../model/store_driver.ts";
import { isFresh } from "./plan_pulls.ts";
import { isLost } from "./pull_report.ts";
import { spool } from "./spool.ts";
import type { SyncOptions, SyncProgress } from "./sync_options.ts";
import type { SyncProfile } from "./sync_profile.ts";
import type { SyncOutcome } from "./sync_result.ts";

export interface FieldsParts {
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly profile: SyncProfile;
  readonly scope: ProfileScope;
  readonly options: SyncOptions;
}

interface FieldsWork<Item> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly range: DayRange;
  readonly today: string;
  readonly recordsOf: (rows: readonly ReportRow[]) => readonly Item[];
  readonly store: (records: () => AsyncIterable<Item>) => Promise<number>;
}

export function pullFields<Item>(parts: FieldsParts, work: FieldsWork<Item>): Promise<SyncOutcome> {
  return new FieldsPull(parts, work).outcome();
}

class FieldsPull<Item> {
  readonly #parts: FieldsParts;
  readonly #work: FieldsWork<Item>;
  readonly #asked: AskedFields;
  #reportId: string | null = null;
  #isResumed = false;
  #rows = 0;

  constructor(parts: FieldsParts, work: FieldsWork<Item>) {
    this.#parts = parts;
    this.#work = work;
    const { profile, now } = parts;
    this.#asked = new AskedFields(parts.driver, { profile, now, name: work.name, fields: work.fields });
  }

  async outcome(): Promise<SyncOutcome> {
    this.#tell("planned");
    try {
      const rows = await this.#store();
      await this.#asked.settle({ rows });
      return this.#end("stored", rows);
    } catch (problem) {
      const error = problem as Error;
      if (!isLost(error)) return this.#end("left", 0, error);
      // What failed is reported also where the store cannot keep it.
      await this.#asked.settle({ problem: error.message }).catch(() => {});
      return this.#end("failed", 0, error);
    }
  }

  async #store(): Promise<number> {
    const { options: { onWarning } } = this.#parts;
    const { name, store } = this.#work;
    // No lock is held while the network is slow.
    const spooled = await spool(this.#lines());
    try {
      if (this.#rows > 0) return await store(() => recordsIn<Item>(spooled.bytes()));
      onWarning?.(`${this.#title}: the report has no rows, so stored ${name} are kept`);
      return 0;
    } finally {
      await spooled.discard();
    }
  }

  async *#lines(): AsyncGenerator<Uint8Array> {
    const { scope, options: { signal, timeout, poll, maxPoll, onWarning } } = this.#parts;
    const { fields, range, today, recordsOf } = this.#work;
    const running: FieldsRowsOptions = {
      ...{ today, signal, timeout, asked: this.#asked },
      ...(poll === undefined ? {} : { poll }),
      ...(maxPoll === undefined ? {} : { maxPoll }),
      onEmpty: (message) => onWarning?.(`${this.#title}: ${message}`),
      onProgress: ({ kind, status, seconds, reportId, rows }) => {
        this.#reportId = reportId;
        this.#isResumed ||= kind === "adopted";
        if (kind === "waiting") this.#tell("waiting", { status, seconds });
        else if (kind === "requested") this.#tell("asked");
        else if (kind === "adopted") this.#tell("resumed");
        else if (kind === "reading") this.#tell("storing", { status, seconds, rows });
      },
    };
    const encoder = new TextEncoder();
    for await (const batch of fieldsRows(scope, { fields, ...range }, running)) {
      this.#rows += batch.length;
      yield encoder.encode(jsonLine(recordsOf(batch)));
    }
  }

  get #title(): string {
    const { countryCode, report, start, end } = this.#about();
    return `${countryCode} ${report} ${start} to ${end}`;
  }

  #end(state: SyncOutcome["state"], rows: number, error?: Error): SyncOutcome {
    this.#tell(state, { rows });
    const problem = error === undefined ? {} : { error };
    return { ...this.#about(), state, resumed: this.#isResumed, rows, ...problem };
  }

  #tell(kind: SyncProgress["kind"], more: Partial<SyncProgress> = {}): void {
    const { onProgress } = this.#parts.options;
    onProgress?.({ kind, ...this.#about(), status: "asking", seconds: 0, rows: 0, ...more });
  }

  #about(): Pick<SyncOutcome, "profileId" | "countryCode" | "report" | "start" | "end" | "reportId"> {
    const { profileId, countryCode } = this.#parts.profile;
    const { name: report, range: { start, end } } = this.#work;
    return { profileId, countryCode, report, start, end, reportId: this.#reportId };
  }
}

async function* recordsIn<Item>(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  for await (const records of jsonLinesIn<Item[]>(bytes)) yield* records;
}

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
class AskedFields implements EarlierJobs<DayRange> {
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
