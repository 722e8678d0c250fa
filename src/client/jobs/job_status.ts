import { unexpectedResponse } from "../../platform/transport/unexpected_response.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { JobFailedError } from "../../errors.ts";
import type { JobDescription } from "./job_description.ts";

/** Phase of a job: `unknown` for a status word that this version does not know. */
export type JobPhase = "pending" | "done" | "failed" | "cancelled" | "unknown";

/** Status of a job from the platform. */
export interface JobStatus {
  /** The platform's id of the job. */
  readonly jobId: string;
  /** Operation that created it. */
  readonly operation: string;
  /** The platform's status word. */
  readonly status: string;
  /** Meaning of the word. */
  readonly phase: JobPhase;
  /** The platform's words about it; `undefined` without any. */
  readonly reason: string | undefined;
  /** Why a completed job has no result, in the platform's words. */
  readonly undelivered: string | undefined;
  /** The platform's response without addresses of files. */
  readonly response: Readonly<Record<string, unknown>>;
}

/** A status with the addresses of its files, which are never kept. */
export interface JobLook {
  readonly status: JobStatus;
  readonly addresses: readonly string[];
}

/** Fields in which the platform gives reasons. */
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

/** The job in a response, with or without its envelope. */
export function jobIn(response: unknown, { envelope }: JobDescription): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(response);
  const inner = envelope === undefined ? undefined : fields[envelope];
  return typeof inner === "object" && inner !== null ? fieldsOf(inner) : fields;
}

/** Id of the job that a response names. */
export function jobIdIn(response: unknown, description: JobDescription): string | undefined {
  const id = jobIn(response, description)[description.id ?? description.idParam];
  return ["string", "number", "bigint"].includes(typeof id) && id !== "" ? String(id) : undefined;
}

/**
 * Reads the platform's response about a job.
 *
 * @param known Its id, where the response does not repeat it.
 * @throws {UnexpectedResponseError} without an id or a status.
 */
export function readJob(response: unknown, description: JobDescription, known?: string): JobLook {
  const fields = jobIn(response, description);
  const jobId = known ?? jobIdIn(response, description);
  const word = fields[description.word ?? "status"];
  if (jobId === undefined || typeof word !== "string" || word === "") {
    throw unexpectedResponse(
      response,
      `Cannot read the response about a ${description.noun}: its id or status is missing`,
    );
  }
  const status = word;
  const { output, operation } = description;
  const field = output?.operation === undefined ? output?.addresses : undefined;
  const { [field ?? ""]: address, ...rest } = fields;
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
    addresses: addressesIn(address),
  };
}

/** The addresses in a field: a text, or a list of texts. */
export function addressesIn(value: unknown): string[] {
  return [value].flat().filter((each): each is string => typeof each === "string" && each !== "");
}

function phaseOf(word: string, { pending, done, failed, cancelled }: JobDescription): JobPhase {
  const name = word.toUpperCase();
  if (done.includes(name)) return "done";
  if (failed.includes(name)) return "failed";
  if (cancelled?.includes(name)) return "cancelled";
  return pending.includes(name) ? "pending" : "unknown";
}

/** The platform's reasons in a response, each once. */
function reasonIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const places = [fields, fieldsOf(fields["error"])];
  const words = places.flatMap((place) => REASONS.flatMap((name) => place[name] ?? []));
  const texts = words.map((word) => typeof word === "string" ? word : JSON.stringify(word));
  const given = [...new Set(texts)].filter((text) => text !== "");
  return given.length === 0 ? undefined : given.join(": ");
}

/** State of the channel that must deliver the result. */
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

/** The error of a job without a result. */
export function jobFailure(
  { jobId, operation, status, reason }: Pick<JobStatus, "jobId" | "operation" | "status" | "reason">,
  description: JobDescription,
  why: string,
  options?: ErrorOptions,
): JobFailedError {
  const message = `Cannot get the result of ${description.noun} "${jobId}": ${why}`;
  return new JobFailedError(message, { operation, jobId, status, reason }, options);
}
