import { scheduledProfiles, tellQueued } from "../../shell/tell_queued.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { syncOptions } from "../../../../operations/reads/sync.ts";
import { DEFAULT_REPORTS } from "../../../../store/sync/sync_options.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { importQueue } from "./import_queue.ts";
import { askingToAddAccount } from "./asking_to_add_account.ts";
import { queueAddress } from "../../shell/options/store_option.ts";

export interface EnqueueOptions extends Awaited<ReturnType<typeof syncOptions>> {
  readonly store?: string;
  /** Includes profiles added later. */
  readonly allProfiles?: true;
  readonly except?: readonly string[] | undefined;
  readonly accountType?: string;
  readonly accountName?: string;
  readonly addAccount?: true;
  readonly enqueue?: true;
  readonly cron?: string;
}

export async function enqueueSync(
  options: EnqueueOptions,
  { profiles, ads }: { profiles: readonly ProfileClient[]; ads: PlatformAds },
  context: CliContext,
): Promise<number> {
  const address = queueAddress(options.store, context);
  const { restateDays, entitySource, reporting, start, end, acceptShrink, cron } = options;
  const parts = [options.entities, options.hours, options.months];
  const [entities, hours, months] = [options.entities !== false, !!options.hours, !!options.months];
  const reports = parts.includes("only") ? [] : options.reports ?? DEFAULT_REPORTS;
  if (cron !== undefined && (start !== undefined || end !== undefined)) {
    throw new UsageError("Cannot use --start or --end with --cron: each run finds the missing days itself");
  }
  if (cron !== undefined && acceptShrink) {
    throw new UsageError(
      "Cannot use --accept-shrink with --cron: check the data, then accept it once without --cron",
    );
  }
  const { SyncQueue } = await importQueue();
  const queue = await SyncQueue.open(address);
  try {
    await askingToAddAccount(options, context, (addAccount) => queue.checkAccounts(profiles, { addAccount }));
    const done: { cron?: string; jobs?: number } = {};
    if (cron !== undefined) {
      const profileIds = scheduledProfiles(options, profiles);
      const source = entitySource === undefined ? {} : { entitySource };
      const others = { entities, ...hours ? { hours } : {}, ...months ? { months } : {} };
      const selection = { profileIds, reports: [...reports], restateDays, reporting, ...others, ...source };
      await refusingBadInput(() => queue.schedule(selection, cron === "off" ? null : cron));
      done.cron = cron;
    }
    if (options.enqueue) {
      done.jobs = await queue.enqueue({
        profiles,
        reports,
        entities,
        hours,
        months,
        entitySource,
        restateDays,
        reporting,
        start,
        end,
        acceptShrink,
      });
    }
    await tellQueued(done, '"adsctl store status" shows progress', context);
    return ads.regionFailures.length === 0 ? EXIT.done : EXIT.someFailed;
  } finally {
    await queue.close();
  }
}
