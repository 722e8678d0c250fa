import type { CallTarget } from "./calls/send_call.ts";
import type { JobDescription } from "./jobs/job_description.ts";
import type { JobLedger, JobRecord, StartedJob } from "./jobs/job_ledger.ts";
import type { JobReference, JobResult, JobRow, RunJobOptions, StartOptions } from "./jobs/job_options.ts";
import type { JobFile } from "./jobs/job_rows.ts";
import type { JobStatus } from "./jobs/job_status.ts";
import type { WaitForJobOptions } from "./jobs/wait_for_job.ts";
import type { JobWork } from "./job_work.ts";

export type JobLedgerSource = () => Promise<JobLedger>;

/**
 * Long-running jobs of the platform, available as `profile.jobs` and `account.jobs`: clean-room queries, DSP reports,
 * brand metrics, exports and others. A job is recorded before it is requested, so that it is not requested twice, and
 * can be resumed by its id.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function brands(us: ProfileClient): Promise<void> {
 *   const { rows } = await us.jobs.run("brand-metrics:generateBrandMetricsReport", { lookBackPeriod: "1w" });
 *   for await (const row of rows) console.log(row.brandName, row.categoryNodeName);
 * }
 * ```
 */
export class Jobs {
  readonly #target: CallTarget;
  readonly #ledger: JobLedgerSource;

  /**
   * Called by `PlatformAds`; not meant to be called directly.
   *
   * @param target Where requests go.
   * @param ledger Keeps the jobs.
   */
  constructor(target: CallTarget, ledger: JobLedgerSource) {
    this.#target = target;
    this.#ledger = ledger;
  }

  /**
   * Requests a job, waits for it and returns its result. If an identical job is in progress, it is used instead.
   *
   * @param operation Operation that creates it.
   * @param body Its body.
   * @throws {JobFailedError} if it fails, takes too long, or its result is not delivered.
   */
  async run(operation: string, body?: unknown, options: RunJobOptions = {}): Promise<JobResult> {
    return await (await this.#work()).run(operation, body, options);
  }

  /** Requests a job and returns its record, or the record of an identical job in progress. */
  async start(operation: string, body?: unknown, options: StartOptions = {}): Promise<StartedJob> {
    return await (await this.#work()).start(operation, body, options);
  }

  /** Requests the current status of a job. */
  async status(job: JobReference, options: { readonly signal?: AbortSignal } = {}): Promise<JobStatus> {
    return await (await this.#work()).status(job, options);
  }

  /**
   * Waits until a job is completed.
   *
   * @throws {JobFailedError} if it fails, is cancelled, or is not completed in time.
   */
  async wait(job: JobReference, options: WaitForJobOptions = {}): Promise<JobStatus> {
    return await (await this.#work()).wait(job, options);
  }

  /** Yields the rows of a completed job as they arrive. */
  async *download(
    job: JobReference,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<JobRow> {
    yield* (await this.#work()).download(job, options);
  }

  /** Yields the files of a completed job; each must be read before the next. */
  async *files(
    job: JobReference,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<JobFile> {
    yield* (await this.#work()).files(job, options);
  }

  /**
   * Cancels a job and returns its status, which shows whether the request came in time.
   *
   * @throws {TypeError} for a job that the platform cannot cancel.
   */
  async cancel(job: JobReference, options: { readonly signal?: AbortSignal } = {}): Promise<JobStatus> {
    return await (await this.#work()).cancel(job, options);
  }

  /** Returns the recorded jobs of this profile or account, newest first. */
  async list(): Promise<readonly JobRecord[]> {
    return await (await this.#work()).list();
  }

  /** Returns the descriptions of known jobs, by the operation that creates them. */
  async described(): Promise<readonly JobDescription[]> {
    return (await import("./jobs/descriptions.ts")).JOBS;
  }

  async #work(): Promise<JobWork> {
    const { JobWork } = await import("./job_work.ts");
    return new JobWork(this.#target, await this.#ledger());
  }
}
