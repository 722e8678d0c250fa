import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import type { CallCheck } from "../../platform/catalog/call_types.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import { createOnce } from "./create_once.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { findJobs, type JobHost } from "./job_host.ts";
import { jobFailure, jobIdIn } from "./job_status.ts";
import type { PollOptions } from "./poller.ts";
import { lookAtJob } from "./wait_for_job.ts";

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
  const { id: jobId, adopted } = await createOnce(
    {
      request: async () => {
        const response = await host.send(description.operation, {
          ...place,
          body,
          idempotent: description.twice !== "counts",
          signal,
          ...(check === undefined ? {} : { check }),
          ...(beforeAttempt === undefined ? {} : { beforeAttempt }),
        });
        const id = jobIdIn(response, description);
        if (id !== undefined) return id;
        throw unexpectedResponse(
          response,
          `Cannot read the response to a new ${description.noun}: its id is missing`,
        );
      },
      find: async () => {
        const since = host.transport.now() - 1000 * Math.max(description.rhythm.deadline, LISTED_FOR);
        return (await findJobs(host, description, { body, place, since }, signal))[0];
      },
      look: async (id) => (await lookAtJob(host, description, { jobId: id, place }, signal)).status,
      useOf: ({ phase }) => phase === "failed" || phase === "cancelled" ? "failed" : "taken",
      failure: (other, why) => jobFailure(other, description, why),
    },
    host.transport,
    options,
  );
  return { jobId, adopted };
}
