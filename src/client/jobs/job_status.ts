import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { JobFailedError, NotFoundError, PlatformAdsError } from "../../errors.ts";
import type { JobDescription } from "./job_description.ts";

/** Phase of a job; `unknown` if this version does not know the status word. */
export type JobPhase = "pending" | "done" | "failed" | "cancelled" | "unknown";

/** Status of a job from the platform. */
export interface JobStatus {
  /** The platform's id of the job. */
  readonly jobId: string;
  /** Operation that created the job. */
  readonly operation: string;
  /** The platform's status word. */
  readonly status: string;
  /** Phase that the status word stands for. */
  readonly phase: JobPhase;
  /** The platform's explanation; `undefined` if there is none. */
  readonly reason: string | undefined;
  /** The platform's reason why a completed job has no result. */
  readonly undelivered: string | undefined;
  /** The platform's response, without file addresses. */
  readonly response: Readonly<Record<string, unknown>>;
}

export interface JobLook {
  readonly status: JobStatus;
  readonly addresses: readonly string[];
  /** The job as returned by the platform, including file addresses. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reason why a job has no result. */
export interface JobProblem {
  readonly description: JobDescription;
  readonly look: JobLook;
  /** Kind of problem: the job failed, took too long or is not completed yet, or its file is unavailable or damaged. */
  readonly kind: "failed" | "late" | "early" | "file" | "damaged";
  /** Reason, worded as the end of a sentence. */
  readonly why: string;
  /** Seconds waited, if the job took too long. */
  readonly seconds?: number;
  /** Position of the file among the files of the result, from 0. */
  readonly file?: { readonly at: number; readonly of: number };
  readonly options?: ErrorOptions | undefined;
}

/** The platform refused a job in an otherwise successful response, or does not know the job. */
export class JobRefusedError extends PlatformAdsError {
  readonly codes: readonly string[];

  constructor(message: string, codes: readonly string[]) {
    super(message);
    this.codes = codes;
  }

  /** True if the platform does not know the job, or no longer does. */
  get isGone(): boolean {
    return this.codes.includes("RESOURCE_ID_NOT_FOUND");
  }
}

/** True for the error of a job that the platform has forgotten. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof JobRefusedError && error.isGone;
}

const REASONS = [
  "statusReason",
  "statusDetails",
  "failureCode",
  "failureReason",
  "failureMessage",
  "errorCode",
  "message",
  "details",
];

/** Returns the value at a dotted path. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => fieldsOf(inner)[name], value);
}

/**
 * Returns the job in a response, with or without its envelope.
 *
 * @throws {JobRefusedError} for a response that lists a refusal.
 */
export function jobIn(
  response: unknown,
  { envelope, refusals, noun }: JobDescription,
): Readonly<Record<string, unknown>> {
  const refused = [refusals === undefined ? [] : fieldsOf(response)[refusals] ?? []].flat()
    .flatMap((entry) => fieldsOf(entry)["errors"] ?? []).map(fieldsOf);
  if (refused.length > 0) {
    const said = refused.map(({ code, message, fieldLocation }) =>
      `${code}${fieldLocation === undefined ? "" : ` at ${fieldLocation}`}: ${message}`
    );
    throw new JobRefusedError(
      `Cannot request the ${noun}: the platform says ${said.join("; ")}`,
      refused.map(({ code }) => String(code)),
    );
  }
  const inner = envelope === undefined ? undefined : valueAt(response, envelope);
  return isObject(inner) ? inner : fieldsOf(response);
}

export function jobIdIn(response: unknown, description: JobDescription): string | undefined {
  const id = jobIn(response, description)[description.id ?? description.idParam];
  return ["string", "number", "bigint"].includes(typeof id) && id !== "" ? String(id) : undefined;
}

/**
 * @param known Id, if the response does not repeat it.
 * @throws {UnexpectedResponseError} when there is no id or status.
 */
export function readJob(response: unknown, description: JobDescription, known?: string): JobLook {
  const fields = jobIn(response, description);
  const jobId = known ?? jobIdIn(response, description);
  const word = fields[description.word ?? "status"];
  if (jobId === undefined || typeof word !== "string" || word === "") {
    throw unexpectedResponse(
      response,
      `Cannot read the response about the ${description.noun}: its id or status is missing`,
    );
  }
  const status = word;
  const { output, operation } = description;
  const field = output?.operation === undefined ? output?.addresses : undefined;
  const { [field?.split(".")[0] ?? ""]: _, ...rest } = fields;
  const delivery = deliveryOf(fields, description);
  const phase = phaseOf(status, description);
  return {
    status: {
      jobId,
      operation,
      status,
      phase: phase === "done" && delivery.isPending ? "pending" : phase,
      reason: reasonIn(fields),
      undelivered: delivery.problem,
      response: rest,
    },
    addresses: field === undefined ? [] : addressesIn(fields, field),
    fields,
  };
}

/** Returns the addresses in a field. The field may be a text, a list of texts, or in the objects of a list. */
export function addressesIn(fields: Readonly<Record<string, unknown>>, path: string): string[] {
  const values = path.split(".").reduce<unknown[]>(
    (inner, name) => inner.flatMap((value) => fieldsOf(value)[name] ?? []),
    [fields],
  );
  return values.filter((each): each is string => typeof each === "string" && each !== "");
}

function phaseOf(word: string, { pending, done, failed, cancelled }: JobDescription): JobPhase {
  const name = word.toUpperCase();
  if (done.includes(name)) return "done";
  if (failed.includes(name)) return "failed";
  if (cancelled?.includes(name)) return "cancelled";
  return pending.includes(name) ? "pending" : "unknown";
}

function reasonIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const places = [fields, fieldsOf(fields["error"])];
  const words = places.flatMap((place) => REASONS.flatMap((name) => place[name] ?? []));
  const texts = words.map((word) => typeof word === "string" ? word : JSON.stringify(word));
  const given = [...new Set(texts)].filter((text) => text !== "");
  return given.length === 0 ? undefined : given.join(": ");
}

function deliveryOf(
  fields: Readonly<Record<string, unknown>>,
  { channels }: JobDescription,
): { readonly isPending: boolean; readonly problem: string | undefined } {
  const listed = channels === undefined ? [] : [fields[channels.field] ?? []].flat().map(fieldsOf);
  const channel = listed.find((one) => fieldsOf(one["channel"])["type"] === channels?.wanted);
  if (channel === undefined) return { isPending: false, problem: undefined };
  const state = String(channel["status"]);
  const isLost = state === "UNAVAILABLE" || state === "FAILED";
  const reason = typeof channel["statusReason"] === "string" ? `: ${channel["statusReason"]}` : "";
  return {
    isPending: state === "PENDING",
    problem: isLost ? `its channel ${channels?.wanted} is ${state}${reason}` : undefined,
  };
}

/** Creates the error for a job without a result. */
export function jobFailure({ description, look, kind, why, options }: JobProblem): JobFailedError {
  const { jobId, operation, status, reason } = look.status;
  const next = kind === "late"
    ? `. It may complete yet: jobs.wait("${jobId}") resumes waiting`
    : kind === "damaged"
    ? `. Fetch it again later by jobs.download("${jobId}")`
    : "";
  const message = `Cannot get the result of ${description.noun} "${jobId}": ${why}${next}`;
  return new JobFailedError(message, { operation, jobId, status, reason }, options);
}
