import { runWorker as runQueueWorker, type WorkerOptions } from "../../store/queue/worker.ts";
import { DRIFT_TASK, PLAN_TASK } from "../../store/queue/sync_job.ts";
import { driftTask } from "./drift_task.ts";
import { RolloutTable } from "./rollout_table.ts";
import { planTask } from "./plan_task.ts";

/** Options of {@linkcode runWorker}. */
export interface AccountWorkerOptions extends WorkerOptions {
  /**
   * Path of the public key for approvals signed by people.
   *
   * @default none: plans of rollouts for which a policy asks for a person are not begun
   */
  readonly approvalKey?: string | undefined;
  /** Folders of plans applied on this machine, so that drift checks recognize their changes. @default none */
  readonly planFolders?: readonly string[] | undefined;
}

/**
 * Takes jobs from the queue of a store and runs them until the signal fires: syncs, rollout plans and drift checks.
 * Waits while the database restarts.
 *
 * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @throws {ConfigurationError} or {@linkcode StoreError} when the database cannot be used at the start.
 *
 * @example
 * ```ts
 * import { PlatformAds } from "@platform/ads";
 * import { runWorker } from "@platform/ads/worker";
 *
 * async function work(signal: AbortSignal): Promise<void> {
 *   await runWorker("postgres://ads:secret@db.example/ads", {
 *     connect: (options) => PlatformAds.fromEnv(options),
 *     concurrency: 8,
 *     signal,
 *     log: (record) => console.log(JSON.stringify(record)),
 *   });
 * }
 * ```
 */
export async function runWorker(address: string, options: AccountWorkerOptions): Promise<void> {
  const { approvalKey, planFolders = [], ...rest } = options;
  await runQueueWorker(address, {
    ...rest,
    tasks: (parts) => ({
      [PLAN_TASK]: planTask({ ...parts, approvalKey }),
      [DRIFT_TASK]: driftTask({ ...parts, planFolders }),
    }),
    repair: ({ database }) => new RolloutTable(database).requeueStuck(),
  });
}
