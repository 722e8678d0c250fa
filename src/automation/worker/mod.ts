/**
 * Past one machine: the store in PostgreSQL, and workers that take syncs, the plans of rollouts and searches for drift from
 * a queue there.
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
