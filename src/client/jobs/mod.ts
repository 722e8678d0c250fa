/**
 * Types of long jobs.
 *
 * @module
 */
export type { JobDescription, JobOutput, JobPlace, JobRhythm, JobSearch } from "./job_description.ts";
export type { JobLedger, JobRecord, JobState, StartedJob } from "./job_ledger.ts";
export type { JobReference, JobResult, JobRow, RunJobOptions, StartOptions } from "./job_options.ts";
export type { JobFile } from "./job_rows.ts";
export type { JobPhase, JobStatus } from "./job_status.ts";
export type { StartJobOptions } from "./start_job.ts";
export type { JobNames } from "./undescribed_job.ts";
export type { WaitForJobOptions } from "./wait_for_job.ts";
export type { CreateJobOptions } from "./create_job.ts";
export type { PollOptions } from "./poller.ts";
