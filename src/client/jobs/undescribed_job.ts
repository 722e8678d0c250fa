import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { UNPUBLISHED } from "./descriptions.ts";
import type { JobDescription } from "./job_description.ts";

const WORDS = {
  pending: ["PENDING", "QUEUED", "SUBMITTED", "REQUESTED", "CREATED", "IN_PROGRESS", "PROCESSING", "RUNNING"],
  done: ["COMPLETE", "COMPLETED", "SUCCESS", "SUCCEEDED", "SUCCESSFUL", "ACTIVE", "AVAILABLE", "DONE"],
  failed: ["FAILED", "FAILURE", "ERROR", "REJECTED", "EXPIRED"],
  cancelled: ["CANCELLED", "CANCELED"],
};

/** Status operation, status words and result field of a job without a built-in description. */
export interface JobNames {
  /** Operation that returns the job's status. */
  readonly status: string;
  /** Status words of a completed job, in addition to the usual ones. */
  readonly done?: readonly string[] | undefined;
  /** Status words of a failed job, in addition to the usual ones. */
  readonly failed?: readonly string[] | undefined;
  /**
   * Field of the status with the address of the result file, or a list of addresses. @default its status is the result
   */
  readonly addresses?: string | undefined;
}

/**
 * Describes a job from its operations. The id is taken to be the last placeholder in the status path, and the usual
 * status words are assumed.
 *
 * @throws {TypeError} when the status operation has no id or is not a GET.
 */
export async function undescribedJob(operation: string, names: JobNames): Promise<JobDescription> {
  const [create, status] = await Promise.all([catalog.get(operation), catalog.get(names.status)]);
  const idParam = status.pathParams.at(-1);
  if (idParam === undefined || create.pathParams.includes(idParam) || status.method !== "GET") {
    throw new TypeError(
      `Cannot run "${create.id}" with "${status.id}": that operation does not read one job by its id`,
    );
  }
  return {
    operation: create.id,
    noun: "job",
    status: status.id,
    idParam,
    ...WORDS,
    done: [...WORDS.done, ...names.done ?? []].map((word) => word.toUpperCase()),
    failed: [...WORDS.failed, ...names.failed ?? []].map((word) => word.toUpperCase()),
    rhythm: UNPUBLISHED,
    ...(names.addresses === undefined ? {} : { output: { addresses: names.addresses } }),
    twice: "counts",
    ...(create.readOnly ? {} : { changesAccount: true }),
  };
}

export async function statusCandidates(create: Operation): Promise<string[]> {
  const found = await catalog.search("", { api: create.api, limit: 1000 });
  return found.filter(({ method, path }) =>
    method === "GET" && path.startsWith(`${create.path}/{`) && path.split("{").length ===
      create.path.split("{").length + 1
  ).map(({ id }) => id);
}
