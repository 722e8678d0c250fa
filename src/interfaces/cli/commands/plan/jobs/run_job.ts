import { parseStep } from "../../../../../account/jobs/amount_step.ts";
import type { JobPlanOptions, JobResult } from "../../../../../account/jobs/job_result.ts";
import { drawnProfiles } from "../../../../../account/rollout/rollout_experiment.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { HoldBack } from "../../../../../plans/model/experiment.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { refusingBadInput } from "../../../shell/errors/cli_error.ts";
import { connectProfile } from "../../../shell/connect/connect.ts";
import { nameOf } from "../../../shell/connect/with_profiles.ts";
import { dividedHoldBack, holdBackOf } from "../../../shell/options/experiment_options.ts";
import { isForMany } from "../../../shell/options/many_profiles.ts";
import { wantsData } from "../../../shell/output/wants_data.ts";
import { openSyncedStore } from "../../store/open_synced_store.ts";
import { finishPlan } from "../../../shell/plans/finish_plan.ts";
import { powerOf } from "../../../shell/plans/power_of_plan.ts";
import { planRollout } from "../rollout/plan_rollout.ts";
import type { FileJob } from "./run_from_files.ts";
import { jobData, summary } from "./job_text.ts";
import { checkCurrencies, type JobOptions, type MoneyOption } from "./job_options.ts";

/** A weekly job as its command runs it. */
export interface Job<Result extends JobResult> {
  /** Makes the plan. */
  readonly run: (
    client: ProfileClient,
    figures: JobPlanOptions & { readonly signal: AbortSignal; readonly reports?: ReadonlySet<string> },
  ) => Promise<Result>;
  /** How amounts are changed, as typed; an amount of money is refused for several currencies. */
  readonly change?: string | undefined;
  /** Amounts of money among its options, by their names: one of them is refused for several currencies. */
  readonly amounts?: Readonly<Record<string, MoneyOption | undefined>>;
  /** Further work once the plan stands; its lines are printed for people. */
  readonly after?: (result: Result) => Promise<readonly string[]>;
  /** Further lines for people, printed last. */
  readonly lines?: (result: Result) => readonly string[];
  /** Further fields of `--json`. */
  readonly data?: (result: Result) => Readonly<Record<string, unknown>>;
  /** Reports that it judges by and that files can bring; absent for a job that needs the account itself. */
  readonly fileReports?: FileJob<Result>["reports"];
}

/**
 * Runs a weekly job with the store that the options name, and saves and shows its plan; for many profiles, a plan for each
 * in one rollout.
 */
export async function runJob<Result extends JobResult>(
  options: JobOptions,
  context: CliContext,
  job: Job<Result>,
): Promise<number> {
  if (options.fromFiles && job.fileReports !== undefined) {
    const { runFromFiles } = await import("./run_from_files.ts");
    return await runFromFiles(options, context, { ...job, reports: job.fileReports });
  }
  if (options.asOf !== undefined) {
    const { runBacktest } = await import("./backtest.ts");
    return await runBacktest({ ...options, asOf: options.asOf }, context, job);
  }
  const holdBack = holdBackOf(options);
  if (isForMany(options)) return await runForMany(options, context, { job, holdBack });
  const client = await connectProfile(options, context);
  const { figures, say, fetching } = await openSyncedStore(options, context);
  const result = await fetching(() =>
    refusingBadInput(() => job.run(client, { ...figures, holdBack, again: options.again }))
  );
  if (!wantsData(context)) { for (const line of [...summary(result), ""]) say(line); }
  const code = await finishPlan(result.plan, {
    out: options.out,
    context,
    data: { ...jobData(result), ...job.data?.(result) },
  });
  for (const line of await job.after?.(result) ?? []) say(line);
  if (!wantsData(context)) {
    for (const line of await powerOf(result.plan, figures.store, context)) say(line);
    for (const line of job.lines?.(result) ?? []) say(line);
  }
  return code;
}

async function runForMany<Result extends JobResult>(
  options: JobOptions,
  context: CliContext,
  { job, holdBack }: { job: Job<Result>; holdBack: HoldBack | undefined },
): Promise<number> {
  const { ofProfiles, inPlans } = dividedHoldBack(holdBack);
  const change = job.change !== undefined && parseStep(job.change).isMoney ? job.change : undefined;
  const { figures, say, fetching } = await openSyncedStore(options, context);
  return fetching(() =>
    planRollout(options, context, {
      check: (profiles) => checkCurrencies({ ...job.amounts, "--change": change }, profiles),
      holdBack: ofProfiles,
      lines: async (rollout) => {
        const found = await drawnProfiles(rollout);
        return found === undefined ? [] : await powerOf(found.plan, figures.store, context, found.profiles);
      },
      make: async (client) => {
        const named = (line: string): void => say(`${nameOf(client)}: ${line}`);
        const result = await job.run(client, {
          ...figures,
          onSync: named,
          holdBack: inPlans,
          again: options.again,
        });
        if (!wantsData(context)) { for (const line of summary(result)) named(line); }
        return { plan: result.plan };
      },
    })
  );
}
