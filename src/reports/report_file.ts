import type { ProfileScope } from "../transport/profile_scope.ts";
import { backoff } from "../transport/retry_policy.ts";
import { type FetchedFile, fetchFile } from "./fetch_file.ts";
import { reportFailure } from "./report_failure.ts";
import { type ReportStatus, reportStatus } from "./report_status.ts";

/** How often the address of a file is asked for and tried when the file host fails. */
const ATTEMPTS = 3;

/**
 * Opens the file of a completed report; `undefined` when the report came to no rows and so has no file. An address
 * that has expired or is refused is asked for once more; a file host that fails is tried again after a while.
 *
 * @throws {ReportFailedError} that names the report when there is no file to be had.
 */
export async function openReportFile(
  scope: ProfileScope,
  report: ReportStatus,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { signal } = options;
  const { transport } = scope;
  if (report.status !== "COMPLETED") throw reportFailure(report, `it is ${report.status}, not COMPLETED`);
  if (!report.url) return undefined;

  let current = report;
  let refused = false;
  for (let attempt = 1;; attempt++) {
    const problem = isStale(current, transport.now())
      ? EXPIRED
      : await tryAddress(current.url!, () => fetchFile(current.url!, transport, signal), signal);
    if ("bytes" in problem) return problem.bytes;
    if (problem.final || attempt === ATTEMPTS || (problem.refused && refused)) {
      throw reportFailure(current, problem.why, { cause: problem.cause });
    }
    if (problem.refused) refused = true;
    else await transport.sleep(backoff(transport.retry, attempt, transport.random()), signal);
    current = await reportStatus(scope, report.reportId, { signal });
    if (!current.url) {
      throw reportFailure(current, `${problem.why}, and the platform gives no other address for it`);
    }
  }
}

/** Why there is no file: `refused` when another address may do, `final` when nothing will. */
interface Problem {
  readonly why: string;
  readonly refused?: boolean;
  readonly final?: boolean;
  readonly cause?: unknown;
}

const EXPIRED: Problem = { why: "the address of its file has expired", refused: true };

async function tryAddress(
  url: string,
  fetchIt: () => Promise<FetchedFile>,
  signal: AbortSignal | undefined,
): Promise<FetchedFile | Problem> {
  if (!/^https?:\/\//i.test(url)) return { why: "the address of its file is no web address", final: true };
  try {
    const file = await fetchIt();
    if (file.status === 200) return file;
    const why = `its file host answers ${file.status}`;
    return { why, refused: file.status < 500 && file.status !== 429 };
  } catch (cause) {
    signal?.throwIfAborted();
    return { why: `its file host does not answer (${(cause as Error).message})`, cause };
  }
}

function isStale(report: ReportStatus, now: number): boolean {
  return report.urlExpiresAt ? Date.parse(report.urlExpiresAt) <= now : false;
}
