import { importQueue } from "./import_queue.ts";
import type { QueueStatus } from "../../../../store/queue/queue_status.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import { queueAddress } from "../../shell/options/store_option.ts";

export const storeStatusCommand = command(
  (kit) =>
    kit.leaf("status", {
      summary: "Show the queue of a PostgreSQL store: jobs, workers, schedules, rollouts",
      details: "Exit code 3 if jobs have failed for good; queue them again with adsctl sync --enqueue.",
      examples: [["adsctl store status --store postgres://ads@db.internal/ads --json", "for a monitor"]],
      library: "const status = await queue.status()",
    })
      .option(
        "--store <address>",
        "postgres://USER:PASSWORD@HOST:PORT/DATABASE; otherwise PLATFORM_ADS_STORE",
      ),
  async (options, context) => {
    const { SyncQueue } = await importQueue();
    const queue = await SyncQueue.open(queueAddress(options.store, context));
    try {
      const status = await queue.status();
      if (wantsData(context)) await printJson(dataOf(status), context);
      else await writeText(linesOf(status).map((line) => `${visibleText(line)}\n`).join(""), context);
      return status.jobs.gave_up === 0 ? EXIT.done : EXIT.someFailed;
    } finally {
      await queue.close();
    }
  },
);

function dataOf({ jobs, troubled, workers, schedules, rollouts }: QueueStatus): Record<string, unknown> {
  return {
    jobs,
    troubled: troubled.map(({ profileId, gaveUp, nextAt, ...job }) => ({
      profile_id: profileId,
      gave_up: gaveUp,
      next_at: nextAt,
      ...job,
    })),
    workers: workers.map(({ processId, startedAt, ...worker }) => ({
      process_id: processId,
      started_at: startedAt,
      ...worker,
    })),
    rollouts,
    schedules: schedules.map(({ id, cron, selection: { profileIds, reports, restateDays, drift } }) => ({
      id,
      cron,
      profile_ids: profileIds,
      reports,
      restate_days: restateDays ?? null,
      drift: drift ?? null,
    })),
  };
}

function linesOf({ jobs, troubled, workers, schedules, rollouts }: QueueStatus): string[] {
  return [
    `jobs      ${jobs.waiting} waiting, ${jobs.running} running, ${jobs.retrying} retrying, ${jobs.gave_up} given up`,
    `workers   ${workers.length}`,
    ...workers.map(({ id, host, processId, state, reports, rows }) =>
      `  ${id} on ${host}, process ${processId}: ${state}, ${reports} reports now, ${rows} rows so far`
    ),
    `schedules ${schedules.length}`,
    ...schedules.map(({ cron, selection: { profileIds, reports, drift } }) =>
      `  ${cron}: ${profileIds === null ? "all profiles" : `${profileIds.length} profiles`}, ${
        [...reports, ...drift === undefined ? [] : ["drift"]].join(", ")
      }`
    ),
    `rollouts  ${rollouts.length}`,
    ...rollouts.map(({ id, note, state, stopped, plans }) =>
      `  ${id} ${note ?? ""}: ${state}, ${
        Object.entries(plans).map(([one, count]) => `${count} ${one}`).join(", ")
      }${stopped === null ? "" : `. ${stopped}`}`
    ),
    ...troubled.map(({ profileId, report, attempts, gaveUp, nextAt, problem }) =>
      `${
        gaveUp ? "given up" : nextAt === null ? "stuck" : `again ${nextAt}`
      }: ${report} of ${profileId} after ${attempts} attempts: ${problem}`
    ),
  ];
}
