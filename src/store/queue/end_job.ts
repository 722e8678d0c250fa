import type { AddJobsJobSpec, JobHelpers, Task, TaskList } from "graphile-worker";
import type { Database } from "../postgres/database.ts";
import { retryWhileUnavailable } from "../postgres/postgres_error.ts";
import { LeaseLostError } from "./lease.ts";
import type { LogSink } from "./worker_log.ts";

export type QueueTask = (
  payload: unknown,
  helpers: Pick<JobHelpers, "job">,
) => Promise<AddJobsJobSpec | void>;

interface JobAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly revision: number;
}

interface EndingParts {
  readonly database: Pick<Database, "transaction">;
  readonly log: LogSink;
  readonly databaseAnswers: () => Promise<void>;
}

/**
 * Ends a job only for its own attempt. The queue library deletes jobs by id alone, even if another worker has the job
 * by then.
 */
export function taskListOf(tasks: Readonly<Record<string, QueueTask>>, parts: EndingParts): TaskList {
  const ending = (task: QueueTask): Task => async (payload, helpers) => {
    const { id, attempts: attempt, revision } = helpers.job;
    try {
      const next = await task(payload, helpers);
      await endJob(parts.database, { id, attempt, revision }, next ?? undefined).catch((error) => {
        parts.log({
          level: "warn",
          event: "job_not_ended",
          job: id,
          attempt,
          error: (error as Error).message,
        });
        throw error;
      });
    } finally {
      await parts.databaseAnswers();
    }
  };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, ending(task)]));
}

/**
 * Queues the next job in the same transaction, unless one with its key is queued already.
 *
 * @throws {LeaseLostError} when a later attempt has the job or may take it; nothing is changed then.
 */
async function endJob(
  database: Pick<Database, "transaction">,
  { id, attempt, revision }: JobAttempt,
  next: AddJobsJobSpec | undefined,
): Promise<void> {
  await retryWhileUnavailable(() =>
    database.transaction(async (sql) => {
      // A job that was replaced while it ran has no key and is not tried again.
      const [ended] = await sql`
        DELETE FROM graphile_worker._private_jobs
        WHERE id = ${id}::bigint AND locked_at IS NOT NULL AND (key IS NULL OR (attempts, revision) = (${attempt}::int, ${revision}::int))
        RETURNING key`;
      if (ended === undefined) {
        throw new LeaseLostError(
          `Cannot end job ${id}: this worker was silent for too long, so another attempt took over`,
        );
      }
      if (next === undefined || ended["key"] === null) return;
      const { identifier, payload, jobKey, maxAttempts, runAt } = next;
      await sql`
        SELECT graphile_worker.add_job(
          identifier => ${identifier}, payload => ${JSON.stringify(payload)}::json, job_key => ${
        jobKey ?? null
      }::text,
          max_attempts => ${maxAttempts ?? null}::int, run_at => ${
        runAt?.toISOString() ?? null
      }::timestamptz)`;
    })
  );
}
