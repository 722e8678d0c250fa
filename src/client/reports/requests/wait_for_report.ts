import type { ReportFailedError } from "../../../errors.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { MAX_WAIT, Poller, type PollOptions, pollUntil } from "../../jobs/poller.ts";
import { hasFailed, reportFailure, type ReportStatus, reportStatus } from "./report_status.ts";

export type { PollOptions };

/** Options of waiting for a report. */
export interface WaitOptions extends PollOptions {
  /** Called at every poll with the report's status and the seconds waited so far. */
  readonly onStatus?: ((status: ReportStatus, seconds: number) => void) | undefined;
}

/**
 * Waits until a report is completed.
 *
 * @throws {ReportFailedError} when it fails, is cancelled, or is not completed in time.
 */
export async function waitForReport(
  scope: ProfileScope,
  reportId: string,
  options: WaitOptions = {},
): Promise<ReportStatus> {
  return await waitUntilCompleted(
    () => reportStatus(scope, reportId, { signal: options.signal }),
    scope.transport,
    options,
  );
}

export async function waitUntilCompleted<Status extends ReportStatus>(
  look: () => Promise<Status>,
  world: ConstructorParameters<typeof Poller>[0],
  options: WaitOptions,
): Promise<Status> {
  const { status, isOver } = await pollUntil(look, {
    poller: new Poller(world, options),
    isOver: (status) => {
      if (hasFailed(status)) throw failed(status);
      return status.status === "COMPLETED";
    },
    onLook: options.onStatus,
  });
  if (isOver) return status;
  const minutes = Math.round((options.timeout ?? MAX_WAIT) / 60);
  throw reportFailure(
    status,
    `it is still ${status.status} after ${minutes} minutes. It may complete yet: ` +
      `reports.download("${status.reportId}") takes it up`,
  );
}

function failed(status: ReportStatus): ReportFailedError {
  const reason = status.failureReason ? `: ${status.failureReason}` : "";
  return reportFailure(status, `the platform says ${status.status}${reason}`);
}
