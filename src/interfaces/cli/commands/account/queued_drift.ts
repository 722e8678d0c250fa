import { scheduledProfiles, tellQueued } from "../../shell/tell_queued.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { QUEUE_PACKAGES, withPackages } from "../../../../store/model/optional_packages.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { importQueue } from "../store/import_queue.ts";
import { nameOf } from "../../shell/connect/with_profiles.ts";
import { chosenProfiles, isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { queueAddress } from "../../shell/options/store_option.ts";
import { printDriftRows, sayCounts } from "./drift_rows.ts";

export interface QueuedDriftOptions extends ManyProfilesOptions {
  readonly store?: string;
  readonly since?: string;
  readonly state?: string;
  readonly plans?: readonly string[];
  readonly ignore?: readonly string[];
  readonly enqueue?: true;
  readonly cron?: string;
  readonly last?: true;
}

export async function runQueuedDrift(options: QueuedDriftOptions, context: CliContext): Promise<number> {
  const { last, enqueue, cron, since, state, ignore } = options;
  const address = queueAddress(options.store, context);
  if (since !== undefined || state !== undefined) {
    throw new UsageError(
      "Cannot use --since or --state on a queue: each run checks changes since the previous run",
    );
  }
  if (options.plans !== undefined) {
    throw new UsageError(
      "Cannot use --plans on a queue: the workers look in the folders of their own option --plans",
    );
  }
  if (last && (enqueue || cron !== undefined)) {
    throw new UsageError("Cannot use --last with --enqueue or --cron: choose one of them");
  }
  const isForOne = !isForMany(options);
  if (last && isForOne && options.market === undefined) return await showLast(address, undefined, context);
  if (isForOne) wantedMarket(options, context);
  const ads = await connectAds(context);
  const { profiles, unreachable } = isForOne
    ? { profiles: [await chosenProfile(ads, options, context)], unreachable: [] }
    : await chosenProfiles(ads, options, context);
  for (const { name, reason } of unreachable) await context.io.stderr.write(`error: ${name}: ${reason}\n`);
  if (last) return await showLast(address, profiles, context);
  const { SyncQueue } = await importQueue();
  const queue = await SyncQueue.open(address);
  try {
    if (cron !== undefined) {
      const profileIds = scheduledProfiles(options, profiles);
      const selection = { profileIds, reports: [], drift: { ignore: [...ignore ?? []] } };
      await refusingBadInput(() => queue.schedule(selection, cron === "off" ? null : cron));
    }
    const jobs = enqueue ? await queue.enqueueDrift({ profiles, ignore }) : undefined;
    await tellQueued({ cron, jobs }, '"adsctl account drift --last" shows the results', context);
  } finally {
    await queue.close();
  }
  return unreachable.length === 0 ? EXIT.done : EXIT.someFailed;
}

async function showLast(
  address: string,
  profiles: readonly ProfileClient[] | undefined,
  context: CliContext,
): Promise<number> {
  const { lastDrift } = await withPackages(
    "a queue",
    QUEUE_PACKAGES,
    () => import("../../../../automation/worker/drift_runs.ts"),
  );
  const runs = await lastDrift(address, { profileIds: profiles?.map(({ profileId }) => profileId) });
  await printDriftRows(
    runs.flatMap((run) => run.entries.map((entry) => ({ profile: run, entry }))),
    context,
  );
  for (const run of runs) await sayCounts(run, `${run.ranAt}: ${nameOf(run)}: `, context);
  if (runs.length === 0) {
    throw new UsageError(
      "Cannot show results: no worker has checked yet. \"adsctl account drift --all-profiles --cron '0 6 * * *'\" makes them",
    );
  }
  return runs.every(({ isOurs }) => isOurs) ? EXIT.done : EXIT.differences;
}
