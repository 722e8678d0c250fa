import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { createJob } from "../../client/jobs/create_job.ts";
import { exportJob } from "../../client/jobs/descriptions.ts";
import type { JobDescription } from "../../client/jobs/job_description.ts";
import type { JobAddress, JobSender } from "../../client/jobs/job_host.ts";
import { jobFiles } from "../../client/jobs/job_rows.ts";
import type { JobProblem } from "../../client/jobs/job_status.ts";
import type { PollOptions } from "../../client/jobs/poller.ts";
import { scopeHost } from "../../client/jobs/scope_host.ts";
import { waitForJob } from "../../client/jobs/wait_for_job.ts";
import { BrokenReportFile, readRows } from "../../client/reports/file/read_rows.ts";
import type { ReportConfiguration } from "../../client/reports/requests/report_configuration.ts";
import { NotFoundError, PlatformAdsError } from "../../errors.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { type LastPull, mostIds } from "./choose_source.ts";
import { compareExport, type KindFindings } from "./compare_export.ts";
import { EXPORTED_PRODUCTS, type ExportEndpoint } from "./export_endpoint.ts";
import type { SyncProgress } from "./sync_options.ts";

interface ExportParts {
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly scope: ProfileScope;
  readonly poll: PollOptions;
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/**
 * Fetches a damaged file once more.
 *
 * @throws when there is no export, or it is unreadable twice.
 */
export async function readExport(
  endpoint: ExportEndpoint,
  last: ReadonlyMap<ResourceKind, LastPull>,
  parts: ExportParts,
): Promise<Map<ResourceKind, KindFindings>> {
  const { driver, scope } = parts;
  const completed = await openExport(endpoint, parts);
  const kinds = new Map<ResourceKind, { pulledAt: number; mostIds: number }>();
  for (const kind of endpoint.kinds) {
    const pull = last.get(kind);
    if (pull === undefined) continue;
    const pulledAt = pull.pulledAt - completed.clockAhead;
    kinds.set(kind, { pulledAt, mostIds: await mostIds(kind, pull.entities) });
  }
  const compare = async (): Promise<Map<ResourceKind, KindFindings>> => {
    const rows = readRows(await completed.fetch(), { clean: (text) => scope.transport.clean(text) });
    return await compareExport(rows, { endpoint, kinds, driver, profileId: scope.profileId });
  };
  try {
    const found = await compare().catch((error: unknown) => {
      if (!(error instanceof BrokenReportFile)) throw error;
      return compare();
    });
    const rows = found.values().reduce((sum, findings) => sum + findings.rows, 0);
    await completed.settle({ rows });
    return found;
  } catch (cause) {
    const error = cause instanceof BrokenReportFile
      ? completed.failure(`its file is not whole: ${cause.message}`)
      : cause as Error;
    if (!parts.poll.signal?.aborted) await completed.settle({ problem: error.message });
    throw error;
  }
}

interface OpenExport {
  readonly clockAhead: number;
  readonly fetch: () => Promise<AsyncIterable<Uint8Array>>;
  readonly failure: (why: string) => Error;
  readonly settle: (end: { rows: number } | { problem: string }) => Promise<void>;
}

const STATES = ["ENABLED", "PAUSED", "ARCHIVED"];

/**
 * Milliseconds for which a pending export can be resumed. It lacks later changes, so it must be younger than the next
 * look-back.
 */
const RESUMED_FOR = 30 * 60_000;

/**
 * Resumes a pending export if possible.
 *
 * @throws {PlatformAdsError} when the export fails, times out or has no file.
 */
async function openExport(endpoint: ExportEndpoint, parts: ExportParts): Promise<OpenExport> {
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

/** Exports of small accounts take seconds. */
const RHYTHM = { first: 0, next: 5, longest: 60, growth: 1.5, deadline: 3600 };

class TooSlow extends PlatformAdsError {}

class ExportRequest {
  readonly #endpoint: ExportEndpoint;
  readonly #parts: ExportParts;
  readonly #job: JobDescription;
  readonly #host: JobSender;
  #entry: LedgerEntry;

  private constructor(endpoint: ExportEndpoint, parts: ExportParts, entry: LedgerEntry) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#entry = entry;
    this.#job = { ...exportJob(endpoint.operation), rhythm: RHYTHM };
    const { operation, status } = this.#job;
    const { path, mediaType } = endpoint;
    this.#host = scopeHost(parts.scope, {
      routes: {
        [operation]: { method: "POST", path, contentType: mediaType, accept: mediaType },
        [status]: { method: "GET", path: "/exports/{exportId}", accept: mediaType },
      },
      failure: (problem) => this.#problem(problem),
    });
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
    const askedAt = new Date(this.#parts.now()).toISOString();
    const job = { body: { adProductFilter: EXPORTED_PRODUCTS, stateFilter: STATES }, place: {} };
    const { jobId } = await createJob(this.#host, this.#job, job, this.#parts.poll);
    await this.#put({ state: "building", reportId: jobId, askedAt });
    this.#tell("asked");
    return jobId;
  }

  async #finish(exportId: string): Promise<OpenExport> {
    const { poll } = this.#parts;
    const address: JobAddress = { jobId: exportId, place: {} };
    const look = await waitForJob(this.#host, this.#job, address, {
      ...poll,
      onStatus: ({ status }) => this.#tell("waiting", { status }),
    });
    const [file] = await jobFiles(this.#host, this.#job, { ...address, look }, { signal: poll.signal });
    if (file === undefined) throw this.#error("it is COMPLETED and has no file");
    const ahead = Date.parse(this.#entry.askedAt) - Date.parse(String(look.fields["createdAt"]));
    return {
      clockAhead: Math.max(0, ahead) || 0,
      fetch: file.open,
      failure: (why) => this.#error(why),
      settle: (end) => this.settle(end),
    };
  }

  #problem({ kind, why, look, seconds = 0, options }: JobProblem): PlatformAdsError {
    const { status, reason } = look.status;
    if (kind !== "late") return this.#error(kind === "failed" ? reason ?? why : why, kind, options);
    return this.#error(`it is still ${status} after ${Math.round(seconds)} s`, kind, options);
  }

  #error(why: string, kind?: JobProblem["kind"], options?: ErrorOptions): PlatformAdsError {
    const message = `Cannot read the export of ${this.#endpoint.path}: ${why}`;
    return kind === "late" ? new TooSlow(message, options) : new PlatformAdsError(message, options);
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
