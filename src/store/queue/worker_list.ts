import process from "node:process";
import { hostname } from "node:os";
import type { Sql } from "../tables/postgres_sql.ts";
import type { LeaseSubject } from "./lease.ts";
import { JOB_TASKS } from "./sync_job.ts";
import { applicationName } from "./queue_utils.ts";

export class WorkerList {
  readonly #sql: Sql;
  readonly #processName: string;
  readonly #seconds: number;
  #number = 0;
  #id = "";

  /** `processName` is unique; `seconds` is the silence after which a worker counts as dead. */
  constructor(sql: Sql, options: { processName: string; seconds: number }) {
    this.#sql = sql;
    this.#processName = options.processName;
    this.#seconds = options.seconds;
  }

  get id(): string {
    return this.#id;
  }

  async join(poolId: string): Promise<void> {
    this.#id = `${this.#processName}.${++this.#number}`;
    await this.#sql`
      INSERT INTO workers (id, pool_id, host, process_id, expires_at, state)
      VALUES (
        ${this.#id}, ${poolId}, ${hostname()}, ${process.pid}, now() + ${this.#seconds} * interval '1 second', 'working'
      )`;
  }

  /** @returns false when it came too late and this worker was already declared dead. */
  async beat(shown: { state: string; rows: number; poolId: string }): Promise<boolean> {
    const beaten = await this.#sql`
      UPDATE workers SET expires_at = now() + ${this.#seconds} * interval '1 second', state = ${shown.state}, rows = ${shown.rows},
        pool_id = ${shown.poolId}
      WHERE id = ${this.#id} RETURNING id`;
    return beaten.length > 0;
  }

  async leave(): Promise<void> {
    await this.#sql`DELETE FROM sync_leases WHERE worker_id = ${this.#id}`;
    await this.#sql`DELETE FROM workers WHERE id = ${this.#id}`;
  }

  /**
   * Ends the workers' connections first, because a frozen process may hold a transaction.
   *
   * @returns Their ids, the pools whose jobs can be unlocked, and unfinished work.
   */
  async expireDeadWorkers(): Promise<{ ids: string[]; pools: string[]; left: LeaseSubject[] }> {
    const silent = await this.#sql`SELECT id FROM workers WHERE expires_at < now()`;
    for (const { id } of silent) {
      await this.#sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = ${
        applicationName(String(id).split(".")[0]!)
      } AND EXISTS (SELECT 1 FROM workers WHERE id = ${String(id)} AND expires_at < now())`;
    }
    const dead = silent.length === 0 ? [] : await this.#sql`
      DELETE FROM workers WHERE id IN (
        SELECT id FROM workers WHERE expires_at < now() FOR UPDATE SKIP LOCKED
      ) RETURNING id, pool_id`;
    const orphaned = await this.#sql`
      SELECT DISTINCT locked_by FROM graphile_worker.jobs
      WHERE task_identifier = ANY (string_to_array(${JOB_TASKS}, ',')) AND locked_at < now() - ${this.#seconds} * interval '1 second'
        AND NOT EXISTS (SELECT 1 FROM workers WHERE pool_id = locked_by)`;
    const left = dead.length === 0 ? [] : await this.#sql`
      SELECT profile_id, report FROM sync_leases
      WHERE worker_id = ANY (string_to_array(${dead.map(({ id }) => String(id)).join(",")}, ','))`;
    return {
      left: left.map((row) => ({ profileId: String(row["profile_id"]), report: String(row["report"]) })),
      ids: dead.map(({ id }) => String(id)),
      pools: [
        ...dead.map((row) => String(row["pool_id"])),
        ...orphaned.map((row) => String(row["locked_by"])),
      ],
    };
  }
}
