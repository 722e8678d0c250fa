import type { ProfileClient } from "../../client/profile_client.ts";
import { NotFoundError, ReportFailedError } from "../../errors.ts";
import type { ReportRequest } from "../../reports/report_requests.ts";
import type { ReportRow } from "../../reports/report_row.ts";
import type { PendingReports } from "./pending_reports.ts";

/** How reports are waited for. */
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
  { pending, ...options }: ResumeOptions & { pending: PendingReports },
): AsyncGenerator<ReportRow> {
  const { signal } = options;
  const ask = async (request: ReportRequest): Promise<string> => {
    const known = await pending.find(profile.profileId, request);
    if (known !== undefined) {
      await options.tell(`Taking up report ${known}`);
      return known;
    }
    const { reportId } = await profile.reports.ask(request, { signal, timeout: options.seconds });
    await pending.add(profile.profileId, request, reportId);
    await options.tell(`Asked for report ${reportId}`);
    return reportId;
  };
  const ids: string[] = [];
  for (const request of requests) ids.push(await ask(request));

  for (const [index, request] of requests.entries()) {
    const wait = (id: string) =>
      profile.reports.wait(id, {
        signal,
        timeout: options.seconds,
        onStatus: ({ status }, seconds) =>
          void options.tell(
            `Report ${index + 1} of ${requests.length}: ${status} for ${Math.round(seconds)} s`,
          ),
      });
    try {
      let status;
      try {
        status = await wait(ids[index]!);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        // The platform has forgotten the one that was remembered.
        await pending.remove(profile.profileId, request);
        status = await wait(await ask(request));
      }
      for await (const batch of profile.reports.batches(status, { signal })) yield* batch;
      await pending.remove(profile.profileId, request);
    } catch (error) {
      const isOver = error instanceof ReportFailedError && !/^(PENDING|PROCESSING)$/.test(error.status);
      if (isOver) await pending.remove(profile.profileId, request);
      throw error;
    }
  }
}
