/**
 * Syncs a store as the job file says, in a process of its own that may be killed at any moment. Every wait moves the
 * emulator's clock on instead. Prints "begun" when it begins. Runs on Deno and on Node.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { type Credentials, type Platform, PlatformAds } from "../../../mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";

/** What the process is to do. */
export interface SyncJob {
  /** Where the platform is. */
  readonly platform: Platform;
  /** Who the caller is. */
  readonly credentials: Credentials;
  /** Address of the emulator. */
  readonly emulator: string;
  /** Its time, milliseconds since the epoch. */
  readonly now: number;
  /** Path of the store. */
  readonly store: string;
  /** Profiles to sync. */
  readonly markets: readonly string[];
  /** Reports to sync. */
  readonly reports: readonly string[];
  /** First and last day, where the sync is not to find them itself. */
  readonly days?: { readonly start: string; readonly end: string };
}

/** Does the job. */
export async function runSyncJob(job: SyncJob, begun: () => void): Promise<boolean> {
  let now = job.now;
  const ads = new PlatformAds(job.credentials, {
    platform: job.platform,
    now: () => now,
    sleep: async (seconds) => {
      now += seconds * 1000;
      const body = JSON.stringify({ advance: seconds });
      await fetch(`${job.emulator}/_emulator/clock`, { method: "POST", body }).then((answer) =>
        answer.body?.cancel()
      );
    },
  });
  const profiles = await Promise.all(job.markets.map((market) => ads.profile(market)));
  const store = await Warehouse.open(job.store, { now: () => now });
  begun();
  const result = await store.sync(profiles, { reports: job.reports, concurrency: 4, ...job.days });
  await store.close();
  return result.ok;
}

if (process.argv[2] === "--job") {
  const job = JSON.parse(await readFile(process.argv[3]!, "utf8")) as SyncJob;
  const ok = await runSyncJob(job, () => process.stdout.write("begun\n"));
  process.stdout.write(ok ? "done\n" : "failed\n");
}
