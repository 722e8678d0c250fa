import { type SqlRow, StateSession } from "../../../store/warehouse/state_session.ts";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS service_runs (
    profile_id text NOT NULL,
    timer text NOT NULL,
    due bigint NOT NULL,
    attempt integer NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint,
    outcome text,
    detail text,
    done_due bigint,
    PRIMARY KEY (profile_id, timer)
  )`,
  `CREATE TABLE IF NOT EXISTS service_past_runs (
    profile_id text NOT NULL,
    timer text NOT NULL,
    due bigint NOT NULL,
    attempt integer NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint,
    outcome text,
    detail text,
    done_due bigint,
    place bigint NOT NULL,
    PRIMARY KEY (profile_id, timer, due)
  )`,
];

const PAST = 8;
const COLUMNS = "profile_id, timer, due, attempt, started_at, ended_at, outcome, detail, done_due";

/** The last run of a timer for a profile. Times are milliseconds since the epoch. */
export interface ServiceRun {
  /** Id of the profile that the timer ran for, digits as text. */
  readonly profileId: string;
  /** Name of the timer in the file. */
  readonly timer: string;
  /** Time at which the run was due. */
  readonly due: number;
  /** Number of the attempt for this due time, from 1. */
  readonly attempt: number;
  /** Start of the run. */
  readonly startedAt: number;
  /** End of the run; `null` while it is running, or if its process was killed. */
  readonly endedAt: number | null;
  /**
   * Outcome of the run; `stopped` means that the service was asked to end, and the next one continues. `null` if it
   * has not ended.
   */
  readonly outcome: "done" | "failed" | "stopped" | null;
  /** Result or problem, in a sentence; `null` if it has not ended. */
  readonly detail: string | null;
  /** Due time of the last completed run; `null` before the first. */
  readonly doneDue: number | null;
}

/** One timer of one profile. */
export interface ServiceUnit {
  /** Id of the profile, digits as text. */
  readonly profileId: string;
  /** Name of the timer, as in the file. */
  readonly timer: string;
}

/**
 * Runs of a service, stored in an SQLite file or PostgreSQL. Several services can share one store; each timer of a
 * profile is run by only one of them at a time.
 *
 * @example
 * ```ts
 * import { ServiceState } from "@platform/ads/service";
 *
 * async function failures(): Promise<void> {
 *   const state = await ServiceState.open("ads.sqlite");
 *   for (const { timer, outcome, detail } of await state.runs()) if (outcome === "failed") console.log(timer, detail);
 *   await state.close();
 * }
 * ```
 */
export class ServiceState implements AsyncDisposable {
  readonly #session: StateSession;

  private constructor(session: StateSession) {
    this.#session = session;
  }

  /**
   * Opens the state.
   *
   * @param place Path of the SQLite file of a store, made when it is missing, or `postgres://...`.
   */
  static async open(place: string): Promise<ServiceState> {
    return new ServiceState(await StateSession.open(place, { what: "service", tables: TABLES }));
  }

  /**
   * Lists the runs for the last few due times of every timer, in the order in which they were made, without each
   * timer's last run.
   */
  async pastRuns(): Promise<ServiceRun[]> {
    const rows = await this.#session.rows("SELECT * FROM service_past_runs ORDER BY place");
    return rows.map(runOf);
  }

  /** Lists the last run of every timer. */
  async runs(): Promise<ServiceRun[]> {
    const rows = await this.#session.rows("SELECT * FROM service_runs");
    return rows.map(runOf);
  }

  /** Reads the last run of each timer of a profile. Opens the store and closes it again. */
  static async read(place: string, profileId: string): Promise<ServiceRun[]> {
    const state = await ServiceState.open(place);
    try {
      return (await state.runs()).filter((run) => run.profileId === profileId);
    } finally {
      await state.close();
    }
  }

  /** Lists runs for the last few due times of one timer, in the order in which they were made. */
  async history({ profileId, timer }: ServiceUnit): Promise<ServiceRun[]> {
    const where = "WHERE profile_id = ? AND timer = ?";
    const rows = await this.#session.transaction(async (sql) => [
      ...await sql(`SELECT * FROM service_past_runs ${where} ORDER BY place`, [profileId, timer]),
      ...await sql(`SELECT * FROM service_runs ${where}`, [profileId, timer]),
    ]);
    return rows.map(runOf);
  }

  /** Records the beginning of a run. */
  async begin({ profileId, timer }: ServiceUnit, { due, attempt, now }: {
    readonly due: number;
    readonly attempt: number;
    readonly now: number;
  }): Promise<void> {
    const unit = [profileId, timer];
    const isUnit = "profile_id = ? AND timer = ?";
    await this.#session.transaction(async (sql) => {
      // The order in the store is the order of events, whatever the clocks of services say.
      const [last] = await sql(
        `SELECT max(place) AS place FROM service_past_runs WHERE ${isUnit}`,
        unit,
      );
      const place = Number(last?.["place"] ?? 0) + 1;
      await sql(
        `INSERT INTO service_past_runs (${COLUMNS}, place)
        SELECT ${COLUMNS}, ${place} FROM service_runs WHERE ${isUnit} AND due <> ?`,
        [...unit, due],
      );
      await sql(
        `DELETE FROM service_past_runs WHERE ${isUnit} AND (due = ? OR place <= ?)`,
        [...unit, due, place - PAST],
      );
      await sql(
        `INSERT INTO service_runs (profile_id, timer, due, attempt, started_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (profile_id, timer) DO UPDATE SET due = excluded.due, attempt = excluded.attempt,
          started_at = excluded.started_at, ended_at = NULL, outcome = NULL, detail = NULL`,
        [profileId, timer, due, attempt, now],
      );
    });
  }

  /** Records the end of a run. Ignores a run whose process was frozen while another took over. */
  async end({ profileId, timer }: ServiceUnit, { due, attempt, outcome, detail, now }: {
    readonly due: number;
    readonly attempt: number;
    readonly outcome: "done" | "failed" | "stopped";
    readonly detail: string;
    readonly now: number;
  }): Promise<void> {
    await this.#session.rows(
      `UPDATE service_runs SET ended_at = ?, outcome = ?, detail = ?, done_due = ${
        outcome === "done" ? "due" : "done_due"
      }
        WHERE profile_id = ? AND timer = ? AND due = ? AND attempt = ?`,
      [now, outcome, detail, profileId, timer, due, attempt],
    );
  }

  /** Runs a function while no other service works on the same unit; returns `undefined` if another service does. */
  async alone<T>(
    { profileId, timer }: ServiceUnit,
    work: () => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    return await this.#session.alone(`${profileId} ${timer}`, work);
  }

  /** Closes the store. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function runOf(row: SqlRow): ServiceRun {
  const number = (name: string): number | null => row[name] === null ? null : Number(row[name]);
  const text = (name: string): string | null => row[name] === null ? null : String(row[name]);
  return {
    profileId: String(row["profile_id"]),
    timer: String(row["timer"]),
    due: Number(row["due"]),
    attempt: Number(row["attempt"]),
    startedAt: Number(row["started_at"]),
    endedAt: number("ended_at"),
    outcome: text("outcome") as ServiceRun["outcome"],
    detail: text("detail"),
    doneDue: number("done_due"),
  };
}
