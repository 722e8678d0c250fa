import type { JournalFile } from "../../plans/apply/journal_file.ts";
import { openAttempt } from "../../plans/apply/journal_reading.ts";
import { retryWhileUnavailable } from "../../store/postgres/postgres_error.ts";
import { LeaseLostError } from "../../store/queue/lease.ts";
import type { Sql } from "../../store/tables/postgres_sql.ts";

export class QueueJournal implements JournalFile {
  readonly name: string;
  readonly #sql: Sql;
  readonly #planId: string;
  readonly #writer: string | null;

  /**
   * @param writer Id of the writing attempt; appending fails if it no longer holds the plan.
   * @default any writer
   */
  constructor(sql: Sql, planId: string, writer?: string) {
    this.#sql = sql;
    this.#planId = planId;
    this.#writer = writer ?? null;
    this.name = `of plan ${planId} on the queue`;
  }

  async create(text: string): Promise<boolean> {
    const line = crypto.randomUUID();
    const [first] = await retryWhileUnavailable(async () => {
      await this.#sql`
        WITH plan AS (SELECT plan_id FROM rollout_plans WHERE plan_id = ${this.#planId}
          AND (${this.#writer}::text IS NULL OR worker_id = ${this.#writer}) FOR UPDATE)
        INSERT INTO plan_journals (plan_id, line, text)
        SELECT plan_id, ${line}, ${text} FROM plan
        WHERE NOT EXISTS (SELECT FROM plan_journals WHERE plan_id = ${this.#planId})
        ON CONFLICT DO NOTHING`;
      return await this.#sql`
        SELECT line FROM plan_journals WHERE plan_id = ${this.#planId} ORDER BY id LIMIT 1`;
    });
    return first?.["line"] === line;
  }

  async read(): Promise<string> {
    const rows = await retryWhileUnavailable(() =>
      this.#sql`SELECT text FROM plan_journals WHERE plan_id = ${this.#planId} ORDER BY id`
    );
    return rows.map(({ text }) => String(text)).join("");
  }

  async begun(): Promise<string | undefined> {
    const text = await this.read();
    return text === "" || openAttempt(text) === undefined ? undefined : text;
  }

  /**
   * Appends a line to the journal. After a lost connection, the same line is added only once.
   *
   * @throws {LeaseLostError} when a later attempt holds the plan.
   */
  async append(text: string): Promise<void> {
    const line = crypto.randomUUID();
    const held = await retryWhileUnavailable(() =>
      this.#sql`
        WITH plan AS (SELECT plan_id FROM rollout_plans WHERE plan_id = ${this.#planId}
          AND (${this.#writer}::text IS NULL OR worker_id = ${this.#writer}) FOR SHARE),
        added AS (INSERT INTO plan_journals (plan_id, line, text) SELECT plan_id, ${line}, ${text} FROM plan
          ON CONFLICT DO NOTHING)
        SELECT plan_id FROM plan`
    );
    if (held.length > 0) return;
    throw new LeaseLostError(
      `Cannot write the journal ${this.name}: this worker was silent for too long, so another attempt took over`,
    );
  }

  async size(): Promise<number> {
    const [row] = await retryWhileUnavailable(() =>
      this.#sql`
        SELECT coalesce(sum(length(text)), 0) AS size FROM plan_journals WHERE plan_id = ${this.#planId}`
    );
    return Number(row?.["size"]);
  }
}
