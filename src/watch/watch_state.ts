import { addDays } from "../internal/calendar.ts";
import { alone, openSession, type RunSql, type SqlRow, type StateSession } from "../store/state_session.ts";
import type { Alert } from "./alert.ts";

/** The word for it in the store. */
const WHAT = "watch";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS watch_alerts (
    id text NOT NULL PRIMARY KEY, profile_id text NOT NULL, at text NOT NULL, day text NOT NULL, rule text NOT NULL,
    subject text NOT NULL, is_complete integer NOT NULL, alert text NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS watch_alerts_of ON watch_alerts (profile_id, rule, subject, day)`,
  `CREATE TABLE IF NOT EXISTS watch_deliveries (
    alert_id text NOT NULL, channel text NOT NULL, delivered_at text, attempts integer NOT NULL,
    next_at bigint NOT NULL, problem text, PRIMARY KEY (alert_id, channel))`,
];

/** An alert on its way to a channel. */
export interface WaitingAlert {
  /** As it is kept, whole. */
  readonly alert: Alert;
  /** Name of the channel. */
  readonly channel: string;
  /** Attempts that failed. */
  readonly attempts: number;
}

/** A stored alert, with the channels that have it and those that have not. */
export interface KeptAlert extends Alert {
  /** Names of the channels that have it. */
  readonly delivered: readonly string[];
  /** Channels that it waits for, with the problem of the last attempt. */
  readonly waiting: readonly {
    readonly channel: string;
    readonly attempts: number;
    readonly problem: string | null;
  }[];
}

/** An alert with what follows from its rule. */
export interface RaisedAlert {
  /** As a rule found it. */
  readonly alert: Alert;
  /** Days for which the same is not said again. */
  readonly quietDays: number;
  /** Names of the channels that it goes to. */
  readonly channels: readonly string[];
  /** False while a plan is to be made for it. */
  readonly isComplete: boolean;
}

/**
 * Alerts and their deliveries, kept in a store beside its figures: an SQLite file or PostgreSQL. An alert is kept before
 * it is delivered, so that a channel that is down loses nothing.
 *
 * @example
 * ```ts
 * import { WatchState } from "@platform/ads/watch";
 *
 * async function newest(profileId: string): Promise<void> {
 *   const state = await WatchState.open("ads.sqlite");
 *   for (const { day, title, waiting } of await state.list({ profileId })) console.log(day, title, waiting.length);
 *   await state.close();
 * }
 * ```
 */
export class WatchState implements AsyncDisposable {
  readonly #session: StateSession;

  private constructor(session: StateSession) {
    this.#session = session;
  }

  /**
   * Opens the state.
   *
   * @param place Path of the SQLite file of a store, made when it is missing, or `postgres://...`.
   */
  static async open(place: string): Promise<WatchState> {
    return new WatchState(await openSession(place, { what: WHAT, tables: TABLES }));
  }

  /** Keeps what is new: neither kept before nor said within the quiet days of its rule. */
  async raise(found: readonly RaisedAlert[]): Promise<Alert[]> {
    if (found.length === 0) return [];
    return await this.#session.transaction(async (sql) => {
      const fresh: Alert[] = [];
      for (const { alert, quietDays, channels, isComplete } of found) {
        const last = await lastOf(sql, alert);
        if (last !== undefined && last.day > addDays(alert.day, -quietDays)) continue;
        // What was said when it was due to be said again goes on, and began when it was said first.
        const goesOn = last !== undefined && last.day >= addDays(alert.day, -quietDays);
        const kept = goesOn ? { ...alert, since: last.since } : alert;
        await sql("INSERT INTO watch_alerts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [
          alert.id,
          alert.profileId,
          alert.at,
          alert.day,
          alert.rule,
          alert.key,
          isComplete ? 1 : 0,
          JSON.stringify(kept),
        ]);
        for (const channel of channels) {
          await sql("INSERT INTO watch_deliveries VALUES (?, ?, NULL, 0, 0, NULL)", [alert.id, channel]);
        }
        fresh.push(kept);
      }
      return fresh;
    });
  }

  /** Alerts of a profile for which a plan is still to be made. */
  async incomplete(profileId: string): Promise<Alert[]> {
    const rows = await this.#rows(
      "SELECT alert FROM watch_alerts WHERE profile_id = ? AND is_complete = 0 ORDER BY at, id",
      [profileId],
    );
    return rows.map(alertOf);
  }

  /** Keeps an alert with its plan, or with why there is none. */
  async complete(alert: Alert): Promise<void> {
    await this.#rows("UPDATE watch_alerts SET alert = ?, is_complete = 1 WHERE id = ?", [
      JSON.stringify(alert),
      alert.id,
    ]);
  }

  /** Deliveries due at a moment, the oldest first. */
  async waiting(profileId: string, now: number): Promise<WaitingAlert[]> {
    const rows = await this.#rows(
      `SELECT a.alert, d.channel, d.attempts FROM watch_deliveries AS d JOIN watch_alerts AS a ON a.id = d.alert_id
      WHERE a.profile_id = ? AND a.is_complete = 1 AND d.delivered_at IS NULL AND d.next_at <= ? ORDER BY a.at, a.id`,
      [profileId, now],
    );
    return rows.map((row) => ({
      alert: alertOf(row),
      channel: String(row["channel"]),
      attempts: Number(row["attempts"]),
    }));
  }

  /** Notes that a channel has an alert. */
  async delivered({ alert, channel, attempts }: WaitingAlert, at: number): Promise<void> {
    await this.#rows(
      "UPDATE watch_deliveries SET delivered_at = ?, attempts = ?, problem = NULL WHERE alert_id = ? AND channel = ?",
      [new Date(at).toISOString(), attempts + 1, alert.id, channel],
    );
  }

  /** Notes that a channel could not be reached, and when it is tried again. */
  async failed(
    { alert, channel, attempts }: WaitingAlert,
    { problem, nextAt }: { readonly problem: string; readonly nextAt: number },
  ): Promise<void> {
    await this.#rows(
      "UPDATE watch_deliveries SET attempts = ?, next_at = ?, problem = ? WHERE alert_id = ? AND channel = ?",
      [attempts + 1, nextAt, problem, alert.id, channel],
    );
  }

  /** Alerts of a profile, the newest first. */
  async list(
    { profileId, limit = 100 }: { readonly profileId: string; readonly limit?: number },
  ): Promise<KeptAlert[]> {
    const rows = await this.#rows(
      `SELECT alert FROM watch_alerts WHERE profile_id = ? ORDER BY at DESC, day DESC, id LIMIT ${
        Math.trunc(limit)
      }`,
      [profileId],
    );
    const alerts = rows.map(alertOf);
    // By the time of the oldest: an alert has few deliveries, and each statement is a transaction.
    const oldest = alerts.reduce((at, alert) => alert.at < at ? alert.at : at, alerts[0]?.at ?? "");
    const deliveries = Map.groupBy(
      alerts.length === 0 ? [] : await this.#rows(
        `SELECT d.alert_id, d.channel, d.delivered_at, d.attempts, d.problem
        FROM watch_deliveries AS d JOIN watch_alerts AS a ON a.id = d.alert_id
        WHERE a.profile_id = ? AND a.at >= ? ORDER BY d.channel`,
        [profileId, oldest],
      ),
      (row) => String(row["alert_id"]),
    );
    return alerts.map((alert) => {
      const own = deliveries.get(alert.id) ?? [];
      return {
        ...alert,
        delivered: own.filter((row) => row["delivered_at"] !== null).map((row) => String(row["channel"])),
        waiting: own.filter((row) => row["delivered_at"] === null).map((row) => ({
          channel: String(row["channel"]),
          attempts: Number(row["attempts"]),
          problem: row["problem"] === null ? null : String(row["problem"]),
        })),
      };
    });
  }

  /**
   * Does work while no other watches the same profile, in any process.
   *
   * @returns `undefined` where another does, and nothing was done.
   */
  async alone<T>(profileId: string, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    return await alone(this.#session, { what: WHAT, profileId }, work);
  }

  /** Closes the database. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Closes the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #rows(text: string, values: readonly (string | number | null)[]): Promise<readonly SqlRow[]> {
    return this.#session.transaction((sql) => sql(text, values));
  }
}

async function lastOf(sql: RunSql, { profileId, rule, key }: Alert): Promise<Alert | undefined> {
  const [row] = await sql(
    "SELECT alert FROM watch_alerts WHERE profile_id = ? AND rule = ? AND subject = ? ORDER BY day DESC LIMIT 1",
    [profileId, rule, key],
  );
  return row === undefined ? undefined : alertOf(row);
}

function alertOf(row: SqlRow): Alert {
  return JSON.parse(String(row["alert"]));
}
