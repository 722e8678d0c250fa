import { retryWhileUnavailable } from "../postgres/postgres_error.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import { StoreError } from "../model/store_error.ts";

/**
 * This worker no longer holds the report: it was silent for too long, and another one has taken over.
 *
 * @example
 * ```ts
 * import { LeaseLostError } from "@platform/ads/worker";
 *
 * function isAnothersNow(error: unknown): boolean {
 *   return error instanceof LeaseLostError; // stored nothing: the other worker does
 * }
 * ```
 */
export class LeaseLostError extends StoreError {}

export interface LeaseSubject {
  readonly profileId: string;
  readonly report: string;
}

export class Lease {
  readonly #sql: Sql;
  readonly #workerId: string;
  readonly #subject: LeaseSubject;

  private constructor(sql: Sql, workerId: string, subject: LeaseSubject) {
    this.#sql = sql;
    this.#workerId = workerId;
    this.#subject = subject;
  }

  /**
   * Also takes leases of unlisted workers, and those this worker failed to release.
   *
   * @returns `undefined` when a live worker holds it.
   * @throws {LeaseLostError} when this worker is not listed.
   */
  static async take(
    sql: Sql,
    workerId: string,
    subject: LeaseSubject,
  ): Promise<Lease | undefined> {
    const { profileId, report } = subject;
    const taken = await sql`
      INSERT INTO sync_leases (profile_id, report, worker_id) VALUES (${profileId}, ${report}, ${workerId})
      ON CONFLICT (profile_id, report) DO UPDATE SET worker_id = excluded.worker_id, taken_at = now()
        WHERE sync_leases.worker_id = excluded.worker_id
          OR NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = sync_leases.worker_id)
      RETURNING worker_id`;
    if (taken.length === 0) return undefined;
    const lease = new Lease(sql, workerId, subject);
    await lease.check(sql);
    return lease;
  }

  /**
   * Checks that the lease is still held. Within a transaction, it stays held until the transaction ends.
   *
   * @throws {LeaseLostError} when the lease is lost.
   */
  async check(sql: Sql = this.#sql): Promise<void> {
    const { profileId, report } = this.#subject;
    const held = await sql`
      SELECT 1 FROM workers JOIN sync_leases ON sync_leases.worker_id = workers.id
      WHERE workers.id = ${this.#workerId} AND profile_id = ${profileId} AND report = ${report}
      FOR KEY SHARE OF workers`;
    if (held.length > 0) return;
    throw new LeaseLostError(
      `Cannot continue ${report} of profile "${profileId}": this worker was silent for too long, so another took over`,
    );
  }

  async release(): Promise<void> {
    const { profileId, report } = this.#subject;
    await this.#sql`
      DELETE FROM sync_leases
      WHERE profile_id = ${profileId} AND report = ${report} AND worker_id = ${this.#workerId}`;
  }
}

export class LeasedWork {
  readonly #sql: Sql;
  readonly #workerId: () => string;
  readonly #running = new Set<string>();

  constructor(sql: Sql, workerId: () => string) {
    this.#sql = sql;
    this.#workerId = workerId;
  }

  /**
   * @returns `undefined` when a live worker, or this one, holds the lease.
   * @throws {LeaseLostError} when this worker is no longer listed.
   */
  async alone<T>(subject: LeaseSubject, work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    const key = `${subject.profileId} ${subject.report}`;
    if (this.#running.has(key)) return undefined;
    this.#running.add(key);
    try {
      const lease = await Lease.take(this.#sql, this.#workerId(), subject);
      if (lease === undefined) return undefined;
      try {
        return await work(lease);
      } finally {
        // A lease that cannot be given back ends with this worker, who may take it again itself.
        await retryWhileUnavailable(() => lease.release()).catch(() => {});
      }
    } finally {
      this.#running.delete(key);
    }
  }
}
