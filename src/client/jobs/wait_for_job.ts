import type { JobDescription } from "./job_description.ts";
import { callAbout, type JobAddress, type JobSender } from "./job_host.ts";
import { jobFailure, type JobLook, type JobStatus, readJob } from "./job_status.ts";
import { Poller, type PollOptions } from "./poller.ts";

/** Options for waiting for a job. Times are in seconds; their defaults depend on the job. */
export interface WaitForJobOptions extends PollOptions {
  /** Seconds from the creation of a job to the first poll. */
  readonly first?: number | undefined;
  /** Called at every poll with the job's status and the seconds waited so far. */
  readonly onStatus?: ((status: JobStatus, seconds: number) => void) | undefined;
}

export interface AwaitedJob extends JobAddress {
  readonly askedAt?: number | undefined;
}

/** Requests the current status of a job. */
export async function lookAtJob(
  host: JobSender,
  description: JobDescription,
  job: JobAddress,
  signal?: AbortSignal,
): Promise<JobLook> {
  const response = await host.send(description.status, callAbout(description, job, signal));
  return readJob(response, description, job.jobId);
}

/**
 * Waits until a job is completed. Unknown status words do not end the wait.
 *
 * @param options.onLook Called like `onStatus`, with the addresses.
 * @throws {JobFailedError} when it fails, is cancelled, or is not completed in time.
 */
export async function waitForJob(
  host: JobSender,
  description: JobDescription,
  job: AwaitedJob,
  options: WaitForJobOptions & {
    readonly onLook?: ((look: JobLook, seconds: number) => void) | undefined;
  } = {},
): Promise<JobLook> {
  const { rhythm } = description;
  const { first = rhythm.first, poll = rhythm.next, maxPoll = rhythm.longest, signal } = options;
  const { timeout = rhythm.deadline, onStatus, onLook } = options;
  const { growth = 2 } = rhythm;
  const poller = new Poller(host.transport, { poll, maxPoll, timeout, signal, growth });
  const sinceAsked = job.askedAt === undefined ? Infinity : (host.transport.now() - job.askedAt) / 1000;
  const early = Math.min(Math.min(first, host.transport.maxPoll) - sinceAsked, timeout);
  if (early > 0) await host.transport.sleep(early, signal);
  for (;;) {
    const look = await lookAtJob(host, description, job, signal);
    onStatus?.(look.status, poller.seconds);
    onLook?.(look, poller.seconds);
    const { phase, status, reason } = look.status;
    if (phase === "done") return look;
    const problem = { description, look };
    const fail = host.failure ?? jobFailure;
    if (phase === "failed" || phase === "cancelled") {
      const why = `the platform says ${status}${reason === undefined ? "" : `: ${reason}`}`;
      throw fail({ ...problem, kind: "failed", why });
    }
    if (await poller.wait()) continue;
    const unknown = phase === "unknown" ? ", a status that is not known here," : "";
    const why = `it is still ${status}${unknown} after ${Math.round(timeout / 60)} minutes`;
    throw fail({ ...problem, kind: "late", why, seconds: poller.seconds });
  }
}
