import type { JobResult, RunJobOptions, StartOptions } from "../jobs/job_options.ts";
import type { StartedJob } from "../jobs/job_ledger.ts";
import type { WaitForJobOptions } from "../jobs/wait_for_job.ts";

interface RoomCallOptions {
  readonly pathParams?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface RoomAccount {
  call(operation: string, options: RoomCallOptions): Promise<unknown>;
  pages(operation: string, options: RoomCallOptions): AsyncIterable<unknown>;
  readonly jobs: {
    run(operation: string, body: unknown, options: RunJobOptions): Promise<JobResult>;
    start(operation: string, body: unknown, options: StartOptions): Promise<StartedJob>;
    wait(jobId: string, options: WaitForJobOptions): Promise<unknown>;
  };
}
