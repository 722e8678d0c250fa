import type { Sleep } from "../../transport/sleep.ts";
import type { Sql } from "../postgres/sql.ts";

/** Seconds between two requests for reports: the first step after a refusal, and the longest. */
const [FIRST_PAUSE, MAX_PAUSE] = [0.25, 60];

/**
 * The pace at which the clients of one credential ask for reports together. There is no pause between two requests
 * until the platform refuses one as too fast: then the pause doubles, at most once for each that was kept, and every
 * request that is taken shortens it by a tenth.
 */
export class ReportPace {
  readonly #sql: Sql;
  readonly #credential: string;
  readonly #sleep: Sleep;
  #slowed = false;

  /**
   * Joins the pace of a credential.
   *
   * @param sql Where it is kept.
   * @param options `credential` is the key of the credential.
   */
  constructor(sql: Sql, options: { credential: string; sleep: Sleep }) {
    this.#sql = sql;
    this.#credential = options.credential;
    this.#sleep = options.sleep;
  }

  /** Waits for this client's turn to ask for a report. */
  async turn(signal?: AbortSignal): Promise<void> {
    const [row] = await this.#sql`
      INSERT INTO report_pace (credential, seconds, next_at, slowed_at)
      VALUES (${this.#credential}, 0, clock_timestamp(), '-infinity')
      ON CONFLICT (credential) DO UPDATE SET next_at =
        greatest(report_pace.next_at, clock_timestamp()) + report_pace.seconds * interval '1 second'
      RETURNING seconds, extract(epoch FROM next_at - clock_timestamp())::double precision - seconds AS wait`;
    this.#slowed = Number(row?.["seconds"]) > 0;
    const wait = Number(row?.["wait"]);
    if (wait > 0) await this.#sleep(wait, signal);
  }

  /** The platform refused a request as too fast. */
  async refused(): Promise<void> {
    this.#slowed = true;
    await this.#sql`
      UPDATE report_pace SET
        seconds = least(greatest(seconds * 2, ${FIRST_PAUSE}), ${MAX_PAUSE}),
        next_at = greatest(next_at, clock_timestamp()) + seconds * interval '1 second',
        slowed_at = clock_timestamp()
      WHERE credential = ${this.#credential}
        AND slowed_at < clock_timestamp() - greatest(seconds, 1) * interval '1 second'`;
  }

  /** The platform took a request. */
  async taken(): Promise<void> {
    if (!this.#slowed) return;
    await this.#sql`
      UPDATE report_pace SET seconds = CASE WHEN seconds < 0.05 THEN 0 ELSE seconds * 0.9 END
      WHERE credential = ${this.#credential} AND seconds > 0`;
  }

  /** Seconds between two requests at present. */
  async seconds(): Promise<number> {
    const [row] = await this.#sql`
      SELECT seconds FROM report_pace WHERE credential = ${this.#credential}`;
    return Number(row?.["seconds"] ?? 0);
  }
}
