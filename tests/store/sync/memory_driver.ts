import type { Cell } from "../../../src/store/model/encode_rows.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";
import type {
  CoverageFilter,
  CoveredRange,
  LedgerFilter,
  PullRecord,
  QueryResult,
  StoredDay,
  StoredProfile,
  StoreDriver,
} from "../../../src/store/model/store_driver.ts";

/** What was stored of one pull. */
export interface MemoryPull extends Omit<PullRecord, "check" | "layout"> {
  readonly rows: readonly (readonly Cell[])[];
}

/** A driver that keeps in memory what the sync of reports writes, and shows it what the test says is stored. */
export class MemoryDriver {
  readonly location = "memory";
  readonly dialect = "SQLite";
  readonly layouts = (["sp_placement", "sp_targeting"] as const).map(reportLayout);
  /** Entries of the ledger, newest first. */
  entries: LedgerEntry[] = [];
  /** Pulls that were stored. */
  readonly pulls: MemoryPull[] = [];
  /** Days that are stored. */
  days: StoredDay[] = [];
  /** Covered days, and those that were pulled since a time. */
  covered: CoveredRange[] = [];
  coveredSince: (since: string) => CoveredRange[] = () => [];
  /** Profiles whose reports are stored. */
  held: StoredProfile[] = [];
  /** Reports whose tables were added. */
  readonly added: string[] = [];
  /** Filters that the ledger was asked with. */
  readonly asked: LedgerFilter[] = [];

  /** As the code that is tested takes it. */
  get driver(): StoreDriver {
    return this as unknown as StoreDriver;
  }

  readonly profiles = (): Promise<StoredProfile[]> => Promise.resolve(this.held);

  /** Answers queries; none is expected. */
  query = (sql: string): Promise<QueryResult> => Promise.reject(new Error(`Not expected: ${sql}`));

  readonly addReport = ({ report }: ReportLayout): Promise<void> => {
    this.added.push(report);
    return Promise.resolve();
  };

  readonly ledger = (filter: LedgerFilter): Promise<LedgerEntry[]> => {
    this.asked.push(filter);
    return Promise.resolve(
      this.entries.filter(({ state }) =>
        filter.unfinished === undefined || filter.unfinished === (state !== "stored")
      ),
    );
  };

  readonly putLedger = (entry: LedgerEntry): Promise<void> => {
    this.entries = [entry, ...this.entries.filter(({ id }) => id !== entry.id)];
    return Promise.resolve();
  };

  readonly openLedger = async (entry: LedgerEntry): Promise<LedgerEntry> => {
    const open = this.entries.find(({ fingerprint, state }) =>
      fingerprint === entry.fingerprint && (state === "asking" || state === "building")
    );
    if (open === undefined) await this.putLedger(entry);
    return open ?? entry;
  };

  readonly coveredRanges = ({ pulledSince }: CoverageFilter): Promise<CoveredRange[]> =>
    Promise.resolve(pulledSince === undefined ? this.covered : this.coveredSince(pulledSince));

  readonly replace = async (
    { check, layout: _, ...pull }: PullRecord,
    batches: AsyncIterable<readonly (readonly Cell[])[]>,
  ): Promise<number> => {
    const rows = (await Array.fromAsync(batches)).flat();
    check?.(this.days.filter(({ day }) => pull.start <= day && day <= pull.end));
    this.pulls.push({ ...pull, rows });
    return rows.length;
  };
}
