import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import { ApiError, NotFoundError } from "../../errors.ts";
import type { CallCheck } from "../../platform/catalog/call_types.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { findJobs, type JobHost } from "./job_host.ts";
import { jobFailure, jobIdIn, type JobStatus } from "./job_status.ts";
import { Poller, type PollOptions } from "./poller.ts";
import { lookAtJob } from "./wait_for_job.ts";

const DUPLICATE = 425;
/** Times that a request is refused as a duplicate of a failed job before it is given up. */
const MAX_FAILED = 5;
/** Seconds in which a job that is still being built was created, unless its deadline is later. */
const LISTED_FOR = 86_400;

/** A job to be created. */
export interface JobRequest {
  readonly body: unknown;
  readonly place: JobPlace;
}

/** How a job is created. */
export interface CreateJobOptions extends PollOptions {
  /** Reaction to a request that does not match the published description. @default "warn" */
  readonly check?: CallCheck | undefined;
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
 * Creates a job. Where the platform refuses to build one twice at the same time, the other job is taken: the one that the
 * refusal names, or else the newest listed one that is equal. One that is not found, or has failed, is waited out.
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
  const { signal, check, beforeAttempt } = options;
  const poller = new Poller(host.transport, options);
  for (let failed = 0;;) {
    try {
      const response = await host.send(description.operation, {
        ...place,
        body,
        idempotent: description.twice !== "counts",
        signal,
        ...(check === undefined ? {} : { check }),
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
      const since = host.transport.now() - 1000 * Math.max(description.rhythm.deadline, LISTED_FOR);
      const otherId = named ?? (await findJobs(host, description, { body, place, since }, signal))[0];
      const other = otherId === undefined
        ? undefined
        : await statusIfKnown(host, description, { jobId: otherId, place }, signal);
      const hasFailed = other?.phase === "failed" || other?.phase === "cancelled";
      if (other !== undefined && !hasFailed) return { jobId: other.jobId, adopted: true };
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
