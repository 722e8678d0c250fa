import { fieldsOf } from "../../base/json/fields_of.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { CallCheck } from "../../platform/catalog/call_types.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import type { Transport } from "../../platform/transport/transport.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";
import { jobIdIn, type JobProblem, valueAt } from "./job_status.ts";

export interface JobCall extends JobPlace {
  readonly body?: unknown;
  readonly idempotent?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly check?: CallCheck;
  /** Awaited before each attempt. */
  readonly beforeAttempt?: BeforeAttempt;
  /** False leaves a throttled request to the caller. @default true */
  readonly retryThrottled?: boolean;
}

/** Sends requests about jobs. */
export interface JobSender {
  readonly transport: Transport;
  /** Drops parameters and media types that the operation does not document. */
  send(operation: string, call: JobCall): Promise<unknown>;
  pages(operation: string, call: JobCall): AsyncIterable<unknown>;
  /** Makes the error of a job without a result. @default a `JobFailedError` */
  readonly failure?: (problem: JobProblem) => Error;
}

/** Sends requests about the jobs of a ledger. */
export interface JobHost extends JobSender {
  /** Host of the platform with its port and path, which tells regions and the emulator apart. */
  readonly name: string;
}

export interface JobAddress {
  readonly jobId: string;
  readonly place: JobPlace;
}

/** Parts of a request about an existing job. */
export function callAbout(
  { idParam, idsInBody }: JobDescription,
  { jobId, place }: JobAddress,
  signal: AbortSignal | undefined,
): JobCall {
  const { contentType, accept, ...rest } = place;
  const type = accept ?? contentType;
  return {
    ...rest,
    ...(idsInBody
      ? { body: { [idParam]: [jobId] }, idempotent: true }
      : { pathParams: { ...place.pathParams, [idParam]: jobId } }),
    ...(type === undefined ? {} : { accept: type }),
    signal,
  };
}

/** Maximum clock difference to the platform, in milliseconds. */
const SKEW = 5 * 60_000;

/**
 * Finds listed jobs that are equal to a request and not older.
 *
 * @returns their ids, the newest first; none if no operation lists such jobs.
 */
export async function findJobs(
  host: JobSender,
  { search, envelope: _, ...description }: JobDescription,
  request: { readonly body: unknown; readonly place: JobPlace; readonly since: number },
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (search === undefined) return [];
  const { body, place, since } = request;
  const earliest = since - SKEW;
  const found: { readonly jobId: string; readonly created: number }[] = [];
  const { contentType: _type, accept: _accept, ...rest } = place;
  const parameter = search.since && { [search.since]: new Date(earliest).toISOString().slice(0, 19) };
  const call = { ...rest, query: { ...place.query, ...search.query, ...parameter || {} }, signal };
  for await (const page of host.pages(search.operation, call)) {
    for (const item of [fieldsOf(page)[search.items] ?? []].flat().map(fieldsOf)) {
      const created = Date.parse(withZone(String(item[search.created])));
      const jobId = jobIdIn(item, description);
      const isSame = search.same.every(([inRequest, inJob]) => {
        const wanted = valueAt(body, inRequest) ?? place.pathParams?.[inRequest];
        const listed = item[`${inJob}Original`] ?? item[inJob];
        if (wanted === undefined) return true;
        return listed === undefined ? !search.shown?.includes(inJob) : isSamePart(wanted, listed);
      });
      if (jobId !== undefined && isSame && created >= earliest) found.push({ jobId, created });
    }
  }
  return found.sort((a, b) => b.created - a.created).map(({ jobId }) => jobId);
}

/** Listed times may lack a time zone. */
function isSamePart(wanted: unknown, listed: unknown): boolean {
  const plain = (value: unknown): unknown =>
    typeof value === "string" ? value.replace(/(?:\.\d+)?Z?$/, "") : value;
  return sameValue(plain(wanted), plain(listed));
}

function withZone(time: string): string {
  return /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(time) ? `${time}Z` : time;
}
