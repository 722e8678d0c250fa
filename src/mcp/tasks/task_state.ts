/** A task as the protocol shows it. */
export interface TaskState extends Record<string, unknown> {
  readonly taskId: string;
  readonly status: "working" | "completed" | "cancelled";
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Progress of the work. */
  readonly statusMessage?: string;
}
