/**
 * The store in PostgreSQL and its queue, as `@platform/ads/worker` offers them.
 *
 * @module
 */

export type { WorkerClientOptions, WorkerOptions } from "./worker.ts";
export { type EnqueueDriftOptions, type EnqueueOptions, SyncQueue } from "./sync_queue.ts";
export type {
  FailedJob,
  JobCounts,
  ListedWorker,
  QueueStatus,
  RolloutCounts,
  Schedule,
  ScheduleSelection,
} from "./queue_status.ts";
export type { LogSink, WorkerLogRecord } from "./worker_log.ts";
export type {
  Holder,
  LaneRecord,
  LaneState,
  PaceState,
  PaceStore,
} from "../../platform/transport/pacer/pace_store.ts";
export { PostgresPaceStore } from "./postgres_pace_store.ts";
export { LeaseLostError } from "./lease.ts";
export { type MetricsServer, serveMetrics } from "./metrics_server.ts";
export { shardPlan } from "../postgres/shard_plan.ts";
