import { fileSystem } from "../../runtime/file_system.ts";
import { sha256 } from "../../internal/sha256.ts";
import { reportFingerprint } from "../../reports/report_configuration.ts";
import type { ReportRequest } from "../../reports/report_requests.ts";

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
