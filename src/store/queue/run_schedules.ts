import { parseCronItem, type Task } from "graphile-worker";
import type { PlatformAds } from "../../client/platform_ads.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import type { ScheduleSelection } from "./queue_status.ts";
import { driftJobSpec, isOtherPart, SYNC_TASK, type SyncJob, syncJobSpec, wantedParts } from "./sync_job.ts";
import { databaseClock } from "./queue_utils.ts";
import type { LogSink } from "./worker_log.ts";

export const SCHEDULES_TASK = "platform_ads_schedules";

/** Runs the schedules on one worker. Profiles are listed when a schedule runs, so new ones are included. */
export function runSchedules(parts: { sql: Sql; ads: PlatformAds; log: LogSink }): Task {
  const { sql, ads, log } = parts;
  return async (payload, helpers) => {
    const { _cron } = payload as { _cron: { ts: string } };
    const schedules = await sql`SELECT id, cron, selection FROM schedules ORDER BY id`;
    for (const { id, cron, selection } of schedules) {
      if (!isDue(String(cron), new Date(_cron.ts))) continue;
      const wanted = JSON.parse(String(selection)) as ScheduleSelection;
      const { profileIds, reports, entitySource, restateDays, reporting, drift } = wanted;
      const profiles = (await ads.profiles({ refresh: true }))
        .filter(({ profileId }) => profileIds === null || profileIds.includes(profileId));
      const enqueuedAt = new Date((await databaseClock(sql))()).toISOString();
      const jobs = profiles.flatMap(({ profileId, countryCode }) => {
        const names = [...reports, ...wantedParts(wanted)];
        const syncs = names.map((report): SyncJob => ({
          profileId,
          countryCode,
          report,
          restateDays,
          ...(isOtherPart(report) || reporting === undefined ? {} : { reporting }),
          ...(report === "entities" && entitySource !== undefined ? { entitySource } : {}),
          enqueuedAt,
        }));
        const drifts = drift === undefined ? [] : [{ profileId, countryCode, ...drift, enqueuedAt }];
        return [...syncs.map(syncJobSpec), ...drifts.map(driftJobSpec)];
      });
      await helpers.addJobs(jobs);
      log({ level: "info", event: "schedule_due", schedule: id, cron, jobs: jobs.length });
    }
  };
}

export function isDue(cron: string, time: Date): boolean {
  return parseCronItem({ task: SYNC_TASK, match: cron }).match({
    min: time.getUTCMinutes(),
    hour: time.getUTCHours(),
    date: time.getUTCDate(),
    month: time.getUTCMonth() + 1,
    dow: time.getUTCDay(),
  });
}
