import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import { ApiError, NotFoundError } from "../../errors.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { findJob, type JobHost } from "./job_host.ts";
import { jobFailure, jobIdIn, type JobStatus } from "./job_status.ts";
import { Poller, type PollOptions } from "./poller.ts";
import { lookAtJob } from "./wait_for_job.ts";

const DUPLICATE = 425;
/** Times that a request is refused as a duplicate of a failed job before it is given up. */
const MAX_FAILED = 5;

/** A job to be created. */
export interface JobRequest {
  readonly body: unknown;
  readonly place: JobPlace;
}

/** How a job is created. */
export interface CreateJobOptions extends PollOptions {
  /** True if another job is the one that is requested. @default true */
  readonly isSame?: (other: JobStatus) => boolean;
  /** Awaited before each attempt. */
  readonly beforeAttempt?: BeforeAttempt;
}

/** A job that is being built. */
export interface CreatedJob {
  readonly jobId: string;
  /** True if the same job was already being built and is used instead. */
  readonly adopted: boolean;
}

/**
 * Creates a job. Where the platform refuses to build one twice at the same time, the other job is taken if it is the same
 * one, and waited out otherwise.
 *
 * @throws {ApiError} if the platform refuses, also after `timeout`; {@linkcode JobFailedError} if it names a failed job as
 * the other again and again.
 */
export async function createJob(
  host: JobHost,
  description: JobDescription,
  { body, place }: JobRequest,
  options: CreateJobOptions = {},
): Promise<CreatedJob> {
  const { signal, isSame = () => true, beforeAttempt } = options;
  const poller = new Poller(host.transport, options);
  for (let failed = 0;;) {
    try {
      const response = await host.send(description.operation, {
        ...place,
        body,
        idempotent: description.twice !== "counts",
        signal,
        ...(beforeAttempt === undefined ? {} : { beforeAttempt }),
      });
      const jobId = jobIdIn(response, description);
      if (jobId !== undefined) return { jobId, adopted: false };
      throw unexpectedResponse(
        response,
        `Cannot read the response to a new ${description.noun}: its id is missing`,
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== DUPLICATE) throw error;
      const named = /duplicate of\s*:?\s*([\w-]+)/i.exec(error.body)?.[1];
      const otherId = named ?? await findJob(host, description, { body, place, since: 0 }, signal);
      const other = otherId === undefined
        ? undefined
        : await statusIfKnown(host, description, { jobId: otherId, place }, signal);
      const hasFailed = other?.phase === "failed" || other?.phase === "cancelled";
      if (other !== undefined && !hasFailed && isSame(other)) return { jobId: other.jobId, adopted: true };
      if (other !== undefined && hasFailed && ++failed >= MAX_FAILED) {
        throw jobFailure(
          other,
          description,
          `it is ${other.status}, and the platform treats a new request as its duplicate. Request it again later`,
        );
      }
      if (!await poller.wait()) throw error;
    }
  }
}

async function statusIfKnown(
  host: JobHost,
  description: JobDescription,
  job: { jobId: string; place: JobPlace },
  signal: AbortSignal | undefined,
): Promise<JobStatus | undefined> {
  try {
    return (await lookAtJob(host, description, job, signal)).status;
  } catch (error) {
    if (error instanceof NotFoundError || (error instanceof ApiError && error.statusCode < 500)) {
      return undefined;
    }
    throw error;
  }
}
