import { AsyncLocalStorage } from "node:async_hooks";

/** A line of a worker's log. */
export interface WorkerLogRecord {
  /** Level of the entry. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Name of the event, in a word or two that stay the same: for filters. */
  readonly event: string;
  /** Everything else that is known, JSON values under names in snake_case. */
  readonly [field: string]: unknown;
}

/** Takes the lines of a log. */
export type LogSink = (record: WorkerLogRecord) => void;

const JOBS = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/** Runs a job so that log lines carry its fields. */
export function inJob<T>(fields: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  return JOBS.run(fields, work);
}

/** Log with fixed fields and those of the running job. */
export function jobLog(sink: LogSink, always: Readonly<Record<string, unknown>>): LogSink {
  return (record) => sink({ ...record, ...always, ...JOBS.getStore() });
}
