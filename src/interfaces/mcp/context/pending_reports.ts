import { fileSystem } from "../../../base/runtime/file_system.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import { reportFingerprint } from "../../../client/reports/requests/report_configuration.ts";
import type { ReportRequest } from "../../../client/reports/requests/report_requests.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ReportRow } from "../../../client/reports/file/report_row.ts";

/** The platform has forgotten a report that is older. */
const LONGEST = 24 * 3600 * 1000;

interface PendingFile {
  readonly report_id: string;
  readonly asked_at: string;
}

/**
 * Requested reports that were not yet read to their end, a file each: a repeated request, in this process or a later
 * one, gets the same report instead of a new one. The platform throttles nothing harder than new reports.
 */
export class PendingReports {
  readonly #folder: string;
  readonly #now: () => number;

  /**
   * Names the folder; it is made when it is needed.
   *
   * @param folder Folder of the files.
   * @param now Milliseconds since the epoch.
   */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Id of the report that was asked for and not yet read. */
  async find(profileId: string, request: ReportRequest): Promise<string | undefined> {
    try {
      const text = await fileSystem().readText(this.#path(profileId, request));
      const { report_id: id, asked_at: at } = JSON.parse(text) as PendingFile;
      return this.#now() - Date.parse(at) < LONGEST && typeof id === "string" ? id : undefined;
    } catch {
      return undefined;
    }
  }

  /** Remembers a report that was asked for. */
  async add(profileId: string, request: ReportRequest, reportId: string): Promise<void> {
    const file: PendingFile = { report_id: reportId, asked_at: new Date(this.#now()).toISOString() };
    await fileSystem().writeText(this.#path(profileId, request), JSON.stringify(file) + "\n");
  }

  /** Forgets a report, because it was read or came to nothing. */
  async remove(profileId: string, request: ReportRequest): Promise<void> {
    await fileSystem().remove(this.#path(profileId, request));
  }

  #path(profileId: string, { configuration, startDate: start, endDate: end }: ReportRequest): string {
    const key = sha256(`${profileId} ${reportFingerprint(configuration, { start, end })}`);
    return fileSystem().join(this.#folder, `report-${key.slice(0, 32)}.json`);
  }
}

export interface ResumeOptions {
  /** Seconds to wait for each. */
  readonly seconds: number;
  /** Told what is happening. */
  readonly tell: (message: string) => Promise<void>;
  /** Ends the waiting; the report stays remembered. */
  readonly signal: AbortSignal;
}

/**
 * The rows of reports, each asked for only if it was not asked for before. All are asked for before any is waited for.
 * One that is not completed in time, or whose reader goes away, is resumed by the next call.
 */
export async function* resumedReports(
  profile: ProfileClient,
  requests: readonly ReportRequest[],
  { pending, seconds: timeout, tell, signal }: ResumeOptions & { pending: PendingReports },
): AsyncGenerator<ReportRow> {
  const { profileId } = profile;
  const { reportsRows } = await import("../../../client/reports/requests/report_job.ts");
  const batches = reportsRows(profile, requests, {
    timeout,
    signal,
    earlier: {
      find: (request) => pending.find(profileId, request),
      add: (request, reportId) => pending.add(profileId, request, reportId),
      remove: (request) => pending.remove(profileId, request),
    },
    tell: ({ kind, jobId, status, seconds }, request) => {
      if (kind === "requested") void tell(`Asked for report ${jobId}`);
      else if (kind === "adopted") void tell(`Taking up report ${jobId}`);
      else if (kind === "waiting") {
        const at = requests.indexOf(request) + 1;
        void tell(`Report ${at} of ${requests.length}: ${status} for ${Math.round(seconds)} s`);
      }
    },
  });
  for await (const batch of batches) yield* batch;
}
