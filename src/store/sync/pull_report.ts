import { ApiError, ReportFailedError, ThrottledError } from "../../errors.ts";
import { Poller } from "../../client/jobs/poller.ts";
import { BrokenReportFile } from "../../client/reports/file/read_rows.ts";
import type { EntitiesByKind } from "../../client/reports/target_ids.ts";
import { isGone, JobRefusedError } from "../../client/jobs/job_status.ts";
import { brokenFile, type ReportStatus } from "../../client/reports/requests/report_status.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import type { Limiter } from "./limiter.ts";
import { type ReportSource, reportSource } from "./report_source.ts";
import { type StoredReport, storeReport } from "./store_report.ts";
import type { SyncOptions, SyncProgress } from "./sync_options.ts";
import type { SyncOutcome } from "./sync_result.ts";

const NEWEST = 200;

interface PullParts {
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly timeZone: string;
  readonly scope: ProfileScope;
  readonly accountType: string | undefined;
  readonly today: string;
  readonly targets: (adProduct: string) => Promise<EntitiesByKind>;
  readonly downloads: Limiter;
  readonly options: SyncOptions;
}

/**
 * Requests (if needed), awaits, downloads and stores a report. Updates the ledger before every wait, so that another
 * process can resume. Never throws; failures are part of the outcome.
 */
export function pullReport(entry: LedgerEntry, parts: PullParts): Promise<Omit<SyncOutcome, "resumed">> {
  return new ReportPull(entry, parts).outcome();
}

class ReportPull {
  #entry: LedgerEntry;
  readonly #parts: PullParts;
  readonly #began: number;
  #unjoined = 0;

  constructor(entry: LedgerEntry, parts: PullParts) {
    this.#entry = entry;
    this.#parts = parts;
    this.#began = Date.parse(entry.askedAt);
  }

  async outcome(): Promise<Omit<SyncOutcome, "resumed">> {
    try {
      await this.#look();
      if (this.#entry.state === "stored") {
        const rows = this.#entry.rows ?? 0;
        this.#tell("found", { rows });
        return this.#outcome({ state: "stored", rows });
      }
      const source = await reportSource(this.#entry, this.#parts);
      const { rows, shrunk: error } = await this.#run(source);
      const state = error === undefined ? "stored" : "held";
      this.#tell(state, { rows });
      const unjoined = this.#unjoined === 0 ? {} : { unjoined: this.#unjoined };
      return this.#outcome({ state, rows, ...unjoined, ...(error === undefined ? {} : { error }) });
    } catch (error) {
      return await this.#failure(error as Error);
    }
  }

  async #failure(error: Error): Promise<Omit<SyncOutcome, "resumed">> {
    const state = isLost(error) ? "failed" : "left";
    if (state === "failed") await this.#put({ state, problem: error.message });
    this.#tell(state, {});
    return this.#outcome({ state, rows: 0, error });
  }

  #outcome(
    verdict: Pick<SyncOutcome, "state" | "rows" | "unjoined" | "error">,
  ): Omit<SyncOutcome, "resumed"> {
    const { profileId, countryCode, report, start, end, reportId } = this.#entry;
    return { profileId, countryCode, report, start, end, reportId, ...verdict };
  }

  async #run(source: ReportSource): Promise<StoredReport> {
    const known = this.#entry.reportId;
    if (known === null) await this.#ask(source);
    else this.#tell("resumed", {});
    try {
      return await this.#finish(source);
    } catch (error) {
      if (known === null || !isForgotten(error)) throw error;
      await this.#ask(source);
      return await this.#finish(source);
    }
  }

  async #look(): Promise<void> {
    const { id, profileId, report } = this.#entry;
    const newest = await this.#parts.driver.ledger({ profileId, report, limit: NEWEST });
    this.#entry = newest.find((entry) => entry.id === id) ?? this.#entry;
  }

  async #ask(source: ReportSource): Promise<void> {
    const { scope, options } = this.#parts;
    const patience = new Poller(scope.transport, { ...options, poll: 60, maxPoll: 600 });
    for (;;) {
      try {
        await this.#put({ state: "building", reportId: await source.ask() });
        this.#tell("asked", {});
        return;
      } catch (error) {
        if (!(error instanceof ThrottledError)) throw error;
        this.#tell("throttled", {});
        if (!await patience.wait()) throw error;
      }
    }
  }

  async #finish(source: ReportSource): Promise<StoredReport> {
    const { downloads } = this.#parts;
    const status = await source.wait(
      this.#entry.reportId ?? "",
      ({ status }) => this.#tell("waiting", { status }),
    );
    try {
      return await downloads.run(() => this.#store(source, status));
    } catch (error) {
      if (!(error instanceof BrokenReportFile)) throw error;
    }
    // A file that came damaged once mostly comes whole the second time.
    try {
      return await downloads.run(() => this.#store(source, status));
    } catch (error) {
      throw error instanceof BrokenReportFile ? brokenFile(status, error) : error;
    }
  }

  async #store(source: ReportSource, status: ReportStatus): Promise<StoredReport> {
    const { driver, timeZone, now, options } = this.#parts;
    const { acceptShrink = false } = options;
    const report = await source.download(status);
    try {
      const stored = await storeReport(driver, {
        entry: this.#entry,
        reportId: status.reportId,
        madeAt: madeAt(status),
        timeZone,
        rows: () => this.#told(report.rows(), status),
        isDoubtful: report.isDoubtful,
      }, { now, acceptShrink });
      const { rows, shrunk } = stored;
      this.#unjoined = report.unjoined();
      await this.#put({
        state: shrunk === undefined ? "stored" : "held",
        rows,
        problem: shrunk?.message ?? null,
      });
      return stored;
    } finally {
      await report.discard();
    }
  }

  async *#told(
    rows: AsyncIterable<readonly ReportRow[]>,
    { status }: ReportStatus,
  ): AsyncGenerator<readonly ReportRow[]> {
    let count = 0;
    for await (const batch of rows) {
      this.#parts.options.signal?.throwIfAborted();
      count += batch.length;
      this.#tell("storing", { status, rows: count });
      yield batch;
    }
  }

  async #put(changes: Partial<LedgerEntry>): Promise<void> {
    const changedAt = new Date(this.#parts.scope.transport.now()).toISOString();
    this.#entry = { ...this.#entry, ...changes, changedAt };
    await this.#parts.driver.putLedger(this.#entry);
  }

  #tell(kind: SyncProgress["kind"], more: Partial<SyncProgress>): void {
    const { profileId, countryCode, report, start, end, reportId, state } = this.#entry;
    const seconds = Math.max(0, (this.#parts.scope.transport.now() - this.#began) / 1000);
    const which = { profileId, countryCode, report, start, end, reportId };
    this.#parts.options.onProgress?.({ kind, ...which, status: state, seconds, rows: 0, ...more });
  }
}

function madeAt({ generatedAt, createdAt }: ReportStatus): string | undefined {
  const time = Date.parse(String(generatedAt ?? createdAt));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

export function isLost(error: Error): boolean {
  if (error instanceof ReportFailedError) return error.status !== "PENDING" && error.status !== "PROCESSING";
  return error instanceof RangeError || error instanceof TypeError || error instanceof JobRefusedError ||
    error instanceof ApiError && error.statusCode < 500 && !(error instanceof ThrottledError);
}

/** True when the platform no longer knows the report. */
function isForgotten(error: unknown): boolean {
  return isGone(error) || error instanceof ApiError && error.statusCode === 400;
}
