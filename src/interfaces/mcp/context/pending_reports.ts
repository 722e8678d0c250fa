import { fileSystem } from "../../../base/runtime/file_system.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import type { EarlierJobs } from "../../../client/jobs/run_jobs.ts";
import { reportFingerprint } from "../../../client/reports/requests/report_configuration.ts";
import type { ReportRequest } from "../../../client/reports/requests/report_requests.ts";

/** Milliseconds after which the platform no longer knows a report. */
const LONGEST = 24 * 3600 * 1000;

interface PendingFile {
  readonly report_id: string;
  readonly asked_at: string;
}

/**
 * Unread reports, one file each, so that a repeated request reuses the report, even in a later process. New reports
 * are the most heavily throttled requests.
 */
export class PendingReports {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  of(profileId: string): EarlierJobs<ReportRequest> {
    const file = (request: ReportRequest): string => this.#path(profileId, request);
    return {
      find: async (request) => {
        try {
          const { report_id: id, asked_at: at } = JSON.parse(
            await fileSystem().readText(file(request)),
          ) as PendingFile;
          return this.#now() - Date.parse(at) < LONGEST && typeof id === "string" ? id : undefined;
        } catch {
          return undefined;
        }
      },
      add: async (request, reportId) => {
        const pending: PendingFile = { report_id: reportId, asked_at: new Date(this.#now()).toISOString() };
        await fileSystem().writeText(file(request), JSON.stringify(pending) + "\n");
      },
      remove: (request) => fileSystem().remove(file(request)),
    };
  }

  #path(profileId: string, { configuration, startDate: start, endDate: end }: ReportRequest): string {
    const key = sha256(`${profileId} ${reportFingerprint(configuration, { start, end })}`);
    return fileSystem().join(this.#folder, `report-${key.slice(0, 32)}.json`);
  }
}
