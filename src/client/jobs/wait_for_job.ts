import type { JobDescription } from "./job_description.ts";
import { callAbout, type JobAddress, type JobHost } from "./job_host.ts";
import { jobFailure, type JobLook, type JobStatus, readJob } from "./job_status.ts";
import { Poller, type PollOptions, pollUntil } from "./poller.ts";

/** Options of waiting for a job. Times are in seconds; their defaults follow the job. */
export interface WaitForJobOptions extends PollOptions {
  /** Seconds from the creation of a job to the first look. */
  readonly first?: number | undefined;
  /** Called at every look with the job's status and the seconds waited so far. */
  readonly onStatus?: ((status: JobStatus, seconds: number) => void) | undefined;
}

/** A job that is waited for. */
export interface AwaitedJob extends JobAddress {
  /** When it was requested, milliseconds since the epoch; the first look waits from then. @default long ago */
  readonly askedAt?: number | undefined;
}

/** Requests the present status of a job. */
export async function lookAtJob(
  host: JobHost,
  description: JobDescription,
  job: JobAddress,
  signal?: AbortSignal,
): Promise<JobLook> {
  const response = await host.send(description.status, callAbout(description, job, signal));
  return readJob(response, description, job.jobId);
}

/**
 * Waits until a job is completed. A status word that is not known is no end.
 *
 * @throws {JobFailedError} when it fails, is cancelled, or is not completed in time.
 */
export async function waitForJob(
  host: JobHost,
  description: JobDescription,
  job: AwaitedJob,
  options: WaitForJobOptions = {},
): Promise<JobLook> {
  const { rhythm } = description;
  const { first = rhythm.first, timeout = rhythm.deadline, signal, onStatus } = options;
  const waiting = { poll: rhythm.next, maxPoll: rhythm.longest, ...options, timeout, doubles: true };
  const poller = new Poller(host.transport, waiting);
  const sinceAsked = job.askedAt === undefined ? Infinity : (host.transport.now() - job.askedAt) / 1000;
  const early = Math.min(first - sinceAsked, timeout);
  if (early > 0) await host.transport.sleep(early, signal);
  const { status: look, isOver } = await pollUntil(() => lookAtJob(host, description, job, signal), {
    poller,
    isOver: ({ status }) => {
      if (status.phase === "failed" || status.phase === "cancelled") throw failed(status, description);
      return status.phase === "done";
    },
    onLook: onStatus && (({ status }, seconds) => onStatus(status, seconds)),
  });
  if (isOver) return look;
  const { status } = look;
  const unknown = status.phase === "unknown" ? ", a status that is not known here," : "";
  throw jobFailure(
    status,
    description,
    `it is still ${status.status}${unknown} after ${
      Math.round(timeout / 60)
    } minutes. It may complete yet: ` +
      `jobs.wait("${status.jobId}") resumes waiting`,
  );
}

function failed(status: JobStatus, description: JobDescription): Error {
  const reason = status.reason === undefined ? "" : `: ${status.reason}`;
  return jobFailure(status, description, `the platform says ${status.status}${reason}`);
}
