import { isObject } from "../../base/json/fields_of.ts";
import { parseJson } from "../../base/json/json.ts";
import type { JobRecord, StartedJob } from "../../client/jobs/job_ledger.ts";
import type { JobPlace } from "../../client/jobs/job_description.ts";
import type { JobReference, JobResult, JobRow } from "../../client/jobs/job_options.ts";
import type { JobFile } from "../../client/jobs/job_rows.ts";
import type { JobStatus } from "../../client/jobs/job_status.ts";
import type { WaitForJobOptions } from "../../client/jobs/wait_for_job.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { CALL_FIELDS } from "../model/call_fields.ts";
import type { Fields, InputOf } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

export interface JobContext
  extends ReadContext, Pick<WaitForJobOptions, "first" | "poll" | "maxPoll" | "onStatus"> {
  readonly onStart?: (job: StartedJob) => void;
  readonly onWarning?: (warning: string) => void;
}

export interface JobOutcome {
  readonly rows: AsyncIterable<JobRow>;
  readonly files: () => AsyncIterable<JobFile>;
}

const PLACE = {
  path_params: { ...CALL_FIELDS.path_params, isRare: true },
  query: { ...CALL_FIELDS.query, values: "word", isRare: true },
  headers: { ...CALL_FIELDS.headers, isRare: true },
} as const;
const STATUS = {
  type: "text",
  option: "status",
  isRare: true,
  value: "operation",
  help: "operation that returns the status, for a job that is not known",
} as const;
const ADDRESSES = {
  type: "text",
  option: "addresses",
  isRare: true,
  value: "field",
  help: "status field with the file addresses, for an unknown kind of job",
} as const;
const KNOWN_JOB = {
  job_id: { type: "text", value: "job", required: true, help: "id of the job" },
  operation: {
    type: "text",
    value: "operation",
    help: "operation that created it, if it was not started here",
  },
  ...PLACE,
  status_operation: STATUS,
  addresses: ADDRESSES,
} as const;
const TIMEOUT = {
  type: "whole",
  min: 1,
  option: "timeout",
  help: "minutes to wait",
  brief: "Minutes to wait",
  otherwise: "by job",
  isRare: true,
} as const;

export const jobRun = read({
  name: "ops job run",
  tool: "run_job",
  title: "Run a long job",
  summary: "Run a long job: create it, wait, and print its rows",
  details:
    "Known jobs: exports, brand metrics, DSP reports, clean-room queries, marketing mix reports, reach curves and " +
    "model data exports. If the same job is still being built, it is reused, even after a crash. Jobs that change " +
    "the account, such as audiences and uploads, are refused: plan them with adsctl plan call.",
  brief: "Runs a long job such as v1-exports:CampaignExport and returns its rows. Also path_params, query, " +
    "headers: values by name. Repeat the call to resume.",
  examples: [
    { input: { operation: "v1-exports:CampaignExport" }, about: "export the campaigns" },
    {
      input: {
        operation: "v1-exports:TargetExport",
        body: '{"adProductFilter":["SPONSORED_PRODUCTS"],"stateFilter":["ENABLED"]}',
      },
      about: "export enabled targets of Sponsored Products",
    },
  ],
  library: 'const { rows } = await profile.jobs.run("v1-exports:CampaignExport", {})',
  input: {
    operation: {
      type: "text",
      value: "operation",
      required: true,
      help: "operation that creates it, <api>:<operationId>",
      brief: "Id",
    },
    body: { type: "text", value: "json", help: "body as JSON", brief: "JSON text" },
    ...PLACE,
    status_operation: STATUS,
    addresses: ADDRESSES,
    timeout: TIMEOUT,
    again: { type: "switch", isRare: true, help: "create it even if the same one is still being built" },
  },
  async check({ operation, body }) {
    await refuseChanges(operation);
    bodyOf(body);
  },
  async run(
    { profile, signal, ...waiting }: JobContext,
    { operation, body, status_operation: status, addresses, timeout, again, ...place },
  ): Promise<JobResult> {
    await refuseChanges(operation);
    return await profile.jobs.run(operation, bodyOf(body), {
      ...placeOf(place),
      ...waiting,
      signal,
      again,
      ...(status === undefined ? {} : { status }),
      ...(addresses === undefined ? {} : { addresses }),
      ...(timeout === undefined ? {} : { timeout: timeout * 60 }),
    });
  },
});

export const jobStatus = read({
  name: "ops job status",
  isForPeople: true,
  title: "Look at a job",
  summary: "Print the status of a job",
  details: "Prints the platform's word and reason. A job that another machine started needs its operation.",
  brief: "Status of a job.",
  examples: [{ input: { job_id: "0b5d6a52" }, about: "look at a job that was started here" }],
  library: "await profile.jobs.status(jobId)",
  input: KNOWN_JOB,
  run: ({ profile, signal }: JobContext, input): Promise<JobStatus> =>
    profile.jobs.status(reference(input), { signal }),
});

export const jobWait = read({
  name: "ops job wait",
  isForPeople: true,
  title: "Wait for a job",
  summary: "Wait until a job is completed",
  details: "Exit code 1 if the job fails or is not completed in time.",
  brief: "Waits for a job.",
  examples: [{ input: { job_id: "0b5d6a52", timeout: 30 }, about: "wait for at most 30 minutes" }],
  library: "await profile.jobs.wait(jobId)",
  input: { ...KNOWN_JOB, timeout: TIMEOUT },
  run: ({ profile, signal, ...waiting }: JobContext, { timeout, ...input }): Promise<JobStatus> =>
    profile.jobs.wait(reference(input), {
      ...waiting,
      signal,
      ...(timeout === undefined ? {} : { timeout: timeout * 60 }),
    }),
});

export const jobDownload = read({
  name: "ops job download",
  isForPeople: true,
  title: "Download a job",
  summary: "Print the rows of a completed job",
  details:
    "Requests a new address of its files each time. Files that are not tables need --out with a folder.",
  brief: "Rows of a completed job.",
  examples: [{ input: { job_id: "0b5d6a52" }, about: "print its rows" }],
  library: "for await (const row of profile.jobs.download(jobId)) { ... }",
  input: KNOWN_JOB,
  run: ({ profile, signal }: JobContext, input): Promise<JobOutcome> =>
    Promise.resolve({
      rows: profile.jobs.download(reference(input), { signal }),
      files: () => profile.jobs.files(reference(input), { signal }),
    }),
});

export const jobCancel = read({
  name: "ops job cancel",
  isForPeople: true,
  title: "Cancel a job",
  summary: "Cancel a job that is not completed yet",
  details:
    "Prints the status, as the job may be done already. Exports, brand metrics and DSP reports can't be cancelled.",
  brief: "Cancels a job.",
  examples: [{ input: { job_id: "0b5d6a52" }, about: "cancel it" }],
  library: "await profile.jobs.cancel(jobId)",
  input: KNOWN_JOB,
  run: ({ profile, signal }: JobContext, input): Promise<JobStatus> =>
    profile.jobs.cancel(reference(input), { signal }),
});

export const jobList = read({
  name: "ops job list",
  isForPeople: true,
  title: "List jobs",
  summary: "List jobs that were started on this machine",
  details: "Reads no more than the folder of jobs; ops job status asks the platform.",
  brief: "Jobs that were started here.",
  examples: [{ input: {}, about: "list the jobs of a profile" }],
  library: "await profile.jobs.list()",
  input: {},
  run: ({ profile }: JobContext): Promise<readonly JobRecord[]> => profile.jobs.list(),
});

/** Says what a job does to the account. An operation without a described job is judged by the catalog. */
export async function effectOfJob(
  operation: string,
): Promise<{ readonly id: string; readonly effect: "reads" | "changes" | "unknown" }> {
  const { describedJob } = await import("../../client/jobs/descriptions.ts");
  const { id, readOnly } = await catalog.get(operation);
  const job = describedJob(id);
  if (job !== undefined) return { id, effect: job.changesAccount === true ? "changes" : "reads" };
  return { id, effect: readOnly ? "reads" : "unknown" };
}

async function refuseChanges(operation: string): Promise<void> {
  const { id, effect } = await effectOfJob(operation);
  if (effect !== "changes") return;
  throw new TypeError(
    `Cannot run "${id}" as a job: it changes the account. Plan it with adsctl plan call ${id}, apply the plan, and ` +
      `wait with adsctl ops job wait ID --operation ${id}`,
  );
}

function bodyOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    throw new TypeError(`Cannot read the body: it is not JSON (${(cause as Error).message})`, { cause });
  }
}

type PlaceInput = InputOf<typeof PLACE>;

function placeOf({ path_params: pathParams, query, headers }: PlaceInput): JobPlace {
  return {
    ...(pathParams === undefined ? {} : { pathParams }),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
  };
}

function reference(
  { job_id: jobId, operation, status_operation: status, addresses, ...place }: PlaceInput & {
    readonly job_id: string;
    readonly operation?: string | undefined;
    readonly status_operation?: string | undefined;
    readonly addresses?: string | undefined;
  },
): JobReference {
  if (operation === undefined) return jobId;
  const names = {
    ...(status === undefined ? {} : { status }),
    ...(addresses === undefined ? {} : { addresses }),
  };
  return { jobId, operation, ...placeOf(place), ...names };
}

function read<const Of extends Fields, Result>(
  operation: Omit<Operation<Of, JobContext, Result>, "effect">,
): Operation<Of, JobContext, Result> & { readonly effect: "read" } {
  return { ...operation, effect: "read" };
}

export function flatRow(row: JobRow): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean" || typeof value === "string" || value === null
        ? value
        : value === undefined
        ? null
        : isObject(value) || Array.isArray(value)
        ? JSON.stringify(value)
        : String(value),
    ]),
  );
}
