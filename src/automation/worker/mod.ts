/**
 * Working with several machines: a PostgreSQL store, and workers that take syncs, rollout plans and drift checks from
 * its queue.
 *
 * @module
 */

export { type AccountWorkerOptions, runWorker } from "./run_worker.ts";
export {
  type EnqueueRolloutOptions,
  type QueuedPlan,
  type QueuedRollout,
  RolloutQueue,
} from "./rollout_queue.ts";
export type { QueuedPlanState } from "./rollout_table.ts";
export { type DriftRun, lastDrift } from "./drift_runs.ts";
export * from "../../store/queue/mod.ts";
