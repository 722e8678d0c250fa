import { AsyncLocalStorage } from "node:async_hooks";

/** A line of a worker's log. */
export interface WorkerLogRecord {
  /** Level of the entry. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Stable name of the event, one or two words, for filters. */
  readonly event: string;
  /** Additional fields: JSON values with snake_case names. */
  readonly [field: string]: unknown;
}

/** Receives the lines of a log. */
export type LogSink = (record: WorkerLogRecord) => void;

const JOBS = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

export function inJob<T>(fields: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  return JOBS.run(fields, work);
}

export function jobLog(sink: LogSink, always: Readonly<Record<string, unknown>>): LogSink {
  return (record) => sink({ ...record, ...always, ...JOBS.getStore() });
}
