import type { EntitySourceChoice } from "../sync/options/choose_source.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import { JOB_TASKS, MAX_ATTEMPTS, PLAN_TASK } from "./sync_job.ts";

/** Numbers of jobs by state. */
export interface JobCounts {
  /** Ready, or with a time to come. */
  readonly waiting: number;
  /** Taken by a worker. */
  readonly running: number;
  /** Failed before, and will be tried again. */
  readonly retrying: number;
  /** Jobs that failed too often; not retried until they are put on the queue anew. */
  readonly gave_up: number;
}

/** A job that failed at its last attempt. */
export interface FailedJob {
  /** Profile that the job is for, digits as text. */
  readonly profileId: string;
  /** Name of the preset, for example `sp_placement`; the id of the plan, or `drift`. */
  readonly report: string;
  /** Times it was tried. */
  readonly attempts: number;
  /** True when it is not retried any more. */
  readonly gaveUp: boolean;
  /** When it is tried again, ISO 8601; `null` when it is not. */
  readonly nextAt: string | null;
  /** Why it failed the last time. */
  readonly problem: string;
}

/** A worker that lives. */
export interface ListedWorker {
  /** Unique among all workers, those that ended included. */
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
  /** Number of its process there. */
  readonly processId: number;
  /** When it started, ISO 8601. */
  readonly startedAt: string;
  /** `working`, or `draining` when it takes no more jobs. */
  readonly state: string;
  /** Reports it is bringing up to date. */
  readonly reports: number;
  /** Rows it has stored. */
  readonly rows: number;
}

/** A sync that is put on the queue again and again. */
export interface Schedule {
  /** Id: the same selection has the same. */
  readonly id: string;
  /** When, in UTC: minute, hour, day, month, weekday. */
  readonly cron: string;
  /** Work and profiles of the schedule. */
  readonly selection: ScheduleSelection;
}

/** Reports and profiles that a schedule brings up to date. */
export interface ScheduleSelection {
  /** Profiles; `null` for all that the login reaches at the time. */
  readonly profileIds: readonly string[] | null;
  /** Names of presets. */
  readonly reports: readonly string[];
  /** True where the entities of the profiles are brought up to date too. @default false */
  readonly entities?: boolean | undefined;
  /** True where the last 14 days are stored by hour too. @default false */
  readonly hours?: boolean | undefined;
  /** True where whole months are stored too. @default false */
  readonly months?: boolean | undefined;
  /** How entities are read. @default "auto" */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** Days before the newest stored one that are pulled again. */
  readonly restateDays?: number | undefined;
  /** The reporting API that is asked, where it is not version 3. */
  readonly reporting?: 1 | undefined;
  /** Looks for changes that are not ours; `ignore` names kinds and fields that do not matter. @default not */
  readonly drift?: { readonly ignore: readonly string[] } | undefined;
}

/** A rollout on the queue. */
export interface RolloutCounts {
  /** Id: the same plans have the same. */
  readonly id: string;
  /** Why it was made. */
  readonly note: string | null;
  /** `running`, `stopped` or `done`. */
  readonly state: string;
  /** Why nothing more is begun; `null` when it goes on. */
  readonly stopped: string | null;
  /** Plans by their state. */
  readonly plans: Readonly<Record<string, number>>;
}

/** Jobs of the queue by state, and the workers that take them. */
export interface QueueStatus {
  /** Jobs by state. */
  readonly jobs: JobCounts;
  /** Jobs that failed, those that were given up first. At most a hundred. */
  readonly troubled: readonly FailedJob[];
  /** Workers that give signs of life. */
  readonly workers: readonly ListedWorker[];
  /** Selections that are put on the queue by the clock. */
  readonly schedules: readonly Schedule[];
  /** Rollouts that are not at their end. */
  readonly rollouts: readonly RolloutCounts[];
}

const STATE = `CASE
  WHEN locked_at IS NOT NULL THEN 'running'
  WHEN attempts >= max_attempts THEN 'gave_up'
  WHEN attempts > 0 THEN 'retrying'
  ELSE 'waiting' END`;

/** Counts jobs. One without a key was replaced while it ran and counts only while it runs. */
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
