import { canonicalJson } from "../../base/json/canonical_json.ts";
import { isObject } from "../../base/json/fields_of.ts";
import { ApiError } from "../../errors.ts";
import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import type { CallCheck } from "../../platform/catalog/call_types.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { findJobs, type JobSender } from "./job_host.ts";
import { isGone, jobFailure, jobIdIn, type JobLook, valueAt } from "./job_status.ts";
import { Poller, type PollOptions } from "./poller.ts";
import { lookAtJob } from "./wait_for_job.ts";

/**
 * Minimum number of seconds to look back for a job that is still being built; its deadline applies if that is longer.
 */
const LISTED_FOR = 86_400;
const DUPLICATE = 425;
const MAX_FAILED = 5;

export interface JobRequest {
  readonly body: unknown;
  readonly place: JobPlace;
}

/** How a job is created. */
export interface CreateJobOptions extends PollOptions {
  /** How to react to a request that does not match the published description. @default "warn" */
  readonly check?: CallCheck | undefined;
  /** Called and awaited before each attempt. */
  readonly beforeAttempt?: BeforeAttempt;
}

export interface CreatedJob {
  readonly jobId: string;
  readonly adopted: boolean;
}

/**
 * Creates a job. If the platform refuses to build the same job twice at the same time, the other job is used: the one
 * named in the refusal, otherwise the newest equal one in the list. If the other job cannot be found, differs or has
 * failed, waits until the platform accepts the request.
 *
 * @param options.retryThrottled False leaves a throttled request to the caller. @default true
 * @throws {ApiError} if the platform refuses, also after `timeout`; {@linkcode JobFailedError} if it names a failed job as
 * the other again and again.
 */
export async function createJob(
  host: JobSender,
  description: JobDescription,
  { body, place }: JobRequest,
  options: CreateJobOptions & { readonly retryThrottled?: boolean } = {},
): Promise<CreatedJob> {
  const { signal, check, beforeAttempt, retryThrottled } = options;
  const poller = new Poller(host.transport, options);
  for (let failed = 0;;) {
    try {
      const response = await host.send(description.operation, {
        ...place,
        body,
        idempotent: description.twice !== "counts" || description.token !== undefined,
        signal,
        ...(check === undefined ? {} : { check }),
        ...(beforeAttempt === undefined ? {} : { beforeAttempt }),
        ...(retryThrottled === undefined ? {} : { retryThrottled }),
      });
      const jobId = jobIdIn(response, description);
      if (jobId !== undefined) return { jobId, adopted: false };
      throw unexpectedResponse(
        response,
        `Cannot read the response to the new ${description.noun}: its id is missing`,
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== DUPLICATE) throw error;
      const named = /duplicate of\s*:?\s*([\w-]+)/i.exec(error.body)?.[1];
      const jobId = named ?? await listed();
      const look = jobId === undefined ? undefined : await known(jobId);
      const phase = look?.status.phase;
      const hasFailed = phase === "failed" || phase === "cancelled";
      if (look !== undefined && !hasFailed && repeatsRequest(look, description, body)) {
        return { jobId: look.status.jobId, adopted: true };
      }
      if (look !== undefined && hasFailed && ++failed >= MAX_FAILED) {
        const why =
          `it is ${look.status.status}, and the platform treats a new request as its duplicate. Request it again later`;
        throw (host.failure ?? jobFailure)({ description, look, kind: "failed", why });
      }
      if (!await poller.wait()) throw error;
    }
  }

  async function listed(): Promise<string | undefined> {
    const since = host.transport.now() - 1000 * Math.max(description.rhythm.deadline, LISTED_FOR);
    return (await findJobs(host, description, { body, place, since }, signal)).equal[0];
  }

  /** Returns the status of a job; `undefined` if the platform refuses to return it. */
  async function known(jobId: string): Promise<JobLook | undefined> {
    try {
      return await lookAtJob(host, description, { jobId, place }, signal);
    } catch (error) {
      if (isGone(error) || (error instanceof ApiError && error.statusCode < 500)) return undefined;
      throw error;
    }
  }
}

/** True if a job has the same fields as a request, as far as its status repeats them. */
function repeatsRequest({ fields }: JobLook, { repeats = [] }: JobDescription, body: unknown): boolean {
  return repeats.every(([field, assumed]) =>
    asSet(valueAt(body, field) ?? assumed) === asSet(valueAt(fields, field) ?? assumed)
  );
}

/** Returns a text that is equal for lists with the same items in any order; unset fields may be null. */
function asSet(value: unknown): string {
  const sorted = (one: unknown): unknown =>
    Array.isArray(one)
      ? [...new Set(one.map((item) => canonicalJson(sorted(item))))].sort()
      : isObject(one)
      ? Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, sorted(inner)]))
      : one;
  return canonicalJson(sorted(value ?? null));
}
