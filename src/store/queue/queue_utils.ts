import { Logger, makeWorkerUtils, type WorkerUtils } from "graphile-worker";
import type { Database } from "../postgres/database.ts";
import { underMigrationLock } from "../postgres/schema.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import { JOB_TASKS } from "./sync_job.ts";

export function queueUtils(database: Database): Promise<WorkerUtils> {
  return underMigrationLock(
    database,
    () => makeWorkerUtils({ pgPool: database.pool, logger: quietLogger }),
  );
}

/** Unlocks dead workers' jobs. Attempts ended by their deaths do not count. */
export async function unlockJobs(
  database: Pick<Database, "transaction">,
  pools: readonly string[],
): Promise<void> {
  const list = pools.join(",");
  await database.transaction(async (sql) => {
    await sql`
      UPDATE graphile_worker._private_jobs SET max_attempts = least(max_attempts + 1, 32767)
      WHERE locked_by = ANY (string_to_array(${list}, ',')) AND key IS NOT NULL`;
    await sql`SELECT graphile_worker.force_unlock_workers(string_to_array(${list}, ','))`;
  });
}

const DEAD_DAYS = 30;

export async function forgetDeadJobs(sql: Sql): Promise<void> {
  await sql`
    SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
    WHERE task_identifier = ANY (string_to_array(${JOB_TASKS}, ',')) AND locked_at IS NULL AND attempts >= max_attempts
      AND (key IS NULL OR updated_at < now() - ${DEAD_DAYS} * interval '1 day')
    HAVING count(*) > 0`;
}

/** The database's clock in epoch milliseconds: workers' clocks differ. */
export async function databaseClock(sql: Sql): Promise<() => number> {
  const [row] = await sql`SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now`;
  const offset = Number(row?.["now"]) - performance.now();
  return () => offset + performance.now();
}

export function applicationName(processName: string): string {
  return `platform-ads worker ${processName}`;
}

/** Silent, because the worker has its own log. */
export const quietLogger: Logger = new Logger(() => () => {});
