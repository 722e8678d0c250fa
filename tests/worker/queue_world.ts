import { type ChangePlan, PlatformAds } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { Emulator, type EmulatorOptions } from "../../src/emulator/mod.ts";
import { runWorker, type WorkerLogRecord } from "../../src/automation/worker/mod.ts";
import { makeStore, type TestServer } from "../support/postgres.ts";
import type { Judging } from "../support/judging.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { until } from "../support/until.ts";

/** An emulator, a queue, and a rollout of one plan a profile that pauses a campaign. */
export interface QueueWorld extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly ads: PlatformAds;
  readonly address: string;
  readonly folder: string;
  readonly plans: readonly ChangePlan[];
  readonly rollout: Rollout;
  /** Runs workers until the work is done. */
  work(isDone: () => Promise<boolean>, options?: WorkOptions): Promise<WorkerLogRecord[]>;
}

export interface WorkOptions {
  /** How many workers. */
  readonly workers?: number;
  /** Seconds of silence after which a request is given up, and a worker taken for dead. @default 10 */
  readonly seconds?: number;
  /** Path of the public half of the key that approvals are signed with. */
  readonly approvalKey?: string;
  /** Makes the client of each worker. */
  readonly connect?: (options: object) => PlatformAds;
}

/** Starts it; `await using` ends it. */
export async function queueWorld(
  server: TestServer,
  options: EmulatorOptions = {},
  { client: judging }: Pick<Judging, "client"> = { client: {} },
): Promise<QueueWorld> {
  const emulator = await Emulator.start(options);
  const temporary = await temporaryFolder();
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform, ...judging });
  const address = await makeStore(server);
  const plans: ChangePlan[] = [];
  for (const { profileId, countryCode } of await ads.profiles()) {
    const client = ads.profileFrom(profileId, countryCode);
    const [campaign] = await client.sp.campaigns.list({ states: ["ENABLED"] });
    plans.push(await client.sp.campaigns.planUpdate([{ campaignId: campaign!.campaignId, state: "PAUSED" }]));
  }
  return {
    emulator,
    ads,
    address,
    folder: temporary.path,
    plans,
    rollout: await Rollout.create(temporary.path, plans, { note: "Pause" }),
    work: async (isDone, { workers = 2, seconds = 10, approvalKey, connect } = {}) => {
      const stop = new AbortController();
      const log: WorkerLogRecord[] = [];
      const running = Array.from({ length: workers }, () =>
        runWorker(address, {
          connect: (parts) =>
            connect?.(parts) ??
              new PlatformAds(emulator.credentials, {
                platform: emulator.platform,
                timeout: seconds,
                ...parts,
                ...judging,
              }),
          approvalKey,
          concurrency: 2,
          lease: seconds,
          signal: stop.signal,
          log: (record) => log.push(record),
        }));
      try {
        await until(isDone);
        return log;
      } catch (cause) {
        throw new Error(`The work is not done: ${JSON.stringify(log.slice(-8))}`, { cause });
      } finally {
        stop.abort();
        await Promise.all(running);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await emulator.stop();
      await temporary.remove();
    },
  };
}

/** How often each plan's change was sent and carried out. */
export function sent({ emulator }: Pick<QueueWorld, "emulator">): number {
  return emulator.requests().filter(({ method, path }) => method === "PUT" && path.endsWith("/sp/campaigns"))
    .length;
}
