import type { EntitySourceChoice } from "../sync/choose_source.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import { JOB_TASKS, MAX_ATTEMPTS, PLAN_TASK } from "./sync_job.ts";

/** Numbers of jobs by state. */
export interface JobCounts {
  /** Number of jobs that are ready or due later. */
  readonly waiting: number;
  /** Number of jobs taken by a worker. */
  readonly running: number;
  /** Number of jobs that failed before and will be retried. */
  readonly retrying: number;
  /** Number of jobs that failed too often; not retried until they are put on the queue again. */
  readonly gave_up: number;
}

/** A job that failed at its last attempt. */
export interface FailedJob {
  /** Profile that the job is for, digits as text. */
  readonly profileId: string;
  /** Name of the preset, for example `sp_placement`; the id of the plan, or `drift`. */
  readonly report: string;
  /** Number of attempts. */
  readonly attempts: number;
  /** True if the job is no longer retried. */
  readonly gaveUp: boolean;
  /** Time of the next attempt, ISO 8601; `null` if there is none. */
  readonly nextAt: string | null;
  /** Reason for the last failure. */
  readonly problem: string;
}

/** A live worker. */
export interface ListedWorker {
  /** Id, unique among all workers, including those that have ended. */
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
  /** Process id on that machine. */
  readonly processId: number;
  /** When it started, ISO 8601. */
  readonly startedAt: string;
  /** `working`, or `draining` when it takes no more jobs. */
  readonly state: string;
  /** Number of reports that the worker is bringing up to date. */
  readonly reports: number;
  /** Number of rows that the worker has stored. */
  readonly rows: number;
}

/** A sync that is put on the queue at regular times. */
export interface Schedule {
  /** Id; equal selections have the same id. */
  readonly id: string;
  /** Cron expression in UTC: minute, hour, day, month, weekday. */
  readonly cron: string;
  /** Reports and profiles that the schedule brings up to date, and whether entities and hours are included. */
  readonly selection: ScheduleSelection;
}

/** Reports and profiles that a schedule brings up to date. */
export interface ScheduleSelection {
  /** Profile ids; `null` for all that the login can access at the time. */
  readonly profileIds: readonly string[] | null;
  /** Names of presets. */
  readonly reports: readonly string[];
  /** True to also bring the entities of the profiles up to date. @default false */
  readonly entities?: boolean | undefined;
  /** True to also store the last 14 days by hour. @default false */
  readonly hours?: boolean | undefined;
  /** True to also store whole months. @default false */
  readonly months?: boolean | undefined;
  /** Method of reading entities. @default "auto" */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** Number of days before the newest stored day to pull again. */
  readonly restateDays?: number | undefined;
  /** Reporting API to use, if it is not version 3. */
  readonly reporting?: 1 | undefined;
  /** Checks for changes that were not made by plans; `ignore` lists kinds and fields to skip. @default not */
  readonly drift?: { readonly ignore: readonly string[] } | undefined;
}

/** A rollout on the queue. */
export interface RolloutCounts {
  /** Id of the rollout; the same plans always give the same id. */
  readonly id: string;
  /** Reason for the rollout. */
  readonly note: string | null;
  /** `running`, `stopped` or `done`. */
  readonly state: string;
  /** Reason why no more plans are started; `null` while it continues. */
  readonly stopped: string | null;
  /** Number of plans by state. */
  readonly plans: Readonly<Record<string, number>>;
}

/** Jobs of the queue by state, and the workers that take them. */
export interface QueueStatus {
  /** Jobs by state. */
  readonly jobs: JobCounts;
  /** Failed jobs, at most 100, starting with jobs that are no longer retried. */
  readonly troubled: readonly FailedJob[];
  /** Live workers. */
  readonly workers: readonly ListedWorker[];
  /** Selections that are put on the queue on a schedule. */
  readonly schedules: readonly Schedule[];
  /** Unfinished rollouts. */
  readonly rollouts: readonly RolloutCounts[];
}

const STATE = `CASE
  WHEN locked_at IS NOT NULL THEN 'running'
  WHEN attempts >= max_attempts THEN 'gave_up'
  WHEN attempts > 0 THEN 'retrying'
  ELSE 'waiting' END`;

export async function jobCounts(sql: Sql): Promise<JobCounts> {
  const rows = await sql.text(
    `SELECT ${STATE} AS state, count(*) AS jobs FROM graphile_worker.jobs
     WHERE task_identifier = ANY (string_to_array($1, ',')) AND (key IS NOT NULL OR locked_at IS NOT NULL) GROUP BY 1`,
    [JOB_TASKS],
  );
  const counts = Object.fromEntries(rows.map((row) => [String(row["state"]), Number(row["jobs"])]));
  return { waiting: 0, running: 0, retrying: 0, gave_up: 0, ...counts };
}

export async function queueStatus(sql: Sql): Promise<QueueStatus> {
  const troubled = await sql`
    SELECT key, attempts, locked_at IS NULL AND attempts >= max_attempts AS gave_up, run_at,
      coalesce(last_error, greatest(1, max_attempts - ${MAX_ATTEMPTS}::int) || ' workers ended in the middle of it') AS last_error
    FROM graphile_worker.jobs
    WHERE task_identifier = ANY (string_to_array(${JOB_TASKS}, ',')) AND key IS NOT NULL
      AND (locked_at IS NULL AND attempts > 0 OR max_attempts > ${MAX_ATTEMPTS}::int)
    UNION ALL
    SELECT ${PLAN_TASK} || ':' || profile_id || ':' || plan_id, 0, false, NULL, 'It has no job: a worker puts it back'
    FROM rollout_plans WHERE state IN ('queued', 'running') AND NOT EXISTS (
      SELECT 1 FROM graphile_worker.jobs WHERE key = ${PLAN_TASK} || ':' || profile_id || ':' || plan_id)
    ORDER BY gave_up DESC, run_at LIMIT 100`;
  const workers = await sql`
    SELECT id, host, process_id, started_at, state, rows,
      (SELECT count(*) FROM sync_leases WHERE worker_id = workers.id) AS reports
    FROM workers WHERE expires_at > now() ORDER BY started_at, id`;
  const schedules = await sql`SELECT id, cron, selection FROM schedules ORDER BY id`;
  const rollouts = await sql`
    SELECT id, note, rollouts.state, stopped, rollout_plans.state AS plan_state, count(*) AS plans
    FROM rollouts JOIN rollout_plans ON rollout_id = id WHERE rollouts.state <> 'done'
    GROUP BY 1, 2, 3, 4, 5 ORDER BY id, plan_state`;
  return {
    jobs: await jobCounts(sql),
    troubled: troubled.map((row) => {
      const [, profileId, report] = String(row["key"]).split(":") as [string, string, string];
      const gaveUp = row["gave_up"] === true;
      const nextAt = gaveUp || row["run_at"] === null ? null : String(row["run_at"]);
      return {
        profileId,
        report,
        attempts: Number(row["attempts"]),
        gaveUp,
        nextAt,
        problem: String(row["last_error"]),
      };
    }),
    workers: workers.map((row) => ({
      id: String(row["id"]),
      host: String(row["host"]),
      processId: Number(row["process_id"]),
      startedAt: String(row["started_at"]),
      state: String(row["state"]),
      reports: Number(row["reports"]),
      rows: Number(row["rows"]),
    })),
    schedules: schedules.map((row) => ({
      id: String(row["id"]),
      cron: String(row["cron"]),
      selection: JSON.parse(String(row["selection"])),
    })),
    rollouts: [...Map.groupBy(rollouts, ({ id }) => String(id))].map(([id, rows]) => ({
      id,
      note: textOrNull(rows[0]?.["note"]),
      state: String(rows[0]?.["state"]),
      stopped: textOrNull(rows[0]?.["stopped"]),
      plans: Object.fromEntries(rows.map((row) => [String(row["plan_state"]), Number(row["plans"])])),
    })),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
