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
  /** Called and awaited before each attempt. */
  readonly beforeAttempt?: BeforeAttempt;
  /** False to leave the retry of a throttled request to the caller. @default true */
  readonly retryThrottled?: boolean;
}

/** Sends requests about jobs. */
export interface JobSender {
  readonly transport: Transport;
  /** Sends a request about a job. Drops parameters and media types that the operation does not document. */
  send(operation: string, call: JobCall): Promise<unknown>;
  pages(operation: string, call: JobCall): AsyncIterable<unknown>;
  /** Creates the error for a job without a result. @default a `JobFailedError` */
  readonly failure?: (problem: JobProblem) => Error;
}

/** Sends requests about the jobs in a ledger. */
export interface JobHost extends JobSender {
  /** Host of the platform with its port and path, which tells regions and the emulator apart. */
  readonly name: string;
}

export interface JobAddress {
  readonly jobId: string;
  readonly place: JobPlace;
}

/** Returns the parts of a request about an existing job. */
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

/** Maximum difference between the local clock and the platform's, in milliseconds. */
const SKEW = 5 * 60_000;

/** Listed jobs that a request may have created. */
export interface FoundJobs {
  /** Ids of jobs that equal the request and are not older, newest first. */
  readonly equal: readonly string[];
  /**
   * Ids of jobs that may match: their time cannot be read, or they differ only in how the platform may have
   * rewritten fields.
   */
  readonly doubtful: readonly string[];
}

/**
 * Finds listed jobs that equal a request and are not older than it.
 *
 * @returns none if no operation lists such jobs.
 */
export async function findJobs(
  host: JobSender,
  { search, envelope: _, ...description }: JobDescription,
  request: { readonly body: unknown; readonly place: JobPlace; readonly since: number },
  signal?: AbortSignal,
): Promise<FoundJobs> {
  if (search === undefined) return { equal: [], doubtful: [] };
  const { body, place, since } = request;
  const earliest = since - SKEW;
  const doubtful: string[] = [];
  const found: { readonly jobId: string; readonly created: number }[] = [];
  const { contentType: _type, accept: _accept, ...rest } = place;
  const parameter = search.since && { [search.since]: new Date(earliest).toISOString().slice(0, 19) };
  const call = { ...rest, query: { ...place.query, ...search.query, ...parameter || {} }, signal };
  const wantedOf = (inRequest: string): unknown => valueAt(body, inRequest) ?? place.pathParams?.[inRequest];
  for await (const page of host.pages(search.operation, call)) {
    for (const item of [fieldsOf(page)[search.items] ?? []].flat().map(fieldsOf)) {
      const created = Date.parse(withZone(String(item[search.created])));
      const jobId = jobIdIn(item, description);
      if (jobId === undefined || created < earliest) continue;
      const differing = search.same.filter(([inRequest, inJob]) => {
        const [wanted, listed] = [wantedOf(inRequest), listedOf(item, inJob)];
        if (wanted === undefined) return false;
        return listed === undefined ? search.shown?.includes(inJob) : !isSamePart(wanted, listed);
      });
      const mayBeSame = ([inRequest, inJob]: readonly [string, string]): boolean =>
        search.rewritten?.includes(inJob) === true &&
        isSameRewritten(wantedOf(inRequest), listedOf(item, inJob));
      if (differing.length === 0 && !Number.isNaN(created)) found.push({ jobId, created });
      else if (differing.every(mayBeSame)) doubtful.push(jobId);
    }
  }
  return { equal: found.sort((a, b) => b.created - a.created).map(({ jobId }) => jobId), doubtful };
}

function listedOf(item: Readonly<Record<string, unknown>>, inJob: string): unknown {
  return item[`${inJob}Original`] ?? item[inJob];
}

/**
 * True if a listed value may be the request's in another form: text in other case and spacing, an object with added
 * fields, or a value that the list leaves out.
 */
function isSameRewritten(wanted: unknown, listed: unknown): boolean {
  if (wanted === undefined || wanted === null || listed === undefined || listed === null) return true;
  if (Array.isArray(wanted)) {
    return Array.isArray(listed) && listed.length === wanted.length &&
      wanted.every((one, at) => isSameRewritten(one, listed[at]));
  }
  if (typeof wanted === "object") {
    const fields = fieldsOf(listed);
    return typeof listed !== "object" ||
      Object.entries(wanted).every(([name, value]) => isSameRewritten(value, fields[name]));
  }
  const plain = (value: unknown): string => String(value).replace(/\s+/g, "").toLowerCase();
  return typeof listed === "object" || isSamePart(plain(wanted), plain(listed));
}

/** True if a value of the request equals a listed one; listed times may lack a time zone. */
function isSamePart(wanted: unknown, listed: unknown): boolean {
  const plain = (value: unknown): unknown =>
    typeof value === "string" ? value.replace(/(?:\.\d+)?Z?$/, "") : value;
  return sameValue(plain(wanted), plain(listed));
}

function withZone(time: string): string {
  return /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(time) ? `${time}Z` : time;
}
