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
export type { WorkerClientOptions, WorkerOptions } from "../../store/queue/worker.ts";
export { type EnqueueDriftOptions, type EnqueueOptions, SyncQueue } from "../../store/queue/sync_queue.ts";
export type {
  FailedJob,
  JobCounts,
  ListedWorker,
  QueueStatus,
  RolloutCounts,
  Schedule,
  ScheduleSelection,
} from "../../store/queue/queue_status.ts";
export type { LogSink, WorkerLogRecord } from "../../store/queue/worker_log.ts";
export type {
  Holder,
  LaneRecord,
  LaneState,
  PaceState,
  PaceStore,
} from "../../platform/transport/pacer/pace_store.ts";
export { PostgresPaceStore } from "../../store/queue/postgres_pace_store.ts";
export { LeaseLostError } from "../../store/queue/lease.ts";
export { type MetricsServer, serveMetrics } from "../../store/queue/metrics_server.ts";
export { shardPlan } from "../../store/postgres/shard_plan.ts";
