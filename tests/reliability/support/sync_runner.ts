/**
 * Syncs a store as the job file says, in a process of its own that may be killed at any moment. Every wait moves the
 * emulator's clock on instead. Prints "begun" when it begins. Runs on Deno and on Node.
 *
 * @module
 */
import { existsSync } from "node:fs";
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
  /** A file that must be there before the sync starts, so that several start together. */
  readonly startsWith?: string;
  /** First and last day, where the sync is not to find them itself. */
  readonly days?: { readonly start: string; readonly end: string };
}

/**
 * Does the job.
 *
 * @throws {PartialFailureError} that says what was not stored.
 */
export async function runSyncJob(job: SyncJob, begun: () => void = () => {}): Promise<void> {
  let now = job.now;
  const ads = new PlatformAds(job.credentials, {
    platform: job.platform,
    now: () => now,
    sleep: async (seconds) => {
      now += seconds * 1000;
      await advance(job.emulator, seconds);
    },
  });
  const profiles = await Promise.all(job.markets.map((market) => ads.profile(market)));
  const store = await Warehouse.open(job.store, { now: () => now });
  begun();
  while (job.startsWith !== undefined && !existsSync(job.startsWith)) {
    await new Promise((done) => setTimeout(done, 5));
  }
  const result = await store.sync(profiles, { reports: job.reports, concurrency: 4, ...job.days });
  await store.close();
  result.raiseForErrors();
}

/** Moves the emulator's clock on; a connection that it had closed meanwhile is no reason to fail. */
async function advance(emulator: string, seconds: number): Promise<void> {
  const request = { method: "POST", body: JSON.stringify({ advance: seconds }) };
  for (let attempt = 1;; attempt++) {
    try {
      const answer = await fetch(`${emulator}/_emulator/clock`, request);
      await answer.body?.cancel();
      return;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

if (process.argv[2] === "--job") {
  const job = JSON.parse(await readFile(process.argv[3]!, "utf8")) as SyncJob;
  await runSyncJob(job, () => process.stdout.write("begun\n"));
  process.stdout.write("done\n");
}
