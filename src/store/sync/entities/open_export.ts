import { pathSegment } from "../../../platform/catalog/path_segment.ts";
import { NotFoundError, PlatformAdsError } from "../../../errors.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { openFile } from "../../../client/reports/file/open_file.ts";
import { Poller, type PollOptions, pollUntil } from "../../../client/jobs/poller.ts";
import type { ReportConfiguration } from "../../../client/reports/requests/report_configuration.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { LedgerEntry } from "../../model/ledger_entry.ts";
import type { StoreDriver } from "../../model/store_driver.ts";
import type { SyncProgress } from "../options/sync_options.ts";
import { EXPORTED_PRODUCTS, type ExportEndpoint } from "../options/export_endpoint.ts";

export interface ExportParts {
  /** The store, whose ledger keeps pending exports. */
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly scope: ProfileScope;
  /** Polling options and signal. */
  readonly poll: PollOptions;
  /** Called with progress. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

interface OpenExport {
  /** Milliseconds that this clock is ahead of the platform's; 0 if behind or unknown. */
  readonly clockAhead: number;
  /** Opens its file. */
  readonly fetch: () => Promise<AsyncIterable<Uint8Array>>;
  /** Error of an unreadable export. */
  readonly failure: (why: string) => Error;
  /** Records how it ended. */
  readonly settle: (end: { rows: number } | { problem: string }) => Promise<void>;
}

interface ExportStatus {
  readonly exportId: string;
  readonly status: string;
  readonly url: string | undefined;
  readonly createdAt: unknown;
  readonly error: string | undefined;
}

const STATES = ["ENABLED", "PAUSED", "ARCHIVED"];

/**
 * Milliseconds for which a pending export can be resumed. It lacks later changes, so it must be younger than the next
 * look-back.
 */
const RESUMED_FOR = 30 * 60_000;

/**
 * Requests an export of all entities of an endpoint, or resumes a pending one, and waits for it.
 *
 * @throws {PlatformAdsError} when it fails, is not completed in time, or has no file.
 */
export async function openExport(endpoint: ExportEndpoint, parts: ExportParts): Promise<OpenExport> {
  const request = await ExportRequest.begin(endpoint, parts);
  try {
    return await request.open();
  } catch (error) {
    if (!parts.poll.signal?.aborted && !(error instanceof TooSlow)) {
      await request.settle({ problem: (error as Error).message });
    }
    throw error;
  }
}

/** The next sync may resume it. */
class TooSlow extends PlatformAdsError {}

class ExportRequest {
  readonly #endpoint: ExportEndpoint;
  readonly #parts: ExportParts;
  #entry: LedgerEntry;

  private constructor(endpoint: ExportEndpoint, parts: ExportParts, entry: LedgerEntry) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#entry = entry;
  }

  static async begin(endpoint: ExportEndpoint, parts: ExportParts): Promise<ExportRequest> {
    const open = await parts.driver.openLedger(newEntry(endpoint, parts));
    return new ExportRequest(endpoint, parts, open);
  }

  async open(): Promise<OpenExport> {
    const { reportId, askedAt } = this.#entry;
    const isYoung = this.#parts.now() - Date.parse(askedAt) < RESUMED_FOR;
    if (reportId !== null && isYoung) {
      this.#tell("resumed");
      try {
        return await this.#finish(reportId);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    return await this.#finish(await this.#ask());
  }

  async settle(end: { rows: number } | { problem: string }): Promise<void> {
    if ("rows" in end) await this.#put({ state: "stored", rows: end.rows, problem: null });
    else await this.#put({ state: "failed", problem: end.problem });
    this.#tell("rows" in end ? "stored" : "failed", { rows: "rows" in end ? end.rows : 0 });
  }

  async #ask(): Promise<string> {
    const { scope, now, poll } = this.#parts;
    const askedAt = new Date(now()).toISOString();
    const { exportId } = await this.#request(
      "POST",
      this.#endpoint.path,
      () =>
        scope.request("POST", this.#endpoint.path, {
          json: { adProductFilter: EXPORTED_PRODUCTS, stateFilter: STATES },
          contentType: this.#endpoint.mediaType,
          accept: this.#endpoint.mediaType,
          // A second one costs the platform a file that nobody reads.
          idempotent: true,
          signal: poll.signal,
        }),
    );
    await this.#put({ state: "building", reportId: exportId, askedAt });
    this.#tell("asked");
    return exportId;
  }

  async #finish(exportId: string): Promise<OpenExport> {
    const { scope, poll } = this.#parts;
    const poller = new Poller(scope.transport, poll);
    const { status: { status, url, createdAt }, isOver } = await pollUntil(() => this.#look(exportId), {
      poller,
      isOver: ({ status, error }) => {
        this.#tell("waiting", { status });
        if (status === "FAILED") throw this.#problem(error ?? "the platform says FAILED");
        return status === "COMPLETED";
      },
    });
    if (!isOver) {
      throw new TooSlow(
        `Cannot read ${this.#name}: it is still ${status} after ${Math.round(poller.seconds)} s`,
      );
    }
    if (url === undefined) throw this.#problem("it is COMPLETED and has no file");
    const renew = async (): Promise<string | undefined> => (await this.#look(exportId)).url;
    const failure = (why: string): Error => this.#problem(why);
    const ahead = Date.parse(this.#entry.askedAt) - Date.parse(String(createdAt));
    return {
      clockAhead: Math.max(0, ahead) || 0,
      fetch: () => openFile({ url, renew, failure }, scope.transport, poll.signal),
      failure,
      settle: (end) => this.settle(end),
    };
  }

  #look(exportId: string): Promise<ExportStatus> {
    const { scope, poll } = this.#parts;
    const path = `/exports/${pathSegment("v1-exports:GetExport", "exportId", exportId)}`;
    return this.#request(
      "GET",
      path,
      () => scope.request("GET", path, { accept: this.#endpoint.mediaType, signal: poll.signal }),
    );
  }

  async #request(method: string, path: string, send: () => Promise<unknown>): Promise<ExportStatus> {
    const { exportId, status, url, createdAt, error } = fieldsOf(await send());
    if (typeof exportId !== "string" || typeof status !== "string") {
      throw new PlatformAdsError(
        `Cannot read the response to ${method} ${path}: its exportId or status is missing`,
      );
    }
    const { errorCode, message } = fieldsOf(error);
    const told = [errorCode, message].filter((part) => typeof part === "string").join(": ");
    return {
      exportId,
      status,
      url: typeof url === "string" ? url : undefined,
      createdAt,
      error: told === "" ? undefined : told,
    };
  }

  #problem(why: string): PlatformAdsError {
    return new PlatformAdsError(`Cannot read ${this.#name}: ${why}`);
  }

  get #name(): string {
    return `the export of ${this.#endpoint.path}`;
  }

  async #put(changes: Partial<LedgerEntry>): Promise<void> {
    this.#entry = { ...this.#entry, ...changes, changedAt: new Date(this.#parts.now()).toISOString() };
    await this.#parts.driver.putLedger(this.#entry);
  }

  #tell(kind: SyncProgress["kind"], more: Partial<SyncProgress> = {}): void {
    const { profileId, countryCode, report, start, end, reportId, state, askedAt } = this.#entry;
    const seconds = Math.max(0, (this.#parts.now() - Date.parse(askedAt)) / 1000);
    const which = { profileId, countryCode, report, start, end, reportId };
    const { status = state, rows = 0 } = more;
    this.#parts.onProgress?.({ kind, ...which, status, seconds, rows });
  }
}

/** Ledger entry of an export, dated by its request; one is open at a time. */
function newEntry({ name, path }: ExportEndpoint, { now, scope }: ExportParts): LedgerEntry {
  const askedAt = new Date(now()).toISOString();
  const today = askedAt.slice(0, 10);
  const configuration: ReportConfiguration = {
    adProduct: EXPORTED_PRODUCTS.join(","),
    reportTypeId: path,
    groupBy: [],
    columns: [],
    timeUnit: "SUMMARY",
  };
  return {
    id: crypto.randomUUID(),
    profileId: scope.profileId,
    countryCode: scope.countryCode,
    report: name,
    start: today,
    end: today,
    configuration,
    fingerprint: name,
    state: "asking",
    reportId: null,
    askedAt,
    changedAt: askedAt,
    rows: null,
    problem: null,
  };
}
