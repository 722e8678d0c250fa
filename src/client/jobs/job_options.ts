import type { JobPlace } from "./job_description.ts";
import type { StartedJob } from "./job_ledger.ts";
import type { JobFile } from "./job_rows.ts";
import type { JobStatus } from "./job_status.ts";
import type { StartJobOptions } from "./start_job.ts";
import type { JobNames } from "./undescribed_job.ts";
import type { WaitForJobOptions } from "./wait_for_job.ts";

/** A row of a job's result: values by name, in the platform's spelling. Ids are text. */
export type JobRow = Readonly<Record<string, unknown>>;

/** Options for starting a job: call options, and the status operation if the job has no built-in description. */
export type StartOptions = JobPlace & StartJobOptions & Partial<JobNames>;

/** Options for starting a job and waiting for its result. */
export interface RunJobOptions extends StartOptions, WaitForJobOptions {
  /** Called once the job has been requested, or an earlier one was found. */
  readonly onStart?: ((job: StartedJob) => void) | undefined;
}

/** Identifies a job by its id, together with the operation that created it if the job is not in the ledger. */
export type JobReference =
  | string
  | ({ readonly jobId: string; readonly operation: string } & JobPlace & Partial<JobNames>);

/** A completed job. */
export interface JobResult {
  /** The platform's id. */
  readonly jobId: string;
  /** True if an identical earlier job was reused. */
  readonly adopted: boolean;
  /** The platform's last status. */
  readonly status: JobStatus;
  /** Rows of the result, streamed in bounded memory. */
  readonly rows: AsyncIterable<JobRow>;
  /** Returns the files of the result, if it is not a table. */
  readonly files: () => AsyncIterable<JobFile>;
}
